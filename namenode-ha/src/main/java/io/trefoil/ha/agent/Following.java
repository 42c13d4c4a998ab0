/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import io.trefoil.ha.model.Failover;
import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.MemberState;
import io.trefoil.ha.model.Role;
import io.trefoil.ha.model.View;
import java.util.Optional;

/** What a member does that is not active: watches for the end of the lease, and bids when it is its turn. */
final class Following {

    /** How often the pool is asked by one whose own node believes in no writer. */
    private static final long SURVEY_MILLIS = 20;
    /** The same, by one that has no node to tell it when to ask. */
    private static final long BLIND_SURVEY_MILLIS = 200;
    /** The same, while nobody need be replaced: so that connections to all nodes are there when it matters. */
    private static final long QUIET_SURVEY_MILLIS = 30_000;
    /** What the pool said is true for as long. */
    private static final long FRESH_MILLIS = 300;

    /** After ZooKeeper was away a junior lets the others say first how they are now: what the view has of them is old. */
    private static final long REINTRODUCTION_MILLIS = 1_000;

    /** How many times a junior's patience others may do nothing until one stands that had better not. */
    private static final int LAST_RESORT_PATIENCES = 2;

    private Following() {}

    static void decide(Turn turn) {
        turn.answerCedes("");
        if (turn.state().facts().role() == Role.ACTIVE) {
            forced(turn);
            return;
        }
        watchLease(turn);
        if (!turn.state().connected()) {
            turn.answerLeads("ZooKeeper is out of reach, and with it the lock of the group");
            return;
        }
        releaseForgottenLock(turn);
        if (!turn.state().leads().isEmpty()) {
            lead(turn);
        } else if (turn.state().freeSinceNanos().isPresent()) {
            stand(turn);
        } else {
            Reading.decide(turn);
        }
    }

    /** An operator made HDFS active by force; that is a fact now, and the lock follows it. */
    private static void forced(Turn turn) {
        turn.answerLeads("");
        turn.become(turn.state().toBuilder().passes(0));
        turn.enter(AgentStage.SERVING);
    }

    /** Nobody but the pool knows whether there is an active: not the lock, not the view. */
    private static void watchLease(Turn turn) {
        AgentState state = turn.state();
        Optional<Facts.HeardLease> heard = state.facts().heard();
        boolean seemsFree = !heard.isPresent() || !heard.get().held();
        if (seemsFree) {
            turn.surveyEvery(heard.isPresent() ? SURVEY_MILLIS : BLIND_SURVEY_MILLIS);
        } else {
            turn.surveyEvery(QUIET_SURVEY_MILLIS);
        }
        boolean free = seemsFree
                && turn.state().survey().free()
                && !turn.isPast(turn.state().surveyedNanos(), FRESH_MILLIS);
        boolean sameBallot = turn.state().freeIn().equals(turn.state().view().ballot());
        if (!free) {
            turn.become(turn.state().toBuilder().freeSinceNanos(Optional.<Long>empty()));
        } else if (!turn.state().freeSinceNanos().isPresent() || !sameBallot) {
            turn.become(turn.state().toBuilder()
                    .freeSinceNanos(Optional.of(turn.nowNanos()))
                    .freeIn(turn.state().view().ballot()));
        }
    }

    /** A lock that was had although the answer said otherwise. */
    private static void releaseForgottenLock(Turn turn) {
        View view = turn.state().view();
        Optional<LockRecord> forgotten = view.lock()
                .filter(lock -> lock.holder().equals(turn.settings().name())
                        && lock.session().equals(view.session())
                        && turn.state().released().isBelow(lock.ballot()));
        if (forgotten.isPresent()) {
            turn.add(AgentEffect.releaseLock(forgotten.get()));
            turn.become(turn.state().toBuilder().released(forgotten.get().ballot()));
        }
    }

