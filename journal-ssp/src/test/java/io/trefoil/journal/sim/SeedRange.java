/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim;

import java.util.Map;
import java.util.TreeMap;

/**
 * The seeds to run, as a command line gives them.
 *
 * @param from the first
 * @param count how many
 */
public record SeedRange(long from, long count) {

    /**
     * Reads {@code [--seeds N] [--from F]} or {@code --seed S}.
     *
     * @throws IllegalArgumentException with a text for the user
     */
    public static SeedRange of(String... arguments) {
        Map<String, Long> options = new TreeMap<>(Map.of("--seeds", 1_000L, "--from", 1L));
        for (int i = 0; i < arguments.length; i += 2) {
            boolean known = arguments[i].equals("--seed") || options.containsKey(arguments[i]);
            if (!known || i + 1 == arguments.length || !arguments[i + 1].matches("\\d{1,18}")) {
                throw new IllegalArgumentException(
                        "Wanted [--seeds N] [--from F] or --seed S, found " + String.join(" ", arguments));
            }
            options.put(arguments[i], Long.parseLong(arguments[i + 1]));
        }
        return options.containsKey("--seed")
                ? new SeedRange(options.get("--seed"), 1)
                : new SeedRange(options.get("--from"), options.get("--seeds"));
    }

    /** Like {@link #of}, for a program: wrong arguments end the process with exit code 2. */
    public static SeedRange orExit(String... arguments) {
        try {
            return of(arguments);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(2);
            throw e;
        }
    }
}
