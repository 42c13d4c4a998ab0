/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import io.trefoil.ha.agent.events.AgentEffect;
import io.trefoil.ha.agent.events.AgentStage;
import io.trefoil.ha.agent.events.LocalObservation;
import io.trefoil.ha.model.Failover;
import io.trefoil.ha.model.HaRole;
import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.View;
import java.util.Optional;

/** Takes a member from the lock to an active HDFS (paper §4.2.2, figure 5): first a majority of promises, then the role. */
final class Takeover {

    /** How often the pool is asked whether the old active has stepped down. */
    private static final long SURVEY_MILLIS = 10;
    /** How long the pool's answer counts as current. */
    private static final long FRESH_MILLIS = 100;

    private Takeover() {}

    /** Acquires the epoch once the lease has ended: at once after a failure; in a handover, when the old active has stepped down. */
    static void onElected(AgentStep step) {
        if (isFutile(step)) {
            abandon(step);
            return;
        }
        boolean free =
                step.state().survey().free() && !step.hasElapsed(step.state().lastSurveyNanos(), FRESH_MILLIS);
        if (free) {
            step.add(AgentEffect.takeEpoch());
            step.enter(AgentStage.ACQUIRING_EPOCH);
        } else if (step.hasElapsed(
                step.state().stageSinceNanos(), step.settings().takeoverMillis())) {
            abandon(step);
        } else {
            step.surveyIfOlderThan(isSurveyOutdated(step.state()) ? 0 : SURVEY_MILLIS);
        }
    }

    /** Whether this member's own node no longer considers a writer alive, but still did when the pool was last asked. */
    private static boolean isSurveyOutdated(AgentState state) {
        return state.surveyedWhileLeaseHeld()
                && state.observation().observedLease().isPresent()
                && !state.observation().isLeaseHeld();
    }

    private static void abandon(AgentStep step) {
        step.add(AgentEffect.closeSessions());
        step.answerTakeoverRequests("The lease of the active did not end, or this member became unfit meanwhile");
        step.becomeFollower(step.settings().holdBackMillis());
    }

    static void onAcquiringEpoch(AgentStep step) {
        boolean late =
                step.hasElapsed(step.state().stageSinceNanos(), step.settings().takeoverMillis());
        if (isFutile(step) || late) {
            withdraw(step);
        }
    }

    /** Asks HDFS to become active. Only now: HDFS does not survive becoming active without a majority. */
    static void onPromised(AgentStep step) {
        if (isFutile(step)) {
            withdraw(step);
            return;
        }
        step.add(AgentEffect.activate());
        step.enter(AgentStage.ACTIVATING);
    }

    /**
     * Waits for HDFS to become active, however long it takes while a thread makes progress on it. If none does, it may
     * never end, and its lease and lock would block all others, so this process halts if another member could take
     * over. How often the role was handed over does not matter: no client is served meanwhile.
     */
    static void onActivating(AgentStep step) {
        ActiveRules.guardLease(step);
        if (step.state().stage() == AgentStage.ACTIVATING && step.isStuck() && Handover.isPossible(step)) {
            Handover.count(step);
            step.halt("HDFS did not become active within " + step.settings().stepDownMillis()
                    + " ms, and no thread is working on it");
        }
    }

    static void withdraw(AgentStep step) {
        step.add(AgentEffect.abandonEpoch());
        step.enter(AgentStage.WITHDRAWING);
    }

    static void onActivated(AgentStep step) {
        // Not before: the pool shows that the old active steps down sooner than the view shows its reason.
        String unwell = describeIneligible(step.state().view(), step.settings().name()) + DrainRules.describe(step);
        Optional<Failover> done = step.state().takeover().map(takeover -> ActiveDeparture.withDepartureCause(
                        step.state(), takeover)
                .withAppendedCause(unwell)
                .withActivation(step.nowNanos()));
        step.update(step.state().toBuilder().takeover(Optional.<Failover>empty()));
        step.enter(AgentStage.SERVING);
        done.ifPresent(failover -> {
            LockRecord shown = step.state().lock().get().withEpoch(failover.epoch());
            step.update(step.state().toBuilder().lock(Optional.of(shown)).reclaimRequestedNanos(step.nowNanos()));
            step.add(AgentEffect.publishEpoch(shown));
            step.add(AgentEffect.record(failover));
        });
        step.answerTakeoverRequests("");
    }

    /** Whether there is no point in continuing: the paper's "must stop upgrading and give up the lock". */
    private static boolean isFutile(AgentStep step) {
        LocalObservation observation = step.state().observation();
        return observation.role() != HaRole.STANDBY
                || mustWithdraw(step)
                || isLockLost(step.state())
                || step.state().survey().objection().isPresent();
    }

    /** Whether this member is unfit to continue. With a hanging journal disk, it continues as long as no other member could. */
    private static boolean mustWithdraw(AgentStep step) {
        LocalObservation observation = step.state().observation();
        return !observation.unhealthyReason().isEmpty()
                && !(observation.canServeInEmergency() && FollowerRules.hasNoActiveRival(step));
    }

    /** Whether a view that is at least as recent as the lock shows the lock held by another member, or by none. */
    static boolean isLockLost(AgentState state) {
        if (!state.connected() || !state.lock().isPresent() || !state.lockSeen()) {
            return false;
        }
        return !state.view()
                .lock()
                .filter(lock -> lock.ballot().equals(state.lock().get().ballot())
                        && lock.holder().equals(state.settings().name()))
                .isPresent();
    }

    /** The other members that could not be active, and why: one of them may have been the active before. */
    private static String describeIneligible(View view, String self) {
        StringBuilder text = new StringBuilder();
        for (MemberRecord member : view.members()) {
            boolean isUnwell = !member.name().equals(self)
                    && member.role() != HaRole.NONE
                    && !member.eligible()
                    && !member.reason().isEmpty();
            if (isUnwell) {
                text.append("; ").append(member.name()).append(": ").append(member.reason());
            }
        }
        return text.toString();
    }
}
