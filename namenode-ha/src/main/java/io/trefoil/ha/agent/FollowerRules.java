/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import io.trefoil.ha.agent.events.AgentEffect;
import io.trefoil.ha.agent.events.AgentSettings;
import io.trefoil.ha.agent.events.AgentStage;
import io.trefoil.ha.agent.events.LocalObservation;
import io.trefoil.ha.model.Failover;
import io.trefoil.ha.model.HaRole;
import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.MemberState;
import io.trefoil.ha.model.View;
import io.trefoil.journal.model.Epoch;
import java.util.Optional;

/** The rules of a member that is not active: it watches for the end of the lease, and bids when it is its turn. */
final class FollowerRules {

    /** How often a member asks the pool while its own node considers no writer alive. */
    private static final long SURVEY_MILLIS = 20;
    /** How often a member without a pool node asks the pool, as nothing notifies it when to ask. */
    private static final long BLIND_SURVEY_MILLIS = 200;
    /** How often a member asks the pool while no active needs replacing, to keep connections to all nodes open for when they are needed. */
    private static final long QUIET_SURVEY_MILLIS = 30_000;
    /** How long an answer of the pool counts as current. */
    private static final long FRESH_MILLIS = 300;

    /** The timeout of a query to the pool; slow nodes get half of this to answer. */
    private static final long SURVEY_TIMEOUT_MILLIS = 1_000;

    /** How long a junior waits for the others to report after an outage of ZooKeeper, when its view of them is stale. */
    private static final long REINTRODUCTION_MILLIS = 1_000;

    /** The multiple of a junior's bid delay that a member of last resort waits for others to act. */
    private static final int LAST_RESORT_DELAYS = 2;

    private FollowerRules() {}

    static void decide(AgentStep step) {
        step.answerStepDownRequests("");
        if (step.state().observation().role() == HaRole.ACTIVE) {
            adoptForcedActive(step);
            return;
        }
        watchLease(step);
        if (!step.state().connected()) {
            step.answerTakeoverRequests("ZooKeeper is out of reach, and with it the lock of the group");
            return;
        }
        releaseUnexpectedLock(step);
        boolean isFree = step.state().freeSinceNanos().isPresent();
        boolean isOrdered = !step.state().pendingTakeovers().isEmpty();
        if (isOrdered && !(isFree && step.state().observation().preparing())) {
            takeOverOnRequest(step);
        } else if (isFree) {
            campaign(step);
        } else {
            ObserverRole.decide(step);
        }
    }

    /** An operator forced HDFS to become active; the lock follows that fact. */
    private static void adoptForcedActive(AgentStep step) {
        step.answerTakeoverRequests("");
        step.update(step.state().toBuilder().handovers(0));
        step.enter(AgentStage.SERVING);
    }

    /** Watches the lease. Only the pool knows whether there is an active: neither the lock nor the view does. */
    private static void watchLease(AgentStep step) {
        AgentState state = step.state();
        Optional<LocalObservation.ObservedLease> heard = state.observation().observedLease();
        boolean seemsFree = !heard.isPresent() || !heard.get().held();
        if (seemsFree) {
            step.surveyIfOlderThan(heard.isPresent() ? SURVEY_MILLIS : BLIND_SURVEY_MILLIS);
        } else {
            step.surveyIfOlderThan(QUIET_SURVEY_MILLIS);
        }
        boolean free = seemsFree
                && step.state().survey().free()
                && !step.hasElapsed(step.state().lastSurveyNanos(), FRESH_MILLIS);
        boolean sameBallot =
                step.state().freeBallot().equals(step.state().view().ballot());
        if (!free) {
            step.update(step.state().toBuilder().freeSinceNanos(Optional.<Long>empty()));
        } else if (!step.state().freeSinceNanos().isPresent() || !sameBallot) {
            step.update(step.state().toBuilder()
                    .freeSinceNanos(Optional.of(step.nowNanos()))
                    .freeBallot(step.state().view().ballot()));
        }
    }

