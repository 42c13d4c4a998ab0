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

/** One step of an agent while it is being computed. Lives for one step only. */
final class AgentStep {

    private static final long FIRST_PAUSE_MILLIS = 100;
    private static final long LONGEST_PAUSE_MILLIS = 2_000;
    private static final int MOST_DOUBLINGS = 10;

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

    void become(AgentState.Builder next) {
        state = next.build();
    }

    /** Goes on to a stage that may follow; any other is a bug, and throws. */
    void enter(AgentStage stage) {
        become(state.toBuilder()
                .stage(AgentStage.EDGES.enter(state.stage(), stage))
                .stageSinceNanos(nowNanos)
                .idleNanos(0));
    }

    void add(AgentEffect effect) {
        effects.add(effect);
    }

    /** Whether at least so many milliseconds have passed since. */
    boolean isPast(long sinceNanos, long millis) {
        return nowNanos - sinceNanos >= millis * AgentState.NANOS_PER_MILLI;
    }

    long inMillis(long millis) {
        return nowNanos + millis * AgentState.NANOS_PER_MILLI;
    }

    /** Asks the pool, unless an answer is awaited or the last one is newer than that. */
    void surveyEvery(long millis) {
        if (!state.surveying() && isPast(state.surveyedNanos(), millis)) {
            become(state.toBuilder().surveying(true));
            add(AgentEffect.survey());
        }
    }

    /** The ballot of a lock that is asked for now: higher than any that anybody here has seen. */
    Ballot nextBallot() {
        return state.highest().next();
    }

    /** The first time somebody else was quicker; again in the same ballot, ZooKeeper takes nothing, and is not to be pestered. */
    void countMiss() {
        boolean again =
                state.misses() > 0 && state.missedIn().equals(state.view().ballot());
        int misses = again ? state.misses() + 1 : 1;
        long pause = misses == 1
                ? 0
                : Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(misses - 2, MOST_DOUBLINGS));
        become(state.toBuilder().misses(misses).missedIn(state.view().ballot()).bidAgainNanos(inMillis(pause)));
    }

    boolean mayBidAgain() {
        return nowNanos - state.bidAgainNanos() >= 0;
    }

    /** Whether HDFS has been at a change of role for so long, and nobody at work kept it from it since. */
    boolean isStuck() {
        return state.idleNanos() >= settings().stepDownMillis() * AgentState.NANOS_PER_MILLI;
    }

    void halt(String why) {
        add(AgentEffect.halt(why));
        enter(AgentStage.HALTED);
    }

    /** Gives up the lock, if there is one, and follows; others come first for a while. */
    void follow(long holdBackMillis) {
        if (state.lock().isPresent()) {
            add(AgentEffect.releaseLock(state.lock().get()));
        }
        become(state.toBuilder()
                .released(state.lock().isPresent() ? state.lock().get().ballot() : state.released())
                .lock(Optional.empty())
                .takeover(Optional.empty())
                .freeSinceNanos(Optional.empty())
                .holdBackUntilNanos(Math.max(state.holdBackUntilNanos(), inMillis(holdBackMillis))));
        enter(AgentStage.FOLLOWING);
    }

    /** Answers all who wait for this member to be active. */
    void answerLeads(String refusal) {
        state.leads().forEach(request -> add(AgentEffect.answer(request, refusal)));
        become(state.toBuilder().leads(Collections.<AgentRequest>emptyList()));
    }

    /** Answers all who wait for this member to be active no more. */
    void answerCedes(String refusal) {
        state.cedes().forEach(request -> add(AgentEffect.answer(request, refusal)));
        become(state.toBuilder().cedes(Collections.<AgentRequest>emptyList()));
    }

    Step<AgentState, AgentEffect> end() {
        return Step.of(state, effects);
    }
}
