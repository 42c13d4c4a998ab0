/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import io.trefoil.foundation.Step;
import io.trefoil.ha.model.Ballot;
import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.Role;
import io.trefoil.ha.model.View;
import io.trefoil.journal.model.Epoch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The rules of the agent beside one NameNode ({@code docs/design/mams.md}; paper §4.2, Algorithm 2, Fig. 5).
 *
 * <p>A pure function of state, event and time. The stages and what leads from one to the next:
 *
 * <ul>
 *   <li>FOLLOWING to BIDDING: the pool believes in no writer and it is this member's turn, or an operator asked;
 *   <li>FOLLOWING to CHANGING and back: this standby is to answer reads, or this observer to be a standby again;
 *   <li>BIDDING to ELECTED: the lock is had;
 *   <li>ELECTED to PROMISING: nobody holds the lease any more;
 *   <li>PROMISING to ACTIVATING: a majority has promised the epoch, and all before it is committed;
 *   <li>ACTIVATING to SERVING: HDFS is active;
 *   <li>SERVING to STEPPING_DOWN: the lock was lost, somebody asked, or the NameNode is unhealthy and another is not;
 *   <li>STEPPING_DOWN to FOLLOWING: HDFS is standby;
 *   <li>ELECTED, PROMISING, ACTIVATING to FOLLOWING, by way of WITHDRAWING where there may be an epoch: it failed, took
 *       too long, or the lock was lost;
 *   <li>ACTIVATING, SERVING, STEPPING_DOWN to HALTED: fenced, or the lease has run out and somebody else may have one;
 *   <li>CHANGING, ACTIVATING, STEPPING_DOWN to HALTED: HDFS does not get there, and nobody is at work on it.
 * </ul>
 *
 * <p>Every event only changes what is known; what follows is decided afterwards from all that is known, so that it does
 * not matter in which order things are heard, or how often.
 */
public final class Agent {

    /** A longer time between two looks at the process than this means that it stood still. */
    private static final long OWN_PAUSE_MILLIS = 200;
    /** How long after that the pool may take to say whether the lease still stands. */
    private static final long GRACE_MILLIS = 250;

    private Agent() {}

    /** What follows from an event; {@code nowNanos} is the agent's own monotonic clock. */
    public static Step<AgentState, AgentEffect> step(AgentState state, AgentEvent event, long nowNanos) {
        if (state.stage() == AgentStage.HALTED) {
            return Step.quiet(state);
        }
        Turn turn = new Turn(state, nowNanos);
        event.dispatch(new OnEvent(turn));
        decide(turn);
        Standing.publish(turn);
        return turn.end();
    }

    private static void decide(Turn turn) {
        switch (turn.state().stage()) {
            case FOLLOWING:
                Following.decide(turn);
                break;
            case CHANGING:
                Reading.changing(turn);
                break;
            case ELECTED:
                Takeover.elected(turn);
                break;
            case PROMISING:
                Takeover.promising(turn);
                break;
            case ACTIVATING:
                Takeover.activating(turn);
                break;
            case SERVING:
                Serving.decide(turn);
                break;
            case STEPPING_DOWN:
                Serving.steppingDown(turn);
                break;
            default:
                // BIDDING and WITHDRAWING wait for an answer that always comes.
                break;
        }
    }

    /** One branch per event. */
    private static final class OnEvent implements AgentEvent.Handler<Void> {
        private final Turn turn;

        OnEvent(Turn turn) {
            this.turn = turn;
        }

        @Override
        public Void observed(Facts seen, long bid) {
            Facts facts = seen.judged(turn.settings());
            AgentState.Builder next = turn.state().toBuilder().facts(facts).tickedNanos(turn.nowNanos());
            if (!facts.trouble().isEmpty()) {
                next.wellSinceNanos(turn.nowNanos());
            }
            if (facts.busy()) {
                next.busyNanos(turn.nowNanos());
            }
            if (turn.isPast(turn.state().tickedNanos(), OWN_PAUSE_MILLIS)) {
                // Whatever was known before the pause may be old.
                next.graceUntilNanos(turn.inMillis(GRACE_MILLIS))
                        .survey(Survey.SILENCE)
                        .freeSinceNanos(Optional.<Long>empty());
            }
            boolean drawn = turn.state().published().isPresent()
                    && turn.state().bidFor().equals(turn.state().view().ballot());
            if (!drawn) {
                next.bid(bid).bidFor(turn.state().view().ballot());
            }
            turn.become(next);
            return null;
        }

        @Override
        public Void viewChanged(View view) {
            long since = turn.state().connected() ? turn.state().connectedNanos() : turn.nowNanos();
            turn.become(turn.state().toBuilder()
                    .view(view)
                    .highest(
                            turn.state().highest().isBelow(view.ballot())
                                    ? view.ballot()
                                    : turn.state().highest())
                    .lockSeen(true)
                    .connected(true)
                    .connectedNanos(since));
            Handover.learn(turn);
            return null;
        }

        @Override
        public Void disconnected() {
            turn.become(turn.state().toBuilder().connected(false));
            return null;
        }

