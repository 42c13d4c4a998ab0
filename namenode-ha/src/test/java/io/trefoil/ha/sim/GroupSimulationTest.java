/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.ha.sim.GroupSimulation.Mix;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code -Dha.seed=42} replays one seed, {@code -Dha.seeds=20000 -Dha.from=1} runs others. */
class GroupSimulationTest {
    private static final long SEEDS = Long.getLong("ha.seeds", 500);
    private static final long FROM = Long.getLong("ha.from", 1);

    @Test
    void nothingBreaksAnInvariant() {
        long from = Long.getLong("ha.seed", FROM);
        long count = Long.getLong("ha.seed") == null ? SEEDS : 1;
        List<String> failures = new ArrayList<>();
        long elections = 0;
        long acknowledged = 0;
        for (long seed = from; seed < from + count; seed++) {
            GroupSimulation simulation = GroupSimulation.of(seed);
            try {
                simulation.run();
            } catch (AssertionError | RuntimeException e) {
                failures.add(e instanceof AssertionError ? e.getMessage() : "seed " + seed + ": " + trace(e));
            }
            elections += simulation.elections();
            acknowledged += simulation.acknowledgedCount();
        }
        System.out.printf("Simulated: %d seeds, %d failovers, %d acknowledged%n", count, elections, acknowledged);
        assertThat(failures).isEmpty();
        assertThat(elections).isGreaterThan(count);
    }

    private static String trace(Throwable e) {
        StringBuilder text = new StringBuilder(e.toString());
        for (StackTraceElement element : e.getStackTrace()) {
            if (text.length() < 600) {
                text.append(" at ").append(element);
            }
        }
        return text.toString();
    }

    @Test
    void oneSeedGivesOneHistory() {
        assertThat(history(3)).isEqualTo(history(3));
    }

    private static List<Integer> history(long seed) {
        GroupSimulation simulation = GroupSimulation.of(seed);
        simulation.run();
        return List.of(simulation.elections(), simulation.acknowledgedCount());
    }

    /** That a failure is found within some seeds is what makes the invariants worth anything. */
    static boolean isFound(Mix mix, SimMember.Rules rules, boolean fences, String invariant) {
        for (long seed = 1; seed <= 60; seed++) {
            try {
                new GroupSimulation(seed, mix, rules, fences).run();
            } catch (AssertionError e) {
                if (e.getMessage().contains(invariant)) {
                    return true;
                }
            }
        }
        return false;
    }
}
