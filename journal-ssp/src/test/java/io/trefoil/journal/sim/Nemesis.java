/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim;

import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.MemberChange;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.protocol.ChangeMembersRequest;
import io.trefoil.journal.protocol.StartOverRequest;
import io.trefoil.journal.sim.history.Fact;
import io.trefoil.journal.sim.history.SimLedger;
import io.trefoil.journal.sim.node.SimNode;
import io.trefoil.journal.sim.plan.FaultKind;
import io.trefoil.journal.sim.plan.FaultMix;
import io.trefoil.journal.sim.world.SimHost;
import io.trefoil.journal.sim.world.SimSites;
import io.trefoil.journal.sim.writer.SimWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** Injects faults, and repairs most of them after a while; it stays within what the protocol promises to tolerate. */
final class Nemesis {

    private static final long NANOS_PER_MILLI = 1_000_000L;
    private static final int MAX_WRITERS = 3;
    /** How long after the last try a request may still be passed on by nodes and kept by writers. */
    private static final long LEAVING_NANOS = 15_000_000_000L;

    private final Simulation simulation;
    private final FaultMix mix;
    private final Random random;
    private boolean active = true;
    /** Until then, a request to remove a node may be carried out. */
    private long leavingUntilNanos;
    /** Lower transactions may have been purged. */
    private long neededTxId = 1;

    Nemesis(Simulation simulation) {
        this.simulation = simulation;
        this.mix = simulation.mix();
        this.random = simulation.random();
    }

    void start() {
        if (!mix.faults().isEmpty()) {
            scheduleStrike();
        }
    }

    /** Whether a request to remove a node may still be carried out; one more fault then may be one too many. */
    boolean mayLoseMember() {
        return simulation.nowNanos() < leavingUntilNanos;
    }

    /** A new journal replaces this one; purges of the old one no longer matter. */
    void onJournalReinitialized() {
        neededTxId = 1;
    }

    /** Stops injecting faults; what is broken stays so until it is repaired. */
    void retire() {
        active = false;
    }

    private void scheduleStrike() {
        long nanos = (1 + random.nextInt(2 * mix.faultEveryMillis())) * NANOS_PER_MILLI;
        simulation.schedule(nanos, "nemesis comes", () -> {
            if (active) {
                FaultKind kind = mix.faults().get(random.nextInt(mix.faults().size()));
                simulation.note(kind);
                strike(kind);
                scheduleStrike();
            }
        });
    }

    private void strike(FaultKind kind) {
        switch (kind) {
            case CUT_ONE_WAY -> cutOneWay();
            case ISOLATE -> isolate(anyHost());
            case CUT_SITE -> cutSite(random.nextInt(SimSites.COUNT));
            case CLOG -> clog();
            case RESET_SESSION -> resetSession();
            case POWER_LOSS -> upNode().ifPresent(this::cutPower);
            case POWER_LOSS_IN_OPERATION ->
                upNode().ifPresent(node -> node.disk().crashAt(1 + random.nextInt(6)));
            case KILL -> upNode().ifPresent(this::kill);
            case ROT -> rot();
            case DISK_ERROR -> upNode().ifPresent(node -> node.disk().failAt(1 + random.nextInt(6)));
            case NO_MEMORY -> upNode().ifPresent(node -> node.disk().failAllocationAt(1 + random.nextInt(6)));
            case DISK_FULL -> upNode().ifPresent(this::fillDisk);
            case DISK_SLOW -> upNode().ifPresent(this::slowDisk);
            case PAUSE_NODE -> upNode().ifPresent(node -> pause(node.host()));
            case PAUSE_WRITER -> anyWriter().ifPresent(writer -> pause(writer.host()));
            case KILL_WRITER -> anyWriter().ifPresent(simulation.writers()::kill);
            case SEEM_GONE -> anyWriter().ifPresent(this::refuse);
            case STEP_DOWN -> anyWriter().ifPresent(SimWriter::stepDown);
            case START_WRITER -> startWriter();
            case LOSE_DISK -> upNode().ifPresent(this::loseDisk);
            case FORMAT_ALONE -> upNode().ifPresent(this::formatAlone);
            case EXCHANGE_DISK -> upNode().ifPresent(this::exchangeDisk);
            case START_OVER -> upNode().ifPresent(this::startOver);
            case CHANGE_MEMBERS -> changeMembers();
            case PURGE -> purge();
        }
    }

    /** A node loses power now; it returns after a while. */
    void cutPower(SimNode node) {
        simulation.stop(node, true);
        scheduleRestart(node);
    }

