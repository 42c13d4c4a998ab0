/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.sim.Simulation;
import io.trefoil.journal.sim.Sweep;
import io.trefoil.journal.sim.plan.FaultMix;
import io.trefoil.journal.sim.plan.Rules;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Safety under faults, then progress once a majority is whole again, for many seeds. {@code -Dsim.seed=42} replays one
 * seed, {@code -Dsim.seeds=20000 -Dsim.from=1} runs others.
 */
class SimulationTest {

    private static final Optional<Long> SEED = Optional.ofNullable(Long.getLong("sim.seed"));
    private static final long SEEDS = Long.getLong("sim.seeds", 500);
    private static final long FIRST_SEED = Long.getLong("sim.from", 1);

    @Test
    void simulationObeysRules() throws InterruptedException {
        Sweep sweep = Sweep.run(SEED.orElse(FIRST_SEED), SEED.isPresent() ? 1 : SEEDS, failure -> {});

        System.out.println("Simulated: " + sweep);
        assertThat(sweep.failures().values())
                .as("failures of seeds %s", sweep.failures().keySet())
                .isEmpty();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("keptSeeds")
    void previouslyFailingSeedPasses(long seed) {
        new Simulation(Sweep.plan(seed)).run();
    }

    static List<Long> keptSeeds() throws IOException {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                SimulationTest.class.getResourceAsStream("/sim/seeds.txt"), StandardCharsets.UTF_8))) {
            return reader.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(line -> Long.parseLong(line.substring(0, line.indexOf(' '))))
                    .toList();
        }
    }

    @Test
    void seedDeterminesHistory() {
        for (long seed = 1; seed <= 5; seed++) {
            assertThat(digestOf(seed)).isEqualTo(digestOf(seed));
        }
        assertThat(Stream.of(1L, 2L, 3L).map(SimulationTest::digestOf)).doesNotHaveDuplicates();
    }

    private static long digestOf(long seed) {
        Simulation simulation = new Simulation(Sweep.plan(seed).withDigest());
        simulation.run();
        return simulation.digest();
    }

    @Test
    void faultlessSimulationCommitsWithoutStuckWriters() {
        Simulation simulation = new Simulation(
                Simulation.Plan.of(1, FaultMix.none(), Rules.REAL, Sweep.plan(1).invariants()));

        simulation.run();

        assertThat(simulation.stuckCount()).isZero();
        assertThat(simulation.ackedCount()).isGreaterThan(100);
    }
}
