/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim;

import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.StartOverRequest;
import io.trefoil.journal.sim.history.SimLedger;
import io.trefoil.journal.sim.node.SimNode;
import io.trefoil.journal.sim.world.SimHost;
import io.trefoil.journal.sim.writer.SimWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The second half of a run: a majority is made whole, the rest stays broken for good, and the healthy nodes must make
 * progress.
 */
public final class Healing {
    private static final int BATCHES_WANTED = 5;
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final long STUCK_NANOS = 8_000_000_000L;

    private final Simulation simulation;
    private boolean healed;
    private Set<NodeAddress> healthy = new LinkedHashSet<>();
    private long stuckCount;

    Healing(Simulation simulation) {
        this.simulation = simulation;
    }

    /** Whether everything that will ever be healed is. */
    boolean isOver() {
        return healed;
    }

    boolean isHealthy(NodeAddress address) {
        return healthy.contains(address);
    }

    /** How often a writer had to be replaced because it was stuck. */
    long stuckCount() {
        return stuckCount;
    }

    /** Makes a majority whole, and leaves the rest broken for good. */
    void heal() {
        simulation.nemesis().retire();
        healed = true;
        simulation.network().stopRandomLoss();
        simulation.network().mendAll();
        healthy = drawHealthy();
        for (SimNode node : simulation.nodes()) {
            if (healthy.contains(node.address())) {
                repair(node);
            } else {
                breakForGood(node);
            }
        }
        for (SimWriter writer : simulation.writers().liveWriters()) {
            writer.host().resume();
            boolean besideBroken = simulation.nodes().stream()
                    .anyMatch(node -> node.host() == writer.host() && !healthy.contains(node.address()));
            boolean leaves = writer.isStranger()
                    ? !mustLearnOfNewIncarnation(writer)
                    : simulation.random().nextBoolean();
            if (besideBroken || leaves) {
                writer.die("healed away");
            }
        }
        repairStrangers();
    }

    /**
     * Whether so many voters of an old writer are in reach and hold the new incarnation that the writer can never
     * commit again.
     */
    private boolean mustLearnOfNewIncarnation(SimWriter writer) {
        if (writer.isLone()) {
            return writer.addresses().stream().anyMatch(this::showsData);
        }
        Members members = writer.state().end().members();
        long left = members.list().stream()
                .filter(member -> member.isVoter() && !isReinitialized(member.address()))
                .count();
        return left < members.majority();
    }

    /** Whether a node shows transactions of the journal in force; where some are taken back, that is not known. */
    private boolean showsData(NodeAddress address) {
        return healthy.contains(address)
                && simulation.mix().takeBackChance() == 0
                && simulation.ledger().disk(address).filter(Healing::hasEdits).isPresent();
    }

    private static boolean hasEdits(SimLedger.Disk disk) {
        for (long sn = disk.base().position().sn() + 1; sn <= disk.lastSn(); sn++) {
            if (disk.entryAt(sn)
                    .filter(entry -> entry.kind() == EntryKind.EDITS)
                    .isPresent()) {
                return true;
            }
        }
        return false;
    }

    private boolean isReinitialized(NodeAddress address) {
        return healthy.contains(address)
                && simulation
                        .node(address)
                        .disk()
                        .incarnation()
                        .equals(Optional.of(simulation.formatting().incarnation()));
    }

    private Set<NodeAddress> drawHealthy() {
        List<NodeAddress> order = new ArrayList<>(simulation.addresses());
        Collections.shuffle(order, simulation.random());
        Set<Members> inForce = simulation.membersInForce();
        Set<NodeAddress> drawn = new LinkedHashSet<>();
        for (NodeAddress address : order) {
            // A node that may be becoming a voter right now must not count for a majority and then be gone.
            if (simulation.nemesis().mayLoseMember()
                    || !simulation.isSettledVoter(address, inForce)
                    || !isMajority(drawn, inForce)
                    || simulation.random().nextInt(4) == 0) {
                drawn.add(address);
            }
        }
        return drawn;
    }

