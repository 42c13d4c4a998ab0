/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.explore;

import io.trefoil.foundation.explore.CodeVersion;
import io.trefoil.foundation.explore.DiskExplorer;
import io.trefoil.foundation.explore.Exploration;
import io.trefoil.foundation.explore.Explorer;
import io.trefoil.foundation.explore.RandomWalks;
import io.trefoil.journal.replica.Replica;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Explores one world from the command line, {@code NAME=NUMBER} for each {@link Bounds.Bound} that differs from those of a calm world, at
 * most {@code states=NUMBER}, on disk with {@code on=DIRECTORY}, or by {@code walks=NUMBER} random walks instead, numbered {@code from=NUMBER}; or {@code planted STATES WORD} for the planted bugs whose name has a word; or {@code seeds SEEDS WORD} for those that
 * the simulator's seeds find.
 */
public final class Explore {

    /** Of fingerprints that are kept in memory by a search on disk: 256 MB. */
    private static final int RECENT = 1 << 25;

    /** Of a random walk: those of the worlds so far end sooner. */
    static final int WALK_STEPS = 1_000;

    private Explore() {}

    public static void main(String[] args) throws IOException {
        if (args.length > 0 && args[0].equals("planted")) {
            findPlantedBugs(args.length > 1 ? Long.parseLong(args[1]) : 1_000_000, args.length > 2 ? args[2] : "");
            return;
        }
        if (args.length > 0 && args[0].equals("seeds")) {
            SeedHunt.run(args.length > 1 ? Long.parseLong(args[1]) : 1_000, args.length > 2 ? args[2] : "");
            return;
        }
        long states = Long.MAX_VALUE;
        long walks = 0;
        long firstWalk = 1;
        Optional<Path> directory = Optional.empty();
        List<String> words = new ArrayList<>();
        for (String each : args) {
            if (each.startsWith("states=")) {
                states = Long.parseLong(each.substring("states=".length()));
            } else if (each.startsWith("walks=")) {
                walks = Long.parseLong(each.substring("walks=".length()));
            } else if (each.startsWith("from=")) {
                firstWalk = Long.parseLong(each.substring("from=".length()));
            } else if (each.startsWith("on=")) {
                directory = Optional.of(Path.of(each.substring("on=".length())));
            } else {
                words.add(each);
            }
        }
        Bounds bounds = Bounds.of(words);
        long begun = System.nanoTime();
        JournalWorld world = new JournalWorld(ExploredRules.REAL, bounds);
        Exploration found;
        if (walks > 0) {
            found = new RandomWalks(world, WALK_STEPS).take(firstWalk, firstWalk + walks - 1);
        } else if (directory.isPresent()) {
            found = new DiskExplorer(
                            world,
                            nameOnDisk(bounds),
                            directory.get(),
                            Runtime.getRuntime().availableProcessors(),
                            RECENT,
                            states,
                            System.out::println)
                    .explore();
        } else {
            found = new Explorer(world, states, System.out::println).explore();
        }
        System.out.printf(
                "%s%n%s%n%s%n%.1f s%n", bounds, found, world.describeParts(), (System.nanoTime() - begun) / 1e9);
        if (found.violation().isPresent()) {
            System.exit(1);
        }
    }

    /** What a directory belongs to: a world, as this code has it. */
    static String nameOnDisk(Bounds bounds) throws IOException {
        return bounds + ", by code " + CodeVersion.of(Explorer.class, JournalWorld.class, Replica.class);
    }

    /** @param word of the names of those that are looked for */
    private static void findPlantedBugs(long states, String word) {
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