    /** A node's process dies now; it returns after a while. */
    void kill(SimNode node) {
        simulation.stop(node, false);
        scheduleRestart(node);
    }

    /** Starts a node again after a while, if it is down. */
    void scheduleRestart(SimNode node) {
        simulation.schedule(drawMillis(30, 1_500), node.address().host() + " may start", () -> {
            if (active && !node.host().isUp()) {
                node.start();
            }
        });
    }

    private void cutOneWay() {
        String from = anyHost().name();
        String to = anyHost().name();
        simulation.network().cut(from, to);
        scheduleRepair("mend " + from + ">" + to, () -> simulation.network().mend(from, to));
    }

    private void isolate(SimHost host) {
        for (SimHost other : simulation.hosts()) {
            simulation.network().cut(host.name(), other.name());
            simulation.network().cut(other.name(), host.name());
        }
        scheduleRepair("mend " + host.name(), () -> {
            for (SimHost other : simulation.hosts()) {
                simulation.network().mend(host.name(), other.name());
                simulation.network().mend(other.name(), host.name());
            }
        });
    }

    private void cutSite(int site) {
        simulation.network().sites().cutOff(site);
        scheduleRepair("mend site " + site, () -> simulation.network().sites().rejoin(site));
    }

    private void clog() {
        simulation.network().clog(anyHost().name(), anyHost().name(), simulation.nowNanos() + drawMillis(50, 2_000));
    }

    private void resetSession() {
        anyWriter().ifPresent(writer -> writer.resetSession(anyNode().address()));
    }

    /** Rot may take entries from at most a minority of the voters at any time (rule R9). */
    private void rot() {
        Optional<SimNode> node = upNode();
        if (!node.isPresent() || !mayRot(node.get())) {
            return;
        }
        // A node that is not restarted does not know yet what it can no longer read, and other nodes are to be caught
        // up from there.
        if (damage(node.get()) && random.nextInt(3) > 0) {
            simulation.stop(node.get(), random.nextBoolean());
            scheduleRestart(node.get());
        }
    }

    /**
     * Damages an entry, perhaps in the last group: where nothing proves that it was durable, only if a majority without
     * this node has it.
     */
    private boolean damage(SimNode node) {
        List<Long> tail = node.disk().unprovenSns();
        if (!tail.isEmpty() && random.nextBoolean()) {
            long sn = tail.get(random.nextInt(tail.size()));
            if (hasMajorityWithout(node, sn)) {
                node.disk().damage(sn);
                simulation.report(new Fact.TailRotted(node.address(), sn));
                return true;
            }
        }
        return node.disk().corrupt().isPresent();
    }

    private boolean hasMajorityWithout(SimNode node, long fromSn) {
        Optional<SimLedger.Disk> own = simulation.ledger().disk(node.address());
        if (!own.isPresent() || node.isStranger()) {
            return false;
        }
        for (long sn = fromSn; sn <= own.get().lastSn(); sn++) {
            Optional<Entry> entry = own.get().entryAt(sn);
            long target = sn;
            boolean safe = simulation.membersInForce().stream()
                    .allMatch(members -> simulation.ledger().disks().stream()
                                    .filter(disk -> disk != own.get() && members.isVoter(disk.node()))
                                    .filter(disk -> disk.completeness() == LogCompleteness.COMPLETE)
                                    .filter(disk -> !simulation.isRotten(disk.address()))
                                    .filter(disk -> disk.durableSn() >= target
                                            && disk.entryAt(target).equals(entry))
                                    .count()
                            >= members.majority());
            if (!safe) {
                return false;
            }
        }
        return true;
    }

    private boolean mayRot(SimNode node) {
        if (!mayBeDamaged(node)) {
            return false;
        }
        simulation.noteRotten(node.address());
        return true;
    }

    /** Whether a majority of undamaged voters is left if a node loses its data. */
    private boolean mayBeDamaged(SimNode node) {
        Set<Members> inForce = simulation.membersInForce();
        if (simulation.nowNanos() < leavingUntilNanos || !simulation.isSettledVoter(node.address(), inForce)) {
            // It may be becoming a voter right now, or another node may be leaving a group that cannot do without this
            // one.
            return false;
        }
        return inForce.stream()
                .allMatch(members -> damagedVoters(members).size() + 1 <= members.voterCount() - members.majority());
    }

    private Set<NodeId> damagedVoters(Members members) {
        Set<NodeId> damaged = new LinkedHashSet<>();
        for (Member member : members.list()) {
            boolean whole = simulation.ledger().disks().stream()
                    .anyMatch(disk -> disk.node().equals(member.id())
                            && disk.completeness() == LogCompleteness.COMPLETE
                            && !simulation.isRotten(disk.address()));
            if (member.isVoter() && !whole) {
                damaged.add(member.id());
            }
        }
        return damaged;
    }

