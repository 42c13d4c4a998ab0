/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.lease;

import com.google.auto.value.AutoValue;
import java.time.Duration;

/** The length of a lease, and why it is that long. Immutable. */
@AutoValue
public abstract class LeaseChoice {

    public static LeaseChoice of(Duration length, String reason) {
        return new AutoValue_LeaseChoice(length, reason);
    }

    public abstract Duration length();

    /** The lease of a term that began with, or got, this one when pauses were as long as that needs, and why it still has it. */
    public final LeaseChoice forTermWith(Duration lease) {
        return lease.compareTo(length()) <= 0
                ? of(lease, reason())
                : of(lease, reason() + "; it was longer before, and a term's lease gets no shorter");
    }

    /** Returns the reason, for operators. */
    public abstract String reason();

    @Override
    public final String toString() {
        return length().toMillis() + " ms long: " + reason();
    }
}
