/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import io.trefoil.ha.agent.events.AgentSettings;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.StandingOrders;
import java.util.Optional;

/**
 * The rules of drained members: what operators' standing orders require of an active, and what the failover history reports about them
 * after a takeover.
 */
final class DrainRules {

    /** The time after a takeover in which the members that could succeed this active may not see it yet. */
    private static final long SETTLE_MILLIS = 3_000;

    /**
     * How long a member that was already drained when it became active stays active: it was the last resort. If its successor does not take
     * the role either, the role must not go back and forth endlessly, each time at the clients' cost.
     */
    private static final long LAST_RESORT_MILLIS = 60_000;

    private DrainRules() {}

    /** Whether this member is drained. */
    static boolean isDrained(AgentState state) {
        return state.view().orders().isDrained(state.settings().name());
    }

    /** Records the time since which this member has been drained. */
    static void updateDrainedSince(AgentStep step) {
        Optional<Long> since = isDrained(step.state())
                ? Optional.of(step.state().drainedSinceNanos().orElse(step.nowNanos()))
                : Optional.<Long>empty();
        step.update(step.state().toBuilder().drainedSinceNanos(since));
    }

    /** Whether a drained active should hand over now to an undrained member that can take over at once. */
    static boolean isHandoverDue(AgentStep step) {
        AgentState state = step.state();
        if (!state.connected() || !isDrained(state)) {
            return false;
        }
        boolean orderedSince = state.drainedSinceNanos()
                .filter(since -> since - state.stageSinceNanos() > 0)
                .isPresent();
        return step.hasElapsed(state.stageSinceNanos(), orderedSince ? SETTLE_MILLIS : LAST_RESORT_MILLIS)
                && Handover.hasFreshSurvey(step)
                && hasSuccessor(step, orderedSince);
    }

    /**
     * Whether a standby could take over now. Those that are {@linkplain MemberRecord#preparing preparing} count only after the longest
     * preparation, because clients are being served now, and would have to wait.
     */
    private static boolean hasSuccessor(AgentStep step, boolean orderedSince) {
        AgentState state = step.state();
        long preparationMillis = AgentSettings.PREPARATION_TIMEOUT.toMillis();
        boolean hasTimedOut = orderedSince
                ? step.hasElapsed(state.drainedSinceNanos().get(), preparationMillis)
                : step.hasElapsed(state.stageSinceNanos(), LAST_RESORT_MILLIS + preparationMillis);
        return hasTimedOut
                ? Election.hasUndrainedStandby(state.view(), MemberStatus.record(step), state.survey())
                : Election.hasPreparedStandby(
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
            text.append("; ").append(drain.nameNode()).append(" is drained by ").append(drain.issuedBy());
            if (drain.nameNode().equals(self)) {
                text.append(", but no other NameNode took over");
            }
        }
        state.view().orders().preference(state.observation().wallMillis()).ifPresent(preference -> text.append("; ")
                .append(preference.nameNode())
                .append(" is preferred by ")
                .append(preference.issuedBy()));
        return text.toString();
    }
}