    private void loseDisk(SimNode node) {
        if (mayBeDamaged(node)) {
            simulation.stop(node, random.nextBoolean());
            node.disk().wipe();
            simulation.report(new Fact.StorageRemoved(node.address()));
            scheduleRestart(node);
        }
    }

    /** A host loses its disk while it is cut off; the journal is formatted there, and a writer writes it. */
    private void formatAlone(SimNode node) {
        if (!mayBeDamaged(node)) {
            return;
        }
        simulation.stop(node, random.nextBoolean());
        node.disk().wipe();
        simulation.report(new Fact.StorageRemoved(node.address()));
        cutOff(node.host(), drawMillis(500, 4_000));
        simulation.healing().repair(node);
        simulation.formatting().formatAlone(node);
        if (node.host().isUp()) {
            simulation.writers().startWriter(Optional.of(node));
        }
    }

    private void cutOff(SimHost host, long nanos) {
        for (SimHost other : simulation.hosts()) {
            if (other != host) {
                simulation.network().cut(host.name(), other.name());
                simulation.network().cut(other.name(), host.name());
            }
        }
        simulation.schedule(nanos, "mend " + host.name(), () -> {
            for (SimHost other : simulation.hosts()) {
                if (active && other != host) {
                    simulation.network().mend(host.name(), other.name());
                    simulation.network().mend(other.name(), host.name());
                }
            }
        });
    }

    /** As a repair does it: only on a node that a majority of sound voters can do without. */
    private void startOver(SimNode node) {
        if (mayBeDamaged(node)) {
            simulation.noteStartOver(node.address());
            node.receive(StartOverRequest.of(node.nodeReplica().node()), reply -> {});
        }
    }

    private void exchangeDisk(SimNode node) {
        boolean retired = simulation
                .ledger()
                .disk(node.address())
                .filter(disk -> simulation.membersInForce().stream()
                        .noneMatch(members -> members.find(disk.node()).isPresent()))
                .isPresent();
        if (!retired && !mayBeDamaged(node)) {
            return;
        }
        simulation.stop(node, random.nextBoolean());
        if (node.disk().hasOldStorage() && random.nextInt(3) > 0) {
            node.disk().reinsert();
        } else {
            node.disk().eject();
        }
        simulation.report(new Fact.StorageRemoved(node.address()));
        scheduleRestart(node);
    }

    /** Makes up a membership change, and asks one node after the other for it for a while. */
    private void changeMembers() {
        String ticket = "ticket" + simulation.nextNumber();
        NodeAddress joining = anyNode().address();
        Optional<NodeId> leaving = anyMember();
        boolean joins = random.nextInt(5) < 2 || !leaving.isPresent();
        if (joins) {
            requestChange(newJoinChange(ticket, joining));
            return;
        }
        // One node damaged and another removed may be more than the group can do without.
        boolean alone = simulation.membersInForce().stream()
                .allMatch(members -> leaving.stream().toList().containsAll(damagedVoters(members)));
        if (!alone || simulation.nowNanos() < leavingUntilNanos) {
            return;
        }
        leavingUntilNanos = simulation.nowNanos() + LEAVING_NANOS;
        switch (random.nextInt(3)) {
            case 0 -> requestChange(MemberChange.replace(ticket, leaving.get(), joining));
            case 1 ->
                requestChange(
                        mix.minReplicas() == 1
                                ? MemberChange.forcedRemove(ticket, leaving.get())
                                : MemberChange.remove(ticket, leaving.get()));
            default -> requestChange(MemberChange.remove(ticket, leaving.get()));
        }
    }

    private MemberChange newJoinChange(String ticket, NodeAddress node) {
        return switch (random.nextInt(4)) {
            case 0 -> MemberChange.add(ticket, node);
            case 1 -> MemberChange.addLearner(ticket, node);
            default -> MemberChange.join(ticket, node);
        };
    }

    private void requestChange(MemberChange change) {
        simulation.note(change);
        simulation.report(new Fact.ChangeRequested(change));
        long untilNanos = simulation.nowNanos() + drawMillis(100, 1_500);
        repeatRequest(change, untilNanos);
    }

    private void repeatRequest(MemberChange change, long untilNanos) {
        if (!active || simulation.nowNanos() > untilNanos) {
            return;
        }
        upNode().ifPresent(node -> node.receive(ChangeMembersRequest.of(change), reply -> {}));
        simulation.schedule(drawMillis(20, 200), "asks again", () -> repeatRequest(change, untilNanos));
    }