    /** Takes part in the election. */
    private static void stand(Turn turn) {
        AgentState state = turn.state();
        long freeSince = state.freeSinceNanos().get();
        boolean patienceIsOver = turn.isPast(freeSince, turn.settings().takeoverMillis());
        Optional<LockRecord> lock = state.view().lock();
        boolean open = !lock.isPresent()
                || isOwnOfFormerLife(turn, lock.get())
                || Election.mayReplace(lock.get(), state.view(), state.survey(), patienceIsOver);
        MemberRecord self = candidate(turn);
        boolean othersHaveSpoken = self.state() == MemberState.STANDBY
                || turn.isPast(turn.state().connectedNanos(), REINTRODUCTION_MILLIS);
        Optional<Long> wait = Election.waitMillis(state.view(), self, state.survey(), turn.settings());
        boolean itsTurn = open
                && othersHaveSpoken
                && turn.mayBidAgain()
                && wait.isPresent()
                && turn.isPast(freeSince, wait.get());
        if (itsTurn && turn.state().facts().role() == Role.OBSERVER) {
            // HDFS makes no observer active; the election waits for it, or another wins.
            Reading.beStandby(turn);
        } else if (itsTurn) {
            bid(turn, lock.isPresent() ? "the lease of " + lock.get().holder() + " is over" : "nobody is active");
        }
    }

    /**
     * This member as others would see it. One that held back, or whose disk of the journal hangs, stands all the same if nobody else
     * does, or those who do have done nothing for long.
     */
    private static MemberRecord candidate(Turn turn) {
        MemberRecord self = Standing.record(turn);
        boolean couldLead =
                Standing.mayLead(turn.state()) && turn.state().facts().couldServe();
        return couldLead && isLastResort(turn) ? self.toBuilder().eligible(true).build() : self;
    }

    /** Whether nobody else stands in the election, or they do nothing. */
    static boolean isLastResort(Turn turn) {
        AgentState state = turn.state();
        long patience = LAST_RESORT_PATIENCES * turn.settings().juniorPatienceMillis();
        return !Election.hasRival(state.view(), Standing.record(turn), state.survey())
                || state.freeSinceNanos()
                        .filter(since -> turn.isPast(since, patience))
                        .isPresent();
    }

    private static boolean isOwnOfFormerLife(Turn turn, LockRecord lock) {
        return lock.holder().equals(turn.settings().name())
                && !lock.session().equals(turn.state().view().session());
    }

    /** An operator wants this member: it takes the lock from the active, which steps down when it sees that. */
    private static void lead(Turn turn) {
        MemberRecord self = Standing.record(turn);
        Optional<LockRecord> lock = turn.state().view().lock();
        String flaw = Standing.flaw(turn.state());
        if (self.state() != MemberState.STANDBY || !Standing.mayLead(turn.state())) {
            turn.answerLeads(turn.settings().name() + " cannot be active: "
                    + (flaw.isEmpty()
                            ? "HDFS takes it for " + turn.state().facts().role()
                            : flaw));
        } else if (lock.isPresent() && lock.get().isTakingOver() && !isOwnOfFormerLife(turn, lock.get())) {
            turn.answerLeads(lock.get().holder() + " is taking over at this moment");
        } else if (turn.state().facts().role() == Role.OBSERVER) {
            Reading.beStandby(turn);
        } else {
            turn.become(turn.state().toBuilder().holdBackUntilNanos(turn.nowNanos()));
            bid(turn, "an operator asked");
        }
    }

    private static void bid(Turn turn, String cause) {
        View view = turn.state().view();
        LockRecord wanted = LockRecord.taken(turn.settings().name(), turn.nextBallot(), view.session());
        long detected = turn.state().freeSinceNanos().orElse(turn.nowNanos());
        turn.become(turn.state().toBuilder()
                .takeover(Optional.of(Failover.begin(
                        view.lock().map(LockRecord::holder), turn.settings().name(), cause, detected))));
        turn.add(AgentEffect.takeLock(wanted, view.ballot(), view.lock()));
        turn.enter(AgentStage.BIDDING);
    }
}
