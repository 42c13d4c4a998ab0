/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.sim.Simulation;
import io.trefoil.journal.sim.plan.FaultMix;
import io.trefoil.journal.sim.plan.Rules;
import io.trefoil.journal.transport.SimWire;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The traffic of a journal between its nodes; docs/benchmarks/many-groups.md. */
class JournalTrafficTest {
    private static final int SECONDS = 20;
    private static final int LEASE_MILLIS = 5_000;
    /** A question and an answer every 10 ms while the active answers questions and nobody writes (protocol page, "Lease"). */
    private static final double PER_NODE_AND_SECOND = 2 * 101;

    /** Entries, the acknowledgement, the notice of the commit. */
    private static final double PER_NODE_AND_BATCH = 3;

    private static final int BATCHES = 500;

    @ParameterizedTest
    @ValueSource(ints = {3, 5, 10, 20})
    void messagesGrowWithTheNodes(int nodes) {
        Simulation simulation = new Simulation(Simulation.Plan.of(
                1, FaultMix.none().withNodes(nodes, nodes, 2).withLease(LEASE_MILLIS), Rules.REAL, List.of()));
        AtomicLong bytes = new AtomicLong();
        simulation.network().listen(what -> bytes.addAndGet(bytesOf(what)));
        simulation.guard(() -> {
            simulation.writers().allowBatches(0);
            simulation.formatting().format();
            simulation.writers().startWriter();
            simulation.runFor(Duration.ofSeconds(5));
            long messages = simulation.network().messageCount();
            bytes.set(0);
            simulation.runFor(Duration.ofSeconds(SECONDS));
            double reading = (double) (simulation.network().messageCount() - messages) / SECONDS;
            long bytesReading = bytes.get() / SECONDS;

            long acked = simulation.ackedCount();
            messages = simulation.network().messageCount();
            simulation.writers().allowBatches(BATCHES);
            simulation.runUntil(
                    "all are written", () -> simulation.ackedCount() >= acked + BATCHES, Duration.ofMinutes(1));
            double perBatch = (double) (simulation.network().messageCount() - messages) / BATCHES;
            System.out.printf(
                    "%d nodes: %.0f messages and %,d bytes per second while the active only answers; %.1f messages per batch%n",
                    nodes, reading, bytesReading, perBatch);
            assertThat(reading).isLessThanOrEqualTo(PER_NODE_AND_SECOND * nodes);
            assertThat(perBatch).isLessThanOrEqualTo(PER_NODE_AND_BATCH * nodes);
        });
    }

    private static int bytesOf(Object what) {
        if (what instanceof PoolRequest request) {
            return SimWire.request(1, request).length;
        }
        return what instanceof PoolReply reply ? SimWire.reply(1, reply).length : 0;
    }
}