    private boolean isMajority(Set<NodeAddress> drawn, Set<Members> inForce) {
        for (Members members : inForce) {
            long whole = drawn.stream()
                    .flatMap(address -> simulation.ledger().disk(address).stream())
                    .filter(disk ->
                            disk.completeness() == LogCompleteness.COMPLETE && !simulation.isRotten(disk.address()))
                    .filter(disk -> members.isVoter(disk.node()))
                    .count();
            if (whole < Math.max(members.majority(), simulation.mix().minReplicas())) {
                return false;
            }
        }
        return true;
    }

    void repair(SimNode node) {
        node.breakDisk(false);
        node.setSyncDuration(Duration.ofNanos(simulation.mix().syncMicros() * 1_000L));
        node.host().resume();
        if (!node.host().isUp()) {
            node.start();
        }
    }

    private void breakForGood(SimNode node) {
        int way = simulation.random().nextInt(4);
        if (way == 0 && node.host().isUp()) {
            simulation.stop(node, true);
        } else if (way == 1) {
            node.breakDisk(true);
        }
        for (SimHost other : simulation.hosts()) {
            if (way != 1 && other != node.host()) {
                simulation.network().cut(node.host().name(), other.name());
                if (way == 2) {
                    simulation.network().cut(other.name(), node.host().name());
                }
            }
        }
    }

    void demandProgress() {
        simulation.runUntil(
                "writers of a journal that was initialized again end",
                () -> simulation.writers().liveWriters().stream().noneMatch(SimWriter::isStranger),
                TIMEOUT);
        long enough = simulation.ackedCount() + BATCHES_WANTED;
        scheduleStuckReplacement(simulation.ackedCount());
        simulation.writers().allowBatches(BATCHES_WANTED);
        simulation.runUntil(BATCHES_WANTED + " batches", () -> simulation.ackedCount() >= enough, TIMEOUT);
        demandOneLog();
    }

    /** Demands that everything written reaches all healthy nodes. */
    public void demandOneLog() {
        if (!healed) {
            healthy = simulation.addresses();
        }
        simulation.runUntil("one log on all healthy nodes", this::isSettled, TIMEOUT);
    }

    /** Replaces a live writer that is stuck, as the supervisor of the group would do. */
    private void scheduleStuckReplacement(long ackedBefore) {
        simulation.schedule(STUCK_NANOS, "supervisor looks for progress", () -> {
            if (simulation.ackedCount() == ackedBefore) {
                stuckCount++;
                simulation.note("no progress: " + simulation.describe());
                simulation.writers().liveWriters().forEach(writer -> writer.die("replaced"));
            }
            scheduleStuckReplacement(simulation.ackedCount());
        });
    }

    private boolean isSettled() {
        List<SimWriter> live = simulation.writers().liveWriters();
        if (live.stream().noneMatch(SimWriter::isWriting)) {
            return false;
        }
        Set<LogPosition> ends = new LinkedHashSet<>();
        Members members = simulation
                .ledger()
                .committedMembers()
                .map(entry -> Members.fromPayload(entry.payload()))
                .orElse(Members.NONE);
        for (NodeAddress address : healthy) {
            if (members.isRemovedByOperator(address)) {
                // Writers send it nothing any more.
                continue;
            }
            Optional<SimLedger.Disk> disk = simulation.ledger().disk(address);
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

    /** Nodes that kept an older incarnation of the journal start over, as a repair does. */
    void repairStrangers() {
        for (SimNode node : simulation.nodes()) {
            if (healthy.contains(node.address()) && node.isStranger()) {
                node.receive(
                        StartOverRequest.of(
                                node.nodeReplica().node(),
                                simulation.formatting().incarnation()),
                        reply -> {});
            }
        }
    }
}
