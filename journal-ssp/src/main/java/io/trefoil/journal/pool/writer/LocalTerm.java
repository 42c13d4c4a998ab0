/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Epoch;
import java.time.Duration;

/** The term of the writer in this process at one moment. Immutable. */
@AutoValue
public abstract class LocalTerm {

    /** Creates a term in a store that refuses no writer before it is fenced. */
    public static LocalTerm alone(Epoch epoch, Duration leaseLeft) {
        return of(epoch, false, false, leaseLeft);
    }

    /** Creates a term that was ended by another one. */
    public static LocalTerm fenced(Epoch epoch) {
        return of(epoch, true, true, Duration.ZERO);
    }

    static LocalTerm of(Epoch epoch, boolean fenced, boolean refused, Duration leaseLeft) {
        return new AutoValue_LocalTerm(epoch, fenced, refused, leaseLeft);
    }

    public abstract Epoch epoch();

    /** Whether the writer is known to be fenced, as {@code FencedException} describes. */
    public abstract boolean fenced();

    /** Whether a voter has promised a higher epoch; it accepts nothing for the rest of this term. */
    public abstract boolean refusedByVoter();

    /**
     * Returns how long it is certain that no other process can be promised a term; zero or less if a majority has not acknowledged lately.
     */
    public abstract Duration leaseRemaining();
}
