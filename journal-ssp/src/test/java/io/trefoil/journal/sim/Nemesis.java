/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim;

import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.Standing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** Breaks things, and mends most of them after a while; what it does stays within what the protocol promises to bear. */
final class Nemesis {

    private static final long NANOS_PER_MILLI = 1_000_000L;
    private static final int MAX_WRITERS = 3;

    private final Simulation simulation;
    private final FaultMix mix;
    private final Random random;
    private boolean active = true;

    Nemesis(Simulation simulation) {
        this.simulation = simulation;
        this.mix = simulation.mix();
        this.random = simulation.random();
    }

    void start() {
        if (!mix.faults().isEmpty()) {
            strikeLater();
        }
    }

    /** Ends the mischief; what is broken stays so until somebody mends it. */
    void retire() {
        active = false;
    }

    private void strikeLater() {
        long nanos = (1 + random.nextInt(2 * mix.faultEveryMillis())) * NANOS_PER_MILLI;
        simulation.after(nanos, "nemesis comes", () -> {
            if (active) {
                FaultKind kind = mix.faults().get(random.nextInt(mix.faults().size()));
                simulation.note(kind);
                strike(kind);
                strikeLater();
            }
        });
    }

    private void strike(FaultKind kind) {
        switch (kind) {
            case CUT_ONE_WAY -> cutOneWay();
            case ISOLATE -> isolate(anyHost());
            case CLOG -> clog();
            case RESET_SESSION -> resetSession();
            case POWER_LOSS -> upNode().ifPresent(this::powerFails);
            case POWER_LOSS_IN_OPERATION ->
                upNode().ifPresent(node -> node.disk().crashAt(1 + random.nextInt(6)));
            case KILL -> upNode().ifPresent(this::kill);
            case ROT -> rot();
            case DISK_ERROR -> upNode().ifPresent(node -> node.disk().failAt(1 + random.nextInt(6)));
            case DISK_FULL -> upNode().ifPresent(this::fillDisk);
            case DISK_SLOW -> upNode().ifPresent(this::slowDisk);
            case PAUSE_NODE -> upNode().ifPresent(node -> pause(node.host()));
            case PAUSE_WRITER -> anyWriter().ifPresent(writer -> pause(writer.host()));
            case KILL_WRITER -> anyWriter().ifPresent(simulation::kill);
            case STEP_DOWN -> anyWriter().ifPresent(SimWriter::stepDown);
            case START_WRITER -> startWriter();
            case PURGE -> purge();
        }
    }

    /** The power of a node fails now; it comes back after a while. */
    void powerFails(SimNode node) {
        simulation.stop(node, true);
        restartLater(node);
    }

    private void kill(SimNode node) {
        simulation.stop(node, false);
        restartLater(node);
    }

    /** A node that is down is started again after a while. */
    void restartLater(SimNode node) {
        simulation.after(drawMillis(30, 1_500), node.address().host() + " may start", () -> {
            if (active && !node.host().isUp()) {
                node.start();
            }
        });
    }

    private void cutOneWay() {
        String from = anyHost().name();
        String to = anyHost().name();
        simulation.network().cut(from, to);
        mendLater("mend " + from + ">" + to, () -> simulation.network().mend(from, to));
    }

    private void isolate(SimHost host) {
        for (SimHost other : simulation.hosts()) {
            simulation.network().cut(host.name(), other.name());
            simulation.network().cut(other.name(), host.name());
        }
        mendLater("mend " + host.name(), () -> {
            for (SimHost other : simulation.hosts()) {
                simulation.network().mend(host.name(), other.name());
                simulation.network().mend(other.name(), host.name());
            }
        });
    }

    private void clog() {
        simulation.network().clog(anyHost().name(), anyHost().name(), simulation.nowNanos() + drawMillis(50, 2_000));
    }

    private void resetSession() {
        anyWriter().ifPresent(writer -> writer.resetSession(anyNode().address()));
    }

    /** At most a minority of the voters may have lost something to rot at any time (rule R9). */
    private void rot() {
        Optional<SimNode> node = upNode();
        if (!node.isPresent() || !mayRot(node.get())) {
            return;
        }
        // One that goes on does not know yet what it cannot read any more: others are to be caught up from there.
        if (node.get().disk().corrupt().isPresent() && random.nextInt(3) > 0) {
            simulation.stop(node.get(), random.nextBoolean());
            restartLater(node.get());
        }
    }

    private boolean mayRot(SimNode node) {
        Ledger ledger = simulation.ledger();
        Set<Members> inForce = simulation.membersInForce();
        if (!simulation.isSettledVoter(node.address(), inForce)) {
            // It may be becoming a voter just now, of a group that cannot do without it.
            return false;
        }
        for (Members members : inForce) {
            long damaged = ledger.disks().stream()
                    .filter(disk -> disk.standing() == Standing.REFETCHING || simulation.isRotten(disk.address()))
                    .filter(disk -> members.isVoter(disk.node()))
                    .count();
            if (damaged + 1 > members.voterCount() - members.majority()) {
                return false;
            }
        }
        simulation.noteRotten(node.address());
        return true;
    }

    private void fillDisk(SimNode node) {
        node.breakDisk(true);
        mendLater(node.address().host() + " has room again", () -> node.breakDisk(false));
    }

    private void slowDisk(SimNode node) {
        node.syncTakes(Duration.ofMillis(20 + random.nextInt(400)));
        mendLater(
                node.address().host() + " is quick again",
                () -> node.syncTakes(Duration.ofNanos(mix.syncMicros() * 1_000L)));
    }

    private void pause(SimHost host) {
        host.pauseUntil(simulation.nowNanos() + drawMillis(50, 2 * mix.leaseMillis()));
    }

    private void startWriter() {
        if (simulation.liveWriters().size() < MAX_WRITERS) {
            simulation.startWriter();
        }
    }

    private void purge() {
        Ledger ledger = simulation.ledger();
        long sn = ledger.committedSn() < 2 ? 1 : 1 + random.nextInt((int) ledger.committedSn());
        long minTxId = ledger.committed(sn)
                .map(branch -> branch.entry().txIds().first())
                .orElse(0L);
        anyWriter().filter(SimWriter::isWriting).ifPresent(writer -> writer.purge(Math.max(1, minTxId)));
    }

    private void mendLater(String what, Runnable mending) {
        simulation.after(drawMillis(50, 2_500), what, () -> {
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
        List<SimWriter> writers = new ArrayList<>(simulation.liveWriters());
        return writers.isEmpty() ? Optional.empty() : Optional.of(writers.get(random.nextInt(writers.size())));
    }
}
