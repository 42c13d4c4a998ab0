/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim;

import java.util.Arrays;
import java.util.Map;
import java.util.function.LongFunction;

/** Runs seeds from the command line: {@code [--drivers|--near…] --seeds N}, {@code --from F}, {@code --seed S}. */
public final class Simulate {

    private static final Map<String, LongFunction<Simulation.Plan>> PLANS_BY_NAME = Map.of(
            "--drivers", Sweep::drivenPlan,
            "--near", Sweep::nearPlan,
            "--near-drivers", Sweep::nearDrivenPlan,
            "--near-sites", Sweep::nearSitesPlan,
            "--near-sites-drivers", Sweep::nearSitesDrivenPlan);

    private Simulate() {}

    private static LongFunction<Simulation.Plan> plans(String first) {
        return PLANS_BY_NAME.getOrDefault(first, Sweep::plan);
    }

    public static void main(String[] arguments) throws InterruptedException {
        LongFunction<Simulation.Plan> plans = plans(arguments.length > 0 ? arguments[0] : "");
        boolean usual = arguments.length == 0 || !PLANS_BY_NAME.containsKey(arguments[0]);
        SeedRange seeds = SeedRange.orExit(usual ? arguments : Arrays.copyOfRange(arguments, 1, arguments.length));
        long beganNanos = System.nanoTime();
        Sweep sweep = Sweep.run(plans, seeds.from(), seeds.count(), failure -> {
            System.out.println(failure.getMessage());
            if (failure.getCause() != null) {
                failure.getCause().printStackTrace(System.out);
            }
        });
        System.out.printf(
                "%d seeds from %d on: %s, %d s%n",
                seeds.count(), seeds.from(), sweep, (System.nanoTime() - beganNanos) / 1_000_000_000L);
        System.exit(sweep.failures().isEmpty() ? 0 : 1);
    }
}
