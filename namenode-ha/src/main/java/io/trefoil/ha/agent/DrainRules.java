/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import io.trefoil.ha.agent.events.AgentSettings;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.StandingOrders;
import java.util.Optional;

/**
 * The rules of drained members: what operators' standing orders require of an active, and what the history says about
 * them after a takeover.
 */
final class DrainRules {

    /** Right after a takeover, the members that would succeed this active may not see it yet. */
    private static final long SETTLE_MILLIS = 3_000;

    /**
     * A member that was drained when it became active was the last resort. If its successor does not take the role
     * either, the role must not go back and forth endlessly, each time at the clients' cost.
     */
    private static final long LAST_RESORT_MILLIS = 60_000;

    private DrainRules() {}

    /** Whether this member is drained. */
    static boolean is(AgentState state) {
        return state.view().orders().isDrained(state.settings().name());
    }

    /** Notes since when this member is drained. */
    static void learn(AgentStep step) {
        Optional<Long> since = is(step.state())
                ? Optional.of(step.state().drainedSinceNanos().orElse(step.nowNanos()))
                : Optional.<Long>empty();
        step.become(step.state().toBuilder().drainedSinceNanos(since));
    }

    /** Whether a drained active should hand over now to an undrained member that can take over at once. */
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
                && hasSuccessor(step, orderedSince);
    }

    /**
     * Whether a standby could succeed now; for a while, none that is {@linkplain MemberRecord#preparing preparing}
     * counts: clients are served now, and would wait for that.
     */
    private static boolean hasSuccessor(AgentStep step, boolean orderedSince) {
        AgentState state = step.state();
        long patience = AgentSettings.LONGEST_PREPARATION.toMillis();
        boolean isPatienceOver = orderedSince
                ? step.isPast(state.drainedSinceNanos().get(), patience)
                : step.isPast(state.stageSinceNanos(), LAST_RESORT_MILLIS + patience);
        return isPatienceOver
                ? Election.hasUndrainedStandby(state.view(), MemberStatus.record(step), state.survey())
                : Election.hasPromptStandby(
                        state.view(),
                        MemberStatus.record(step),
                        state.survey(),
                        state.observation().wallMillis());
    }

    /** The orders that affected the choice of the active, for the history. */
    static String describe(AgentStep step) {
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
