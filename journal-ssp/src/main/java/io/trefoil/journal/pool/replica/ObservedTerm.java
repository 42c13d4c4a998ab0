/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Epoch;
import java.time.Duration;

/** The term of the journal's writer as heard by the replica in this process, whichever process the writer is in. Immutable. */
@AutoValue
public abstract class ObservedTerm {

    static ObservedTerm of(
            Epoch promised, Duration leaseHeld, boolean suspected, long committedTxId, boolean caughtUp) {
        return new AutoValue_ObservedTerm(promised, leaseHeld, suspected, committedTxId, caughtUp);
    }

    /** The epoch promised last. */
    public abstract Epoch promised();

    /**
     * How long the replica will believe in that epoch's writer without hearing from it again; zero if it does not
     * believe in it.
     */
    public abstract Duration leaseHeld();

    /** Whether the writer may be down: its session with the replica broke, and it has not been heard since. */
    public abstract boolean suspected();

    /** Whether there may soon be another writer: the replica does not believe in this one, or suspects that it is down. */
    public boolean mayEnd() {
        return mayEndIn().isZero();
    }

    /** How long until {@link #mayEnd}, if the writer is not heard again before. */
    public Duration mayEndIn() {
        return suspected() ? Duration.ZERO : leaseHeld();
    }

    /** The newest transaction that the replica knows to be committed. */
    public abstract long committedTxId();

    /** Whether the replica had all that the writer knew to be committed, at most a lease ago. */
    public abstract boolean caughtUp();
}
