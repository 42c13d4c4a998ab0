/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.replica;

import io.trefoil.journal.model.Promise;
import java.util.function.LongUnaryOperator;

/** Nodes' states as the explorer keeps them: at one time, so that two that differ only by when something happened are one. */
public final class ReplicaTimes {

    private ReplicaTimes() {}

    /** A state whose lease is over. */
    public static ReplicaState expireLease(ReplicaState state) {
        return state.withLease(Lease.FREE);
    }

    /** A state whose lease began at another time; one that is over by then is free. */
    public static ReplicaState shiftTimes(ReplicaState state, LongUnaryOperator times, long nowNanos) {
        Lease lease = Lease.of(
                times.applyAsLong(state.lease().fromNanos()), state.lease().lengthMillis());
        return state.withLease(lease.remainingMillis(nowNanos) == 0 ? Lease.FREE : lease);
    }

    /** A state with another promise, as no rule would have it. */
    public static ReplicaState withPromise(ReplicaState state, Promise promise) {
        return state.withPromise(promise);
    }
}
