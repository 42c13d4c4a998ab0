/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.explore;

import io.trefoil.journal.sim.Simulation;
import io.trefoil.journal.sim.SimulationFailure;
import io.trefoil.journal.sim.plan.FaultMix;
import io.trefoil.journal.sim.plan.Invariants;
import io.trefoil.journal.sim.plan.Rules;
import java.util.stream.LongStream;

/** Looks for planted bugs by seeds of the simulator, which has its own nodes and disks: only wrong writers can be planted there as they are. */
final class SeedHunt {

    private SeedHunt() {}

    /** Prints the first seed in which each wrong writer is noticed, whatever notices it. */
    static void run(long seeds, String word) {
        for (PlantedBug bug : PlantedBug.all()) {
            boolean isWriter = bug.rules().writer() != ExploredRules.REAL.writer()
                    && bug.rules().node() == ExploredRules.REAL.node();
            if (isWriter && bug.name().contains(word)) {
                System.out.printf("| %s | %s |%n", bug, firstSeed(bug, seeds));
            }
        }
    }

    private static String firstSeed(PlantedBug bug, long seeds) {
        return LongStream.rangeClosed(1, seeds)
                .mapToObj(seed -> findFailure(bug, seed))
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse("none of " + seeds);
    }

    private static String findFailure(PlantedBug bug, long seed) {
        Rules rules = Rules.REAL.withWriter(bug.rules().writer());
        try {
            new Simulation(Simulation.Plan.of(seed, FaultMix.draw(seed), rules, Invariants.all())).run();
            return "";
        } catch (SimulationFailure failure) {
            return seed + ", " + failure.invariant();
        }
    }
}
