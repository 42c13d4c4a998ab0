/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.sim;

import io.trefoil.foundation.SimClock;
import io.trefoil.foundation.Step;
import io.trefoil.ha.agent.Agent;
import io.trefoil.ha.agent.AgentState;
import io.trefoil.ha.agent.events.AgentEffect;
import io.trefoil.ha.agent.events.AgentEffectHandler;
import io.trefoil.ha.agent.events.AgentEvent;
import io.trefoil.ha.agent.events.AgentRequest;
import io.trefoil.ha.agent.events.AgentSettings;
import io.trefoil.ha.agent.events.AgentStage;
import io.trefoil.ha.agent.events.LocalObservation;
import io.trefoil.ha.model.Ballot;
import io.trefoil.ha.model.ElectionOrder;
import io.trefoil.ha.model.Failover;
import io.trefoil.ha.model.HaRole;
import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.MemberAddresses;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.MemberState;
import io.trefoil.ha.sim.SimPool.Term;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** The process of one NameNode, with its agent and its pool node: it lives, hangs, falls ill, and is what the agent makes it. */
final class SimMember {
    private static final long LOOK_MILLIS = 20;

    final String name;
    final int index;
    final SimPool.Node node;
    final MemberWriter writer;
    private final GroupSimulation world;
    private final SimClock clock;
    private final MemberSession session;
    private final Deque<Runnable> delayed = new ArrayDeque<>();

    /** Counts lives; what was meant for an earlier one comes to nothing. */
    private int life;

    boolean alive;
    /** Whether a writer that may not ask for anything yet has sessions. */
    private boolean sessionsOpen;

    boolean paused;
    long awakeSinceMillis;
    /** Until then its pool node, which has just started, accepts connections and says nothing. */
    private long answersFromMillis;

    private long openingMillis;
    boolean ill;
    /** Since when the disk of its replica of the journal hangs. */
    Optional<Long> diskHangsSince = Optional.empty();

    long illSinceMillis;
    boolean slow;

    int priority;
    /** Until when a long operation has the namesystem's lock. */
    long busyUntilMillis;

    int halts;
    boolean zooKeeperInReach = true;

    AgentState state;
    HaRole role = HaRole.NONE;
    int applied;
    private long requests;

    SimMember(String name, int index, GroupSimulation world) {
        this.name = name;
        this.index = index;
        this.world = world;
        this.clock = world.clock;
        this.node = new SimPool.Node(name);
        this.session = new MemberSession(this, world);
        this.writer = new MemberWriter(this, world);
        world.zooKeeper.watch(() -> runLater(
                clock.chance(0.05) ? clock.randomBetween(100, 800) : clock.randomBetween(1, 20), session::readView));
        clock.schedule(clock.randomBetween(1, 50), writer::heartbeat);
    }

    // Life.

    void start() {
        life++;
        alive = true;
        paused = false;
        awakeSinceMillis = clock.millis();
        answersFromMillis = clock.millis() + openingMillis;
        openingMillis = 0;
        busyUntilMillis = 0;
        role = HaRole.NONE;
        writer.forget();
        applied = 0;
        session.forget();
        delayed.clear();
        if (!node.writer.equals(name)) {
            node.leaseUntil = clock.now() + GroupSimulation.LEASE_MILLIS * SimClock.MILLI;
        }
        state = AgentState.begin(
                AgentSettings.builder()
                        .name(name)
                        .addresses(MemberAddresses.of("", "", name))
                        // Shorter than the default, so that disks that hang for some seconds are met.
                        .diskTimeoutMillis(5_000)
                        .leaseMillis(GroupSimulation.LEASE_MILLIS)
                        .maxLag(20)
                        .standbysServeReads(world.standbysServeReads)
                        .electable(world.isElectable(this))
                        .priority(priority)
                        .build(),
                clock.now());
        runLater(clock.randomBetween(200, 800), () -> role = HaRole.STANDBY);
        runLater(1, this::observe);
    }

    void kill() {
        if (alive) {
            die();
            startIn(clock.randomBetween(300, 3_000));
        }
    }

    /** Kills it for longer than a lease; when it is back, its pool node accepts connections before it answers. */
    void killBeyondLease() {
        die();
        openingMillis = clock.randomBetween(0, GroupSimulation.LEASE_MILLIS / 2);
        startIn(GroupSimulation.LEASE_MILLIS + clock.randomBetween(500, 3_000));
    }

    private void startIn(long millis) {
        clock.schedule(millis, () -> {
            if (!alive) {
                start();
            }
        });
    }

