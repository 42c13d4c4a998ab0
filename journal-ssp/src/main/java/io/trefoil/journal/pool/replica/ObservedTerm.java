/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Epoch;
import java.time.Duration;

/** The term of the journal's writer as observed by the replica in this process, whichever process the writer is in. Immutable. */
@AutoValue
public abstract class ObservedTerm {

    static ObservedTerm of(
            Epoch promisedEpoch, Duration leaseHeld, boolean suspected, long committedTxId, boolean caughtUp) {
        return new AutoValue_ObservedTerm(promisedEpoch, leaseHeld, suspected, committedTxId, caughtUp);
    }

    /** The epoch promised last. */
    public abstract Epoch promisedEpoch();

    /**
     * Returns how long the replica will consider that epoch's writer alive without hearing from it again; zero if it does not consider it
     * alive.
     */
    public abstract Duration leaseRemaining();

    /** Whether the writer may be down: its session with the replica broke, and the replica has not heard from it since. */
    public abstract boolean writerSuspected();

    /** Whether there may soon be another writer: the replica does not consider this one alive, or suspects that it is down. */
    public boolean mayEnd() {
        return timeUntilMayEnd().isZero();
    }

    /** Returns how long until {@link #mayEnd}, unless the writer is heard from again before that. */
    public Duration timeUntilMayEnd() {
        return writerSuspected() ? Duration.ZERO : leaseRemaining();
    }

    /** The newest transaction that the replica knows to be committed. */
    public abstract long committedTxId();

    /** Whether the replica had everything that the writer knew to be committed, at most a lease ago. */
    public abstract boolean caughtUp();
}
