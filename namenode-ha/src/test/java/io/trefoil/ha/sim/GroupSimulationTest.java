/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.ha.sim.GroupSimulation.Mix;
import io.trefoil.journal.sim.SeedRange;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Some seeds in every build; {@code bin/simulate --ha} runs others. */
class GroupSimulationTest {
    private static final long SEEDS = 200;

    @Test
    void noSeedBreaksInvariant() {
        SimulateGroup.Outcome outcome = SimulateGroup.run(new SeedRange(1, SEEDS), Throwable::printStackTrace);
        System.out.printf("Simulated: %d seeds, %s%n", SEEDS, outcome);
        assertThat(outcome.failures()).isEmpty();
        assertThat(outcome.failovers()).isGreaterThan(SEEDS);
    }

    @Test
    void activeContinuesWhenMajorityReturns() {
        for (long seed = 1; seed <= 60; seed++) {
            new GroupSimulation(seed, Mix.LOST_MAJORITY, SimMember.Rules.REAL, true).run();
        }
    }

    @Test
    void equalSeedsGiveEqualHistories() {
        assertThat(history(3)).isEqualTo(history(3));
    }

    /** A candidate without a majority left a node behind that had promised to it, and refused the active for good. */
    @Test
    void nodePromisedToLoserRejoins() {
        GroupSimulation.of(5_300).run();
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
