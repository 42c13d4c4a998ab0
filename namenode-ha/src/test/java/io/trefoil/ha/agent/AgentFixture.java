/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import io.trefoil.foundation.RuleDriver;
import io.trefoil.ha.agent.events.AgentEffect;
import io.trefoil.ha.agent.events.AgentEffectHandler;
import io.trefoil.ha.agent.events.AgentEvent;
import io.trefoil.ha.agent.events.AgentRequest;
import io.trefoil.ha.agent.events.AgentSettings;
import io.trefoil.ha.agent.events.LeaseReport;
import io.trefoil.ha.agent.events.LocalObservation;
import io.trefoil.ha.model.Ballot;
import io.trefoil.ha.model.Failover;
import io.trefoil.ha.model.HaRole;
import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.MemberAddresses;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.MemberState;
import io.trefoil.ha.model.StandingOrders;
import io.trefoil.ha.model.View;
import io.trefoil.ha.model.ZkSession;
import io.trefoil.journal.model.Epoch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The agent of nn1, which a test tells what happens; beside it there is nn2, a healthy standby. Time passes when it is told to. */
final class AgentFixture {
    static final ZkSession SESSION = ZkSession.of(1);
    static final Epoch EPOCH = Epoch.of(7);
    /** So long those that are not the first choice wait for it. */
    static final long TIMEOUT_MILLIS = 150;

    private static final long TICK_MILLIS = 10;
    /** All draw the number 1, and nn1 wins a tie. */
    private static final long BETTER_BID = 2;

    /** What was wanted since it was last looked at, by name. */
    final List<String> wanted = new ArrayList<>();

    /** What was written into the history. */
    final List<Failover> recorded = new ArrayList<>();

    Optional<LockRecord> asked = Optional.empty();
    /** How often the pool was asked. */
    int questions;
    /** From which stage to which each event led that changed it. */
    final List<String> path = new ArrayList<>();

    private final RuleDriver<AgentState, AgentEvent, AgentEffect, RuntimeException> driver;
    private LocalObservation observation =
            LocalObservation.builder().role(HaRole.STANDBY).build();
    private List<MemberRecord> others = List.of(standby("nn2", 0));
    private Optional<LockRecord> lock = Optional.empty();
    private Ballot ballot = Ballot.NONE;
    private StandingOrders orders = StandingOrders.NONE;
    private Optional<String> objection = Optional.empty();
    private boolean changesTaken = true;
    private boolean poolSilent;
    private Optional<LeaseReport> found = Optional.empty();
    private boolean othersBelieve;
    private long millis;

    AgentFixture() {
        this(settings().build());
    }

    private AgentFixture(AgentSettings settings) {
        EffectRecorder performed = new EffectRecorder();
        driver = new RuleDriver<>(
                "the agent of nn1",
                AgentState.begin(settings, 0),
                (state, event) -> Agent.step(state, event, millis * 1_000_000L),
                this::checkTransition,
                effect -> effect.dispatch(performed));
        setObservation(observation);
    }

    private static AgentSettings.Builder settings() {
        return AgentSettings.builder()
                .name("nn1")
                .addresses(MemberAddresses.of("h:1", "h:2", "h:3"))
                .instance("one");
    }

    /** One with a priority, which follows in a group that sees it. */
    static AgentFixture withPriority(int priority) {
        AgentFixture agent = new AgentFixture(settings().priority(priority).build());
        agent.setView(Ballot.NONE, Optional.empty());
        return agent;
    }

    /** One that may not be active, which follows in a group that sees it. */
    static AgentFixture notElectable() {
        AgentFixture agent = new AgentFixture(settings().electable(false).build());
        agent.setView(Ballot.NONE, Optional.empty());
        return agent;
    }

    static MemberRecord standby(String name, int passes) {
        return MemberRecord.builder()
                .name(name)
                .addresses(MemberAddresses.of("g:1", "g:2", "g:3"))
                .version("1")
                .state(MemberState.STANDBY)
                .eligible(true)
                .handovers(passes)
                .build();
    }

    /** A healthy nn2 with a priority, which draws the better number. */
    static MemberRecord rival(int priority) {
        return standby("nn2", 0).toBuilder().priority(priority).bid(BETTER_BID).build();
    }

    /** Now nn2 is active, and nn1 follows it. */
    AgentFixture followingRival() {
        setOtherMembers(rival(0).toBuilder().state(MemberState.ACTIVE).build());
        setView(
                Ballot.of(3),
                Optional.of(LockRecord.ofHolder("nn2", Ballot.of(3), ZkSession.of(9))
                        .withEpoch(EPOCH)));
        publishOtherActive();
        return this;
    }