    /** Releases a lock that this member got although the answer had said otherwise. */
    private static void releaseUnexpectedLock(AgentStep step) {
        View view = step.state().view();
        Optional<LockRecord> forgotten = view.lock()
                .filter(lock -> lock.holder().equals(step.settings().name())
                        && lock.session().equals(view.session())
                        && step.state().releasedBallot().isBelow(lock.ballot()));
        if (forgotten.isPresent()) {
            step.add(AgentEffect.releaseLock(forgotten.get()));
            step.update(step.state().toBuilder().releasedBallot(forgotten.get().ballot()));
        }
    }

    /** Takes part in the election. */
    private static void campaign(AgentStep step) {
        AgentState state = step.state();
        long freeSince = state.freeSinceNanos().get();
        boolean hasTimedOut = step.hasElapsed(freeSince, step.settings().takeoverMillis());
        Optional<LockRecord> lock = state.view().lock();
        boolean open = !isFromOtherJournal(state)
                && (!lock.isPresent()
                        || isFromEarlierProcess(step, lock.get())
                        || Election.mayReplace(lock.get(), state.view(), state.survey(), hasTimedOut));
        MemberRecord self = candidate(step);
        boolean othersHaveSpoken = self.state() == MemberState.STANDBY
                || step.hasElapsed(step.state().connectedNanos(), REINTRODUCTION_MILLIS);
        Optional<Long> wait = Election.waitMillis(
                state.view(),
                self,
                state.survey(),
                step.settings(),
                state.observation().wallMillis());
        boolean itsTurn = open
                && othersHaveSpoken
                && step.mayBidAgain()
                && wait.isPresent()
                && step.hasElapsed(freeSince, wait.get());
        if (itsTurn && step.state().observation().role() == HaRole.OBSERVER) {
            // HDFS makes no observer active. The election waits for the change of role, or another member wins.
            ObserverRole.becomeStandby(step);
        } else if (itsTurn) {
            bid(step, ActiveDeparture.describe(step.state(), ActiveDeparture.lastHolder(step.state())));
        }
    }

    /**
     * The record of this member as the others should see it. A member that holds back, or whose journal disk hangs,
     * stands anyway if no other member does, or if the others have done nothing for long.
     */
    private static MemberRecord candidate(AgentStep step) {
        MemberRecord self = MemberStatus.record(step);
        boolean couldLead = MemberStatus.mayBecomeActive(step.state())
                && step.state().observation().canServeInEmergency();
        return couldLead && hasNoActiveRival(step)
                ? self.toBuilder().eligible(true).build()
                : self;
    }

    /** Whether no other member is a candidate in the election, or the candidates do nothing. */
    static boolean hasNoActiveRival(AgentStep step) {
        AgentState state = step.state();
        long delayMillis = LAST_RESORT_DELAYS * step.settings().juniorBidDelayMillis();
        return !Election.hasRival(state.view(), MemberStatus.record(step), state.survey())
                || state.freeSinceNanos()
                        .filter(since -> step.hasElapsed(since, delayMillis))
                        .isPresent();
    }

    private static boolean isFromEarlierProcess(AgentStep step, LockRecord lock) {
        return lock.holder().equals(step.settings().name())
                && !lock.session().equals(step.state().view().session());
    }

