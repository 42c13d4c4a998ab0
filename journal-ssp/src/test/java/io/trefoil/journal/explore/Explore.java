/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.explore;

import io.trefoil.foundation.explore.Exploration;
import io.trefoil.foundation.explore.Explorer;

/**
 * Explores one world from the command line, {@code NAME=NUMBER} for each bound that differs from those of a calm world, or {@code
 * planted STATES WORD} for the planted bugs whose name has a word.
 */
public final class Explore {

    private static final String USAGE =
            "Wanted: planted, or some of epochs, appends, ticks, breaks, crashes, losses, returns, changes, duplicates,"
                    + " clocks, states, each with =NUMBER, reorders, serving, joined; found: ";

    private Explore() {}

    public static void main(String[] args) {
        if (args.length > 0 && args[0].equals("planted")) {
            planted(args.length > 1 ? Long.parseLong(args[1]) : 1_000_000, args.length > 2 ? args[2] : "");
            return;
        }
        Bounds bounds = Bounds.CALM;
        long states = Integer.MAX_VALUE;
        for (String each : args) {
            String[] parts = each.split("=", 2);
            if (parts[0].equals("states") && parts.length == 2) {
                states = Long.parseLong(parts[1]);
            } else {
                bounds = changed(bounds, each, parts);
            }
        }
        long begun = System.nanoTime();
        JournalWorld world = new JournalWorld(ExploredRules.REAL, bounds);
        Exploration found = new Explorer(world, states, System.out::println).explore();
        System.out.printf("%s%n%s%n%s%n%.1f s%n", bounds, found, world.parts(), (System.nanoTime() - begun) / 1e9);
        if (found.violation().isPresent()) {
            System.exit(1);
        }
    }

    private static Bounds changed(Bounds bounds, String word, String[] parts) {
        int most = parts.length == 2 ? Integer.parseInt(parts[1]) : 0;
        return switch (parts[0]) {
            case "epochs" -> bounds.epochs(most);
            case "appends" -> bounds.appends(most);
            case "ticks" -> bounds.ticks(most);
            case "breaks" -> bounds.breaks(most);
            case "crashes" -> bounds.crashes(most);
            case "losses" -> bounds.losses(most);
            case "returns" -> bounds.returns(most);
            case "changes" -> bounds.changes(most);
            case "duplicates" -> bounds.duplicates(most);
            case "reorders" -> bounds.reordering();
            case "clocks" -> bounds.clocks(most);
            case "serving" -> bounds.whileServing();
            case "joined" -> bounds.whileJoining();
            default -> throw new IllegalArgumentException(USAGE + word);
        };
    }

    /** @param word of the names of those that are looked for */
    private static void planted(long states, String word) {
        for (PlantedBug bug : PlantedBug.all()) {
            if (!bug.name().contains(word)) {
                continue;
            }
            JournalWorld world = new JournalWorld(bug.rules(), bug.bounds());
            Exploration found = new Explorer(world, states, line -> {}).explore();
            System.out.printf(
                    "| %s | %s | `%s` | %,d | %d |%n",
                    bug, found.violation().orElse("not found"), bug.bounds(), found.states(), found.depth());
        }
    }
}
