/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import io.trefoil.ha.model.StandingOrders;
import java.util.Optional;

/** What operators' standing orders ask of an active, and what is told of them when one takes over. */
final class Drained {

    /** A new active may not be seen yet by those who would follow it. */
    private static final long SETTLE_MILLIS = 3_000;

    /**
     * One that was drained when it became active was the last resort. If whoever stands then does not take the role either, the role
     * must not go to and fro without end, each time at clients' cost.
     */
    private static final long LAST_RESORT_MILLIS = 60_000;

    private Drained() {}

    /** Whether this member is. */
    static boolean is(AgentState state) {
        return state.view().orders().isDrained(state.settings().name());
    }

    /** Notes since when. */
    static void learn(AgentStep step) {
        Optional<Long> since = is(step.state())
                ? Optional.of(step.state().drainedSinceNanos().orElse(step.nowNanos()))
                : Optional.<Long>empty();
        step.become(step.state().toBuilder().drainedSinceNanos(since));
    }

    /** Whether a drained active leaves the role to another now, who could take it at once and is not drained. */
    static boolean isHandoverDue(AgentStep step) {
        AgentState state = step.state();
        if (!state.connected() || !is(state)) {
            return false;
        }
        boolean orderedSince = state.drainedSinceNanos()
                .filter(since -> since - state.stageSinceNanos() > 0)
                .isPresent();
        return step.isPast(state.stageSinceNanos(), orderedSince ? SETTLE_MILLIS : LAST_RESORT_MILLIS)
                && Handover.hasFreshSurvey(step)
                && Election.hasUndrainedStandby(state.view(), MemberStatus.record(step), state.survey());
    }

    /** Which orders had a part in who is active now, for the history. */
    static String told(AgentStep step) {
        AgentState state = step.state();
        String self = state.settings().name();
        StringBuilder text = new StringBuilder();
        for (StandingOrders.Drain drain : state.view().orders().drains()) {
            text.append("; ").append(drain.nameNode()).append(" is drained by ").append(drain.by());
            if (drain.nameNode().equals(self)) {
                text.append(", but nobody else took over");
            }
        }
        state.view().orders().preference(state.observation().wallMillis()).ifPresent(preference -> text.append("; ")
                .append(preference.nameNode())
                .append(" is preferred by ")
                .append(preference.by()));
        return text.toString();
    }
}
