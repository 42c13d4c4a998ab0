/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim;

import java.util.Arrays;

/** Runs seeds from the command line: {@code [--drivers] --seeds N}, {@code --from F}, {@code --seed S}. */
public final class Simulate {

    private Simulate() {}

    public static void main(String[] arguments) throws InterruptedException {
        boolean drivers = arguments.length > 0 && arguments[0].equals("--drivers");
        SeedRange seeds = SeedRange.orExit(drivers ? Arrays.copyOfRange(arguments, 1, arguments.length) : arguments);
        long beganNanos = System.nanoTime();
        Sweep sweep = Sweep.run(drivers ? Sweep::drivenPlan : Sweep::plan, seeds.from(), seeds.count(), failure -> {
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
