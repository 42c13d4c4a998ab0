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
final class Following {

    /** How often a member asks the pool while its own node believes in no writer. */
    private static final long SURVEY_MILLIS = 20;
    /** How often a member without a pool node asks the pool, as nothing tells it when to ask. */
    private static final long BLIND_SURVEY_MILLIS = 200;
    /** How often a member asks the pool while no active needs replacing, to keep connections to all nodes open for when it matters. */
    private static final long QUIET_SURVEY_MILLIS = 30_000;
    /** How long an answer of the pool counts as current. */
    private static final long FRESH_MILLIS = 300;

    /** The time that a junior gives the others to report when ZooKeeper is back after an outage: the view of them is stale. */
    /** Nodes that are slow are given half of this to answer. */
    private static final long LONGEST_SURVEY_MILLIS = 1_000;

    private static final long REINTRODUCTION_MILLIS = 1_000;

    /** A member that should stand only as a last resort waits this many times a junior's patience for others to act. */
    private static final int LAST_RESORT_PATIENCES = 2;

    private Following() {}

    static void decide(AgentStep step) {
        step.answerStepDownRequests("");
        if (step.state().observation().role() == HaRole.ACTIVE) {
            forced(step);
            return;
        }
        watchLease(step);
        if (!step.state().connected()) {
            step.answerTakeoverRequests("ZooKeeper is out of reach, and with it the lock of the group");
            return;
        }
        releaseForgottenLock(step);
        boolean isFree = step.state().freeSinceNanos().isPresent();
        boolean isOrdered = !step.state().pendingTakeovers().isEmpty();
        if (isOrdered && !(isFree && step.state().observation().preparing())) {
            lead(step);
        } else if (isFree) {
            campaign(step);
        } else {
            ObserverRole.decide(step);
        }
    }

    /** An operator forced HDFS to become active; the lock follows that fact. */
    private static void forced(AgentStep step) {
        step.answerTakeoverRequests("");
        step.become(step.state().toBuilder().handovers(0));
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
                && !step.isPast(step.state().surveyedNanos(), FRESH_MILLIS);
        boolean sameBallot =
                step.state().freeBallot().equals(step.state().view().ballot());
        if (!free) {
            step.become(step.state().toBuilder().freeSinceNanos(Optional.<Long>empty()));
        } else if (!step.state().freeSinceNanos().isPresent() || !sameBallot) {
            step.become(step.state().toBuilder()
                    .freeSinceNanos(Optional.of(step.nowNanos()))
                    .freeBallot(step.state().view().ballot()));
        }
    }

    /** Releases a lock that this member got although the answer said otherwise. */
    private static void releaseForgottenLock(AgentStep step) {
        View view = step.state().view();
        Optional<LockRecord> forgotten = view.lock()
                .filter(lock -> lock.holder().equals(step.settings().name())
                        && lock.session().equals(view.session())
                        && step.state().released().isBelow(lock.ballot()));
        if (forgotten.isPresent()) {
            step.add(AgentEffect.releaseLock(forgotten.get()));
            step.become(step.state().toBuilder().released(forgotten.get().ballot()));
        }
    }

