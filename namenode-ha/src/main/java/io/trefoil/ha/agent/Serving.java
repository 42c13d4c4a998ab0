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

/** What an active watches: its lease, its lock, its health. */
final class Serving {

    /** With how little of the lease left the pool is asked who could take over. */
    private static final long UNEASY_NANOS = 400 * AgentState.NANOS_PER_MILLI;

    private static final long SURVEY_MILLIS = 100;
    /** What the pool said of the others is believed for as long. */
    private static final long FRESH_MILLIS = 1_000;

    private static final long RECLAIM_MILLIS = 200;

    private Serving() {}

    static void decide(AgentStep step) {
        step.answerLeads("");
        guardLease(step);
        if (step.state().stage() != AgentStage.SERVING) {
            return;
        }
        if (step.state().observation().role() != HaRole.ACTIVE) {
            // An operator forced it.
            step.answerCedes("");
            step.follow(step.settings().holdBackMillis());
            return;
        }
        Handover.forget(step);
        if (!step.state().cedes().isEmpty() || isDeposed(step)) {
            stepDown(step);
        } else if (Handover.isDue(step)) {
            Handover.count(step);
            stepDown(step);
        } else if (Drained.isHandoverDue(step)) {
            stepDown(step);
        } else {
            reclaim(step);
        }
    }

    /**
     * An active that was fenced holds a namespace that never was: it must not go on. One whose lease has run out is of no use, if
     * anybody else may have become active; it cannot become standby either, which takes an entry in the journal. So both end, and
     * come back as what they are then. One that appears to be alone waits for the others. None of them answers readers meanwhile: that
     * is not left to an agent that looks now and then (D-25).
     */
    static void guardLease(AgentStep step) {
        Optional<LocalObservation.OwnLease> own = step.state().observation().own();
        if (!own.isPresent()) {
            return;
        }
        if (own.get().fenced()) {
            step.halt("a majority of the pool has promised an epoch above "
                    + own.get().epoch());
            return;
        }
        if (own.get().leftNanos() > UNEASY_NANOS) {
            return;
        }
        step.surveyEvery(SURVEY_MILLIS);
        boolean forgiven = step.nowNanos() - step.state().graceUntilNanos() < 0;
        if (own.get().leftNanos() > 0 || forgiven) {
            return;
        }
        boolean alone = !step.state().survey().rivalsPossible()
                && !step.isPast(step.state().surveyedNanos(), FRESH_MILLIS);
        if (!alone) {
            step.halt("no majority of the pool has renewed the lease of epoch "
                    + own.get().epoch() + ", and another NameNode may have become active");
        }
    }

    static void steppingDown(AgentStep step) {
        step.answerLeads("This member is stepping down at this moment");
        guardLease(step);
        if (step.state().stage() == AgentStage.STEPPING_DOWN && step.isStuck()) {
            step.halt("HDFS did not become standby within " + step.settings().stepDownMillis()
                    + " ms, and no thread is working on it");
        }
    }

    /** Without the pool it would only hang: becoming standby ends a segment. */
    private static void stepDown(AgentStep step) {
        boolean poolInReach = step.state()
                .observation()
                .own()
                .filter(own -> own.leftNanos() > 0)
                .isPresent();
        if (poolInReach) {
            step.add(AgentEffect.stepDown());
            step.enter(AgentStage.STEPPING_DOWN);
        }
    }

    /**
     * Whether somebody took the lock away: deleted it, or was elected. That the session ended is neither, nor that ZooKeeper has
     * forgotten the election: it was wiped, or restored from a copy that is older, and what lock it shows then was held before.
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

    /** Takes the lock that ended with a session, or that was never had because HDFS was forced. */
    private static void reclaim(AgentStep step) {
        AgentState state = step.state();
        View view = state.view();
        boolean has = state.lock().isPresent() && !Takeover.isLockLost(state);
        boolean late = !state.lock().isPresent()
                && view.lock()
                        .filter(lock -> !lock.holder().equals(state.settings().name()) && lock.isTakingOver())
                        .isPresent();
        if (late) {
            // Somebody was elected while an operator forced this one: the election counts.
            stepDown(step);
        } else if (!has
                && state.connected()
                && !state.reclaiming()
                && step.mayBidAgain()
                && step.isPast(state.reclaimedNanos(), RECLAIM_MILLIS)) {
            LockRecord wanted = LockRecord.taken(state.settings().name(), step.nextBallot(), view.session());
            step.become(state.toBuilder().reclaiming(true).reclaimedNanos(step.nowNanos()));
            step.add(AgentEffect.takeLock(wanted, view.ballot(), view.lock()));
        } else if (has && isShownTakingOver(state) && step.isPast(state.reclaimedNanos(), RECLAIM_MILLIS)) {
            step.become(state.toBuilder().reclaimedNanos(step.nowNanos()));
            showEpoch(step);
        }
    }

    /** What was told of the end of the takeover was lost: others would wait for it to be over. */
    private static boolean isShownTakingOver(AgentState state) {
        return state.connected()
                && state.view()
                        .lock()
                        .filter(lock -> lock.ballot().equals(state.lock().get().ballot()) && lock.isTakingOver())
                        .isPresent();
    }

    /** Says in which epoch the holder of the lock writes. */
    static void showEpoch(AgentStep step) {
        Epoch epoch = step.state()
                .observation()
                .own()
                .map(LocalObservation.OwnLease::epoch)
                .orElse(Epoch.NONE);
        LockRecord shown = step.state().lock().get().in(epoch);
        step.become(step.state().toBuilder().lock(Optional.of(shown)));
        step.add(AgentEffect.showEpoch(shown));
    }
}
