/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.sim.Simulation;
import io.trefoil.journal.sim.disk.SimDisk;
import io.trefoil.journal.sim.node.SimNode;
import io.trefoil.journal.sim.plan.FaultMix;
import io.trefoil.journal.sim.plan.Invariants;
import io.trefoil.journal.sim.plan.Rules;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A node lags while the nodes that have what it lacks have faults of their own. */
class CatchUpScenarioTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Simulation simulation =
            new Simulation(Simulation.Plan.of(1, FaultMix.none().withWindow(100), Rules.REAL, Invariants.all()));

    /** Starts a writer on the first node, and leaves the third one far behind. */
    @BeforeEach
    void leaveNodeBehind() {
        simulation.formatting().format();
        simulation.writers().allowBatches(20);
        simulation.writers().startWriter(Optional.of(node(1)));
        write(20);
        simulation.stop(node(3), true);
        write(100);
    }

    @Test
    void readsFromOtherNodeWhenWritersNodeHasRot() {
        disk(1).damage(30);

        node(3).start();

        simulation.healing().demandOneLog();
    }

    @Test
    void readsFromOtherNodeWhenWritersNodeHasFullDisk() {
        node(1).breakDisk(true);

        node(3).start();

        // With one of three nodes down, these are committed only after the third has caught up.
        write(10);
        node(1).breakDisk(false);
        simulation.healing().demandOneLog();
    }

    @Test
    void writersNeverSpinWhenMissingEntriesAreUnreadable() {
        disk(1).damage(30);
        disk(2).damage(30);
        node(3).start();
        long before = disk(1).operationCount() + disk(2).operationCount();

        simulation.runFor(Duration.ofSeconds(3));

        // No client writes anything: these are attempts to read, and to reopen the storage after them.
        long reads = disk(1).operationCount() + disk(2).operationCount() - before;
        assertThat(reads).isBetween(2L, 100L);
        assertThat(lastSn(3)).isLessThan(30);
    }

    private void write(int count) {
        long target = simulation.ackedCount() + count;
        simulation.writers().allowBatches(count);
        simulation.runUntil(count + " batches", () -> simulation.ackedCount() >= target, TIMEOUT);
    }

    private SimNode node(int number) {
        return simulation.nodes().get(number - 1);
    }

    private SimDisk disk(int number) {
        return (SimDisk) node(number).disk();
    }

    private long lastSn(int number) {
        return simulation.ledger().disk(node(number).address()).orElseThrow().lastSn();
    }
}
