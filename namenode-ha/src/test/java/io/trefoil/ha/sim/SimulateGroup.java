/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.sim;

import io.trefoil.journal.sim.SeedRange;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Runs seeds of {@link GroupSimulation} from the command line: {@code --seeds N}, {@code --from F}, {@code --seed S}. */
public final class SimulateGroup {

    private SimulateGroup() {}

    public static void main(String[] arguments) {
        SeedRange seeds = SeedRange.orExit(arguments);
        long beganNanos = System.nanoTime();
        Outcome outcome = run(seeds, failure -> {
            System.out.println(failure.getMessage());
            if (!(failure instanceof AssertionError)) {
                failure.printStackTrace(System.out);
            }
        });
        System.out.printf(
                "%d seeds from %d on: %s, %d s%n",
                seeds.count(), seeds.from(), outcome, (System.nanoTime() - beganNanos) / 1_000_000_000L);
        System.exit(outcome.failures().isEmpty() ? 0 : 1);
    }

    /** Runs seeds one after the other; {@code onFailure} hears of each failure at once. */
    static Outcome run(SeedRange seeds, Consumer<Throwable> onFailure) {
        List<String> failures = new ArrayList<>();
        long failovers = 0;
        long acknowledged = 0;
        for (long seed = seeds.from(); seed < seeds.from() + seeds.count(); seed++) {
            GroupSimulation simulation = GroupSimulation.of(seed);
            try {
                simulation.run();
            } catch (AssertionError | RuntimeException e) {
                failures.add("seed " + seed + ": " + e);
                onFailure.accept(e);
            }
            failovers += simulation.elections();
            acknowledged += simulation.acknowledgedCount();
        }
        return new Outcome(failures, failovers, acknowledged);
    }

    /**
     * What came of it.
     *
     * @param failures one line for each seed that broke an invariant
     * @param failovers that ended with an active
     * @param acknowledged transactions
     */
    record Outcome(List<String> failures, long failovers, long acknowledged) {
        @Override
        public String toString() {
            return failures.size() + " failed, " + failovers + " failovers, " + acknowledged
                    + " acknowledged transactions";
        }
    }
}
