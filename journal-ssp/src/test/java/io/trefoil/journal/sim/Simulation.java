/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.protocol.FetchRequest;
import io.trefoil.journal.protocol.FormatRequest;
import io.trefoil.journal.protocol.StartOverRequest;
import io.trefoil.journal.sim.invariant.Invariant;
import io.trefoil.journal.writer.events.AckPolicy;
import io.trefoil.journal.writer.events.WriterSettings;
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
 * <p>{@link #run()} is the usual course: hurt everything while safety is checked, then heal a majority, leave the rest
 * broken for good and demand progress.
 */
public final class Simulation {

    static final NamespaceId NAMESPACE = NamespaceId.of("CID-simulated", 1);

    /** What the tests that look at one thing only leave open. */
    public record Plan(
            long seed,
            FaultMix mix,
            Rules rules,
            List<Invariant> invariants,
            SimNetwork.Fates fates,
            boolean digesting,
            Optional<DriverMix> drivers) {

        public Plan {
            invariants = List.copyOf(invariants);
        }

        public static Plan of(long seed, FaultMix mix, Rules rules, List<Invariant> invariants) {
            return new Plan(seed, mix, rules, invariants, number -> SimNetwork.Fate.ARRIVES, false, Optional.empty());
        }

        public Plan withFates(SimNetwork.Fates others) {
            return new Plan(seed, mix, rules, invariants, others, digesting, drivers);
        }

        public Plan withDigest() {
            return new Plan(seed, mix, rules, invariants, fates, true, drivers);
        }

        /** The same with the drivers that run in production around the rules. */
        public Plan withDrivers(DriverMix real) {
            return new Plan(
                    seed, real.within(mix), rules, real.promised(invariants), fates, digesting, Optional.of(real));
        }
    }

    private static final int MAX_BATCHES_HURT = 1_000;
    private static final int BATCHES_WANTED = 5;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long STUCK_NANOS = 8_000_000_000L;
    private static final long SUPERVISION_NANOS = 100_000_000L;

    /** Something that is due. */
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
    private Incarnation incarnation = Incarnation.NONE;
    private final Trace trace;
    private final SimNetwork network;
    private final Map<NodeAddress, SimNode> nodes = new LinkedHashMap<>();
    private final List<SimHost> hosts = new ArrayList<>();
    private final List<SimWriter> writers = new ArrayList<>();
    private final Set<NodeAddress> rotten = new LinkedHashSet<>();
    /** Those of them that are rotten because this process of theirs was told to start over. */
    private final Set<NodeAddress> startingOver = new LinkedHashSet<>();

    private final Fibers fibers = new Fibers(this);
    private final Nemesis nemesis;
    private final SimReader reader;
    private long nowNanos;
    private long eventCount;
    private long number;
    private long ackedCount;
    private long stuckCount;
    private long quota = MAX_BATCHES_HURT;
    private boolean healed;
    private boolean betweenJournals;
    private Set<NodeAddress> healthy = new LinkedHashSet<>();

    public Simulation(Plan plan) {
        this.plan = plan;
        this.random = new Random(plan.seed());
        this.trace = new Trace(plan.digesting());
        this.network = new SimNetwork(this, plan.mix(), plan.fates());
        this.nemesis = new Nemesis(this);
        this.reader = new SimReader(this, plan.rules().reader());
        for (int i = 1; i <= plan.mix().nodes(); i++) {
            NodeAddress address = NodeAddress.of("node" + i, 8485);
            SimNode node = newNode(address);
            node.syncTakes(Duration.ofNanos(plan.mix().syncMicros() * 1_000L));
            nodes.put(address, node);
            hosts.add(node.host());
            setClock(node.host());
        }
    }

    /** How long the disk of a node may take for a sync that comes back. */
    int slowestSyncMillis() {
        return plan.drivers().map(DriverMix::hungSyncMillis).orElse(400);
    }

    /** The process on a host stands still for a while, and with a suspended machine its clock. */
    void stands(SimHost host, long nanos) {
        if (plan.drivers().filter(DriverMix::clocksDiffer).isPresent() && random.nextBoolean()) {
            host.clockStandsFor(nanos);
        }
    }

    private void setClock(SimHost host) {
        if (plan.drivers().filter(DriverMix::clocksDiffer).isPresent()) {
            host.clockRunsAt(0.8 + 0.5 * random.nextDouble());
        }
    }

    private SimNode newNode(NodeAddress address) {
        Predicate<WriterId> isDead = writer -> !isLiving(writer, address);
        return plan.drivers().isPresent()
                ? new DrivenNode(this, plan.rules(), address, plan.drivers().get(), isDead)
                : new SimNode(this, plan.rules(), address, new SimDisk(random), isDead);
    }

    Fibers fibers() {
        return fibers;
    }

    DriverMix drivers() {
        return plan.drivers().orElseThrow();
    }

    /** Hurt, heal, and see it work again. */
    public void run() {
        guard(() -> {
            format();
            startWriter();
            readSoon();
            nemesis.start();
            superviseSoon();
            if (plan.mix().initializesAgain()) {
                runFor(Duration.ofMillis(plan.mix().durationMillis() / 2));
                initializeAgain();
            }
            runFor(Duration.ofMillis(plan.mix().durationMillis()));
            heal();
            demandProgress();
        });
    }

    /** Does something of a test's own, with the report of a simulation if it fails. */
    void guard(Runnable work) {
        try {
            work.run();
        } catch (SimulationFailure e) {
            throw e;
        } catch (RuntimeException | AssertionError e) {
            judgeFacts();
            throw failure("no exception in a machine", e.toString(), e);
        } finally {
            fibers.close();
        }
    }

    long nowNanos() {
        return nowNanos;
    }

    Random random() {
        return random;
    }

    FaultMix mix() {
        return plan.mix();
    }

    /** Whether the journal is being initialized again. */
    boolean isBetweenJournals() {
        return betweenJournals;
    }

    /** What a writer asks for that wants entries of a node. */
    FetchRequest asked(FetchRequest request) {
        return plan.rules().fetches().apply(request);
    }

    SimLedger ledger() {
        return ledger;
    }

    /** The beginning of the journal that an operator wanted last. */
    Incarnation incarnation() {
        return incarnation;
    }

    SimNetwork network() {
        return network;
    }

    Nemesis nemesis() {
        return nemesis;
    }

    /** A number that was not given before. */
    long nextNumber() {
        return ++number;
    }

    /** How many events there were. */
    public long eventCount() {
        return eventCount;
    }

    /** How many appends returned to users. */
    public long ackedCount() {
        return ackedCount;
    }

    /** How often, after the healing, a writer had to be replaced because it could not go on by itself. */
    public long stuckCount() {
        return stuckCount;
    }

    public long digest() {
        return trace.digest();
    }

    SimNode node(NodeAddress address) {
        return nodes.get(address);
    }

    List<SimNode> nodes() {
        return List.copyOf(nodes.values());
    }

    /** Every machine, up or not. */
    List<SimHost> hosts() {
        return Collections.unmodifiableList(hosts);
    }

    List<SimWriter> liveWriters() {
        return writers.stream().filter(SimWriter::isAlive).toList();
    }

    void after(long nanos, Object what, Runnable happening) {
        queue.add(new Event(nowNanos + nanos, nextNumber(), what, happening));
    }

    void tell(Fact fact) {
        facts.add(fact);
    }

    /** Puts a word into the trace. */
    void note(Object what) {
        trace.add(nowNanos, what);
    }

    void runFor(Duration time) {
        long endNanos = nowNanos + time.toNanos();
        while (!queue.isEmpty() && queue.peek().atNanos() <= endNanos) {
            happen(queue.remove());
        }
        nowNanos = endNanos;
    }

    void runUntil(String what, BooleanSupplier condition, Duration patience) {
        long endNanos = nowNanos + patience.toNanos();
        while (!condition.getAsBoolean()) {
            if (queue.isEmpty() || queue.peek().atNanos() > endNanos) {
                throw failure("progress", "not within " + patience + ": " + what + describe(), null);
            }
            happen(queue.remove());
        }
    }

    private void happen(Event event) {
        nowNanos = event.atNanos();
        eventCount++;
        trace.add(nowNanos, event.what());
        event.happening().run();
        judgeFacts();
    }

    private void judgeFacts() {
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
            if (fact instanceof Fact.Opened opened && isAllOfIt(opened)) {
                rotten.remove(opened.at());
                startingOver.remove(opened.at());
            }
        }
        facts.clear();
    }

    /** A node that is to start over opens what it had first, and may have put that aside when it fails. */
    private boolean isAllOfIt(Fact.Opened opened) {
        return !startingOver.contains(opened.at()) || opened.completeness() == LogCompleteness.REFETCHING;
    }

    private SimulationFailure failure(String invariant, String what, Throwable cause) {
        String report =
                "Seed " + plan.seed() + " breaks '" + invariant + "' at " + nowNanos / 1_000_000 + " ms: " + what
                        + "\nMix: " + plan.mix()
                        + plan.drivers().map(real -> "\nDrivers: " + real).orElse("")
                        + "\nReplay: bin/simulate " + (plan.drivers().isPresent() ? "--drivers " : "") + "--seed "
                        + plan.seed() + "   or   -Dsim.seed=" + plan.seed()
                        + "\nThe last events:\n" + trace;
        return new SimulationFailure(invariant, report, cause);
    }

    private String describe() {
        StringBuilder text = new StringBuilder();
        for (SimWriter writer : writers) {
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
                    .append(healthy.contains(disk.address()) ? " healthy " : " broken ")
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

    /** Makes the journal on the first nodes, and starts all. */
    void format() {
        List<SimNode> first = nodes().subList(0, plan.mix().formatted());
        for (SimNode node : nodes.values()) {
            if (first.contains(node) || random.nextBoolean()) {
                node.start();
            } else {
                nemesis.restartLater(node);
            }
        }
        Map<SimNode, NodeId> ids = new LinkedHashMap<>();
        first.forEach(node -> ids.put(node, node.nodeReplica().node()));
        format(ids, first, false);
    }

    /** Formats some of those who are to be the voters. */
    private void format(Map<SimNode, NodeId> ids, List<SimNode> formatted, boolean force) {
        incarnation = Incarnation.of(incarnation.number() + 1, plan.seed());
        Members members = Members.NONE;
        for (Map.Entry<SimNode, NodeId> voter : ids.entrySet()) {
            members = members.with(Member.voter(voter.getValue(), voter.getKey().address()));
        }
        List<Entry> entries = List.of(
                Entry.of(
                        LogPosition.of(Epoch.FORMAT, 1),
                        EntryKind.STORAGE,
                        TxRange.NONE,
                        StorageRecord.formatted(StorageRecord.Version.of(-66, 0))
                                .toPayload()),
                Entry.of(LogPosition.of(Epoch.FORMAT, 2), EntryKind.MEMBERS, TxRange.NONE, members.toPayload()));
        for (SimNode node : formatted) {
            node.format(
                    FormatRequest.of(NAMESPACE, ids.get(node), LogSummary.ORIGIN.with(incarnation), entries, force));
        }
        judgeFacts();
    }

    /**
     * An operator initializes the journal again, with force, on nodes without which the old one has no majority; perhaps only
     * after a try that was interrupted. The others are down, or out of reach, and know nothing of it; and so do writers.
     */
    private void initializeAgain() {
        List<SimNode> candidates = new ArrayList<>(nodes());
        Collections.shuffle(candidates, random);
        Map<SimNode, NodeId> chosen = new LinkedHashMap<>();
        Set<Members> before = membersInForce();
        for (SimNode node : candidates) {
            boolean mayBeLeft = before.stream().allMatch(members -> haveNoMajorityWithout(chosen.keySet(), members));
            if (!mayBeLeft || random.nextInt(3) == 0) {
                if (random.nextBoolean()) {
                    // Else it is formatted while it runs, and its sessions with writers go on.
                    stop(node, false);
                }
                repair(node);
                chosen.put(node, NodeId.of("again-" + nextNumber()));
            } else if (node.host().isUp() && random.nextBoolean()) {
                stop(node, random.nextBoolean());
                nemesis.restartLater(node);
            }
        }
        giveWayToFormat();
        betweenJournals = true;
        List<SimNode> voters = new ArrayList<>(chosen.keySet());
        note("the journal is initialized again on " + chosen.values());
        if (random.nextBoolean()) {
            beginAnew();
            format(chosen, voters.subList(0, random.nextInt(voters.size())), true);
            chosen.replaceAll((node, id) -> NodeId.of("again-" + nextNumber()));
        }
        beginAnew();
        format(chosen, voters, true);
        betweenJournals = false;
        startWriter();
    }

    /** Who has a promise of a node that is formatted next would begin a term of a journal that is no more. */
    void giveWayToFormat() {
        liveWriters().stream()
                .filter(SimWriter::isAcquiringEpoch)
                .forEach(writer -> writer.die("gives way to a format"));
    }

    /** Nor will they have one: an old writer that lives may make voters of those that only receive. */
    private boolean haveNoMajorityWithout(Set<SimNode> chosen, Members members) {
        long voters = chosen.stream().filter(one -> isVoter(one, members)).count();
        long all = chosen.stream().filter(one -> isMember(one, members)).count();
        int mostVoters = members.list().size();
        return voters > members.voterCount() - members.majority() && all > mostVoters - (mostVoters / 2 + 1);
    }

    private boolean isMember(SimNode node, Members members) {
        return ledger.disk(node.address())
                .filter(disk -> members.find(disk.node()).isPresent())
                .isPresent();
    }

    private boolean isVoter(SimNode node, Members members) {
        return ledger.disk(node.address())
                .filter(disk -> members.isVoter(disk.node()))
                .isPresent();
    }

    private void beginAnew() {
        judgeFacts();
        ledger = new SimLedger(ledger);
        rotten.clear();
        startingOver.clear();
        nemesis.journalBeganAnew();
        nodes().forEach(SimNode::journalBeganAnew);
    }

    /** Whoever kept an older beginning of the journal starts over, as a repair has it. */
    private void repairStrangers() {
        for (SimNode node : nodes()) {
            if (healthy.contains(node.address()) && node.isStranger()) {
                node.arrive(StartOverRequest.of(node.nodeReplica().node(), incarnation), reply -> {});
            }
        }
    }

    /** One more writer begins: beside a node that is up, or on a machine of its own. */
    SimWriter startWriter() {
        boolean remote = random.nextInt(3) == 0;
        List<SimNode> places = nodes.values().stream()
                .filter(node -> node.host().isUp() && (!healed || healthy.contains(node.address())))
                .toList();
        return remote || places.isEmpty()
                ? startWriter(Optional.empty())
                : startWriter(Optional.of(places.get(random.nextInt(places.size()))));
    }

    SimWriter startWriter(Optional<SimNode> local) {
        String name = "writer" + nextNumber();
        WriterSettings.Builder settings = WriterSettings.builder()
                .writer(WriterId.of(name))
                .namespace(NAMESPACE)
                .addresses(drawAddresses())
                .leaseMillis(plan.mix().leaseMillis())
                .ackTimeoutMillis(plan.mix().ackTimeoutMillis())
                .retryMillis(30)
                .ack(plan.seed() % 4 == 0 ? AckPolicy.ALL : AckPolicy.QUORUM)
                .catchUpBytesPerSecond(List.of(0, 10_000, 1_000_000).get((int) Math.floorMod(plan.seed(), 3L)))
                .minReplicas(plan.mix().minReplicas());
        SimHost host;
        if (local.isPresent()) {
            host = local.get().host();
            settings.local(local.get().address());
        } else {
            host = new SimHost(this, name + "-host");
            hosts.add(host);
            setClock(host);
        }
        SimWriter writer = newWriter(local, host, settings);
        writers.add(writer);
        writer.start();
        return writer;
    }

    private SimWriter newWriter(Optional<SimNode> local, SimHost host, WriterSettings.Builder settings) {
        WriterRules rules = plan.rules().writer();
        return plan.drivers().isPresent()
                ? new DrivenWriter(
                        this,
                        host,
                        rules,
                        settings.ack(drivers().ack())
                                .windowBytes(drivers().windowBytes())
                                .partBytes(drivers().partBytes())
                                .build(),
                        local.map(node -> ((DrivenNode) node).replica()))
                : new RuledWriter(
                        this,
                        host,
                        rules,
                        settings.windowBytes(plan.mix().windowBytes())
                                .partBytes(750)
                                .build());
    }

    /** Usually all; a writer that knows some only has to be told of the others by those. */
    private List<NodeAddress> drawAddresses() {
        List<NodeAddress> all = new ArrayList<>(nodes.keySet());
        if (healed || random.nextInt(5) > 0) {
            return all;
        }
        Collections.shuffle(all, random);
        // Somebody among them has to know of the journal.
        NodeAddress first = nodes.keySet().iterator().next();
        all.remove(first);
        all.add(0, first);
        return all.subList(0, 1 + random.nextInt(all.size()));
    }

    /** The process of a writer dies, and with it the node in it. */
    void kill(SimWriter writer) {
        Optional<SimNode> local = nodes.values().stream()
                .filter(node -> node.host() == writer.host())
                .findFirst();
        if (local.isPresent()) {
            stop(local.get(), false);
            nemesis.restartLater(local.get());
        } else {
            writer.host().goDown();
            died(writer);
        }
    }

    /** A node's process dies, and with it the writers in it. */
    void stop(SimNode node, boolean power) {
        List<SimWriter> inside = liveWriters().stream()
                .filter(writer -> writer.host() == node.host())
                .toList();
        node.stop(power);
        startingOver.remove(node.address());
        inside.forEach(this::died);
    }

    private void died(SimWriter writer) {
        writer.die("process gone");
        if (!plan.mix().noticesDeadWriters()) {
            return;
        }
        for (SimNode node : nodes.values()) {
            // Its connections were reset, and new ones are refused.
            node.host().after(10_000_000 + random.nextInt(200_000_000), writer.id() + " is gone", () -> {
                if (!network.isCut(writer.host().name(), node.host().name())) {
                    takenForGone(node, writer.id());
                }
            });
        }
    }

    /** A node sees a writer's connections reset, and new ones refused. */
    void takenForGone(SimNode node, WriterId writer) {
        if (node.host().isUp()) {
            tell(new Fact.TakenForGone(node.address(), writer));
            node.nodeReplica().writerGone(writer);
        }
    }

    private boolean isLiving(WriterId id, NodeAddress at) {
        // Only of a writer in its own process does a node know that it died with it.
        return writers.stream()
                .noneMatch(writer ->
                        writer.id().equals(id) && writer.host() == nodes.get(at).host() && !writer.isAlive());
    }

    /** A fenced writer's process ends itself; beside a node, that one restarts with it. */
    void fenced(SimWriter writer) {
        if (random.nextBoolean() && !healed) {
            nodes.values().stream()
                    .filter(node -> node.host() == writer.host())
                    .findFirst()
                    .ifPresent(node -> after(1_000, "fenced process ends", () -> {
                        if (node.host().isUp() && !healed) {
                            stop(node, false);
                            nemesis.restartLater(node);
                        }
                    }));
        }
    }

    void acked(SimWriter writer, Entry entry) {
        ackedCount++;
        writer.tell(new Fact.Acked(writer.id(), entry));
    }

    /** Users rest when a lot is written, so that a run does not get longer the better it goes. */
    boolean usersWork() {
        return ackedCount < quota;
    }

    /** Users write so many more batches, then they rest. */
    void allowBatches(long count) {
        quota = ackedCount + count;
    }

    private void superviseSoon() {
        after(SUPERVISION_NANOS, "supervisor looks", () -> {
            if (liveWriters().isEmpty() && (healed || random.nextInt(3) == 0)) {
                startWriter();
            }
            if (healed) {
                // As an operator does until it worked: a node that is just being started cannot say who it is.
                repairStrangers();
            }
            superviseSoon();
        });
    }

    private void readSoon() {
        after(1_000_000L + random.nextInt(60_000_000), "reader reads", () -> {
            SimNode node = nodes().get(random.nextInt(nodes.size()));
            if (node.host().isUp()) {
                long firstSn = Math.max(1, ledger.committedSn() - random.nextInt(20) + 3);
                node.arrive(FetchRequest.of(firstSn, 1_000, Epoch.NONE), reply -> {});
                if (random.nextBoolean()) {
                    reader.readIn(node);
                }
            }
            readSoon();
        });
    }

    boolean isRotten(NodeAddress address) {
        return rotten.contains(address);
    }

    void noteRotten(NodeAddress address) {
        rotten.add(address);
    }

    void noteStartingOver(NodeAddress address) {
        noteRotten(address);
        startingOver.add(address);
    }

    /** Every list of members by which a majority may be counted: the newest committed one, and those behind it. */
    Set<Members> membersInForce() {
        Set<Members> inForce = new LinkedHashSet<>();
        Optional<Entry> newest = ledger.committedMembers();
        long newestSn = newest.map(Entry::sn).orElse(0L);
        newest.ifPresent(entry -> inForce.add(Members.fromPayload(entry.payload())));
        for (SimLedger.Disk disk : ledger.disks()) {
            for (long sn = disk.lastSn();
                    sn > Math.max(newestSn, disk.base().position().sn());
                    sn--) {
                disk.at(sn).ifPresent(entry -> addMembers(entry, inForce));
            }
        }
        for (SimLedger.Term term : ledger.terms()) {
            Optional<LogTree.Branch> branch = term.end();
            while (branch.isPresent() && branch.get().entry().sn() > newestSn) {
                addMembers(branch.get().entry(), inForce);
                branch = branch.get().before();
            }
        }
        return inForce;
    }

    private static void addMembers(Entry entry, Set<Members> inForce) {
        if (entry.kind() == EntryKind.MEMBERS) {
            inForce.add(Members.fromPayload(entry.payload()));
        }
    }

    /** Makes a majority whole, and leaves the rest broken for good. */
    void heal() {
        nemesis.retire();
        healed = true;
        network.loseNothingMore();
        network.mendAll();
        healthy = drawHealthy();
        for (SimNode node : nodes.values()) {
            if (healthy.contains(node.address())) {
                repair(node);
            } else {
                breakForGood(node);
            }
        }
        for (SimWriter writer : liveWriters()) {
            writer.host().resume();
            boolean besideBroken = nodes.values().stream()
                    .anyMatch(node -> node.host() == writer.host() && !healthy.contains(node.address()));
            boolean leaves = writer.isStranger() ? !mustHear(writer) : random.nextBoolean();
            if (besideBroken || leaves) {
                writer.die("healed away");
            }
        }
        repairStrangers();
    }

    /** Whether so many voters of an old writer are in reach and hold the journal that began anew that it can never commit again. */
    private boolean mustHear(SimWriter writer) {
        Members members = writer.state().end().members();
        long left = members.list().stream()
                .filter(member -> member.isVoter() && !beganAnew(member.address()))
                .count();
        return left < members.majority();
    }

    private boolean beganAnew(NodeAddress address) {
        return healthy.contains(address) && node(address).disk().incarnation().equals(Optional.of(incarnation));
    }

    private Set<NodeAddress> drawHealthy() {
        List<NodeAddress> order = new ArrayList<>(nodes.keySet());
        Collections.shuffle(order, random);
        Set<Members> inForce = membersInForce();
        Set<NodeAddress> drawn = new LinkedHashSet<>();
        for (NodeAddress address : order) {
            // One that may just be becoming a voter must not count for a majority and then be gone.
            if (nemesis.mayLoseAMember()
                    || !isSettledVoter(address, inForce)
                    || !isMajority(drawn, inForce)
                    || random.nextInt(4) == 0) {
                drawn.add(address);
            }
        }
        return drawn;
    }

    boolean isSettledVoter(NodeAddress address, Set<Members> inForce) {
        return ledger.disk(address)
                .filter(disk -> inForce.stream().allMatch(members -> members.isVoter(disk.node())))
                .isPresent();
    }

    private boolean isMajority(Set<NodeAddress> drawn, Set<Members> inForce) {
        for (Members members : inForce) {
            long whole = drawn.stream()
                    .flatMap(address -> ledger.disk(address).stream())
                    .filter(disk -> disk.completeness() == LogCompleteness.COMPLETE && !isRotten(disk.address()))
                    .filter(disk -> members.isVoter(disk.node()))
                    .count();
            if (whole < Math.max(members.majority(), plan.mix().minReplicas())) {
                return false;
            }
        }
        return true;
    }

    private void repair(SimNode node) {
        node.breakDisk(false);
        node.syncTakes(Duration.ofNanos(plan.mix().syncMicros() * 1_000L));
        node.host().resume();
        if (!node.host().isUp()) {
            node.start();
        }
    }

    private void breakForGood(SimNode node) {
        int way = random.nextInt(4);
        if (way == 0 && node.host().isUp()) {
            stop(node, true);
        } else if (way == 1) {
            node.breakDisk(true);
        }
        for (SimHost other : hosts) {
            if (way != 1 && other != node.host()) {
                network.cut(node.host().name(), other.name());
                if (way == 2) {
                    network.cut(other.name(), node.host().name());
                }
            }
        }
    }

    private void demandProgress() {
        runUntil(
                "writers of a journal that was initialized again end",
                () -> liveWriters().stream().noneMatch(SimWriter::isStranger),
                PATIENCE);
        long enough = ackedCount + BATCHES_WANTED;
        replaceStuckLater(ackedCount);
        quota = enough;
        runUntil(BATCHES_WANTED + " batches", () -> ackedCount >= enough, PATIENCE);
        demandOneLog();
    }

    /** Everything that was written gets to all healthy nodes. */
    void demandOneLog() {
        if (!healed) {
            healthy = nodes.keySet();
        }
        runUntil("one log on all healthy nodes", this::isSettled, PATIENCE);
    }

    /** A writer that lives and cannot go on is replaced, as whoever watches over the group would do. */
    private void replaceStuckLater(long ackedBefore) {
        after(STUCK_NANOS, "supervisor looks for progress", () -> {
            if (ackedCount == ackedBefore) {
                stuckCount++;
                note("no progress: " + describe());
                liveWriters().forEach(writer -> writer.die("replaced"));
            }
            replaceStuckLater(ackedCount);
        });
    }

    private boolean isSettled() {
        List<SimWriter> live = liveWriters();
        if (live.stream().noneMatch(SimWriter::isWriting)) {
            return false;
        }
        Set<LogPosition> ends = new LinkedHashSet<>();
        Members members = ledger.committedMembers()
                .map(entry -> Members.fromPayload(entry.payload()))
                .orElse(Members.NONE);
        for (NodeAddress address : healthy) {
            if (members.isBarred(address)) {
                // Nobody sends it anything any more.
                continue;
            }
            Optional<SimLedger.Disk> disk = ledger.disk(address);
            boolean whole = disk.isPresent()
                    && disk.get().completeness() == LogCompleteness.COMPLETE
                    && disk.get().shownSn() == disk.get().lastSn();
            boolean wanted = live.stream().anyMatch(writer -> writer.addresses().contains(address));
            if (wanted && !whole) {
                return false;
            }
            disk.ifPresent(found -> ends.add(found.last()));
        }
        return ends.size() == 1;
    }
}
