/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code -Dcheckpoint.seed=42} replays one seed, {@code -Dcheckpoint.seeds=20000 -Dcheckpoint.from=1} runs others. */
class FederationSimulationTest {
    private static final long SEEDS = Long.getLong("checkpoint.seeds", 300);
    private static final long FIRST_SEED = Long.getLong("checkpoint.from", 1);

    @Test
    void noSeedBreaksInvariant() {
        long from = Long.getLong("checkpoint.seed", FIRST_SEED);
        long count = Long.getLong("checkpoint.seed") == null ? SEEDS : 1;
        List<String> failures = new ArrayList<>();
        long complete = 0;
        long failed = 0;
        long unknown = 0;
        for (long seed = from; seed < from + count; seed++) {
            FederationSimulation simulation = new FederationSimulation(seed, SimRules.REAL);
            try {
                simulation.run();
            } catch (AssertionError e) {
                failures.add(e.getMessage());
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed, e);
            }
            complete += simulation.completeCount();
            failed += simulation.failedCount();
            unknown += simulation.unknownCount();
        }
        System.out.printf(
                "Simulated: %d seeds; checkpoints: %d complete, %d failed, %d unknown%n",
                count, complete, failed, unknown);
        assertThat(failures).isEmpty();
        assertThat(complete).isGreaterThan(count);
        assertThat(failed).isGreaterThan(count);
    }

    @Test
    void equalSeedsGiveEqualHistories() {
        assertThat(history(3)).isEqualTo(history(3));
    }

    private static List<Integer> history(long seed) {
        FederationSimulation simulation = new FederationSimulation(seed, SimRules.REAL);
        simulation.run();
        return List.of(simulation.completeCount(), simulation.failedCount(), simulation.unknownCount());
    }

    /** That a failure is found within some seeds is what makes the invariants worth anything. */
    static boolean isFound(SimRules rules, String invariant) {
        for (long seed = 1; seed <= 200; seed++) {
            try {
                new FederationSimulation(seed, rules).run();
            } catch (AssertionError e) {
                if (e.getMessage().contains(invariant)) {
                    return true;
                }
            }
        }
        return false;
    }
}