        @Override
        public Void surveyed(Survey survey) {
            turn.become(turn.state().toBuilder().survey(survey).surveying(false).surveyedNanos(turn.nowNanos()));
            return null;
        }

        @Override
        public Void lockTaken(Ballot ballot) {
            LockRecord lock = LockRecord.taken(
                    turn.settings().name(), ballot, turn.state().view().session());
            turn.become(turn.state().toBuilder()
                    .lock(Optional.of(lock))
                    .lockSeen(false)
                    .highest(ballot)
                    .misses(0)
                    .reclaiming(false));
            if (turn.state().stage() == AgentStage.BIDDING) {
                turn.become(turn.state().toBuilder()
                        .takeover(turn.state().takeover().map(takeover -> takeover.locked(ballot, turn.nowNanos()))));
                turn.enter(AgentStage.ELECTED);
            } else if (turn.state().stage() == AgentStage.SERVING) {
                Serving.showEpoch(turn);
            } else {
                // Asked for while this member was serving, and it is not any more.
                turn.add(AgentEffect.releaseLock(lock));
                turn.become(turn.state().toBuilder().lock(Optional.<LockRecord>empty()));
            }
            return null;
        }

        @Override
        public Void lockMissed() {
            turn.become(turn.state().toBuilder().reclaiming(false));
            turn.countMiss();
            if (turn.state().stage() == AgentStage.BIDDING) {
                turn.answerLeads(
                        "The lock of the group was not to be had: another member took it at the same moment, or"
                                + " ZooKeeper takes no changes");
                turn.follow(0);
            }
            return null;
        }

        @Override
        public Void promised(Epoch epoch) {
            if (turn.state().stage() == AgentStage.PROMISING) {
                turn.become(turn.state().toBuilder()
                        // The last look may have seen a term that had no lease yet.
                        .facts(turn.state().facts().withoutTerm())
                        .takeover(turn.state().takeover().map(takeover -> takeover.promised(epoch, turn.nowNanos()))));
                Takeover.promised(turn);
            }
            return null;
        }

        @Override
        public Void promiseFailed(String why) {
            boolean awaited =
                    turn.state().stage() == AgentStage.PROMISING || turn.state().stage() == AgentStage.WITHDRAWING;
            if (awaited) {
                turn.answerLeads("No epoch was had: " + why);
                turn.follow(turn.settings().patienceMillis());
            }
            return null;
        }

        @Override
        public Void activated() {
            if (turn.state().stage() == AgentStage.ACTIVATING) {
                isNow(Role.ACTIVE);
                Takeover.activated(turn);
            }
            return null;
        }

        @Override
        public Void activationFailed(String why) {
            if (turn.state().stage() == AgentStage.ACTIVATING) {
                turn.answerLeads("HDFS did not become active: " + why);
                Takeover.withdraw(turn);
            }
            return null;
        }

        @Override
        public Void steppedDown() {
            if (turn.state().stage() == AgentStage.STEPPING_DOWN) {
                turn.answerCedes("");
                isNow(Role.STANDBY);
                turn.follow(
                        Math.max(turn.settings().holdBackMillis(), turn.state().cedeHoldBackMillis()));
            }
            return null;
        }

        @Override
        public Void stepDownFailed(String why) {
            if (turn.state().stage() == AgentStage.STEPPING_DOWN) {
                turn.halt("HDFS did not become standby: " + why);
            }
            return null;
        }

        @Override
        public Void roleChanged(Role role) {
            if (turn.state().stage() == AgentStage.CHANGING) {
                isNow(role);
                turn.enter(AgentStage.FOLLOWING);
            }
            return null;
        }

        @Override
        public Void roleChangeFailed(String why) {
            if (turn.state().stage() == AgentStage.CHANGING) {
                turn.answerLeads("HDFS did not change its role: " + why);
                turn.enter(AgentStage.FOLLOWING);
            }
            return null;
        }

        @Override
        public Void leadAsked(Request request) {
            turn.become(turn.state().toBuilder().leads(plus(turn.state().leads(), request)));
            return null;
        }

        @Override
        public Void cedeAsked(Request request, long holdBackMillis) {
            turn.become(turn.state().toBuilder()
                    .cedes(plus(turn.state().cedes(), request))
                    .cedeHoldBackMillis(holdBackMillis));
            if (turn.state().stage() == AgentStage.FOLLOWING) {
                turn.become(turn.state().toBuilder().holdBackUntilNanos(turn.inMillis(holdBackMillis)));
            }
            return null;
        }

        @Override
        public Void rejoinAsked(Request request) {
            turn.become(turn.state().toBuilder().holdBackUntilNanos(turn.nowNanos()));
            turn.add(AgentEffect.answer(request, ""));
            return null;
        }

        /** The last look at the process may be older. */
        private void isNow(Role role) {
            turn.become(turn.state().toBuilder().facts(turn.state().facts().in(role)));
        }

        private static List<Request> plus(List<Request> requests, Request one) {
            List<Request> all = new ArrayList<>(requests);
            all.add(one);
            return all;
        }
    }
}
