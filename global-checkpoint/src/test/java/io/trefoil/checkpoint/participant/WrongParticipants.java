/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.participant;

import io.trefoil.checkpoint.model.Agreement;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.Cut;
import io.trefoil.checkpoint.model.FreezeOrder;
import io.trefoil.checkpoint.model.Grant;
import io.trefoil.foundation.Step;
import java.util.ArrayList;
import java.util.List;

/** Participants with a bug. */
public final class WrongParticipants {

    private WrongParticipants() {}

    /** Lets go as soon as it has said that it is frozen, and takes the lock again when it is told to cut. */
    public static Step<ParticipantState, ParticipantEffect> fickle(
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
    public static Step<ParticipantState, ParticipantEffect> patient(
            ParticipantState state, ParticipantEvent event, long nowNanos) {
        return Participant.step(state, event, 0);
    }

    /** Takes what it is not busy with for something that never was. */
    public static Step<ParticipantState, ParticipantEffect> rash(
            ParticipantState state, ParticipantEvent event, long nowNanos) {
        boolean idle = state.stage() == ParticipantStage.IDLE;
        boolean[] rash = {false};
        long[] asked = {0};
        CheckpointId[] which = {null};
        new Disguised(event) {
            @Override
            public void abandonAsked(long request, CheckpointId id) {
                rash[0] = idle;
                asked[0] = request;
                which[0] = id;
            }
        }.event();
        return rash[0]
                ? Step.of(state, ParticipantEffect.answerAbandoned(asked[0], which[0]))
                : Participant.step(state, event, nowNanos);
    }

    /** Sees which event it is. */
    private abstract static class Disguised implements ParticipantEvent.Handler {
        ParticipantEvent event;

        Disguised(ParticipantEvent event) {
            this.event = event;
        }

        final ParticipantEvent event() {
            event.dispatch(this);
            return event;
        }

        @Override
        public void freezeAsked(long request, FreezeOrder order) {}

        @Override
        public void cutAsked(long request, Grant grant, Agreement agreement) {}

        @Override
        public void abandonAsked(long request, CheckpointId id) {}

        @Override
        public void locked() {}

        @Override
        public void notLocked(String why) {}

        @Override
        public void cut(Cut cut) {}

        @Override
        public void notCut(String why) {}

        @Override
        public void marked() {}

        @Override
        public void notMarked(String why) {}

        @Override
        public void unmarked(CheckpointId id) {}

        @Override
        public void notUnmarked(CheckpointId id, String why) {}

        @Override
        public void ticked() {}
    }
}
