/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim;

import java.util.Map;
import java.util.TreeMap;

/** Runs seeds from the command line: {@code --seeds N}, {@code --from F}, {@code --seed S}. */
public final class Simulate {

    private Simulate() {}

    public static void main(String[] arguments) throws InterruptedException {
        Map<String, Long> options = new TreeMap<>(Map.of("--seeds", 1_000L, "--from", 1L));
        for (int i = 0; i < arguments.length; i += 2) {
            boolean known = arguments[i].equals("--seed") || options.containsKey(arguments[i]);
            if (!known || i + 1 == arguments.length) {
                System.err.println("Wanted [--seeds N] [--from F] or --seed S, found " + String.join(" ", arguments));
                System.exit(2);
            }
            options.put(arguments[i], Long.parseLong(arguments[i + 1]));
        }
        long from = options.getOrDefault("--seed", options.get("--from"));
        long count = options.containsKey("--seed") ? 1 : options.get("--seeds");
        long beganNanos = System.nanoTime();
        Sweep sweep = Sweep.run(from, count, failure -> {
            System.out.println(failure.getMessage());
            if (failure.getCause() != null) {
                failure.getCause().printStackTrace(System.out);
            }
        });
        System.out.printf(
                "%d seeds from %d on: %s, %d s%n",
                count, from, sweep, (System.nanoTime() - beganNanos) / 1_000_000_000L);
        System.exit(sweep.failures().isEmpty() ? 0 : 1);
    }
}
