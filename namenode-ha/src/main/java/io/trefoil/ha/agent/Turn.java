/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import io.trefoil.journal.protocol.Step;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** One step of an agent while it is being worked out. Lives for one step only. */
final class Turn {

    private final long nowNanos;
    private final List<AgentEffect> effects = new ArrayList<>();
    private AgentState state;

    Turn(AgentState state, long nowNanos) {
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

    void enter(AgentStage stage) {
        become(state.toBuilder().stage(stage).stageSinceNanos(nowNanos));
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
        become(state.toBuilder().leads(Collections.<Request>emptyList()));
    }

    /** Answers all who wait for this member to be active no more. */
    void answerCedes(String refusal) {
        state.cedes().forEach(request -> add(AgentEffect.answer(request, refusal)));
        become(state.toBuilder().cedes(Collections.<Request>emptyList()));
    }

    Step<AgentState, AgentEffect> end() {
        return Step.of(state, effects);
    }
}