    /** Takes part in the election. */
    private static void campaign(AgentStep step) {
        AgentState state = step.state();
        long freeSince = state.freeSinceNanos().get();
        boolean patienceIsOver = step.isPast(freeSince, step.settings().takeoverMillis());
        Optional<LockRecord> lock = state.view().lock();
        boolean open = !isFromOtherJournal(state)
                && (!lock.isPresent()
                        || isFromEarlierProcess(step, lock.get())
                        || Election.mayReplace(lock.get(), state.view(), state.survey(), patienceIsOver));
        MemberRecord self = candidate(step);
        boolean othersHaveSpoken = self.state() == MemberState.STANDBY
                || step.isPast(step.state().connectedNanos(), REINTRODUCTION_MILLIS);
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
                && step.isPast(freeSince, wait.get());
        if (itsTurn && step.state().observation().role() == HaRole.OBSERVER) {
            // HDFS makes no observer active. The election waits for the change of role, or another member wins.
            ObserverRole.becomeStandby(step);
        } else if (itsTurn) {
            bid(step, ActiveDeparture.of(step.state(), ActiveDeparture.last(step.state())));
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

    /** Whether no other member stands in the election, or those that stand do nothing. */
    static boolean hasNoActiveRival(AgentStep step) {
        AgentState state = step.state();
        long patience = LAST_RESORT_PATIENCES * step.settings().juniorPatienceMillis();
        return !Election.hasRival(state.view(), MemberStatus.record(step), state.survey())
                || state.freeSinceNanos()
                        .filter(since -> step.isPast(since, patience))
                        .isPresent();
    }

    private static boolean isFromEarlierProcess(AgentStep step, LockRecord lock) {
        return lock.holder().equals(step.settings().name())
                && !lock.session().equals(step.state().view().session());
    }

    /** An operator wants this member: it takes the lock from the active, which steps down when it sees that. */
    private static void lead(AgentStep step) {
        MemberRecord self = MemberStatus.record(step);
        Optional<LockRecord> lock = step.state().view().lock();
        String flaw = MemberStatus.ineligibilityReason(step.state());
        if (!self.electable()) {
            step.answerTakeoverRequests(
                    step.settings().name() + " cannot be active: trefoil.ha.electable is false there");
        } else if (step.state().view().orders().isDrained(step.settings().name())) {
            step.answerTakeoverRequests(step.settings().name()
                    + " is drained, and becomes active only if nobody else can; 'hdfs trefoil undrain "
                    + step.settings().name() + "' ends that");
        } else if (self.state() != MemberState.STANDBY || !MemberStatus.mayBecomeActive(step.state())) {
            step.answerTakeoverRequests(step.settings().name() + " cannot be active: "
                    + (flaw.isEmpty()
                            ? "HDFS considers it " + step.state().observation().role()
                            : flaw));
        } else if (lock.isPresent() && lock.get().isTakingOver() && !isFromEarlierProcess(step, lock.get())) {
            step.answerTakeoverRequests(lock.get().holder() + " is taking over at this moment");
        } else if (isElectionHeldSince(step)) {
            step.answerTakeoverRequests("Another election was held since the order came; give it again");
        } else if (isFromOtherJournal(step.state())) {
            refuseOfOtherJournal(step);
        } else if (self.preparing()
                && !step.isPast(step.state().takeoverRequestedNanos(), AgentSettings.LONGEST_PREPARATION.toMillis())) {
            // Clients are served now, and would wait until this member is prepared: the order waits for the next look.
        } else if (step.state().observation().role() == HaRole.OBSERVER) {
            ObserverRole.becomeStandby(step);
        } else {
            step.become(step.state().toBuilder().holdBackUntilNanos(step.nowNanos()));
            bid(step, "an operator asked");
        }
    }

    /**
     * Whether the nodes that answer this host never promised the epoch of an active that was seen, as where the journal was
     * initialized while the host was cut off: what this member acknowledged would be in a journal of its own. Whether the active's
     * lock is still there does not matter: its session may be lost while it serves.
     */
    private static boolean isFromOtherJournal(AgentState state) {
        return state.shownEpoch().isAbove(state.survey().promised());
    }

    /** Refuses an order at such a host. The survey may be older than the active, so the order waits for one that was made since. */
    private static void refuseOfOtherJournal(AgentStep step) {
        AgentState state = step.state();
        boolean isAnswered = state.survey().promised().isAbove(Epoch.NONE);
        boolean isNew = state.surveyedNanos() - state.takeoverRequestedNanos()
                > LONGEST_SURVEY_MILLIS * AgentState.NANOS_PER_MILLI;
        if (isAnswered && isNew) {
            step.answerTakeoverRequests(step.settings().name()
                    + " cannot be active: the pool nodes that answer it have promised no epoch above "
                    + state.survey().promised() + ", and another NameNode wrote in epoch " + state.shownEpoch()
                    + "; compare 'hdfs trefoil journal status' on both hosts");
        } else if (step.isPast(state.takeoverRequestedNanos(), step.settings().takeoverMillis())) {
            step.answerTakeoverRequests(
                    step.settings().name() + " cannot be active: no pool node says what it has promised");
        } else {
            step.surveyIfOlderThan(SURVEY_MILLIS);
        }
    }

    /**
     * Whether an election was held since the order came: the operator who gave it may have given another one meanwhile,
     * to another member.
     */
    private static boolean isElectionHeldSince(AgentStep step) {
        return !step.state()
                .takeoverRequestedBallot()
                .equals(step.state().view().ballot());
    }

    private static void bid(AgentStep step, String cause) {
        View view = step.state().view();
        LockRecord wanted = LockRecord.taken(step.settings().name(), step.nextBallot(), view.session());
        long detected = step.state().freeSinceNanos().orElse(step.nowNanos());
        step.become(step.state().toBuilder()
                .takeover(Optional.of(Failover.begin(
                        ActiveDeparture.last(step.state()), step.settings().name(), cause, detected))));
        step.add(AgentEffect.takeLock(wanted, view.ballot(), view.lock()));
        step.enter(AgentStage.BIDDING);
    }
}