    /** Whether its pool node answers; one that was killed for long takes its time. */
    boolean isPoolNodeAnswering() {
        return isRunning() && clock.millis() >= answersFromMillis;
    }

    private void die() {
        life++;
        alive = false;
        sessionsOpen = false;
        role = HaRole.NONE;
        writer.forget();
        state = null;
        // Connections are reset, and no process listens.
        for (SimMember other : world.members) {
            if (other != this && world.areLinked(this, other)) {
                clock.schedule(clock.randomBetween(1, 5), () -> {
                    if (!alive && other.alive && other.node.writer.equals(name)) {
                        other.node.leaseUntil = 0;
                    }
                });
            }
        }
    }

    void becomeUnhealthy() {
        ill = true;
        illSinceMillis = clock.millis();
    }

    void pause() {
        paused = true;
    }

    void resume() {
        if (!paused) {
            return;
        }
        paused = false;
        awakeSinceMillis = clock.millis();
        List<Runnable> all = new ArrayList<>(delayed);
        delayed.clear();
        all.forEach(Runnable::run);
    }

    boolean isRunning() {
        return alive && !paused;
    }

    /** Does something in this process, when it runs. */
    void runLater(long millis, Runnable task) {
        int meant = life;
        clock.schedule(millis, () -> {
            if (life != meant) {
                return;
            }
            if (paused) {
                delayed.add(() -> {
                    if (life == meant) {
                        task.run();
                    }
                });
            } else {
                task.run();
            }
        });
    }

    // The agent.

    private void observe() {
        if ((role == HaRole.STANDBY || role == HaRole.OBSERVER) && !slow) {
            applied = Math.max(applied, node.committed);
        }
        session.ensureOpen();
        handle(AgentEvent.observed(observation(), clock.random.nextLong() >>> 1));
        if (alive) {
            runLater(LOOK_MILLIS, this::observe);
        }
    }

    private LocalObservation observation() {
        return LocalObservation.builder()
                .role(role)
                .appliedTxId(applied)
                .unhealthyReason(ill ? "unhealthy" : "")
                .diskSilentMillis(diskSilentMillis())
                .busy(isBusy())
                .preparing(slow)
                .localLease(writer.openTerm()
                        .map(own -> LocalObservation.LocalLease.of(
                                own.epoch,
                                own.isFenced(),
                                own.isRefused(),
                                own.leaseUntil(GroupSimulation.LEASE_MILLIS * SimClock.MILLI) - clock.now())))
                .observedLease(Optional.of(LocalObservation.ObservedLease.of(
                                node.promised, !node.isFree(clock.now()), node.committed, true))
                        .filter(heard -> heard.held() || diskHangsSince.isEmpty()))
                .build();
    }

    long diskSilentMillis() {
        return diskHangsSince
                .map(since -> (clock.now() - since) / SimClock.MILLI)
                .orElse(0L);
    }

    /** Whether it has no lease, and no member in sight that could have become active. */
    boolean isWaitingAlone() {
        boolean hasLease = observation()
                .localLease()
                .filter(own -> own.remainingNanos() > 0)
                .isPresent();
        return !hasLease && !writer.mayHaveRivals();
    }

    private boolean isBusy() {
        return clock.millis() < busyUntilMillis;
    }

    void handle(AgentEvent event) {
        if (!alive) {
            return;
        }
        Step<AgentState, AgentEffect> step = world.rules.step(state, event, clock.now());
        state = step.next();
        for (AgentEffect effect : step.effects()) {
            if (alive) {
                effect.dispatch(new Effects());
            }
        }
        world.check(!sessionsOpen || stage() == AgentStage.ELECTED, "sessions that nobody needs are closed");
    }

    boolean isStandby() {
        return state.publishedRecord()
                .filter(record -> record.state() == MemberState.STANDBY && record.eligible())
                .isPresent();
    }

    /** Whether it calls itself one that could be active, be it as a junior. */
    boolean isEligible() {
        return state.publishedRecord()
                .filter(record -> record.state() != MemberState.ACTIVE && record.eligible())
                .isPresent();
    }

    /** An operator's order arrives here. */
    void order(ElectionOrder order) {
        if (isRunning()) {
            session.submitOrder(order);
        }
    }

    void requestLead() {
        handle(AgentEvent.takeoverRequested(AgentRequest.of(++requests)));
    }

    AgentStage stage() {
        return state.stage();
    }

