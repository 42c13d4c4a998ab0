/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import io.trefoil.ha.agent.events.AgentEffect;
import io.trefoil.ha.agent.events.AgentStage;
import io.trefoil.ha.agent.events.LocalObservation;
import io.trefoil.ha.model.HaRole;
import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.View;
import io.trefoil.journal.model.Epoch;
import java.util.Optional;

/** The rules of an active, which watches its lease, its lock and its health. */
final class ActiveRules {

    /** The rest of the lease below which the active asks the pool which NameNode could take over. */
    private static final long UNEASY_NANOS = 400 * AgentState.NANOS_PER_MILLI;

    private static final long SURVEY_MILLIS = 100;
    /** How long the pool's answer about the others counts as current. */
    private static final long FRESH_MILLIS = 1_000;

    private static final long RECLAIM_MILLIS = 200;

    private ActiveRules() {}

    static void decide(AgentStep step) {
        step.answerTakeoverRequests("");
        guardLease(step);
        if (step.state().stage() != AgentStage.SERVING) {
            return;
        }
        if (step.state().observation().role() != HaRole.ACTIVE) {
            // An operator forced it to step down.
            step.answerStepDownRequests("");
            step.becomeFollower(step.settings().holdBackMillis());
            return;
        }
        Handover.resetCount(step);
        if (!step.state().pendingStepDowns().isEmpty() || isDeposed(step)) {
            stepDown(step);
        } else if (Handover.isDue(step)) {
            Handover.count(step);
            stepDown(step);
        } else if (DrainRules.isHandoverDue(step)) {
            stepDown(step);
        } else {
            reclaim(step);
        }
    }

    /**
     * Ends a process whose lease is lost. A fenced active holds a namespace that never existed, so it must not continue.
     * An active whose lease has expired is of no use if another member may have become active; nor can it become a
     * standby, which takes an entry in the journal. So both end, and restart in their proper role. An active that
     * appears to be alone waits for the others, and continues when a majority has renewed its lease; so does one whose others are
     * only slow, for a while. None of them answers
     * readers meanwhile: that does not depend on an agent that only looks now and then (D-25).
     */
    static void guardLease(AgentStep step) {
        Optional<LocalObservation.LocalLease> own = step.state().observation().localLease();
        if (!own.isPresent()) {
            return;
        }
        if (own.get().fenced()) {
            step.halt("a majority of the pool has promised an epoch above "
                    + own.get().epoch());
            return;
        }
        if (own.get().remainingNanos() > UNEASY_NANOS) {
            return;
        }
        step.surveyIfOlderThan(SURVEY_MILLIS);
        boolean forgiven = step.nowNanos() - step.state().graceUntilNanos() < 0;
        if (own.get().remainingNanos() > 0 || forgiven) {
            return;
        }
        boolean fresh = !step.hasElapsed(step.state().lastSurveyNanos(), FRESH_MILLIS);
        boolean alone = fresh && !step.state().survey().rivalsPossible();
        if (!alone
                && !areVotersStarting(step, own.get().epoch())
                && !(fresh && areVotersSlow(step, own.get().epoch()))) {
            step.halt("no majority of the pool has renewed the lease of epoch "
                    + own.get().epoch() + ", and another NameNode may have become active");
        }
    }

    /**
     * Whether the nodes that a takeover needs are only just starting. Such a node refuses connections, then
     * is silent for a while, and then hears from the writer before it may promise anything to others: it counts the lease
     * from its start. They are thus given as long to renew it, unless one of them says that it has promised a higher
     * epoch.
     */
    private static boolean areVotersStarting(AgentStep step, Epoch epoch) {
        return !step.state().survey().promised().isAbove(epoch)
                && !step.hasElapsed(
                        step.state().soleWriterNanos(), step.settings().leaseMillis());
    }

