/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import io.trefoil.foundation.Step;
import io.trefoil.ha.agent.events.AgentEffect;
import io.trefoil.ha.agent.events.AgentEvent;
import io.trefoil.ha.agent.events.AgentEventHandler;
import io.trefoil.ha.agent.events.AgentRequest;
import io.trefoil.ha.agent.events.AgentStage;
import io.trefoil.ha.agent.events.LeaseReport;
import io.trefoil.ha.agent.events.LocalObservation;
import io.trefoil.ha.model.HaRole;
import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.View;
import io.trefoil.journal.model.Epoch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The rules of one NameNode's agent ({@code docs/design/mams.md}; paper §4.2, Algorithm 2, figure 5).
 *
 * <p>A pure function of state, event and time. {@link AgentStage#EDGES} lists the transitions between stages, and the
 * table in {@code docs/design/code-shape.md} says when each is taken.
 *
 * <p>An event only changes what the agent knows. The agent then decides from everything it knows, so neither the order
 * of events nor their repetition matters.
 */
public final class Agent {

    /** The longest time between two checks in a process that was not paused. */
    private static final long OWN_PAUSE_MILLIS = 200;
    /** The time after a pause within which the pool has to report whether the lease is still valid. */
    private static final long GRACE_MILLIS = 250;

    private Agent() {}

    /** Applies an event; {@code nowNanos} is the agent's own monotonic clock. */
    public static Step<AgentState, AgentEffect> step(AgentState state, AgentEvent event, long nowNanos) {
        if (state.stage() == AgentStage.HALTED) {
            return Step.withoutEffects(state);
        }
        AgentStep step = new AgentStep(state, nowNanos);
        event.dispatch(new EventDispatch(step));
        decide(step);
        MemberStatus.publish(step);
        return step.end();
    }

    private static void decide(AgentStep step) {
        switch (step.state().stage()) {
            case FOLLOWING:
                FollowerRules.decide(step);
                break;
            case CHANGING:
                ObserverRole.onChanging(step);
                break;
            case ELECTED:
                Takeover.onElected(step);
                break;
            case ACQUIRING_EPOCH:
                Takeover.onAcquiringEpoch(step);
                break;
            case ACTIVATING:
                Takeover.onActivating(step);
                break;
            case SERVING:
                ActiveRules.decide(step);
                break;
            case STEPPING_DOWN:
                ActiveRules.onSteppingDown(step);
                break;
            default:
                // BIDDING and WITHDRAWING wait for an answer that always comes.
                break;
        }
    }

    /** The dispatch of events, one branch each. */
    private static final class EventDispatch implements AgentEventHandler<RuntimeException> {
        private final AgentStep step;

        EventDispatch(AgentStep step) {
            this.step = step;
        }

        @Override
        public void observed(LocalObservation localObservation, long bid) {
            long passedNanos = step.nowNanos() - step.state().lastTickNanos();
            // A paused process could not act, so it is not late; nor is its disk.
            long ranNanos = Math.min(passedNanos, OWN_PAUSE_MILLIS * AgentState.NANOS_PER_MILLI);
            boolean isSilentSinceBefore =
                    localObservation.diskSilentMillis() * AgentState.NANOS_PER_MILLI >= passedNanos;
            long stoodNanos =
                    passedNanos - ranNanos + (isSilentSinceBefore ? step.state().diskPausedNanos() : 0);
            LocalObservation observation = localObservation
                    .withoutPause(stoodNanos / AgentState.NANOS_PER_MILLI)
                    .withReplicaLoss(step.settings());
            AgentState.Builder next =
                    step.state().toBuilder().observation(observation).lastTickNanos(step.nowNanos());
            if (observation.localLease().filter(own -> own.remainingNanos() > 0).isPresent()) {
                next.leaseValidNanos(step.nowNanos());
            }
            if (!observation.unhealthyReason().isEmpty()) {
                next.healthySinceNanos(step.nowNanos());
            }
            next.diskPausedNanos(stoodNanos)
                    .idleNanos(observation.busy() ? 0 : step.state().idleNanos() + ranNanos);
            if (step.hasElapsed(step.state().lastTickNanos(), OWN_PAUSE_MILLIS)) {
                // Everything known before the pause may be stale.
                next.graceUntilNanos(step.deadlineAfter(GRACE_MILLIS))
                        .survey(step.state().survey().withoutFreshAnswers())
                        .soleWriterNanos(step.nowNanos() - AgentState.FOREVER_NANOS)
                        .freeSinceNanos(Optional.<Long>empty());
            }
            boolean drawn = step.state().publishedRecord().isPresent()
                    && step.state().bidBallot().equals(step.state().view().ballot());
            if (!drawn) {
                next.bid(bid).bidBallot(step.state().view().ballot());
            }
            step.update(next);
        }

        @Override
        public void viewChanged(View view) {
            long since = step.state().connected() ? step.state().connectedNanos() : step.nowNanos();
            step.update(step.state().toBuilder()
                    .view(view)
                    .highestBallot(
                            step.state().highestBallot().isBelow(view.ballot())
                                    ? view.ballot()
                                    : step.state().highestBallot())
                    .highestLockEpoch(highestPublishedEpoch(view))
                    .lockSeen(true)
                    .connected(true)
                    .connectedNanos(since));
            Handover.adoptCount(step);
            DrainRules.updateDrainedSince(step);
        }

        private Epoch highestPublishedEpoch(View view) {
            Epoch before = step.state().highestLockEpoch();
            return view.lock()
                    .filter(lock -> !lock.holder().equals(step.settings().name()))
                    .map(LockRecord::epoch)
                    .filter(epoch -> epoch.isAbove(before))
                    .orElse(before);
        }

        @Override
        public void disconnected() {
            step.update(step.state().toBuilder().connected(false));
        }

        @Override
        public void surveyed(LeaseReport survey) {
            step.update(step.state().toBuilder()
                    .survey(survey)
                    .surveyPending(false)
                    .lastSurveyNanos(step.nowNanos())
                    .soleWriterNanos(survey.rivalsPossible() ? step.state().soleWriterNanos() : step.nowNanos()));
        }

        @Override
        public void lockTaken(LockRecord lock) {
            step.update(step.state().toBuilder()
                    .lock(Optional.of(lock))
                    .lockSeen(false)
                    .highestBallot(lock.ballot())
                    .lostBids(0)
                    .reclaimPending(false));
            if (step.state().stage() == AgentStage.BIDDING) {
                step.update(step.state().toBuilder()
                        .takeover(step.state()
                                .takeover()
                                .map(takeover -> takeover.withLock(lock.ballot(), step.nowNanos()))));
                // In a handover, the lease is held for a while yet; connecting need not wait for its end.
                step.add(AgentEffect.openSessions());
                step.enter(AgentStage.ELECTED);
            } else if (step.state().stage() == AgentStage.SERVING) {
                ActiveRules.publishEpoch(step);
            } else {
                // This member asked for the lock while it was serving, and no longer serves.
                step.add(AgentEffect.releaseLock(lock));
                step.update(step.state().toBuilder().lock(Optional.<LockRecord>empty()));
            }
        }

        @Override
        public void lockMissed() {
            step.update(step.state().toBuilder().reclaimPending(false));
            step.countLostBid();
            if (step.state().stage() == AgentStage.BIDDING) {
                step.answerTakeoverRequests(
                        "The group's lock could not be taken: another member took it at the same moment, or "
                                + "ZooKeeper accepts no changes");
                step.becomeFollower(0);
            }
        }

        @Override
        public void epochPromised(Epoch epoch) {
            if (step.state().stage() == AgentStage.ACQUIRING_EPOCH) {
                step.update(step.state().toBuilder()
                        // The last check may have seen the term before it had a lease.
                        .observation(step.state().observation().withoutTerm())
                        .takeover(
                                step.state().takeover().map(takeover -> takeover.withPromise(epoch, step.nowNanos()))));
                Takeover.onPromised(step);
            }
        }

        @Override
        public void promiseFailed(String reason) {
            boolean awaited = step.state().stage() == AgentStage.ACQUIRING_EPOCH
                    || step.state().stage() == AgentStage.WITHDRAWING;
            if (awaited) {
                step.answerTakeoverRequests("No epoch was acquired: " + reason);
                step.becomeFollower(step.settings().bidDelayMillis());
            }
        }

        @Override
        public void activated() {
            if (step.state().stage() == AgentStage.ACTIVATING) {
                setRole(HaRole.ACTIVE);
                Takeover.onActivated(step);
            }
        }

        @Override
        public void activationFailed(String reason) {
            if (step.state().stage() == AgentStage.ACTIVATING) {
                step.answerTakeoverRequests("HDFS did not become active: " + reason);
                Takeover.withdraw(step);
            }
        }

        @Override
        public void steppedDown() {
            if (step.state().stage() == AgentStage.STEPPING_DOWN) {
                step.answerStepDownRequests("");
                setRole(HaRole.STANDBY);
                step.becomeFollower(
                        Math.max(step.settings().holdBackMillis(), step.state().cedeHoldBackMillis()));
            }
        }

        @Override
        public void stepDownFailed(String reason) {
            if (step.state().stage() == AgentStage.STEPPING_DOWN) {
                step.halt("HDFS did not become standby: " + reason);
            }
        }

        @Override
        public void roleChanged(HaRole role) {
            if (step.state().stage() == AgentStage.CHANGING) {
                setRole(role);
                step.enter(AgentStage.FOLLOWING);
            }
        }

        @Override
        public void roleChangeFailed(String reason) {
            if (step.state().stage() == AgentStage.CHANGING) {
                step.answerTakeoverRequests("HDFS did not change its role: " + reason);
                step.enter(AgentStage.FOLLOWING);
            }
        }

        @Override
        public void takeoverRequested(AgentRequest request) {
            if (step.state().pendingTakeovers().isEmpty()) {
                step.update(step.state().toBuilder()
                        .takeoverRequestedNanos(step.nowNanos())
                        .takeoverRequestedBallot(step.state().view().ballot()));
            }
            step.update(step.state().toBuilder()
                    .pendingTakeovers(append(step.state().pendingTakeovers(), request)));
        }

        @Override
        public void stepDownRequested(AgentRequest request, long holdBackMillis) {
            step.update(step.state().toBuilder()
                    .pendingStepDowns(append(step.state().pendingStepDowns(), request))
                    .cedeHoldBackMillis(holdBackMillis));
            if (step.state().stage() == AgentStage.FOLLOWING) {
                step.update(step.state().toBuilder().holdBackUntilNanos(step.deadlineAfter(holdBackMillis)));
            }
        }

        @Override
        public void rejoinRequested(AgentRequest request) {
            step.update(step.state().toBuilder().holdBackUntilNanos(step.nowNanos()));
            step.add(AgentEffect.answer(request, ""));
        }

        /** Sets the role at once; the last check of the process may be older. */
        private void setRole(HaRole role) {
            step.update(step.state().toBuilder()
                    .observation(step.state().observation().withRole(role)));
        }

        private static List<AgentRequest> append(List<AgentRequest> requests, AgentRequest request) {
            List<AgentRequest> all = new ArrayList<>(requests);
            all.add(request);
            return all;
        }
    }
}