    /** One that serves in a ballot, its lock shown. */
    static AgentFixture serving(Ballot in) {
        return activating(in).activate();
    }

    /** One that HDFS was told by to become active. */
    static AgentFixture activating(Ballot in) {
        AgentFixture agent = new AgentFixture();
        agent.setView(Ballot.of(in.number() - 1), Optional.empty());
        return agent.startActivation();
    }

    /** One that has the lock, and asks for the epoch. */
    static AgentFixture acquiringEpoch(Ballot in) {
        AgentFixture agent = elected(in);
        agent.handle(AgentEvent.surveyed(LeaseReport.of(true, true, 0, Set.of())));
        return agent;
    }

    /** One that has the lock, and waits for the end of the lease. */
    static AgentFixture elected(Ballot in) {
        AgentFixture agent = new AgentFixture();
        agent.setView(Ballot.of(in.number() - 1), Optional.empty());
        agent.handle(AgentEvent.takeoverRequested(AgentRequest.of(1)));
        return agent;
    }

    /** One that was an observer, was asked to be the active, and becomes a standby first. */
    static AgentFixture changingRole() {
        AgentFixture agent =
                new AgentFixture(settings().standbysServeReads(true).build());
        agent.setView(Ballot.NONE, Optional.empty());
        agent.setRole(HaRole.OBSERVER);
        agent.handle(AgentEvent.takeoverRequested(AgentRequest.of(1)));
        return agent;
    }

    AgentFixture startActivation() {
        handle(AgentEvent.takeoverRequested(AgentRequest.of(1)));
        handle(AgentEvent.surveyed(LeaseReport.of(true, true, 0, Set.of())));
        handle(AgentEvent.epochPromised(EPOCH));
        return this;
    }

    AgentFixture activate() {
        setObservation(observation.toBuilder()
                .localLease(Optional.of(LocalObservation.LocalLease.of(EPOCH, false, false, 900_000_000L)))
                .build());
        handle(AgentEvent.activated());
        setObservation(observation.withRole(HaRole.ACTIVE));
        return this;
    }

    /** ZooKeeper takes nothing from now on. */
    void rejectZooKeeperWrites() {
        changesTaken = false;
    }

    /** What the pool is asked is not answered, until it is told to answer again. */
    void silencePool() {
        poolSilent = true;
    }

    /** The pool answers again; what it was asked last is answered now, by what it knew then. */
    void resumePool(LeaseReport late) {
        poolSilent = false;
        handle(AgentEvent.surveyed(late));
    }

    /** Whatever its own node knows, the others still believe in a writer. */
    void reportWriterAtPeers() {
        othersBelieve = true;
    }

    /** Whatever else is known, this is what the pool answers from now on. */
    void setPoolReport(LeaseReport report) {
        found = Optional.of(report);
    }

    /** How much of its own lease is left. */
    void setRemainingLease(long leftMillis) {
        setObservation(observation.toBuilder()
                .localLease(Optional.of(LocalObservation.LocalLease.of(EPOCH, false, false, leftMillis * 1_000_000L)))
                .build());
    }

    void setOtherMembers(MemberRecord... members) {
        others = List.of(members);
        setView(ballot, lock);
    }

    /** Operators have ordered something. */
    void setStandingOrders(StandingOrders standing) {
        orders = standing;
        publishView();
    }

    /** One that follows in a group that sees it, in which standbys answer reads. */
    static AgentFixture withReadStandbys() {
        AgentFixture agent =
                new AgentFixture(settings().standbysServeReads(true).build());
        agent.setView(Ballot.NONE, Optional.empty());
        return agent;
    }

    void setView(Ballot last, Optional<LockRecord> shown) {
        ballot = last;
        lock = shown;
        publishView();
    }

    private void publishView() {
        List<MemberRecord> members = new ArrayList<>(others);
        if (changesTaken) {
            state().publishedRecord().ifPresent(members::add);
        }
        handle(AgentEvent.viewChanged(View.of(SESSION, ballot, lock, members, orders)));
    }

    void publishNoActive() {
        setObservation(observation.toBuilder()
                .observedLease(Optional.of(LocalObservation.ObservedLease.of(EPOCH, false, 0, true)))
                .build());
    }

    void publishOtherActive() {
        setObservation(observation.toBuilder()
                .observedLease(Optional.of(LocalObservation.ObservedLease.of(EPOCH, true, 0, true)))
                .build());
    }

