/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.coordinator;

/** A coordinator's state as an exploration needs it: it is always now 0, and what makes no difference is the same. */
public final class ExploredCoordinators {

    private ExploredCoordinators() {}

    /** A state in which the deadline of the stage has passed. */
    public static CoordinatorState pastDeadline(CoordinatorState state) {
        return state.toBuilder().deadlineNanos(0).build();
    }

    /** A state in which it is time to tell those again that have not answered. */
    public static CoordinatorState pastRetryTime(CoordinatorState state) {
        return state.toBuilder().retryNanos(0).build();
    }

    /** A state that does not say why a checkpoint failed, only that it did. */
    public static CoordinatorState canonical(CoordinatorState state) {
        boolean isAbandoning = state.stage() == CoordinatorStage.ABANDONING;
        return state.toBuilder()
                .failure(state.failure().isEmpty() ? "" : "failed")
                .retryNanos(isAbandoning ? state.retryNanos() : 0)
                .build();
    }
}
