/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.sim.Simulation;
import io.trefoil.journal.sim.node.SimNode;
import io.trefoil.journal.sim.plan.FaultMix;
import io.trefoil.journal.sim.plan.Invariants;
import io.trefoil.journal.sim.plan.Rules;
import io.trefoil.journal.sim.world.SimNetwork;
import io.trefoil.journal.sim.world.SimNetwork.Fate;
import io.trefoil.journal.sim.writer.SimWriter;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The systematic counterpart of the simulation: a short deterministic run, repeated with every message and every pair
 * of messages lost or duplicated in turn (the idea of HDFS's {@code TestQJMWithFaults}).
 */
class SystematicFaultsTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @Test
    void runSucceedsWithoutFaults() {
        assertThat(run(number -> Fate.ARRIVES)).isBetween(40L, 250L);
    }

    @ParameterizedTest
    @EnumSource(
            value = Fate.class,
            names = {"IS_LOST", "ARRIVES_TWICE"})
    void survivesAnySingleBrokenMessage(Fate fate) {
        long count = run(number -> Fate.ARRIVES);
        for (long broken = 1; broken <= count; broken++) {
            long only = broken;
            run(number -> number == only ? fate : Fate.ARRIVES);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Fate.class,
            names = {"IS_LOST", "ARRIVES_TWICE"})
    void survivesAnyPairOfBrokenMessages(Fate fate) {
        long count = run(number -> Fate.ARRIVES);
        for (long first = 1; first < count; first++) {
            for (long second = first + 1; second <= count; second++) {
                long one = first;
                long other = second;
                run(number -> number == one || number == other ? fate : Fate.ARRIVES);
            }
        }
    }

    /** A format, a writer with three batches, its end, and a second writer with two batches, each in one segment. */
    private static long run(SimNetwork.Fates fates) {
        Simulation.Plan plan = Simulation.Plan.of(1, FaultMix.none(), Rules.REAL, Invariants.all())
                .withFates(fates);
        Simulation simulation = new Simulation(plan);
        simulation.guard(() -> {
            simulation.formatting().format();
            SimNode first = simulation.nodes().get(0);
            SimNode second = simulation.nodes().get(1);

            simulation.writers().allowBatches(4);
            SimWriter writer = simulation.writers().startWriter(Optional.of(first));
            simulation.runUntil("a segment with three batches", () -> simulation.ackedCount() == 4, TIMEOUT);
            writer.die("killed");

            simulation.writers().allowBatches(3);
            simulation.writers().startWriter(Optional.of(second));
            simulation.runUntil("a segment with two batches", () -> simulation.ackedCount() == 7, TIMEOUT);
            simulation.healing().demandOneLog();
        });
        return simulation.network().messageCount();
    }
}
