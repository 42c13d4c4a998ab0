/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move.rules;

import io.trefoil.foundation.RuleDriver.Rules;
import io.trefoil.foundation.Step;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Rules with a bug. */
public enum WrongMoves implements Rules<MoveState, MoveEvent, MoveEffect> {
    /** Looks at the table while a version of an earlier process may still come. */
    WITHDRAWS_NO_VERSION {
        @Override
        public Step<MoveState, MoveEffect> step(MoveState state, MoveEvent event) {
            return withoutEffects(MoveRules.step(state, event), MoveEffect.withdrawVersion());
        }
    },
    /** Relies on the freeze alone. */
    CLOSES_NO_SOURCE {
        @Override
        public Step<MoveState, MoveEffect> step(MoveState state, MoveEvent event) {
            return withoutEffects(
                    MoveRules.step(state, event),
                    MoveEffect.fenceSource(),
                    MoveEffect.recordFence(),
                    MoveEffect.closeSource());
        }
    },
    /** Has the record say what the source's directory was before its owner could change it the last time. */
    RECORDS_NO_FENCE {
        @Override
        public Step<MoveState, MoveEffect> step(MoveState state, MoveEvent event) {
            return withoutEffects(MoveRules.step(state, event), MoveEffect.recordFence());
        }
    },
    /** Has the next process believe that clients work at the source. */
    RECORDS_NO_PAUSE {
        @Override
        public Step<MoveState, MoveEffect> step(MoveState state, MoveEvent event) {
            return withoutEffects(MoveRules.step(state, event), MoveEffect.recordPaused(), MoveEffect.recordSource());
        }
    },
    /** The same, if it ends in the middle of opening it. */
    RECORDS_COPYING_FIRST {
        @Override
        public Step<MoveState, MoveEffect> step(MoveState state, MoveEvent event) {
            return withSwappedEffects(
                    MoveRules.step(state, event), MoveEffect.openSource(), MoveEffect.recordCopying());
        }
    },
    /** Has the next process believe that clients work at the target. */
    RECORDS_OPENED_FIRST {
        @Override
        public Step<MoveState, MoveEffect> step(MoveState state, MoveEvent event) {
            Step<MoveState, MoveEffect> step = MoveRules.step(state, event);
            if (!step.effects().contains(MoveEffect.openTarget())) {
                return step;
            }
            List<MoveEffect> effects = new ArrayList<>(step.effects());
            effects.add(0, MoveEffect.recordOpened());
            return Step.of(step.next(), effects);
        }
    },
    /** Takes the version that another process has made for its own. */
    TAKES_ANY_VERSION {
        @Override
        public Step<MoveState, MoveEffect> step(MoveState state, MoveEvent event) {
            return MoveRules.step(
                    state, event.equals(MoveEvent.versionAppended(false)) ? MoveEvent.versionAppended(true) : event);
        }
    },
    /** Takes a version whose answer was lost for one that is not there, and does not look at the table. */
    OPENS_SOURCE_UNASKED {
        @Override
        public Step<MoveState, MoveEffect> step(MoveState state, MoveEvent event) {
            if (state.stage() == MoveStage.SWITCHING && event.equals(MoveEvent.failed())) {
                return MoveRules.step(
                        state,
                        MoveEvent.tableRead(false, Ownership.of(state.order().source(), 0)));
            }
            boolean isAsking = state.stage() == MoveStage.REOPENING && event instanceof MoveEvent.OwnerRead;
            return MoveRules.step(
                    state,
                    isAsking ? MoveEvent.ownerRead(Ownership.of(state.order().source(), 0)) : event);
        }
    },
    /** Files the record of a move that is undone away before the target is as it was. */
    ENDS_BEFORE_IT_IS_UNDONE {
        @Override
        public Step<MoveState, MoveEffect> step(MoveState state, MoveEvent event) {
            return withSwappedEffects(MoveRules.step(state, event), MoveEffect.discardTarget(), MoveEffect.endRecord());
        }
    },
    /** Leaves what clients changed since the last round. */
    COPIES_NO_LAST_CHANGES {
        @Override
        public Step<MoveState, MoveEffect> step(MoveState state, MoveEvent event) {
            return withoutEffects(MoveRules.step(state, event), MoveEffect.copyChanges());
        }
    },
    /** Does not look whether a superuser has changed the closed source. */
    LOOKS_FOR_NO_CHANGES {
        @Override
        public Step<MoveState, MoveEffect> step(MoveState state, MoveEvent event) {
            boolean isFound = event instanceof MoveEvent.Checked checked && checked.check() == MoveCheck.CHANGES;
            return MoveRules.step(
                    state, isFound ? MoveEvent.checked(MoveCheck.CHANGES, Collections.emptyList()) : event);
        }
    };

    private static Step<MoveState, MoveEffect> withoutEffects(Step<MoveState, MoveEffect> step, MoveEffect... dropped) {
        List<MoveEffect> effects = new ArrayList<>(step.effects());
        effects.removeAll(List.of(dropped));
        return Step.of(step.next(), effects);
    }

    private static Step<MoveState, MoveEffect> withSwappedEffects(
            Step<MoveState, MoveEffect> step, MoveEffect one, MoveEffect otherEffect) {
        List<MoveEffect> effects = new ArrayList<>(step.effects());
        if (effects.contains(one) && effects.contains(otherEffect)) {
            Collections.swap(effects, effects.indexOf(one), effects.indexOf(otherEffect));
        }
        return Step.of(step.next(), effects);
    }
}
