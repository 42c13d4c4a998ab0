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
    private static final int MAX_MISSES = 3;

    private ExploredAgents() {}

    /** A state a tick later. */
    public static AgentState tick(AgentState state) {
        return withAge(state, nanos -> nanos - TICK_NANOS);
    }

    /** A state after the process stood still for long. */
    public static AgentState pause(AgentState state) {
        return withAge(state, nanos -> LONG_AGO);
    }

    private static AgentState withAge(AgentState state, LongUnaryOperator age) {
        return canonical(state.toBuilder()
                .stageSinceNanos(age.applyAsLong(state.stageSinceNanos()))
                .lastTickNanos(age.applyAsLong(state.lastTickNanos()))
                .graceUntilNanos(age.applyAsLong(state.graceUntilNanos()))
                .lastSurveyNanos(age.applyAsLong(state.lastSurveyNanos()))
                .soleWriterNanos(age.applyAsLong(state.soleWriterNanos()))
                .leaseValidNanos(age.applyAsLong(state.leaseValidNanos()))
                .freeSinceNanos(state.freeSinceNanos().map(age::applyAsLong))
                .holdBackUntilNanos(age.applyAsLong(state.holdBackUntilNanos()))
                .nextBidNanos(age.applyAsLong(state.nextBidNanos()))
                .reclaimRequestedNanos(age.applyAsLong(state.reclaimRequestedNanos()))
                .takeoverRequestedNanos(age.applyAsLong(state.takeoverRequestedNanos()))
                .build());
    }

    /** The state without what makes no difference any more. */
    public static AgentState canonical(AgentState state) {
        AgentStage stage = state.stage();
        boolean isServing = stage == AgentStage.SERVING;
        boolean isTimed =
                stage != AgentStage.FOLLOWING && stage != AgentStage.BIDDING && stage != AgentStage.WITHDRAWING;
        boolean isSurveyOld = nanosAgo(state.lastSurveyNanos()) == LONG_AGO;
        boolean isChanging = stage == AgentStage.ACTIVATING || stage == AgentStage.STEPPING_DOWN;
        long mostIdle = state.settings().stepDownMillis() * AgentState.NANOS_PER_MILLI;
        return state.toBuilder()
                .stageSinceNanos(isTimed ? nanosAgo(state.stageSinceNanos()) : LONG_AGO)
                .survey(isSurveyOld ? state.survey().withoutFreshAnswers() : state.survey())
                .freeBallot(state.freeSinceNanos().isPresent() ? state.freeBallot() : Ballot.NONE)
                .lostBidsBallot(state.lostBids() > 0 ? state.lostBidsBallot() : Ballot.NONE)
                .lastTickNanos(nanosAgo(state.lastTickNanos()))
                .graceUntilNanos(Math.max(0, state.graceUntilNanos()))
                .connectedNanos(LONG_AGO)
                .healthySinceNanos(0)
                .idleNanos(isChanging ? Math.min(mostIdle, state.idleNanos()) : 0)
                .diskPausedNanos(0)
                .lastSurveyNanos(nanosAgo(state.lastSurveyNanos()))
                .soleWriterNanos(nanosAgo(state.soleWriterNanos()))
                .leaseValidNanos(nanosAgo(state.leaseValidNanos()))
                .freeSinceNanos(state.freeSinceNanos().map(ExploredAgents::nanosAgo))
                .holdBackUntilNanos(Math.max(0, state.holdBackUntilNanos()))
                .lostBids(Math.min(MAX_MISSES, state.lostBids()))
                .nextBidNanos(Math.max(0, Math.min(TICK_NANOS, state.nextBidNanos())))
                .reclaimRequestedNanos(isServing ? nanosAgo(state.reclaimRequestedNanos()) : LONG_AGO)
                .publishedNanos(LONG_AGO)
                .roleChangedNanos(LONG_AGO)
                .takeoverRequestedNanos(
                        state.pendingTakeovers().isEmpty() ? LONG_AGO : nanosAgo(state.takeoverRequestedNanos()))
                .takeover(state.takeover().map(ExploredAgents::withoutTimes))
                .build();
    }

    private static long nanosAgo(long nanos) {
        return nanos < -TICK_NANOS ? LONG_AGO : nanos;
    }

    private static Failover withoutTimes(Failover failover) {
        return Failover.begin(Optional.empty(), failover.to(), "", 0)
                .withLock(failover.ballot(), 0)
                .withPromise(failover.epoch(), 0);
    }
}
