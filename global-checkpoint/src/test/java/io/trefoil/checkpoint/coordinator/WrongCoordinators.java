/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.coordinator;

import io.trefoil.checkpoint.model.Agreement;
import io.trefoil.checkpoint.model.Checkpoint;
import io.trefoil.checkpoint.model.Grant;
import io.trefoil.foundation.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Coordinators with a bug. */
public final class WrongCoordinators {

    private WrongCoordinators() {}

    /** Tells each to cut as soon as it is frozen, as if the others did not matter. */
    public static Step<CoordinatorState, CoordinatorEffect> cutBeforeAllFrozen(
            CoordinatorState state, CoordinatorEvent event, long nowNanos) {
        Step<CoordinatorState, CoordinatorEffect> step = Coordinator.step(state, event, nowNanos);
        if (state.stage() != CoordinatorStage.FREEZING) {
            return step;
        }
        List<CoordinatorEffect> effects = new ArrayList<>(step.effects());
        step.next().grants().forEach((nameservice, grant) -> {
            if (!state.grants().containsKey(nameservice) && step.next().stage() == CoordinatorStage.FREEZING) {
                effects.add(cutEffect(step.next(), nameservice, grant));
            }
        });
        return Step.of(step.next(), effects);
    }

    private static CoordinatorEffect cutEffect(CoordinatorState state, String nameservice, Grant grant) {
        CheckpointPlan plan = state.plan();
        return CoordinatorEffect.cut(
                nameservice, grant, Agreement.of(plan.id(), 0, 0, plan.timeServer(), plan.nameservices()));
    }

    /** Says that it failed when it does not know. */
    public static Step<CoordinatorState, CoordinatorEffect> reportUnknownAsFailed(
            CoordinatorState state, CoordinatorEvent event, long nowNanos) {
        Step<CoordinatorState, CoordinatorEffect> step = Coordinator.step(state, event, nowNanos);
        boolean guesses = step.next().stage() == CoordinatorStage.ENDED
                && state.stage() == CoordinatorStage.ABANDONING
                && step.next().abandoned().isEmpty();
        return guesses
                ? Step.of(
                        step.next(),
                        CoordinatorEffect.finish(CheckpointOutcome.of(
                                CheckpointOutcome.Kind.FAILED,
                                step.next().failure(),
                                Optional.<Checkpoint>empty(),
                                step.next().agreement())))
                : step;
    }

    /** Does not tell any participant that it failed. */
    public static Step<CoordinatorState, CoordinatorEffect> failSilently(
            CoordinatorState state, CoordinatorEvent event, long nowNanos) {
        Step<CoordinatorState, CoordinatorEffect> step = Coordinator.step(state, event, nowNanos);
        boolean fails = step.next().stage() == CoordinatorStage.ABANDONING;
        return fails
                ? Step.of(
                        step.next().toBuilder().stage(CoordinatorStage.ENDED).build(),
                        CoordinatorEffect.finish(CheckpointOutcome.of(
                                CheckpointOutcome.Kind.FAILED,
                                step.next().failure(),
                                Optional.<Checkpoint>empty(),
                                step.next().agreement())))
                : step;
    }
}
