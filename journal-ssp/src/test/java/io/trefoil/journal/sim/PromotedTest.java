/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.journal.sim.node.SimNode;
import io.trefoil.journal.sim.plan.FaultMix;
import io.trefoil.journal.sim.plan.Invariants;
import io.trefoil.journal.sim.plan.Rules;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Five voters, whose writers and nodes came and went, lose three for good, and one of the others is promoted; then the
 * lost ones return after all, with everything that they had ({@code docs/design/lost-site.md}).
 */
class PromotedTest {

    private static final int SEEDS = 40;
    private static final int NODES = 5;
    private static final int SURVIVORS = 2;

    @Test
    void promotedLogKeepsAcknowledgedEntriesWhenLostVotersReturn() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            promote(seed, Survivors::promotableNode);
        }
    }

    @Test
    void detectsPromotionOfShorterLog() {
        assertThatThrownBy(() -> {
                    for (long seed = 1; seed <= SEEDS; seed++) {
                        promote(seed, PromotedTest::laggingNode);
                    }
                })
                .hasMessageContaining("has acknowledged entries");
    }

    private static void promote(long seed, Function<Survivors, SimNode> choice) {
        Simulation simulation = new Simulation(
                Simulation.Plan.of(seed, FaultMix.none().withNodes(NODES, NODES, 1), Rules.REAL, Invariants.all()));
        simulation.guard(() -> {
            disturb(simulation);
            Survivors left = Survivors.of(simulation, SURVIVORS);
            SimNode heir = choice.apply(left);
            left.demandSurvivingEntries(heir);
            left.promote(heir);
            simulation.nodes().stream().filter(node -> !node.host().isUp()).forEach(SimNode::start);
            startWriterUnlessNamed(heir, simulation);
            simulation.runFor(Duration.ofMillis(500));
            simulation.healing().heal();
            startWriterUnlessNamed(heir, simulation);
            simulation.healing().demandProgress();
        });
    }

    private static void disturb(Simulation simulation) {
        simulation.formatting().format();
        simulation.writers().startWriter(Optional.empty());
        for (int round = 0; round < 6; round++) {
            simulation.runFor(Duration.ofMillis(20 + simulation.random().nextInt(200)));
            SimNode node = simulation.nodes().get(simulation.random().nextInt(NODES));
            if (!node.host().isUp()) {
                node.start();
            } else if (simulation.random().nextBoolean()) {
                simulation.stop(node, simulation.random().nextBoolean());
            } else {
                simulation.writers().liveWriters().forEach(writer -> writer.die("killed"));
                simulation.writers().startWriter(Optional.empty());
            }
        }
    }

    /**
     * A second writer would compete with the first, and might want other members to join. One that does not name the heir
     * finds empty nodes alone, and never hears of it.
     */
    private static void startWriterUnlessNamed(SimNode heir, Simulation simulation) {
        boolean isNamed = simulation.writers().liveWriters().stream()
                .anyMatch(writer -> writer.addresses().contains(heir.address()));
        if (!isNamed) {
            simulation
                    .writers()
                    .startWriter(
                            Optional.empty(),
                            simulation.nodes().stream().map(SimNode::address).toList());
        }
    }

    private static SimNode laggingNode(Survivors left) {
        SimNode right = left.promotableNode();
        return left.nodes().stream().filter(node -> node != right).findFirst().orElseThrow();
    }
}
