/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import io.trefoil.foundation.Step;
import io.trefoil.ha.agent.events.AgentEffect;
import io.trefoil.ha.agent.events.AgentRequest;
import io.trefoil.ha.agent.events.AgentSettings;
import io.trefoil.ha.agent.events.AgentStage;
import io.trefoil.ha.model.Ballot;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** A step of an agent while it is being computed. Lives for one step only. */
final class AgentStep {

    private static final long FIRST_PAUSE_MILLIS = 100;
    private static final long MAX_BACKOFF_MILLIS = 2_000;
    private static final int MAX_DOUBLINGS = 10;

    private final long nowNanos;
    private final List<AgentEffect> effects = new ArrayList<>();
    private AgentState state;

    AgentStep(AgentState state, long nowNanos) {
        this.state = state;
        this.nowNanos = nowNanos;
    }

    AgentState state() {
        return state;
    }

    AgentSettings settings() {
        return state.settings();
    }

    long nowNanos() {
        return nowNanos;
    }

    void update(AgentState.Builder next) {
        state = next.build();
    }

    /** Enters a stage that may follow the current one; any other is a bug, and throws. */
    void enter(AgentStage stage) {
        update(state.toBuilder()
                .stage(AgentStage.EDGES.enter(state.stage(), stage))
                .stageSinceNanos(nowNanos)
                .idleNanos(0));
    }

    void add(AgentEffect effect) {
        effects.add(effect);
    }

    /** Whether at least the given number of milliseconds has passed since a time. */
    boolean hasElapsed(long sinceNanos, long millis) {
        return nowNanos - sinceNanos >= millis * AgentState.NANOS_PER_MILLI;
    }

    long deadlineAfter(long millis) {
        return nowNanos + millis * AgentState.NANOS_PER_MILLI;
    }

    /** Asks the pool, unless an answer is pending or the last one is younger than this. */
    void surveyIfOlderThan(long millis) {
        if (!state.surveyPending() && hasElapsed(state.lastSurveyNanos(), millis)) {
            update(state.toBuilder()
                    .surveyPending(true)
                    .surveyedWhileLeaseHeld(state.observation().isLeaseHeld()));
            add(AgentEffect.survey());
        }
    }

    /** The ballot for a lock that this member asks for now: higher than any ballot seen here. */
    Ballot nextBallot() {
        return state.highestBallot().next();
    }

    /**
     * Counts a lost bid. The first time, another member was faster. Further misses in the same ballot mean that
     * ZooKeeper accepts nothing, so this member must ask less often.
     */
    void countLostBid() {
        boolean again = state.lostBids() > 0
                && state.lostBidsBallot().equals(state.view().ballot());
        int misses = again ? state.lostBids() + 1 : 1;
        long pause = misses == 1
                ? 0
                : Math.min(MAX_BACKOFF_MILLIS, FIRST_PAUSE_MILLIS << Math.min(misses - 2, MAX_DOUBLINGS));
        update(state.toBuilder()
                .lostBids(misses)
                .lostBidsBallot(state.view().ballot())
                .nextBidNanos(deadlineAfter(pause)));
    }

    boolean mayBidAgain() {
        return nowNanos - state.nextBidNanos() >= 0;
    }

    /** Whether HDFS has been changing its role for {@code stepDownMillis} while no thread made progress on it. */
    boolean isStuck() {
        return state.idleNanos() >= settings().stepDownMillis() * AgentState.NANOS_PER_MILLI;
    }

    void halt(String reason) {
        add(AgentEffect.halt(reason));
        enter(AgentStage.HALTED);
    }

    /** Gives up the lock, if held, and returns to following; lets others go first for a while. */
    void becomeFollower(long holdBackMillis) {
        if (state.lock().isPresent()) {
            add(AgentEffect.releaseLock(state.lock().get()));
        }
        update(state.toBuilder()
                .releasedBallot(state.lock().isPresent() ? state.lock().get().ballot() : state.releasedBallot())
                .lock(Optional.empty())
                .takeover(Optional.empty())
                .freeSinceNanos(Optional.empty())
                .holdBackUntilNanos(Math.max(state.holdBackUntilNanos(), deadlineAfter(holdBackMillis))));
        enter(AgentStage.FOLLOWING);
    }

    /** Answers all requests for this member to become active. */
    void answerTakeoverRequests(String refusal) {
        state.pendingTakeovers().forEach(request -> add(AgentEffect.answer(request, refusal)));
        update(state.toBuilder().pendingTakeovers(Collections.<AgentRequest>emptyList()));
    }

    /** Answers all requests for this member to stop being active. */
    void answerStepDownRequests(String refusal) {
        state.pendingStepDowns().forEach(request -> add(AgentEffect.answer(request, refusal)));
        update(state.toBuilder().pendingStepDowns(Collections.<AgentRequest>emptyList()));
    }

    Step<AgentState, AgentEffect> end() {
        return Step.of(state, effects);
    }
}
