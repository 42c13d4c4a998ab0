/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.sim;

import io.trefoil.checkpoint.coordinator.Coordinator;
import io.trefoil.checkpoint.coordinator.CoordinatorEffect;
import io.trefoil.checkpoint.coordinator.CoordinatorEvent;
import io.trefoil.checkpoint.coordinator.CoordinatorState;
import io.trefoil.checkpoint.participant.Participant;
import io.trefoil.checkpoint.participant.ParticipantEffect;
import io.trefoil.checkpoint.participant.ParticipantEvent;
import io.trefoil.checkpoint.participant.ParticipantState;
import io.trefoil.foundation.Step;

/** The rules that are tried: the real ones, or some with a planted bug. */
public record SimRules(CoordinatorRule coordinator, ParticipantRule participant) {

    public static final SimRules REAL = new SimRules(Coordinator::step, Participant::step);

    /** A rule of a coordinator. */
    public interface CoordinatorRule {
        Step<CoordinatorState, CoordinatorEffect> step(CoordinatorState state, CoordinatorEvent event, long nowNanos);
    }

    /** A rule of a participant. */
    public interface ParticipantRule {
        Step<ParticipantState, ParticipantEffect> step(ParticipantState state, ParticipantEvent event, long nowNanos);
    }
}
