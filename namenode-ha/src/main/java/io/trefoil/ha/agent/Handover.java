/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import io.trefoil.ha.agent.events.AgentStage;
import io.trefoil.ha.agent.events.LeaseReport;
import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.MemberRecord;
import java.util.Optional;

/**
 * When an unhealthy active hands its role over. Its trouble may be its own, and the next active is well; or it comes
 * with the role, for example from a call that a client repeats until it is answered, and the next active soon has it
 * too. So the first may hand over at once, the next one only after a minute, and each further one waits twice as long:
 * a single trouble cannot take down the whole group, one member after the other, faster than operators can react.
 */
final class Handover {

    /** What was found before the role was taken is no trouble of the active's; by then the next look is done. */
    private static final long SETTLE_MILLIS = 3_000;

    private static final long FIRST_WAIT_MILLIS = 60_000;
    private static final long LONGEST_WAIT_MILLIS = 600_000;
    private static final int MOST_DOUBLINGS = 4;
    /** How often the pool is asked who is dead while the role is to be handed on. */
    private static final long SURVEY_MILLIS = 500;

    private static final long FRESH_MILLIS = 2_000;

    private Handover() {}

    /** Whether this active is unhealthy, has kept the role for long enough, and another could be active at once, who knows why. */
    static boolean isDue(AgentStep step) {
        return isPossible(step)
                && step.isPast(
                        step.state().stageSinceNanos(), waitMillis(step.state().passes()));
    }

    /** The same, however long it has had the role. */
    static boolean isPossible(AgentStep step) {
        AgentState state = step.state();
        return !state.observation().trouble().isEmpty()
                && state.connected()
                && isCountShown(state)
                && isSuccessorThere(step);
    }

    /** A drained one only if this one cannot serve at all: what it lacks otherwise is a replica, and costs clients nothing. */
    private static boolean isSuccessorThere(AgentStep step) {
        AgentState state = step.state();
        // Until the pool has answered, whoever still shows itself counts: an unhealthy active is not to wait.
        LeaseReport survey = hasFreshSurvey(step) ? state.survey() : LeaseReport.SILENCE;
        return state.observation().couldServe()
                ? Election.hasUndrainedStandby(state.view(), MemberStatus.record(step), survey)
                : Election.hasStandby(state.view(), MemberStatus.record(step), survey);
    }

    /**
     * Whether what the pool said of who is dead is of now; it is asked if not. An active asks it nothing while all is well, and what it
     * was told in its election is true no more: whom it replaced is back since, and may be the only one who could follow it.
     */
    static boolean hasFreshSurvey(AgentStep step) {
        step.surveyEvery(SURVEY_MILLIS);
        return !step.isPast(step.state().surveyedNanos(), FRESH_MILLIS);
    }

    /** For how long it keeps the role all the same. */
    private static long waitMillis(int passes) {
        return passes == 0
                ? SETTLE_MILLIS
                : Math.min(LONGEST_WAIT_MILLIS, FIRST_WAIT_MILLIS << Math.min(passes - 1, MOST_DOUBLINGS));
    }

    /** Who takes over must have it from the view, since this process may have ended by then. */
    private static boolean isCountShown(AgentState state) {
        return state.view()
                .member(state.settings().name())
                .filter(shown -> shown.passes() == passes(state))
                .isPresent();
    }

    /** How often in a row the role was handed on, as the next one is to count. */
    static int passes(AgentState state) {
        boolean leads = state.stage() == AgentStage.SERVING || state.stage() == AgentStage.ACTIVATING;
        boolean ails = leads && !state.observation().trouble().isEmpty();
        return state.passes() + (ails ? 1 : 0);
    }

    /** It is handed on now, and stays so if the trouble ends meanwhile. */
    static void count(AgentStep step) {
        step.become(step.state().toBuilder().passes(passes(step.state())));
    }

    /** An active that was well for long has left all that behind. */
    static void forget(AgentStep step) {
        boolean wellForLong = step.isPast(step.state().stageSinceNanos(), LONGEST_WAIT_MILLIS)
                && step.isPast(step.state().wellSinceNanos(), LONGEST_WAIT_MILLIS);
        if (wellForLong) {
            step.become(step.state().toBuilder().passes(0));
        }
    }

    /**
     * Takes the count over from who had the lock before, also for a moment after this member became active: a view may be late. That
     * member goes on saying it when it has stepped down; of one that has gone what it said last counts.
     */
    static void learn(AgentStep step) {
        AgentState state = step.state();
        Optional<String> holder = state.view()
                .lock()
                .map(LockRecord::holder)
                .filter(name -> !name.equals(state.settings().name()));
        Optional<String> predecessor = holder.isPresent() ? holder : state.predecessor();
        int inherited = predecessor
                .flatMap(state.view()::member)
                .map(MemberRecord::passes)
                .orElse(state.inherited());
        step.become(state.toBuilder()
                .predecessor(predecessor)
                .inherited(inherited)
                .passes(isTakingOver(step) ? inherited : state.passes()));
    }

    private static boolean isTakingOver(AgentStep step) {
        switch (step.state().stage()) {
            case BIDDING:
            case ELECTED:
            case ACQUIRING_EPOCH:
            case ACTIVATING:
                return true;
            case SERVING:
                return !step.isPast(step.state().stageSinceNanos(), SETTLE_MILLIS);
            default:
                return false;
        }
    }
}
