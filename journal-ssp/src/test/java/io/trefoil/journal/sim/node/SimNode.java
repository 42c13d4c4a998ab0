/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.node;

import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.pool.disk.ReplicaThreads;
import io.trefoil.journal.pool.replica.JournalReplica;
import io.trefoil.journal.pool.replica.LocalNamespace;
import io.trefoil.journal.protocol.FormatRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.protocol.PromiseReply;
import io.trefoil.journal.protocol.StartOverRequest;
import io.trefoil.journal.replica.ReplicaTrace;
import io.trefoil.journal.sim.disk.NodeDisk;
import io.trefoil.journal.sim.disk.SimCrash;
import io.trefoil.journal.sim.disk.WitnessedDevice;
import io.trefoil.journal.sim.history.Fact;
import io.trefoil.journal.sim.history.SimLedger;
import io.trefoil.journal.sim.plan.NodeReplica;
import io.trefoil.journal.sim.plan.Rules;
import io.trefoil.journal.sim.world.SimHost;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** A pool node: the real driver over a simulated disk, with an inbox, and with the time that both take. */
public class SimNode {

    private static final int MAX_REQUESTS_PER_TURN = 16;
    private static final long TURN_NANOS = 20_000;

    /** A request that waits for its turn. */
    private record PendingRequest(PoolRequest request, Consumer<PoolReply> way) {}

    private final NodeWorld world;
    private final Rules rules;
    private final NodeAddress address;
    private final SimHost host;
    private final NodeDisk disk;
    private final Predicate<WriterId> isDead;
    private final List<PendingRequest> inbox = new ArrayList<>();
    private final List<SimSession> sessions = new ArrayList<>();
    private JournalReplica replica;
    private NodeReplica nodeReplica;
    private LocalNamespace namespace = LocalNamespace.NONE;
    private boolean diskBroken;
    private boolean turnIsDue;
    private long busyUntilNanos;
    private long takenBackSnAtStart;

    /** @param isDead whether a writer is known to be dead when this node starts, because it ran in the node's process */
    public SimNode(NodeWorld world, Rules rules, NodeAddress address, NodeDisk disk, Predicate<WriterId> isDead) {
        this.world = world;
        this.rules = rules;
        this.address = address;
        this.host = new SimHost(world, address.host());
        this.disk = disk;
        this.isDead = isDead;
        host.goDown();
    }

    public NodeAddress address() {
        return address;
    }

    public SimHost host() {
        return host;
    }

    public NodeDisk disk() {
        return disk;
    }

    public NodeReplica nodeReplica() {
        return nodeReplica;
    }

    /** The production driver in the process. */
    public JournalReplica replica() {
        return replica;
    }

    /** Sets what the process knows of the namespace of the NameNode in it; by default there is none. */
    public void setNamespace(LocalNamespace localNamespace) {
        namespace = localNamespace;
    }

    /** Whether the process asks now to become a member. */
    public boolean isRequestingToJoin() {
        return replica.shouldRequestJoin(address, namespace);
    }

    public void start() {
        host.comeUp();
        busyUntilNanos = 0;
        takenBackSnAtStart = world.ledger().takenBackSn();
        replica = new JournalReplica(
                address.host(),
                rules.devices().apply(new WitnessedDevice(address, disk.device(), this::report)),
                host::nanoTime,
                this::newNodeId,
                isDead,
                threads(),
                ReplicaTrace.NONE);
        replica.restrictIncarnations(incarnation -> namespace.mayEnter(incarnation));
        nodeReplica = rules.replicas().apply(new RealReplica(replica));
        nodeReplica.onShown(sn -> report(new Fact.Shown(address, sn)));
        try {
            nodeReplica.open();
        } catch (SimCrash e) {
            world.cutPower(this);
        } catch (OutOfMemoryError e) {
            world.kill(this);
        }
    }

    /** Whether its storage belongs to another incarnation of the journal than the one in force. */
    public boolean isStranger() {
        return disk.incarnation()
                .filter(own -> !own.equals(world.incarnation()))
                .isPresent();
    }

    /** Whether it answers questions from such storage. */
    public boolean showsStranger() {
        return isStranger();
    }

    /** Only facts about storage in force count as facts of the journal. */
    private void report(Fact fact) {
        if (!isStranger()) {
            world.report(fact);
        }
    }

    void reportAnswered(Fact.Answered answered) {
        world.report(showsStranger() ? new Fact.AnsweredByStranger(answered) : answered);
    }

    /** Formats the node; done when this returns. */
    public void format(FormatRequest request) {
        nodeReplica.perform(List.of(request));
    }

    /** The journal was initialized again, with or without this node. */
    public void onJournalReinitialized() {
        takenBackSnAtStart = 0;
    }

