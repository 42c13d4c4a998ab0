/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.sim;

import io.trefoil.foundation.SimClock;
import io.trefoil.foundation.Step;
import io.trefoil.ha.agent.Agent;
import io.trefoil.ha.agent.AgentState;
import io.trefoil.ha.agent.events.AgentEffect;
import io.trefoil.ha.agent.events.AgentEvent;
import io.trefoil.ha.agent.events.AgentRequest;
import io.trefoil.ha.agent.events.AgentSettings;
import io.trefoil.ha.agent.events.AgentStage;
import io.trefoil.ha.agent.events.LeaseReport;
import io.trefoil.ha.agent.events.LocalObservation;
import io.trefoil.ha.model.Ballot;
import io.trefoil.ha.model.ElectionOrder;
import io.trefoil.ha.model.Failover;
import io.trefoil.ha.model.HaRole;
import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.MemberAddresses;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.MemberState;
import io.trefoil.ha.model.StandingOrders;
import io.trefoil.ha.model.View;
import io.trefoil.ha.model.ZkSession;
import io.trefoil.ha.sim.SimPool.Term;
import io.trefoil.journal.model.Epoch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** One NameNode with its agent and its pool node: the process, and all that it does to the rest of the world. */
final class SimMember {
    private static final long LOOK_MILLIS = 20;

    final String name;
    final int index;
    final SimPool.Node node;
    private final GroupSimulation world;
    private final SimClock clock;
    private final Deque<Runnable> delayed = new ArrayDeque<>();

    /** Counts lives; what was meant for an earlier one comes to nothing. */
    private int life;

    boolean alive;
    boolean paused;
    long awakeSinceMillis;
    boolean ill;
    /** Since when the disk of its replica of the journal hangs. */
    Optional<Long> diskHangsSince = Optional.empty();

    long illSinceMillis;
    boolean slow;

    int priority;
    /** Until when a long operation has the namesystem's lock. */
    long busyUntilMillis;

    /** As its last survey found. */
    private boolean rivalsPossible = true;

    int halts;
    boolean zooKeeperInReach = true;

    AgentState state;
    HaRole role = HaRole.NONE;
    int applied;
    Optional<Term> term = Optional.empty();
    private boolean preparing;
    private ZkSession session = ZkSession.NONE;
    private boolean connected;
    private Optional<MemberRecord> shown = Optional.empty();
    private long requests;
    /** The newest orders that this process has seen. */
    private StandingOrders orders = StandingOrders.NONE;

    SimMember(String name, int index, GroupSimulation world) {
        this.name = name;
        this.index = index;
        this.world = world;
        this.clock = world.clock;
        this.node = new SimPool.Node(name);
        world.zooKeeper.watch(
                () -> later(clock.chance(0.05) ? clock.between(100, 800) : clock.between(1, 20), this::readView));
        clock.in(clock.between(1, 50), this::heartbeat);
    }

    // Life.

