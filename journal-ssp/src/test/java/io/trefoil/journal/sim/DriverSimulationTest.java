/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The same with what runs in production around the rules: the writer with its window, its outbox and its waiting threads, the
 * local replica, the codec, and real files. {@code -Dsim.seed=42} replays one, {@code -Dsim.seeds=10000 -Dsim.from=1} runs others.
 */
class DriverSimulationTest {

    private static final long SEEDS = Long.getLong("sim.seed") != null ? 1 : Long.getLong("sim.seeds", 60);
    private static final long FROM = Long.getLong("sim.seed", Long.getLong("sim.from", 1));
    private static final int MAX_SEEDS = 400;

    @Test
    void nothingBreaksARule() throws InterruptedException {
        Sweep sweep = Sweep.run(Sweep::drivenPlan, FROM, SEEDS, failure -> {});

        System.out.println("Simulated with drivers: " + sweep);
        assertThat(sweep.failures().values())
                .as("failures of seeds %s", sweep.failures().keySet())
                .isEmpty();
    }

    @Test
    void oneSeedGivesOneHistory() {
        for (long seed = 1; seed <= 3; seed++) {
            assertThat(digestOf(seed)).isEqualTo(digestOf(seed));
        }
        assertThat(Stream.of(1L, 2L, 3L).map(DriverSimulationTest::digestOf)).doesNotHaveDuplicates();
    }

    private static long digestOf(long seed) {
        Simulation simulation = new Simulation(Sweep.drivenPlan(seed).withDigest());
        simulation.run();
        return simulation.digest();
    }

    static Stream<JournalInvariantsFireTest.Planted> bugs() {
        // Those in the writer's rules and in the disk: what is put around a replica misses the writer's own node.
        return JournalInvariantsFireTest.bugs()
                .filter(planted -> planted.rules().replicas().equals(Rules.REAL.replicas())
                        && planted.rules().reader().equals(Rules.REAL.reader()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bugs")
    void aPlantedBugIsNoticed(JournalInvariantsFireTest.Planted planted) {
        for (long seed = 1; seed <= MAX_SEEDS; seed++) {
            Simulation.Plan plan = Simulation.Plan.of(
                            seed, FaultMix.drawnFrom(seed), planted.rules(), List.of(planted.noticed()))
                    .withDrivers(DriverMix.drawnFrom(seed));
            try {
                new Simulation(plan).run();
            } catch (SimulationFailure failure) {
                if (failure.invariant().equals(planted.noticed().name())) {
                    return;
                }
            }
        }
        throw new AssertionError(planted + ": not noticed within " + MAX_SEEDS + " seeds");
    }
}