    /** The threads that wait for the disk. */
    ReplicaThreads threads() {
        return new ReplicaThreads.DirectExecution() {
            @Override
            public void log(Runnable line) {
                // No user reads the log lines about thousands of broken disks.
            }
        };
    }

    NodeWorld world() {
        return world;
    }

    /** {@link SimLedger#takenBackSn} when this process started. */
    public long takenBackSnAtStart() {
        return takenBackSnAtStart;
    }

    private NodeId newNodeId() {
        return NodeId.of("storage-" + world.nextNumber());
    }

    /** The process dies; if the power fails, too, what was not synced is lost. */
    public void stop(boolean power) {
        host.goDown();
        inbox.clear();
        turnIsDue = false;
        if (power) {
            disk.crash();
        } else {
            disk.kill();
        }
        breakSessions();
    }

    private void breakSessions() {
        List<SimSession> broken = new ArrayList<>(sessions);
        sessions.clear();
        for (SimSession session : broken) {
            // Behind a cut, the peer notices by silence; otherwise by a reset.
            boolean cut = world.network().isCut(host.name(), session.client().name());
            long nanos = cut ? 300_000_000L : 1_000_000L + world.random().nextInt(10_000_000);
            session.client().schedule(nanos, "session with " + host.name() + " broke", session::breakNow);
        }
    }

    public void onAccepted(SimSession session) {
        sessions.removeIf(old -> !old.isOpen());
        sessions.add(session);
    }

    /** From now on every operation of the disk fails, or works again. */
    public void breakDisk(boolean broken) {
        diskBroken = broken;
        if (!broken) {
            disk.heal();
        }
    }

    public void setSyncDuration(Duration time) {
        disk.setSyncDuration(time);
    }

    public void receive(PoolRequest request, Consumer<PoolReply> way) {
        inbox.add(new PendingRequest(request, way));
        scheduleTurn();
    }

    private void scheduleTurn() {
        if (!turnIsDue) {
            turnIsDue = true;
            host.schedule(Math.max(0, busyUntilNanos - world.nowNanos()), address.host() + " turns", this::beginTurn);
        }
    }

    /**
     * From when on a reply binds the node: a lease counts from no earlier than the start of the group, and a promise is
     * given no later than the end of it.
     */
    private long bindingFromNanos(long begunNanos, PoolReply reply) {
        return reply instanceof PromiseReply ? world.nowNanos() : begunNanos;
    }

    void beginTurn() {
        turn();
    }

    boolean isDiskBroken() {
        return diskBroken;
    }

    /**
     * The requests handled together. Replies are judged only after the whole group, so a request that starts over or
     * formats is handled alone.
     */
    private List<PendingRequest> takeGroup() {
        int count = 0;
        int limit = Math.min(inbox.size(), MAX_REQUESTS_PER_TURN);
        while (count < limit && !changesStorage(inbox.get(count).request())) {
            count++;
        }
        List<PendingRequest> head = inbox.subList(0, Math.max(1, count));
        List<PendingRequest> group = new ArrayList<>(head);
        head.clear();
        return group;
    }

    private static boolean changesStorage(PoolRequest request) {
        return request instanceof StartOverRequest || (request instanceof FormatRequest format && format.force());
    }

    void turn() {
        turnIsDue = false;
        int incarnation = host.incarnation();
        List<PendingRequest> group = takeGroup();
        if (diskBroken) {
            disk.failAt(1 + world.random().nextInt(3));
        }
        Optional<SimLedger.Disk> held = world.ledger().disk(address);
        Optional<NodeId> before = held.map(SimLedger.Disk::node);
        Epoch promisedBefore = held.map(found -> found.promise().epoch()).orElse(Epoch.NONE);
        long begunNanos = world.nowNanos();
        List<Optional<PoolReply>> replies;
        try {
            replies = nodeReplica.perform(
                    group.stream().map(PendingRequest::request).toList());
        } catch (SimCrash e) {
            world.cutPower(this);
            return;
        } catch (OutOfMemoryError e) {
            breakSessions();
            return;
        }
        if (!host.isUp() || host.incarnation() != incarnation) {
            // The node died while its disk was busy.
            return;
        }
        long spentNanos = TURN_NANOS + disk.takeSpentTime().toNanos();
        busyUntilNanos = world.nowNanos() + spentNanos;
        for (int i = 0; i < group.size(); i++) {
            if (replies.get(i).isPresent()) {
                PoolReply reply = replies.get(i).get();
                PendingRequest arrived = group.get(i);
                Fact.Answered answered = new Fact.Answered(
                        address, bindingFromNanos(begunNanos, reply), before, promisedBefore, arrived.request(), reply);
                reportAnswered(answered);
                host.schedule(spentNanos, reply, () -> arrived.way().accept(reply));
            }
        }
        if (!inbox.isEmpty()) {
            scheduleTurn();
        }
    }
}