    void start() {
        life++;
        alive = true;
        paused = false;
        awakeSinceMillis = clock.millis();
        busyUntilMillis = 0;
        role = HaRole.NONE;
        term = Optional.empty();
        preparing = false;
        applied = 0;
        shown = Optional.empty();
        orders = StandingOrders.NONE;
        session = ZkSession.NONE;
        connected = false;
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
                        .maxLag(20)
                        .readStandbys(world.readStandbys)
                        .electable(world.isElectable(this))
                        .priority(priority)
                        .build(),
                clock.now());
        later(clock.between(200, 800), () -> role = HaRole.STANDBY);
        later(1, this::look);
    }

    void kill() {
        if (!alive) {
            return;
        }
        life++;
        alive = false;
        role = HaRole.NONE;
        term = Optional.empty();
        state = null;
        // Connections are reset, and nobody listens.
        for (SimMember other : world.members) {
            if (other != this && world.areLinked(this, other)) {
                clock.in(clock.between(1, 5), () -> {
                    if (!alive && other.alive && other.node.writer.equals(name)) {
                        other.node.leaseUntil = 0;
                    }
                });
            }
        }
        clock.in(clock.between(300, 3_000), () -> {
            if (!alive) {
                start();
            }
        });
    }

    void fallIll() {
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
    private void later(long millis, Runnable task) {
        int meant = life;
        clock.in(millis, () -> {
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

    private void look() {
        if ((role == HaRole.STANDBY || role == HaRole.OBSERVER) && !slow) {
            applied = Math.max(applied, node.committed);
        }
        keepSession();
        hear(AgentEvent.observed(observation(), clock.random.nextLong() >>> 1));
        if (alive) {
            later(LOOK_MILLIS, this::look);
        }
    }

    private LocalObservation observation() {
        return LocalObservation.builder()
                .role(role)
                .appliedTxId(applied)
                .trouble(ill ? "unhealthy" : "")
                .diskSilentMillis(diskSilentMillis())
                .busy(isBusy())
                .own(term.filter(own -> !own.closed)
                        .map(own -> LocalObservation.OwnLease.of(
                                own.epoch,
                                own.isFenced(),
                                own.isRefused(),
                                own.leaseUntil(GroupSimulation.LEASE_MILLIS * SimClock.MILLI) - clock.now())))
                .heard(Optional.of(LocalObservation.HeardLease.of(
                                node.promised, !node.isFree(clock.now()), node.committed, true))
                        .filter(heard -> heard.held() || diskHangsSince.isEmpty()))
                .build();
    }

    long diskSilentMillis() {
        return diskHangsSince
                .map(since -> (clock.now() - since) / SimClock.MILLI)
                .orElse(0L);
    }

    /** Whether it has no lease, and nobody in sight who could have become active. */
    boolean waitsAlone() {
        boolean hasLease =
                observation().own().filter(own -> own.leftNanos() > 0).isPresent();
        return !hasLease && !rivalsPossible;
    }

    private boolean isBusy() {
        return clock.millis() < busyUntilMillis;
    }

    private void hear(AgentEvent event) {
        if (!alive) {
            return;
        }
        Step<AgentState, AgentEffect> step = world.rules.step(state, event, clock.now());
        state = step.next();
        for (AgentEffect effect : step.effects()) {
            if (alive) {
                effect.performedBy(new Effects());
            }
        }
    }

    boolean isStandby() {
        return state.published()
                .filter(record -> record.state() == MemberState.STANDBY && record.eligible())
                .isPresent();
    }

    /** Whether it calls itself one that could be active, be it as a junior. */
    boolean isEligible() {
        return state.published()
                .filter(record -> record.state() != MemberState.ACTIVE && record.eligible())
                .isPresent();
    }

    /** An operator's order arrives here. */
    void order(ElectionOrder order) {
        if (!isRunning() || !connected || !zooKeeperInReach || !world.zooKeeper.isUp()) {
            return;
        }
        View read = world.zooKeeper.view(session);
        View view = read.orders().revision() < orders.revision() ? read.with(orders) : read;
        world.zooKeeper.order(order.carryOut(view, Set.of()).orders());
    }

    void lead() {
        hear(AgentEvent.leadAsked(AgentRequest.of(++requests)));
    }

    AgentStage stage() {
        return state.stage();
    }

    // ZooKeeper.

    private void keepSession() {
        boolean reached = zooKeeperInReach && world.zooKeeper.isUp();
        if (!reached) {
            if (connected) {
                connected = false;
                hear(AgentEvent.disconnected());
            }
            return;
        }
        boolean lives = world.zooKeeper.ping(session);
        if (!lives) {
            session = world.zooKeeper.open();
        }
        if (!lives || !connected) {
            connected = true;
            readView();
        }
    }

    private void readView() {
        if (!connected || !zooKeeperInReach || !world.zooKeeper.isUp()) {
            return;
        }
        View view = world.zooKeeper.view(session);
        if (view.orders().revision() < orders.revision()) {
            world.zooKeeper.order(orders);
            view = view.with(orders);
        }
        orders = view.orders();
        hear(AgentEvent.viewChanged(view));
        if (alive && shown.isPresent() && !view.member(name).equals(shown)) {
            show();
        }
    }

    private void show() {
        ZkSession in = session;
        MemberRecord record = shown.get();
        later(clock.between(1, 5), () -> {
            if (connected && world.zooKeeper.isUp()) {
                world.zooKeeper.publish(in, record);
            }
        });
    }

    // The pool.

    private void survey() {
        Set<String> dead = new HashSet<>();
        int free = 0;
        int rivals = 0;
        long last = 0;
        for (SimMember other : world.members) {
            boolean answers = other == this || (other.isRunning() && world.areLinked(this, other));
            world.surveyMessages += other == this ? 0 : 2;
            if (answers) {
                free += other.node.isFree(clock.now()) ? 1 : 0;
                last = Math.max(last, other.node.log.size());
            } else if (!other.alive && world.areLinked(this, other)) {
                dead.add(other.name);
            }
            rivals += other == this || dead.contains(other.name) ? 0 : 1;
        }
        int majority = world.members.size() / 2 + 1;
        LeaseReport survey = LeaseReport.of(free >= majority, rivals >= majority, last, dead);
        later(clock.between(1, free >= majority ? 5 : 200), () -> {
            rivalsPossible = survey.rivalsPossible();
            hear(AgentEvent.surveyed(survey));
        });
    }

    private void prepare() {
        if (!preparing) {
            return;
        }
        Epoch highest = Epoch.NONE;
        List<SimMember> reached = new ArrayList<>();
        for (SimMember other : world.members) {
            boolean answers = other.diskHangsSince.isEmpty();
            if (answers
                    && (other == this || (other.isRunning() && world.areLinked(this, other) && !clock.chance(0.02)))) {
                reached.add(other);
                highest = other.node.promised.isAbove(highest) ? other.node.promised : highest;
            }
        }
        Epoch epoch = highest.next();
        List<SimMember> promised = new ArrayList<>();
        for (SimMember other : reached) {
            if (other.node.promise(epoch, name, clock.now())) {
                promised.add(other);
            }
        }
        if (promised.size() < world.members.size() / 2 + 1) {
            later(clock.between(50, 100), this::prepare);
            return;
        }
        SimPool.Node best = promised.get(0).node;
        for (SimMember other : promised) {
            best = other.node.isAbove(best) ? other.node : best;
        }
        Term begun = new Term(epoch, best.log, world.members.size());
        begun.log.add(new SimPool.Edit(epoch, 0));
        begun.committed = best.committed;
        term = Optional.of(begun);
        replicate();
        awaitReady(begun);
    }

    private void awaitReady(Term begun) {
        if (!preparing || begun.closed) {
            return;
        }
        if (begun.isFenced()) {
            later(50, this::prepare);
        } else if (begun.committed == begun.log.size()) {
            preparing = false;
            hear(AgentEvent.promised(begun.epoch));
        } else {
            later(5, () -> awaitReady(begun));
        }
    }

    private void heartbeat() {
        if (isRunning()) {
            replicate();
        }
        clock.in(GroupSimulation.LEASE_MILLIS / 5, this::heartbeat);
    }

    /** Sends the log to all; a message that arrives is answered, if the answer gets through. */
    void replicate() {
        if (term.isEmpty() || term.get().closed) {
            return;
        }
        Term own = term.get();
        long sent = clock.now();
        List<SimPool.Edit> log = List.copyOf(own.log);
        int committed = own.committed;
        for (SimMember other : world.members) {
            if (other == this || world.areLinked(this, other)) {
                other.later(clock.between(1, 4), () -> {
                    if (other.diskHangsSince.isPresent()) {
                        // Taken some time; the writer sends it again.
                        return;
                    }
                    long until = clock.now() + GroupSimulation.LEASE_MILLIS * SimClock.MILLI;
                    boolean taken = other.node.append(own.epoch, name, world.fences, log, committed, until);
                    if (other == this || world.areLinked(this, other)) {
                        later(clock.between(1, 4), () -> answered(own, other, taken, log.size(), sent));
                    }
                });
            }
        }
    }

    private void answered(Term own, SimMember other, boolean taken, int size, long sent) {
        if (!taken) {
            own.refused[other.index] = true;
            return;
        }
        own.matched[other.index] = Math.max(own.matched[other.index], size);
        own.leaseFrom[other.index] = Math.max(own.leaseFrom[other.index], sent);
        if (!own.closed && !own.isFenced()) {
            int before = own.committed;
            own.newlyCommitted().ifPresent(now -> world.committed(this, own, before, now));
        }
    }

    /** A client's change, if this NameNode takes changes. */
    void write(long number) {
        if (role == HaRole.ACTIVE && term.isPresent() && !term.get().closed) {
            if (term.get().isFenced()) {
                // What HDFS does when its flush throws.
                kill();
                return;
            }
            term.get().log.add(new SimPool.Edit(term.get().epoch, number));
            applied = term.get().log.size();
            replicate();
        }
    }

    private void stepDown() {
        Term own = term.get();
        if (own.isFenced()) {
            kill();
        } else if (own.committed < own.log.size() || isBusy()) {
            later(10, this::stepDown);
        } else {
            closeTerm();
            role = HaRole.STANDBY;
            hear(AgentEvent.steppedDown());
        }
    }

    private void closeTerm() {
        Term own = term.get();
        own.closed = true;
        for (SimMember other : world.members) {
            if (other == this || world.areLinked(this, other)) {
                other.later(clock.between(1, 4), () -> {
                    if (other.node.promised.equals(own.epoch)) {
                        other.node.committed =
                                Math.max(other.node.committed, Math.min(own.committed, other.node.log.size()));
                        other.node.leaseUntil = 0;
                    }
                });
            }
        }
    }

    /** Carries out what the agent wants. */
    private final class Effects implements AgentEffect.Handler<RuntimeException> {

        @Override
        public void publish(MemberRecord record) {
            shown = Optional.of(record);
            show();
        }

        @Override
        public void survey() {
            later(1, SimMember.this::survey);
        }

        @Override
        public void takeLock(LockRecord lock, Ballot expected, Optional<LockRecord> replaced) {
            boolean knowsThatItIsIll = clock.millis() - illSinceMillis > 2 * LOOK_MILLIS;
            boolean illWhenItBid = ill && knowsThatItIsIll && role != HaRole.ACTIVE;
            later(clock.between(1, 10), () -> {
                boolean reached = connected && zooKeeperInReach && world.zooKeeper.isUp();
                boolean taken = reached && world.zooKeeper.take(lock, expected, replaced);
                if (taken) {
                    world.elected(SimMember.this, illWhenItBid);
                }
                boolean told = taken && !clock.chance(0.03);
                later(clock.between(1, 10), () -> {
                    hear(told ? AgentEvent.lockTaken(lock.ballot()) : AgentEvent.lockMissed());
                    readView();
                });
            });
        }

        private void atZooKeeper(Runnable task) {
            later(clock.between(1, 10), () -> {
                if (connected && zooKeeperInReach && world.zooKeeper.isUp()) {
                    task.run();
                }
            });
        }

        @Override
        public void showEpoch(LockRecord lock) {
            atZooKeeper(() -> world.zooKeeper.show(lock));
        }

        @Override
        public void releaseLock(LockRecord lock) {
            atZooKeeper(() -> world.zooKeeper.release(lock));
        }

        @Override
        public void takeEpoch() {
            preparing = true;
            later(clock.between(1, 20), SimMember.this::prepare);
        }

        @Override
        public void giveUpEpoch() {
            preparing = false;
            later(1, () -> {
                term.filter(own -> !own.closed).ifPresent(own -> closeTerm());
                hear(AgentEvent.promiseFailed("given up"));
            });
        }

        @Override
        public void activate() {
            activateIn(clock.between(5, 150));
        }

        private void activateIn(long millis) {
            later(millis, () -> {
                if (isBusy()) {
                    activateIn(10);
                    return;
                }
                // HDFS begins a segment, and is not active before a majority has that.
                term.get().log.add(new SimPool.Edit(term.get().epoch, 0));
                replicate();
                awaitSegment();
            });
        }

        private void awaitSegment() {
            later(2, () -> {
                if (!term.get().isFenced()
                        && term.get().committed < term.get().log.size()) {
                    awaitSegment();
                    return;
                }
                world.check(role == HaRole.STANDBY, "HDFS is asked to become active as a standby only, not as " + role);
                if (term.get().isFenced()) {
                    // HDFS does not survive it.
                    kill();
                    return;
                }
                role = HaRole.ACTIVE;
                applied = term.get().log.size();
                world.activated(SimMember.this);
                hear(AgentEvent.activated());
            });
        }

        @Override
        public void stepDown() {
            later(clock.between(5, 50), SimMember.this::stepDown);
        }

        @Override
        public void changeRole(HaRole wanted) {
            changeRoleIn(clock.between(5, 100), wanted);
        }

        private void changeRoleIn(long millis, HaRole wanted) {
            later(millis, () -> {
                if (isBusy()) {
                    changeRoleIn(10, wanted);
                    return;
                }
                boolean follows = role == HaRole.STANDBY || role == HaRole.OBSERVER;
                if (!follows || clock.chance(0.05)) {
                    hear(AgentEvent.roleChangeFailed("refused"));
                } else {
                    role = wanted;
                    hear(AgentEvent.roleChanged(wanted));
                }
            });
        }

        @Override
        public void halt(String why) {
            halts++;
            kill();
        }

        @Override
        public void record(Failover failover) {
            world.recorded(failover);
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