    /** A client's change, if this NameNode takes changes. */
    void write(long number) {
        if (role == HaRole.ACTIVE && writer.openTerm().isPresent()) {
            Term own = writer.openTerm().get();
            if (own.isFenced()) {
                // What HDFS does when its flush throws.
                kill();
                return;
            }
            applied = own.log.size() + 1;
            writer.append(number);
        }
    }

    private void stepDown() {
        Term own = writer.term().get();
        if (own.isFenced()) {
            kill();
        } else if (own.committed < own.log.size() || isBusy()) {
            runLater(10, this::stepDown);
        } else {
            writer.closeTerm();
            role = HaRole.STANDBY;
            handle(AgentEvent.steppedDown());
        }
    }

    /** Carries out what the agent wants. */
    private final class Effects implements AgentEffectHandler<RuntimeException> {

        @Override
        public void publish(MemberRecord record) {
            session.publish(record);
        }

        @Override
        public void survey() {
            runLater(1, writer::survey);
        }

        @Override
        public void takeLock(LockRecord lock, Ballot expected, Optional<LockRecord> replacedLock) {
            boolean knowsThatItIsIll = clock.millis() - illSinceMillis > 2 * LOOK_MILLIS;
            boolean illWhenItBid = ill && knowsThatItIsIll && role != HaRole.ACTIVE;
            session.takeLock(lock, expected, replacedLock, illWhenItBid);
        }

        @Override
        public void publishEpoch(LockRecord lock) {
            session.runSoon(() -> world.zooKeeper.writeLock(lock));
        }

        @Override
        public void releaseLock(LockRecord lock) {
            session.runSoon(() -> world.zooKeeper.releaseLock(lock));
        }

        @Override
        public void openSessions() {
            sessionsOpen = true;
        }

        @Override
        public void closeSessions() {
            sessionsOpen = false;
        }

        @Override
        public void takeEpoch() {
            world.check(sessionsOpen, "sessions are opened before the epoch is asked for");
            sessionsOpen = false;
            world.check(
                    !world.hasStaleNamespace(SimMember.this),
                    "nobody asks for an epoch whose namespace is from before a promotion");
            writer.beginPreparing();
        }

        @Override
        public void abandonEpoch() {
            writer.endPreparing();
            runLater(1, () -> {
                writer.openTerm().ifPresent(own -> writer.closeTerm());
                handle(AgentEvent.promiseFailed("given up"));
            });
        }

        @Override
        public void activate() {
            activateIn(clock.randomBetween(5, 150));
        }

        private void activateIn(long millis) {
            runLater(millis, () -> {
                if (isBusy()) {
                    activateIn(10);
                    return;
                }
                // HDFS begins a segment, and is not active before a majority has that.
                writer.append(0);
                awaitSegment();
            });
        }

        private void awaitSegment() {
            runLater(2, () -> {
                Term own = writer.term().get();
                if (!own.isFenced() && own.committed < own.log.size()) {
                    awaitSegment();
                    return;
                }
                world.check(role == HaRole.STANDBY, "HDFS is asked to become active as a standby only, not as " + role);
                if (own.isFenced()) {
                    // HDFS does not survive it.
                    kill();
                    return;
                }
                role = HaRole.ACTIVE;
                applied = own.log.size();
                world.onActivated(SimMember.this);
                handle(AgentEvent.activated());
            });
        }

        @Override
        public void stepDown() {
            runLater(clock.randomBetween(5, 50), SimMember.this::stepDown);
        }

        @Override
        public void changeRole(HaRole role) {
            changeRoleIn(clock.randomBetween(5, 100), role);
        }

        private void changeRoleIn(long millis, HaRole newRole) {
            runLater(millis, () -> {
                if (isBusy()) {
                    changeRoleIn(10, newRole);
                    return;
                }
                boolean follows = role == HaRole.STANDBY || role == HaRole.OBSERVER;
                if (!follows || clock.chance(0.05)) {
                    handle(AgentEvent.roleChangeFailed("refused"));
                } else {
                    role = newRole;
                    handle(AgentEvent.roleChanged(newRole));
                }
            });
        }

        @Override
        public void halt(String reason) {
            halts++;
            kill();
        }

        @Override
        public void record(Failover failover) {
            world.onFailoverRecorded(failover);
        }

        @Override
        public void answer(AgentRequest request, String refusal) {}
    }

    /** How an agent decides; wrong ones are planted here. */
    interface Rules {
        Rules REAL = Agent::step;

        Step<AgentState, AgentEffect> step(AgentState state, AgentEvent event, long nowNanos);
    }
}
