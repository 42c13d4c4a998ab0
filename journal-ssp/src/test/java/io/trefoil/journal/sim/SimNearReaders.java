/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim;

import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.sim.history.Fact;
import io.trefoil.journal.sim.history.SimLedger;
import io.trefoil.journal.sim.node.SimNode;
import io.trefoil.journal.sim.plan.NearReaderRules;
import io.trefoil.journal.sim.writer.SimWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Observers that answer by read leases (near-reads page): beside every other node, or beside all if there are sites. */
final class SimNearReaders {

    private static final long ASK_NANOS = 100_000_000;
    private static final long READ_NANOS = 20_000_000;
    private static final long LOOK_NANOS = 1_000_000;
    private static final long TIMEOUT_NANOS = 500_000_000;

    private final Simulation simulation;
    private final NearReaderRules rules;
    private final Map<NodeAddress, Lease> leases = new LinkedHashMap<>();

    private long toldSn;

    /** The lease of one process of an observer, by its host's clock. */
    private record Lease(int process, NodeId node, Epoch epoch, long untilNanos) {}

    SimNearReaders(Simulation simulation, NearReaderRules rules) {
        this.simulation = simulation;
        this.rules = rules;
    }

    void begin() {
        boolean reads = true;
        for (SimNode node : simulation.nodes()) {
            if (reads && !simulation.mix().initializesAgain()) {
                scheduleRequest(node);
                scheduleRead(node);
            }
            reads = !reads || simulation.sites().isPresent();
        }
    }

    private void scheduleRequest(SimNode own) {
        simulation.schedule(ASK_NANOS / 2 + simulation.random().nextInt((int) ASK_NANOS), "near reader asks", () -> {
            own.host().schedule(0, "near reader of " + own.address().host() + " asks", () -> requestLease(own));
            if (!simulation.isHealed()) {
                scheduleRequest(own);
            }
        });
    }

    private void requestLease(SimNode own) {
        int process = own.host().incarnation();
        NodeId node = own.nodeReplica().node();
        long askedNanos = own.host().nanoTime();
        for (SimWriter writer : simulation.writers().liveWriters()) {
            simulation.network().send(own.host(), writer.host(), node + " wants reads", () -> {
                if (writer.isWriting() && !writer.isStranger()) {
                    writer.requestReads(
                            node,
                            epoch -> simulation.network().send(writer.host(), own.host(), node + " may read", () -> {
                                long untilNanos = askedNanos + rules.usedMillis() * 1_000_000L;
                                onGranted(own, new Lease(process, node, epoch, untilNanos));
                            }));
                }
            });
        }
    }

    private void onGranted(SimNode own, Lease lease) {
        Lease before = leases.get(own.address());
        if (before == null || before.untilNanos() < lease.untilNanos() || before.process() != lease.process()) {
            leases.put(own.address(), lease);
        }
    }

    private void scheduleRead(SimNode own) {
        simulation.schedule(1_000_000L + simulation.random().nextInt((int) READ_NANOS), "near reader reads", () -> {
            own.host().schedule(0, "near reader of " + own.address().host() + " reads", () -> read(own));
            scheduleRead(own);
        });
    }

    private void read(SimNode own) {
        Optional<SimLedger.Disk> disk = simulation.ledger().disk(own.address());
        Lease lease = leases.get(own.address());
        boolean may = lease != null
                && disk.isPresent()
                && lease.process() == own.host().incarnation()
                && lease.untilNanos() > own.host().nanoTime()
                && lease.node().equals(own.nodeReplica().node())
                && disk.get().completeness() == LogCompleteness.COMPLETE
                && lease.epoch().equals(own.nodeReplica().promisedEpoch());
        if (may) {
            long appliesSn = rules.appliesWhatItAcknowledged() ? disk.get().lastSn() : 0;
            answer(own, reportedSn(), appliesSn, simulation.nowNanos() + TIMEOUT_NANOS);
        }
    }

    /** Answers once what the node had is applied; after a while gives up, since the client then turns to the active. */
    private void answer(SimNode own, long toldSn, long appliesSn, long lateNanos) {
        long shownSn = simulation
                .ledger()
                .disk(own.address())
                .map(SimLedger.Disk::shownSn)
                .orElse(0L);
        if (shownSn >= appliesSn) {
            simulation.report(new Fact.NearRead(own.address(), toldSn, shownSn));
        } else if (simulation.nowNanos() < lateNanos) {
            own.host().schedule(LOOK_NANOS, "near reader looks", () -> answer(own, toldSn, appliesSn, lateNanos));
        }
    }

    /** The highest serial number that writers told their users, and nodes their readers, is committed. */
    private long reportedSn() {
        for (SimWriter writer : simulation.writers().liveWriters()) {
            toldSn = writer.isWriting() ? Math.max(toldSn, writer.state().committedSn()) : toldSn;
        }
        for (SimLedger.Disk disk : simulation.ledger().disks()) {
            toldSn = Math.max(toldSn, disk.shownSn());
        }
        return toldSn;
    }
}