    private Optional<NodeId> anyMember() {
        List<NodeId> ids = new ArrayList<>();
        simulation.membersInForce().forEach(members -> members.list().forEach(member -> ids.add(member.id())));
        return ids.isEmpty() ? Optional.empty() : Optional.of(ids.get(random.nextInt(ids.size())));
    }

    private void fillDisk(SimNode node) {
        node.breakDisk(true);
        scheduleRepair(node.address().host() + " has room again", () -> node.breakDisk(false));
    }

    private void slowDisk(SimNode node) {
        node.setSyncDuration(Duration.ofMillis(20 + random.nextInt(simulation.slowestSyncMillis())));
        scheduleRepair(
                node.address().host() + " is quick again",
                () -> node.setSyncDuration(Duration.ofNanos(mix.syncMicros() * 1_000L)));
    }

    /** Nodes other than its own see their sessions with a live writer reset, and new connections refused. */
    private void refuse(SimWriter writer) {
        for (NodeAddress address : writer.addresses()) {
            SimNode node = simulation.node(address);
            if (node.host() != writer.host() && random.nextInt(4) > 0) {
                writer.resetSession(address);
                simulation.writers().onPresumedDead(node, writer.id());
            }
        }
    }

    private void pause(SimHost host) {
        long nanos = drawMillis(50, 2 * mix.leaseMillis());
        host.pauseUntil(simulation.nowNanos() + nanos);
        simulation.pauseHost(host, nanos);
    }

    private void startWriter() {
        if (simulation.writers().liveWriters().size() < MAX_WRITERS) {
            simulation.writers().startWriter();
        }
    }

    private void purge() {
        Optional<SimWriter> writer = anyWriter().filter(SimWriter::isWriting);
        if (!writer.isPresent()) {
            return;
        }
        LogSummary end = writer.get().state().end();
        switch (random.nextInt(4)) {
            case 0 -> addBarrier(writer.get(), end);
            case 1 -> releaseBarrier(writer.get(), end);
            default -> purge(writer.get());
        }
    }

    /** As HDFS does: a barrier needs only transactions above all that were ever allowed to be purged. */
    private void addBarrier(SimWriter writer, LogSummary end) {
        if (end.lastTxId() + 1 < neededTxId) {
            return;
        }
        long keepFrom = neededTxId + random.nextInt((int) (end.lastTxId() + 2 - neededTxId));
        Barrier barrier = Barrier.of("barrier-" + simulation.nowNanos(), end.lastTxId(), keepFrom, "text");
        if (!writer.state().refusalReason(barrier).isPresent()) {
            writer.append(EntryKind.BARRIER, TxRange.NONE, barrier.toPayload(), entry -> {});
        }
    }

    private void releaseBarrier(SimWriter writer, LogSummary end) {
        List<Barrier> live = end.barriers().list();
        if (!live.isEmpty()) {
            String name = live.get(random.nextInt(live.size())).name();
            writer.append(EntryKind.BARRIER_RELEASE, TxRange.NONE, Bytes.ofUtf8(name), entry -> {});
        }
    }

    private void purge(SimWriter writer) {
        SimLedger ledger = simulation.ledger();
        long sn = ledger.committedSn() < 2 ? 1 : 1 + random.nextInt((int) ledger.committedSn());
        long minTxId = ledger.committedAt(sn)
                .map(branch -> branch.entry().txIds().first())
                .orElse(0L);
        neededTxId = Math.max(neededTxId, minTxId);
        writer.purge(Math.max(1, minTxId));
    }

    private void scheduleRepair(String operation, Runnable mending) {
        simulation.schedule(drawMillis(50, 2_500), operation, () -> {
            if (active) {
                mending.run();
            }
        });
    }

    private long drawMillis(int min, int max) {
        return (min + random.nextInt(Math.max(1, max - min))) * NANOS_PER_MILLI;
    }

    private SimNode anyNode() {
        return simulation.nodes().get(random.nextInt(simulation.nodes().size()));
    }

    private Optional<SimNode> upNode() {
        return Optional.of(anyNode()).filter(node -> node.host().isUp());
    }

    private SimHost anyHost() {
        List<SimHost> hosts = simulation.hosts();
        return hosts.get(random.nextInt(hosts.size()));
    }

    private Optional<SimWriter> anyWriter() {
        List<SimWriter> writers = new ArrayList<>(simulation.writers().liveWriters());
        return writers.isEmpty() ? Optional.empty() : Optional.of(writers.get(random.nextInt(writers.size())));
    }
}
