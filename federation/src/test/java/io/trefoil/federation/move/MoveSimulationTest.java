/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.federation.move.rules.MoveRules;
import io.trefoil.federation.move.rules.WrongMoves;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code -Dmove.seed=42} replays one seed, {@code -Dmove.seeds=100000 -Dmove.from=1} runs others. */
class MoveSimulationTest {

    private static final long SEEDS = Long.getLong("move.seeds", 2_500);
    private static final long FIRST_SEED = Long.getLong("move.from", 1);

    @Test
    void movePreservesFilesWhenCallsFail() {
        long from = Long.getLong("move.seed", FIRST_SEED);
        long count = Long.getLong("move.seed") == null ? SEEDS : 1;
        List<String> failures = new ArrayList<>();
        Set<String> met = new TreeSet<>();
        int completed = 0;
        int aborted = 0;
        int failed = 0;
        int crashes = 0;
        int stalls = 0;
        for (long seed = from; seed < from + count && failures.size() < 3; seed++) {
            MoveSimulation simulation = new MoveSimulation(seed, MoveRules::step);
            try {
                simulation.run();
            } catch (AssertionError e) {
                failures.add("seed " + seed + ": " + e.getMessage());
            }
            met.addAll(simulation.met);
            completed += simulation.completed;
            aborted += simulation.aborted;
            failed += simulation.failed;
            crashes += simulation.crashes;
            stalls += simulation.stalls;
        }
        System.out.printf(
                "Simulated: %d seeds; processes: %d completed a move, %d undid one, %d failed, %d crashed; %d stood still%n",
                count, completed, aborted, failed, crashes, stalls);
        assertThat(failures).isEmpty();
        if (count >= SEEDS) {
            assertThat(met).containsAll(faultsAtEachCall());
        }
    }

    private static Set<String> faultsAtEachCall() {
        Set<String> all = new TreeSet<>();
        MoveSimulation.CALLS.forEach(call -> MoveSimulation.FAULTS.forEach(fault -> all.add(fault + " " + call)));
        return all;
    }

    /** That a bug is found within some seeds is what makes what is checked worth anything. */
    @ParameterizedTest
    @EnumSource
    void simulationFindsPlantedBug(WrongMoves bug) {
        List<String> found = new ArrayList<>();
        for (long seed = 1; seed <= 6_000 && found.isEmpty(); seed++) {
            try {
                new MoveSimulation(seed, bug).run();
            } catch (AssertionError e) {
                found.add("seed " + seed + ": " + e.getMessage().split("\n", 2)[0]);
            }
        }
        assertThat(found).isNotEmpty();
    }
}