    /** Its namespace does not belong to the journal that it finds from now on. */
    void markNamespaceStale(String reason) {
        objection = Optional.of(reason);
    }

    /** Its namespace belongs to the journal. */
    void markNamespaceCurrent() {
        objection = Optional.empty();
    }

    void setProblem(String problem) {
        setObservation(
                observation.toBuilder().unhealthyReason(problem).busy(false).build());
    }

    /** The disk of its replica of the journal owes an answer. */
    void setDiskSilence(long since) {
        setObservation(observation.toBuilder().diskSilentMillis(since).build());
    }

    void setRole(HaRole role) {
        setObservation(observation.withRole(role));
    }

    /** A majority has promised a higher epoch to another. */
    void setFenced() {
        setObservation(observation.toBuilder()
                .localLease(Optional.of(LocalObservation.LocalLease.of(EPOCH, true, false, 900_000_000L)))
                .build());
    }

    /** It prepares to be active from now on. */
    void setPreparing() {
        setObservation(observation.toBuilder().preparing(true).build());
    }

    /** It is prepared. */
    void setPrepared() {
        setObservation(observation.toBuilder().preparing(false).build());
    }

    void setBusy() {
        setObservation(observation.toBuilder().busy(true).build());
    }

    void setIdle() {
        setObservation(observation.toBuilder().busy(false).build());
    }

    private void setObservation(LocalObservation now) {
        observation = now;
        handle(AgentEvent.observed(observation, 1));
    }

    void handle(AgentEvent event) {
        driver.handle(event);
    }

    void advanceMillis(long passing) {
        long until = millis + passing;
        while (millis < until) {
            millis += TICK_MILLIS;
            handle(AgentEvent.observed(observation, 1));
        }
    }

    /** The whole process is stopped for as long; what it does first then is to look at itself. */
    void pauseProcess(long standing) {
        millis += standing;
        handle(AgentEvent.observed(observation, 1));
    }

    long millis() {
        return millis;
    }

    AgentState state() {
        return driver.state();
    }

    private void checkTransition(AgentState before, AgentState after) {
        if (before.stage() != after.stage()) {
            path.add(before.stage() + " -> " + after.stage());
        }
    }

    /** What is asked of the world is done at once, or only written down. */
    private final class EffectRecorder implements AgentEffectHandler<RuntimeException> {

        private void recordEffect(String operation) {
            wanted.add(operation);
        }

        @Override
        public void publish(MemberRecord record) {
            if (changesTaken) {
                publishView();
            }
        }

        @Override
        public void survey() {
            questions++;
            if (poolSilent) {
                return;
            }
            boolean free = !othersBelieve
                    && observation
                            .observedLease()
                            .filter(heard -> !heard.held())
                            .isPresent();
            LeaseReport report = LeaseReport.of(free, true, 0, Set.of()).withPromise(EPOCH);
            handle(AgentEvent.surveyed(
                    found.orElseGet(() -> objection.map(report::withObjection).orElse(report))));
        }

        @Override
        public void takeLock(LockRecord wantedLock, Ballot expected, Optional<LockRecord> replacedLock) {
            asked = Optional.of(wantedLock);
            recordEffect("lock " + wantedLock.ballot());
            if (changesTaken) {
                ballot = wantedLock.ballot();
                lock = asked;
                handle(AgentEvent.lockTaken(wantedLock));
                publishView();
            } else {
                handle(AgentEvent.lockMissed());
            }
        }

        @Override
        public void publishEpoch(LockRecord shown) {
            lock = Optional.of(shown);
            publishView();
        }

        @Override
        public void releaseLock(LockRecord held) {
            lock = Optional.empty();
        }

        @Override
        public void openSessions() {
            recordEffect("sessions");
        }

        @Override
        public void closeSessions() {
            recordEffect("no sessions");
        }

        @Override
        public void takeEpoch() {
            recordEffect("epoch");
        }

        @Override
        public void abandonEpoch() {
            recordEffect("no epoch");
        }

        @Override
        public void activate() {
            recordEffect("active");
        }

        @Override
        public void stepDown() {
            recordEffect("standby");
        }

        @Override
        public void changeRole(HaRole role) {
            recordEffect(role.name());
        }

        @Override
        public void halt(String reason) {
            recordEffect("halt: " + reason);
        }

        @Override
        public void record(Failover failover) {
            recorded.add(failover);
        }

        @Override
        public void answer(AgentRequest request, String refusal) {
            if (!refusal.isEmpty()) {
                recordEffect("refusal: " + refusal);
            }
        }
    }
}
