/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.sim.Simulation;
import io.trefoil.journal.sim.SimulationFailure;
import io.trefoil.journal.sim.history.Fact;
import io.trefoil.journal.sim.node.SimNode;
import io.trefoil.journal.sim.plan.FaultMix;
import io.trefoil.journal.sim.plan.Invariants;
import io.trefoil.journal.sim.plan.NodeReplica;
import io.trefoil.journal.sim.plan.Rules;
import io.trefoil.journal.sim.planted.WrongReplicas;
import io.trefoil.journal.sim.writer.SimWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Of three voters one is out of reach, one lost the last group that it had acknowledged and nothing on its disk proves
 * it, and one lags, but heard what is committed (D-9).
 */
class KnownCommitTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int MAX_SEEDS = 20;

    /** The node that gets no appends with entries; heartbeats and probes arrive. */
    private Optional<NodeId> lagging = Optional.empty();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 5, 7, 9, 10, 11})
    void writerWaitsForCommitKnownToLaggingNode(long seed) {
        Simulation simulation = simulateDamage(seed, nodeReplica -> nodeReplica);

        SimWriter writer = simulation.writers().startWriter(Optional.of(node(simulation, 3)));
        simulation.runFor(Duration.ofSeconds(3));
        assertThat(writer.isWriting()).isFalse();

        lagging = Optional.empty();
        node(simulation, 2).start();
        simulation.runUntil("a writer", writer::isWriting, TIMEOUT);
        write(simulation, 5);
        simulation.healing().demandOneLog();
    }

    @Test
    void detectsNodesHidingKnownCommits() {
        for (long seed = 1; seed <= MAX_SEEDS; seed++) {
            try {
                Simulation simulation = simulateDamage(seed, WrongReplicas::forgetKnownCommits);
                SimWriter writer = simulation.writers().startWriter(Optional.of(node(simulation, 3)));
                simulation.runUntil("a writer", writer::isWriting, Duration.ofSeconds(3));
            } catch (SimulationFailure failure) {
                if (failure.invariant().startsWith("R4")) {
                    return;
                }
                // The note that the last group was durable survived: the damaged node refetches.
                assertThat(failure.invariant()).isEqualTo("progress");
            }
        }
        throw new AssertionError("Not noticed within " + MAX_SEEDS + " seeds");
    }

    private Simulation simulateDamage(long seed, UnaryOperator<NodeReplica> wrong) {
        lagging = Optional.empty();
        Rules rules = Rules.REAL.withReplicas(nodeReplica -> new Lagging(wrong.apply(nodeReplica)));
        Simulation simulation =
                new Simulation(Simulation.Plan.of(seed, FaultMix.none().withNodes(3, 3, 2), rules, Invariants.all()));
        simulation.formatting().format();
        SimWriter writer = simulation.writers().startWriter(Optional.empty());
        write(simulation, 20);
        lagging = Optional.of(node(simulation, 3).nodeReplica().node());
        write(simulation, 5);
        simulation.runFor(Duration.ofSeconds(1));

        simulation.writers().kill(writer);
        simulation.stop(node(simulation, 2), false);
        simulation.stop(node(simulation, 1), true);
        long lastSn = simulation
                .ledger()
                .disk(node(simulation, 1).address())
                .orElseThrow()
                .lastSn();
        node(simulation, 1).disk().damage(lastSn);
        simulation.report(new Fact.TailRotted(node(simulation, 1).address(), lastSn));
        node(simulation, 1).start();
        return simulation;
    }

    private static void write(Simulation simulation, int count) {
        long target = simulation.ackedCount() + count;
        simulation.writers().allowBatches(count);
        simulation.runUntil(count + " batches", () -> simulation.ackedCount() >= target, TIMEOUT);
    }

    private static SimNode node(Simulation simulation, int number) {
        return simulation.nodes().get(number - 1);
    }

    private final class Lagging extends NodeReplica.Around {

        Lagging(NodeReplica nodeReplica) {
            super(nodeReplica);
        }

        @Override
        public List<Optional<PoolReply>> perform(List<PoolRequest> requests) {
            List<Optional<PoolReply>> replies = new ArrayList<>();
            for (PoolRequest request : requests) {
                boolean lost = lagging.equals(Optional.of(node()))
                        && request instanceof AppendRequest append
                        && !append.entries().isEmpty();
                replies.add(
                        lost
                                ? Optional.empty()
                                : super.perform(List.of(request)).get(0));
            }
            return replies;
        }
    }
}