    /**
     * Whether the nodes that have not answered accept connections: machines that are too busy to renew a lease in time are also too busy to
     * answer at once. They are given as long as a lease to say what they have promised, or to renew it.
     */
    private static boolean areVotersSlow(AgentStep step, Epoch epoch) {
        return step.state().survey().answersPending()
                && !step.state().survey().promised().isAbove(epoch)
                && !step.hasElapsed(
                        step.state().leaseValidNanos(), step.settings().leaseMillis());
    }

    static void onSteppingDown(AgentStep step) {
        step.answerTakeoverRequests("This member is stepping down at this moment");
        guardLease(step);
        if (step.state().stage() == AgentStage.STEPPING_DOWN && step.isStuck()) {
            step.halt("HDFS did not become standby within " + step.settings().stepDownMillis()
                    + " ms, and no thread is working on it");
        }
    }

    /** Steps down only if the pool is reachable: becoming standby ends a segment, which would hang without the pool. */
    private static void stepDown(AgentStep step) {
        boolean poolInReach = step.state()
                .observation()
                .localLease()
                .filter(own -> own.remainingNanos() > 0)
                .isPresent();
        if (poolInReach) {
            step.add(AgentEffect.stepDown());
            step.enter(AgentStage.STEPPING_DOWN);
        }
    }

    /**
     * Whether another member took the lock: deleted it, or was elected. The end of the session does not count. Nor does
     * a ZooKeeper that has forgotten the election: it was wiped, or restored from an older copy, and the lock it shows
     * is from the past.
     */
    private static boolean isDeposed(AgentStep step) {
        AgentState state = step.state();
        boolean forgotten = state.lock()
                .filter(lock -> state.view().ballot().isBelow(lock.ballot()))
                .isPresent();
        if (forgotten || !Takeover.isLockLost(state)) {
            return false;
        }
        Optional<LockRecord> now = state.view().lock();
        if (!now.isPresent()) {
            return state.lock().get().session().equals(state.view().session());
        }
        return !now.get().holder().equals(state.settings().name());
    }

    /** Takes the lock again after its session expired, or for the first time after HDFS was forced. */
    private static void reclaim(AgentStep step) {
        AgentState state = step.state();
        View view = state.view();
        boolean has = state.lock().isPresent() && !Takeover.isLockLost(state);
        boolean late = !state.lock().isPresent()
                && view.lock()
                        .filter(lock -> !lock.holder().equals(state.settings().name()) && lock.isTakingOver())
                        .isPresent();
        if (late) {
            // Another member was elected while an operator forced this one: the election counts.
            stepDown(step);
        } else if (!has
                && state.connected()
                && !state.reclaimPending()
                && step.mayBidAgain()
                && step.hasElapsed(state.reclaimRequestedNanos(), RECLAIM_MILLIS)) {
            LockRecord wanted = LockRecord.ofHolder(state.settings().name(), step.nextBallot(), view.session());
            step.update(state.toBuilder().reclaimPending(true).reclaimRequestedNanos(step.nowNanos()));
            step.add(AgentEffect.takeLock(wanted, view.ballot(), view.lock()));
        } else if (has
                && isPublishedAsTakingOver(state)
                && step.hasElapsed(state.reclaimRequestedNanos(), RECLAIM_MILLIS)) {
            step.update(state.toBuilder().reclaimRequestedNanos(step.nowNanos()));
            publishEpoch(step);
        }
    }

    /** Whether the end of the takeover was not published: the others would wait for it. */
    private static boolean isPublishedAsTakingOver(AgentState state) {
        return state.connected()
                && state.view()
                        .lock()
                        .filter(lock -> lock.ballot().equals(state.lock().get().ballot()) && lock.isTakingOver())
                        .isPresent();
    }

    /** Publishes the epoch in which the holder of the lock writes. */
    static void publishEpoch(AgentStep step) {
        Epoch epoch = step.state()
                .observation()
                .localLease()
                .map(LocalObservation.LocalLease::epoch)
                .orElse(Epoch.NONE);
        LockRecord shown = step.state().lock().get().withEpoch(epoch);
        step.update(step.state().toBuilder().lock(Optional.of(shown)));
        step.add(AgentEffect.publishEpoch(shown));
    }
}
