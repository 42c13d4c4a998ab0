/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Epoch;
import java.time.Duration;

/** The term of the writer in this process at one moment. Immutable. */
@AutoValue
public abstract class LocalTerm {

    static LocalTerm of(Epoch epoch, boolean fenced, boolean refused, Duration leaseLeft) {
        return new AutoValue_LocalTerm(epoch, fenced, refused, leaseLeft);
    }

    public abstract Epoch epoch();

    /** Whether the writer is known to be fenced, as {@code FencedException} describes. */
    public abstract boolean fenced();

    /** Whether a voter has promised a higher epoch; it accepts nothing for the rest of this term. */
    public abstract boolean refused();

    /** How long no other process can be promised a term; zero or less if a majority has not acknowledged lately. */
    public abstract Duration leaseLeft();
}