    /** Handles an operator's order to make this member active: it takes the lock from the active, which steps down when it sees that. */
    private static void takeOverOnRequest(AgentStep step) {
        MemberRecord self = MemberStatus.record(step);
        Optional<LockRecord> lock = step.state().view().lock();
        String flaw = MemberStatus.ineligibilityReason(step.state());
        if (!self.electable()) {
            step.answerTakeoverRequests(
                    step.settings().name() + " cannot be active: trefoil.ha.electable is false there");
        } else if (step.state().view().orders().isDrained(step.settings().name())) {
            step.answerTakeoverRequests(step.settings().name()
                    + " is drained, and becomes active only if no other NameNode can; 'hdfs trefoil undrain "
                    + step.settings().name() + "' ends that");
        } else if (self.state() != MemberState.STANDBY || !MemberStatus.mayBecomeActive(step.state())) {
            step.answerTakeoverRequests(step.settings().name() + " cannot be active: "
                    + (flaw.isEmpty()
                            ? "HDFS considers it " + step.state().observation().role()
                            : flaw));
        } else if (lock.isPresent() && lock.get().isTakingOver() && !isFromEarlierProcess(step, lock.get())) {
            step.answerTakeoverRequests(lock.get().holder() + " is taking over at this moment");
        } else if (wasElectionHeldSinceRequest(step)) {
            step.answerTakeoverRequests("Another election was held since the order came; give it again");
        } else if (isFromOtherJournal(step.state())) {
            refuseForOtherJournal(step);
        } else if (self.preparing()
                && !step.hasElapsed(
                        step.state().takeoverRequestedNanos(), AgentSettings.PREPARATION_TIMEOUT.toMillis())) {
            // Clients are served now, and would wait until this member is prepared: the order waits for the next check.
        } else if (step.state().observation().role() == HaRole.OBSERVER) {
            ObserverRole.becomeStandby(step);
        } else {
            step.update(step.state().toBuilder().holdBackUntilNanos(step.nowNanos()));
            bid(step, "an operator asked");
        }
    }

    /**
     * Whether the nodes that answer this host never promised the epoch of an active that was seen, as if the journal was initialized while
     * the host was cut off: edits acknowledged by this member would be in a separate journal. Whether the active's lock is still there does
     * not matter: its session may be lost while it serves.
     */
    private static boolean isFromOtherJournal(AgentState state) {
        return state.highestLockEpoch().isAbove(state.survey().promised());
    }

    /**
     * Refuses an operator's order on such a host. The survey may be older than the active, so the order waits for one that was made since.
     */
    private static void refuseForOtherJournal(AgentStep step) {
        AgentState state = step.state();
        boolean isAnswered = state.survey().promised().isAbove(Epoch.NONE);
        boolean isNew = state.lastSurveyNanos() - state.takeoverRequestedNanos()
                > SURVEY_TIMEOUT_MILLIS * AgentState.NANOS_PER_MILLI;
        if (isAnswered && isNew) {
            step.answerTakeoverRequests(step.settings().name()
                    + " cannot be active: the pool nodes that answer it have promised no epoch above "
                    + state.survey().promised() + ", and another NameNode wrote in epoch " + state.highestLockEpoch()
                    + "; compare 'hdfs trefoil journal status' on both hosts");
        } else if (step.hasElapsed(
                state.takeoverRequestedNanos(), step.settings().takeoverMillis())) {
            step.answerTakeoverRequests(
                    step.settings().name() + " cannot be active: no pool node says what it has promised");
        } else {
            step.surveyIfOlderThan(SURVEY_MILLIS);
        }
    }

    /**
     * Whether an election has been held since the order arrived: the operator may since have given another order, to another member.
     */
    private static boolean wasElectionHeldSinceRequest(AgentStep step) {
        return !step.state()
                .takeoverRequestedBallot()
                .equals(step.state().view().ballot());
    }

    private static void bid(AgentStep step, String cause) {
        View view = step.state().view();
        LockRecord wanted = LockRecord.ofHolder(step.settings().name(), step.nextBallot(), view.session());
        long detected = step.state().freeSinceNanos().orElse(step.nowNanos());
        step.update(step.state().toBuilder()
                .takeover(Optional.of(Failover.begin(
                        ActiveDeparture.lastHolder(step.state()),
                        step.settings().name(),
                        cause,
                        detected))));
        step.add(AgentEffect.takeLock(wanted, view.ballot(), view.lock()));
        step.enter(AgentStage.BIDDING);
    }
}
