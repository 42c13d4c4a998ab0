/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.participant;

import io.trefoil.foundation.Step;
import java.util.ArrayList;
import java.util.List;

/** Participants with a bug. */
public final class WrongParticipants {

    private WrongParticipants() {}

    /** Lets go as soon as it has said that it is frozen, and takes the lock again when it is told to cut. */
    public static Step<ParticipantState, ParticipantEffect> releaseAndRetakeLock(
            ParticipantState state, ParticipantEvent event, long nowNanos) {
        Step<ParticipantState, ParticipantEffect> step = Participant.step(state, event, nowNanos);
        boolean froze = state.stage() == ParticipantStage.LOCKING && step.next().stage() == ParticipantStage.FROZEN;
        if (!froze) {
            return step;
        }
        List<ParticipantEffect> effects = new ArrayList<>(step.effects());
        effects.add(ParticipantEffect.unlock(step.next().order().get()));
        return Step.of(step.next(), effects);
    }

    /** Waits for the coordinator, however long that takes. */
    public static Step<ParticipantState, ParticipantEffect> waitForeverForCoordinator(
            ParticipantState state, ParticipantEvent event, long nowNanos) {
        return Participant.step(state, event, 0);
    }

    /** Takes what it is not busy with for something that never was. */
    public static Step<ParticipantState, ParticipantEffect> treatUnknownAsNeverExisting(
            ParticipantState state, ParticipantEvent event, long nowNanos) {
        return state.stage() == ParticipantStage.IDLE && event instanceof ParticipantEvent.AbandonRequested asked
                ? Step.of(state, ParticipantEffect.answerAbandoned(asked.request(), asked.id()))
                : Participant.step(state, event, nowNanos);
    }

    /** Cuts for its checkpoint by whatever grant. */
    public static Step<ParticipantState, ParticipantEffect> cutUnderAnyGrant(
            ParticipantState state, ParticipantEvent event, long nowNanos) {
        return event instanceof ParticipantEvent.CutRequested asked
                ? Participant.step(
                        state,
                        ParticipantEvent.cutRequested(asked.request(), state.grant(), asked.agreement()),
                        nowNanos)
                : Participant.step(state, event, nowNanos);
    }

    /** Takes its barrier for committed when it is written. */
    public static Step<ParticipantState, ParticipantEffect> answerBeforeCommit(
            ParticipantState state, ParticipantEvent event, long nowNanos) {
        Step<ParticipantState, ParticipantEffect> step = Participant.step(state, event, nowNanos);
        if (step.next().stage() != ParticipantStage.MARKING || state.stage() == ParticipantStage.MARKING) {
            return step;
        }
        List<ParticipantEffect> effects = new ArrayList<>(step.effects());
        state.cutRequests()
                .forEach(request -> effects.add(
                        ParticipantEffect.answerCut(request, step.next().cut().get())));
        return Step.of(step.next(), effects);
    }

    /** Says that there is no barrier while it commits one. */
    public static Step<ParticipantState, ParticipantEffect> removeBeforeCommit(
            ParticipantState state, ParticipantEvent event, long nowNanos) {
        boolean isBusy = state.stage() == ParticipantStage.CUTTING || state.stage() == ParticipantStage.MARKING;
        return isBusy && event instanceof ParticipantEvent.AbandonRequested asked
                ? Step.of(state, ParticipantEffect.answerAbandoned(asked.request(), asked.id()))
                : Participant.step(state, event, nowNanos);
    }

    /** Waits for another cut when one has failed. */
    public static Step<ParticipantState, ParticipantEffect> waitForAnotherCut(
            ParticipantState state, ParticipantEvent event, long nowNanos) {
        return event instanceof ParticipantEvent.CutFailed
                ? Step.withoutEffects(state)
                : Participant.step(state, event, nowNanos);
    }
}
