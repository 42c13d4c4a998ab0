/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.sim.Simulation;
import io.trefoil.journal.sim.node.SimNode;
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
    /** A question and an answer at most every 20 ms while the active answers questions and no client writes (protocol page, "Lease"). */
    private static final double MESSAGES_PER_NODE_AND_SECOND = 2 * 51;

    /** Entries, the acknowledgement, the notice of the commit. */
    private static final double MESSAGES_PER_NODE_AND_BATCH = 3;

    private static final int BATCHES = 500;

    /** Until a new writer has its first batch: most are questions for promises that come before the lease of the dead one is over. */
    private static final double MESSAGES_PER_NODE_AND_TAKEOVER = 250;

    /** Of a question for a node's state and its answer, which names all members. */
    private static final int STATE_BYTES = 400;

    private static final int STATE_BYTES_PER_NODE = 120;

    @ParameterizedTest
    @ValueSource(ints = {3, 5, 10, 20})
    void trafficGrowsLinearlyWithNodes(int nodes) {
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

            messages = simulation.network().messageCount();
            bytes.set(0);
            write(simulation, BATCHES);
            double perBatch = (double) (simulation.network().messageCount() - messages) / BATCHES;
            long bytesPerBatch = bytes.get() / BATCHES;

            int stateBytes = stateBytes(simulation.nodes().get(0));
            messages = simulation.network().messageCount();
            bytes.set(0);
            simulation.writers().liveWriters().forEach(writer -> writer.die("killed"));
            simulation.writers().startWriter();
            write(simulation, 1);
            long perTakeover = simulation.network().messageCount() - messages;
            System.out.printf(
                    "%d nodes: %.0f messages and %,d bytes per second while the active only answers; %.1f messages and %,d bytes per batch;"
                            + " %d messages and %,d bytes per takeover; %d bytes for a node's state%n",
                    nodes, reading, bytesReading, perBatch, bytesPerBatch, perTakeover, bytes.get(), stateBytes);
            assertThat(reading).isLessThanOrEqualTo(MESSAGES_PER_NODE_AND_SECOND * nodes);
            assertThat(perBatch).isLessThanOrEqualTo(MESSAGES_PER_NODE_AND_BATCH * nodes);
            assertThat((double) perTakeover).isLessThanOrEqualTo(MESSAGES_PER_NODE_AND_TAKEOVER * nodes);
            assertThat(stateBytes).isLessThanOrEqualTo(STATE_BYTES + STATE_BYTES_PER_NODE * nodes);
        });
    }

    private static void write(Simulation simulation, int batches) {
        long acked = simulation.ackedCount();
        simulation.writers().allowBatches(batches);
        simulation.runUntil("all are written", () -> simulation.ackedCount() >= acked + batches, Duration.ofMinutes(1));
    }

    private static int stateBytes(SimNode node) {
        PoolReply state = node.nodeReplica()
                .perform(List.of(StatusRequest.create()))
                .get(0)
                .orElseThrow();
        return bytesOf(StatusRequest.create()) + bytesOf(state);
    }

    private static int bytesOf(Object what) {
        if (what instanceof PoolRequest request) {
            return SimWire.request(1, request).length;
        }
        return what instanceof PoolReply reply ? SimWire.reply(1, reply).length : 0;
    }
}
