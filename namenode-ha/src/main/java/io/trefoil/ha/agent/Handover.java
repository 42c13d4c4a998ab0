/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import io.trefoil.ha.agent.events.AgentStage;
import io.trefoil.ha.agent.events.LeaseReport;
import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.MemberRecord;
import java.util.Optional;

/**
 * Decides when an unhealthy active hands over its role. The trouble may be the member's own, and the next active is
 * fine; or it comes with the role, for example from a call that a client repeats until it is answered, and soon hits
 * the next active too. So the first active may hand over at once, the next one only after a minute, and each further
 * one waits twice as long: a single trouble cannot take down the group, one member after the other, faster than
 * operators can react.
 */
final class Handover {

    /**
     * The time after a takeover until the next health check is done: earlier findings are not the active's fault.
     */
    private static final long SETTLE_MILLIS = 3_000;

    private static final long FIRST_WAIT_MILLIS = 60_000;
    private static final long MAX_WAIT_MILLIS = 600_000;
    private static final int MAX_DOUBLINGS = 4;
    /** How often the pool is asked which nodes are dead while a handover is due. */
    private static final long SURVEY_MILLIS = 500;

    private static final long FRESH_MILLIS = 2_000;

    private Handover() {}

    /** Whether this active is unhealthy, has kept the role long enough, and a member that has seen the count could be active at once. */
    static boolean isDue(AgentStep step) {
        return isPossible(step)
                && step.hasElapsed(
                        step.state().stageSinceNanos(), waitMillis(step.state().handovers()));
    }

    /** Whether a handover by this unhealthy active is possible, regardless of how long it has been active. */
    static boolean isPossible(AgentStep step) {
        AgentState state = step.state();
        return !state.observation().unhealthyReason().isEmpty()
                && state.connected()
                && isCountPublished(state)
                && hasSuccessor(step);
    }

    /**
     * Whether a successor exists. A drained one counts only if this active cannot serve at all: otherwise this active
     * lacks just a replica, which costs clients nothing.
     */
    private static boolean hasSuccessor(AgentStep step) {
        AgentState state = step.state();
        // Until the pool answers, every member shown in the view counts: an unhealthy active must not wait.
        LeaseReport survey = hasFreshSurvey(step) ? state.survey() : LeaseReport.SILENCE;
        return state.observation().canServeInEmergency()
                ? Election.hasUndrainedStandby(state.view(), MemberStatus.record(step), survey)
                : Election.hasStandby(state.view(), MemberStatus.record(step), survey);
    }

    /**
     * Whether the pool's list of dead nodes is current; asks the pool if not. An active asks nothing while all is well,
     * and the list from its election is outdated: the member that it replaced may be back, and the only possible
     * successor.
     */
    static boolean hasFreshSurvey(AgentStep step) {
        step.surveyIfOlderThan(SURVEY_MILLIS);
        return !step.hasElapsed(step.state().lastSurveyNanos(), FRESH_MILLIS);
    }

    /** Returns how long an unhealthy active keeps the role anyway. */
    private static long waitMillis(int passes) {
        return passes == 0
                ? SETTLE_MILLIS
                : Math.min(MAX_WAIT_MILLIS, FIRST_WAIT_MILLIS << Math.min(passes - 1, MAX_DOUBLINGS));
    }

    /** Whether the view shows the count. The successor must read it there, since this process may have ended by then. */
    private static boolean isCountPublished(AgentState state) {
        return state.view()
                .member(state.settings().name())
                .filter(shown -> shown.handovers() == handoverCount(state))
                .isPresent();
    }

    /** The count of handovers in a row that the successor must continue from. */
    static int handoverCount(AgentState state) {
        boolean leads = state.stage() == AgentStage.SERVING || state.stage() == AgentStage.ACTIVATING;
        boolean ails = leads && !state.observation().unhealthyReason().isEmpty();
        return state.handovers() + (ails ? 1 : 0);
    }

    /** Counts this handover; it stays counted even if the trouble ends in the meantime. */
    static void count(AgentStep step) {
        step.update(step.state().toBuilder().handovers(handoverCount(step.state())));
    }

    /** Resets the count: an active that was healthy for long starts from zero. */
    static void resetCount(AgentStep step) {
        boolean wellForLong = step.hasElapsed(step.state().stageSinceNanos(), MAX_WAIT_MILLIS)
                && step.hasElapsed(step.state().healthySinceNanos(), MAX_WAIT_MILLIS);
        if (wellForLong) {
            step.update(step.state().toBuilder().handovers(0));
        }
    }

    /**
     * Takes over the count from the previous holder of the lock, even for a moment after this member became active, because a view may be
     * late. The predecessor continues reporting the count after it has stepped down; if it is gone, its last report counts.
     */
    static void adoptCount(AgentStep step) {
        AgentState state = step.state();
        Optional<LockRecord> holder = state.view().lock().filter(lock -> !lock.holder()
                .equals(state.settings().name()));
        Optional<LockRecord> predecessor = holder.isPresent() ? holder : state.predecessor();
        int inherited = predecessor
                .map(LockRecord::holder)
                .flatMap(state.view()::member)
                .map(MemberRecord::handovers)
                .orElse(state.inheritedHandovers());
        step.update(state.toBuilder()
                .predecessor(predecessor)
                .inheritedHandovers(inherited)
                .handovers(isTakingOver(step) ? inherited : state.handovers()));
    }

    private static boolean isTakingOver(AgentStep step) {
        switch (step.state().stage()) {
            case BIDDING:
            case ELECTED:
            case ACQUIRING_EPOCH:
            case ACTIVATING:
                return true;
            case SERVING:
                return !step.hasElapsed(step.state().stageSinceNanos(), SETTLE_MILLIS);
            default:
                return false;
        }
    }
}
