/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import io.trefoil.ha.agent.events.AgentStage;
import io.trefoil.ha.model.Ballot;
import io.trefoil.ha.model.Failover;
import java.util.Optional;
import java.util.function.LongUnaryOperator;

/**
 * An agent's state as an exploration needs it: it is always now 0, and what makes no difference is the same. What happened is just now, a
 * tick ago, or long ago.
 */
public final class ExploredAgents {

    /** The longest time between two looks that does not count as a pause of the process. */
    public static final long TICK_NANOS = 199 * AgentState.NANOS_PER_MILLI;

    private static final long LONG_AGO = -AgentState.FOREVER_NANOS;
    private static final int MOST_MISSES = 3;

    private ExploredAgents() {}

    /** A state a tick later. */
    public static AgentState ticked(AgentState state) {
        return aged(state, nanos -> nanos - TICK_NANOS);
    }

    /** A state after the process stood still for long. */
    public static AgentState paused(AgentState state) {
        return aged(state, nanos -> LONG_AGO);
    }

    private static AgentState aged(AgentState state, LongUnaryOperator age) {
        return canonical(state.toBuilder()
                .stageSinceNanos(age.applyAsLong(state.stageSinceNanos()))
                .tickedNanos(age.applyAsLong(state.tickedNanos()))
                .graceUntilNanos(age.applyAsLong(state.graceUntilNanos()))
                .surveyedNanos(age.applyAsLong(state.surveyedNanos()))
                .aloneNanos(age.applyAsLong(state.aloneNanos()))
                .leasedNanos(age.applyAsLong(state.leasedNanos()))
                .freeSinceNanos(state.freeSinceNanos().map(age::applyAsLong))
                .holdBackUntilNanos(age.applyAsLong(state.holdBackUntilNanos()))
                .bidAgainNanos(age.applyAsLong(state.bidAgainNanos()))
                .reclaimedNanos(age.applyAsLong(state.reclaimedNanos()))
                .takeoverRequestedNanos(age.applyAsLong(state.takeoverRequestedNanos()))
                .build());
    }

    /** The state without what makes no difference any more. */
    public static AgentState canonical(AgentState state) {
        AgentStage stage = state.stage();
        boolean isServing = stage == AgentStage.SERVING;
        boolean isTimed =
                stage != AgentStage.FOLLOWING && stage != AgentStage.BIDDING && stage != AgentStage.WITHDRAWING;
        boolean isSurveyOld = ago(state.surveyedNanos()) == LONG_AGO;
        boolean isChanging = stage == AgentStage.ACTIVATING || stage == AgentStage.STEPPING_DOWN;
        long mostIdle = state.settings().stepDownMillis() * AgentState.NANOS_PER_MILLI;
        return state.toBuilder()
                .stageSinceNanos(isTimed ? ago(state.stageSinceNanos()) : LONG_AGO)
                .survey(isSurveyOld ? state.survey().withoutFreshAnswers() : state.survey())
                .freeBallot(state.freeSinceNanos().isPresent() ? state.freeBallot() : Ballot.NONE)
                .missesBallot(state.misses() > 0 ? state.missesBallot() : Ballot.NONE)
                .tickedNanos(ago(state.tickedNanos()))
                .graceUntilNanos(Math.max(0, state.graceUntilNanos()))
                .connectedNanos(LONG_AGO)
                .wellSinceNanos(0)
                .idleNanos(isChanging ? Math.min(mostIdle, state.idleNanos()) : 0)
                .diskStoodNanos(0)
                .surveyedNanos(ago(state.surveyedNanos()))
                .aloneNanos(ago(state.aloneNanos()))
                .leasedNanos(ago(state.leasedNanos()))
                .freeSinceNanos(state.freeSinceNanos().map(ExploredAgents::ago))
                .holdBackUntilNanos(Math.max(0, state.holdBackUntilNanos()))
                .misses(Math.min(MOST_MISSES, state.misses()))
                .bidAgainNanos(Math.max(0, Math.min(TICK_NANOS, state.bidAgainNanos())))
                .reclaimedNanos(isServing ? ago(state.reclaimedNanos()) : LONG_AGO)
                .publishedNanos(LONG_AGO)
                .roleChangedNanos(LONG_AGO)
                .takeoverRequestedNanos(
                        state.pendingTakeovers().isEmpty() ? LONG_AGO : ago(state.takeoverRequestedNanos()))
                .takeover(state.takeover().map(ExploredAgents::timeless))
                .build();
    }

    private static long ago(long nanos) {
        return nanos < -TICK_NANOS ? LONG_AGO : nanos;
    }

    private static Failover timeless(Failover failover) {
        return Failover.begin(Optional.empty(), failover.to(), "", 0)
                .locked(failover.ballot(), 0)
                .promised(failover.epoch(), 0);
    }
}
