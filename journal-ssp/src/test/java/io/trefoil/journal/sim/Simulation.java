/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.protocol.FetchRequest;
import io.trefoil.journal.sim.disk.SimDisk;
import io.trefoil.journal.sim.history.Fact;
import io.trefoil.journal.sim.history.Invariant;
import io.trefoil.journal.sim.history.LogTree;
import io.trefoil.journal.sim.history.SimLedger;
import io.trefoil.journal.sim.node.DrivenNode;
import io.trefoil.journal.sim.node.SimNode;
import io.trefoil.journal.sim.plan.DriverMix;
import io.trefoil.journal.sim.plan.FaultMix;
import io.trefoil.journal.sim.plan.NearReaderRules;
import io.trefoil.journal.sim.plan.Rules;
import io.trefoil.journal.sim.plan.SiteMix;
import io.trefoil.journal.sim.world.Fibers;
import io.trefoil.journal.sim.world.SimHost;
import io.trefoil.journal.sim.world.SimNetwork;
import io.trefoil.journal.sim.world.SimSites;
import io.trefoil.journal.sim.world.Trace;
import io.trefoil.journal.sim.writer.SimWriter;
import io.trefoil.journal.sim.writer.SimWriters;
import io.trefoil.journal.sim.writer.WriterWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * A group of pool nodes with writers, users and readers, under one seed: one thread, one order of events, no clock but
 * its own. Every invariant is checked after every event.
 *
 * <p>{@link #run()} is the usual course: inject faults while safety is checked, then heal a majority, leave the rest
 * broken for good and demand progress.
 */
public final class Simulation implements WriterWorld {

    /** The inputs of a simulation, with defaults for tests of a single aspect. */
    public record Plan(
            long seed,
            FaultMix mix,
            Rules rules,
            List<Invariant> invariants,
            SimNetwork.Fates fates,
            boolean digesting,
            Optional<DriverMix> drivers,
            Optional<NearReaderRules> nearReaders,
            Optional<SiteMix> sites) {

        public Plan {
            invariants = List.copyOf(invariants);
        }

        public static Plan of(long seed, FaultMix mix, Rules rules, List<Invariant> invariants) {
            return new Plan(
                    seed,
                    mix,
                    rules,
                    invariants,
                    number -> SimNetwork.Fate.ARRIVES,
                    false,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
        }

        public Plan withFates(SimNetwork.Fates others) {
            return new Plan(seed, mix, rules, invariants, others, digesting, drivers, nearReaders, sites);
        }

        /** The same with other faults. */
        public Plan withMix(FaultMix other) {
            return new Plan(seed, other, rules, invariants, fates, digesting, drivers, nearReaders, sites);
        }

        public Plan withDigest() {
            return new Plan(seed, mix, rules, invariants, fates, true, drivers, nearReaders, sites);
        }

        /** The same with other invariants; those that do not hold with its drivers or clocks are for the caller to leave out. */
        public Plan withInvariants(List<Invariant> others) {
            return new Plan(seed, mix, rules, others, fates, digesting, drivers, nearReaders, sites);
        }

        /** The same with the production drivers around the rules. */
        public Plan withDrivers(DriverMix real) {
            return new Plan(
                    seed,
                    real.restrict(mix),
                    rules,
                    real.applicableInvariants(invariants),
                    fates,
                    digesting,
                    Optional.of(real),
                    nearReaders,
                    sites);
        }

        /** The same with readers beside some nodes that ask for leases, and answer by them. */
        public Plan withNearReaders(NearReaderRules readers) {
            return new Plan(seed, mix, rules, invariants, fates, digesting, drivers, Optional.of(readers), sites);
        }

        /** The same at three sites, with clocks that drift. */
        public Plan withSites(SiteMix three) {
            return new Plan(
                    seed,
                    mix.withSites(),
                    rules,
                    three.applicableInvariants(invariants),
                    fates,
                    digesting,
                    drivers,
                    nearReaders,
                    Optional.of(three));
        }

        /** The first word of {@code bin/simulate} that runs it, with a space behind; none for the usual plans. */
        private String argumentPrefix() {
            StringBuilder word = new StringBuilder();
            nearReaders.ifPresent(readers -> word.append("-near"));
            sites.ifPresent(three -> word.append("-sites"));
            drivers.ifPresent(real -> word.append("-drivers"));
            return word.length() == 0 ? "" : "-" + word + " ";
        }
    }

    private static final long SUPERVISION_NANOS = 100_000_000L;

    /** A scheduled event. */
    private record Event(long atNanos, long number, Object what, Runnable happening) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return atNanos != other.atNanos ? Long.compare(atNanos, other.atNanos) : Long.compare(number, other.number);
        }
    }

    private final Plan plan;
    private final Random random;
    private final PriorityQueue<Event> queue = new PriorityQueue<>();
    private final List<Fact> facts = new ArrayList<>();
    private SimLedger ledger = new SimLedger();
    private final Trace trace;
    private final SimNetwork network;
    private final Map<NodeAddress, SimNode> nodes = new LinkedHashMap<>();
    private final List<SimHost> hosts = new ArrayList<>();
    private final Set<NodeAddress> rotten = new LinkedHashSet<>();
    /** The rotten nodes that are rotten because their current process was told to start over. */
    private final Set<NodeAddress> startingOver = new LinkedHashSet<>();

    private final Fibers fibers = new Fibers(this);
    private final SimFormatting formatting = new SimFormatting(this);
    private final SimWriters writers = new SimWriters(this);
    private final Healing healing = new Healing(this);
    private final Nemesis nemesis;
    private final SimReader reader;
    private long nowNanos;
    private long eventCount;
    private long number;

    public Simulation(Plan plan) {
        this.plan = plan;
        this.random = new Random(plan.seed());
        this.trace = new Trace(plan.digesting());
        this.network = new SimNetwork(this, plan.mix(), plan.fates(), new SimSites(plan.sites()));
        this.nemesis = new Nemesis(this);
        this.reader = new SimReader(this, plan.rules().reader());
        for (int i = 1; i <= plan.mix().nodes(); i++) {
            NodeAddress address = NodeAddress.of("node" + i, 8485);
            SimNode node = newNode(address);
            node.setSyncDuration(Duration.ofNanos(plan.mix().syncMicros() * 1_000L));
            nodes.put(address, node);
            hosts.add(node.host());
            setClock(node.host());
        }
    }

    /** The longest time that a node's disk may take for a sync that returns. */
    int slowestSyncMillis() {
        return plan.drivers().map(DriverMix::hungSyncMillis).orElse(400);
    }

    /** The process on a host pauses for a while; if the machine is suspended, so does its clock. */
    void pauseHost(SimHost host, long nanos) {
        boolean stands = plan.drivers().filter(DriverMix::clocksDiffer).isPresent() && random.nextBoolean();
        // Read leases end with a host's suspension; SuspendDetector, which finds it, is not simulated.
        if (stands && plan.nearReaders().isEmpty()) {
            host.stopClockFor(nanos);
        }
    }

    private void setClock(SimHost host) {
        if (plan.sites().isPresent()) {
            drift(host, plan.sites().get());
        } else if (plan.drivers().filter(DriverMix::clocksDiffer).isPresent()) {
            // Read leases are made for clocks that differ by less than a fifth; votes and entries depend on no clock.
            double range = plan.nearReaders().isPresent() ? 0.2 : 0.5;
            host.setClockRate(1.05 - range / 2 + range * random.nextDouble());
        }
    }

    private void drift(SimHost host, SiteMix sites) {
        double range = sites.fastestClock() - sites.slowestClock();
        host.setClockRate(sites.slowestClock() + range * random.nextDouble());
        long nanos = (1 + random.nextInt(2 * sites.driftEveryMillis())) * 1_000_000L;
        schedule(nanos, "clock of " + host.name() + " drifts", () -> drift(host, sites));
    }

    private SimNode newNode(NodeAddress address) {
        Predicate<WriterId> isDead = writer -> !writers.isAlive(writer, address);
        return plan.drivers().isPresent()
                ? new DrivenNode(this, plan.rules(), address, plan.drivers().get(), isDead)
                : new SimNode(this, plan.rules(), address, new SimDisk(random), isDead);
    }

    @Override
    public Fibers fibers() {
        return fibers;
    }

    @Override
    public DriverMix drivers() {
        return plan.drivers().orElseThrow();
    }

    /** Injects faults, heals, and demands progress. */
    public void run() {
        guard(() -> {
            formatting.format();
            writers.startWriter();
            scheduleRead();
            plan.nearReaders().ifPresent(rules -> new SimNearReaders(this, rules).begin());
            nemesis.start();
            scheduleSupervision();
            if (plan.mix().initializesAgain()) {
                runFor(Duration.ofMillis(plan.mix().durationMillis() / 2));
                formatting.initializeAgain();
            }
            runFor(Duration.ofMillis(plan.mix().durationMillis()));
            healing.heal();
            healing.demandProgress();
        });
    }

    /** Runs a test's own steps, and reports a failure as that of a simulation. */
    public void guard(Runnable task) {
        try {
            task.run();
        } catch (SimulationFailure e) {
            throw e;
        } catch (RuntimeException | AssertionError e) {
            judgeFacts();
            throw failure("no exception in a machine", e.toString(), e);
        } finally {
            fibers.close();
        }
    }

    @Override
    public long nowNanos() {
        return nowNanos;
    }

    @Override
    public Random random() {
        return random;
    }

    @Override
    public long seed() {
        return plan.seed();
    }

    @Override
    public Rules rules() {
        return plan.rules();
    }

    @Override
    public boolean isDriven() {
        return plan.drivers().isPresent();
    }

    @Override
    public Incarnation incarnation() {
        return formatting.incarnation();
    }

    @Override
    public boolean isLone(Incarnation other) {
        return formatting.isLone(other);
    }

    @Override
    public void endAcquiringWriters() {
        formatting.endAcquiringWriters();
    }

    @Override
    public void cutPower(SimNode node) {
        nemesis.cutPower(node);
    }

    @Override
    public void kill(SimNode node) {
        nemesis.kill(node);
    }

    @Override
    public void scheduleRestart(SimNode node) {
        nemesis.scheduleRestart(node);
    }

    @Override
    public boolean isHealed() {
        return healing.isOver();
    }

    @Override
    public boolean isHealthy(NodeAddress address) {
        return healing.isHealthy(address);
    }

    Optional<SiteMix> sites() {
        return plan.sites();
    }

    public SimFormatting formatting() {
        return formatting;
    }

    @Override
    public SimWriters writers() {
        return writers;
    }

    public Healing healing() {
        return healing;
    }

    @Override
    public FaultMix mix() {
        return plan.mix();
    }

    @Override
    public FetchRequest effectiveRequest(FetchRequest request) {
        return plan.rules().fetches().apply(request);
    }

    @Override
    public SimLedger ledger() {
        return ledger;
    }

    @Override
    public SimNetwork network() {
        return network;
    }

    Nemesis nemesis() {
        return nemesis;
    }

    @Override
    public long nextNumber() {
        return ++number;
    }

    /** How many events there were. */
    public long eventCount() {
        return eventCount;
    }

    /** How many appends returned to users. */
    public long ackedCount() {
        return writers.ackedCount();
    }

    /** How often, after the healing, a writer had to be replaced because it was stuck. */
    public long stuckCount() {
        return healing.stuckCount();
    }

    public long digest() {
        return trace.digest();
    }

    @Override
    public SimNode node(NodeAddress address) {
        return nodes.get(address);
    }

    @Override
    public List<SimNode> nodes() {
        return List.copyOf(nodes.values());
    }

    @Override
    public Set<NodeAddress> addresses() {
        return nodes.keySet();
    }

    @Override
    public void addHost(SimHost host) {
        hosts.add(host);
        setClock(host);
    }

    /** All machines, up or down. */
    List<SimHost> hosts() {
        return Collections.unmodifiableList(hosts);
    }

    @Override
    public void schedule(long nanos, Object what, Runnable happening) {
        queue.add(new Event(nowNanos + nanos, nextNumber(), what, happening));
    }

    @Override
    public void report(Fact fact) {
        facts.add(fact);
    }

    @Override
    public void note(Object what) {
        trace.add(nowNanos, what);
    }

    public void runFor(Duration time) {
        long endNanos = nowNanos + time.toNanos();
        while (!queue.isEmpty() && queue.peek().atNanos() <= endNanos) {
            process(queue.remove());
        }
        nowNanos = endNanos;
    }

    @Override
    public void runUntil(String operation, BooleanSupplier condition, Duration timeout) {
        long endNanos = nowNanos + timeout.toNanos();
        while (!condition.getAsBoolean()) {
            if (queue.isEmpty() || queue.peek().atNanos() > endNanos) {
                throw failure("progress", "not within " + timeout + ": " + operation + describe(), null);
            }
            process(queue.remove());
        }
    }

    private void process(Event event) {
        nowNanos = event.atNanos();
        eventCount++;
        trace.add(nowNanos, event.what());
        event.happening().run();
        judgeFacts();
    }

    void judgeFacts() {
        for (int i = 0; i < facts.size(); i++) {
            Fact fact = facts.get(i);
            trace.add(nowNanos, fact);
            for (Invariant invariant : plan.invariants()) {
                Optional<String> wrong = invariant.judge(fact, ledger);
                if (wrong.isPresent()) {
                    throw failure(invariant.name(), wrong.get(), null);
                }
            }
            ledger.add(fact);
            if (fact instanceof Fact.Opened opened && isWholeStorage(opened)) {
                rotten.remove(opened.at());
                startingOver.remove(opened.at());
            }
        }
        facts.clear();
    }

    /**
     * A node that was told to start over opens its old storage first, and may fail after it moved that aside: only an
     * opening that refetches counts.
     */
    private boolean isWholeStorage(Fact.Opened opened) {
        return !startingOver.contains(opened.at()) || opened.completeness() == LogCompleteness.REFETCHING;
    }

    private SimulationFailure failure(String invariant, String operation, Throwable cause) {
        String report = "Seed " + plan.seed() + " breaks '" + invariant + "' at " + nowNanos / 1_000_000 + " ms: "
                + operation
                + "\nMix: " + plan.mix()
                + plan.drivers().map(real -> "\nDrivers: " + real).orElse("")
                + plan.sites().map(three -> "\nSites: " + three).orElse("")
                + "\nReplay: bin/simulate " + plan.argumentPrefix() + "--seed " + plan.seed() + "   or   -Dsim.seed="
                + plan.seed()
                + "\nThe last events:\n" + trace;
        return new SimulationFailure(invariant, report, cause);
    }

    String describe() {
        StringBuilder text = new StringBuilder();
        for (SimWriter writer : writers.all()) {
            if (writer.isAlive()) {
                text.append("\n  ")
                        .append(writer.id())
                        .append(' ')
                        .append(writer.state().describe());
            }
        }
        for (SimLedger.Disk disk : ledger.disks()) {
            text.append("\n  ")
                    .append(disk.address())
                    .append(healing.isHealthy(disk.address()) ? " healthy " : " broken ")
                    .append(node(disk.address()).host().isUp() ? "up " : "down ")
                    .append(disk.node())
                    .append(" promised=")
                    .append(disk.promise())
                    .append(' ')
                    .append(disk.completeness())
                    .append(" last=")
                    .append(disk.last())
                    .append(" shown=")
                    .append(disk.shownSn());
        }
        return text.append("\n  members ").append(membersInForce()).toString();
    }

    @Override
    public void stop(SimNode node, boolean power) {
        List<SimWriter> inside = writers.liveWriters().stream()
                .filter(writer -> writer.host() == node.host())
                .toList();
        node.stop(power);
        startingOver.remove(node.address());
        inside.forEach(writers::onDied);
    }

    private void scheduleSupervision() {
        schedule(SUPERVISION_NANOS, "supervisor looks", () -> {
            if (writers.liveWriters().isEmpty() && (healing.isOver() || random.nextInt(3) == 0)) {
                writers.startWriter();
            }
            if (healing.isOver()) {
                // As an operator repeats it until it works: a node that is just starting cannot say who it is.
                healing.repairStrangers();
            }
            scheduleSupervision();
        });
    }

    private void scheduleRead() {
        schedule(1_000_000L + random.nextInt(60_000_000), "reader reads", () -> {
            SimNode node = nodes().get(random.nextInt(nodes.size()));
            if (node.host().isUp()) {
                long firstSn = Math.max(1, ledger.committedSn() - random.nextInt(20) + 3);
                node.receive(FetchRequest.of(firstSn, 1_000, Epoch.NONE), reply -> {});
                if (random.nextBoolean()) {
                    reader.readIn(node);
                }
            }
            scheduleRead();
        });
    }

    /** Begins a new ledger, because the old journal no longer exists. */
    void beginLedger() {
        ledger = new SimLedger(ledger);
        rotten.clear();
        startingOver.clear();
    }

    boolean isRotten(NodeAddress address) {
        return rotten.contains(address);
    }

    void noteRotten(NodeAddress address) {
        rotten.add(address);
    }

    void noteStartOver(NodeAddress address) {
        noteRotten(address);
        startingOver.add(address);
    }

    /** Every member list by which a majority may be counted: the newest committed one, and later ones. */
    Set<Members> membersInForce() {
        Set<Members> inForce = new LinkedHashSet<>();
        Optional<Entry> newest = ledger.committedMembers();
        long newestSn = newest.map(Entry::sn).orElse(0L);
        newest.ifPresent(entry -> inForce.add(Members.fromPayload(entry.payload())));
        for (SimLedger.Disk disk : ledger.disks()) {
            for (long sn = disk.lastSn();
                    sn > Math.max(newestSn, disk.base().position().sn());
                    sn--) {
                disk.entryAt(sn).ifPresent(entry -> addMembers(entry, inForce));
            }
        }
        for (SimLedger.Term term : ledger.terms()) {
            Optional<LogTree.Branch> branch = term.end();
            while (branch.isPresent() && branch.get().entry().sn() > newestSn) {
                addMembers(branch.get().entry(), inForce);
                branch = branch.get().predecessor();
            }
        }
        return inForce;
    }

    private static void addMembers(Entry entry, Set<Members> inForce) {
        if (entry.kind() == EntryKind.MEMBERS) {
            inForce.add(Members.fromPayload(entry.payload()));
        }
    }

    boolean isSettledVoter(NodeAddress address, Set<Members> inForce) {
        return ledger.disk(address)
                .filter(disk -> inForce.stream().allMatch(members -> members.isVoter(disk.node())))
                .isPresent();
    }
}
