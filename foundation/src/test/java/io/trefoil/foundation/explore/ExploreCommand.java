/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.explore;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * What {@code bin/explore WORLD} does: explores a world with the bounds that are named, at most {@code states=NUMBER}, or looks for bugs with
 * {@code planted STATES WORD}.
 */
public final class ExploreCommand {

    private final WorldBounds noBounds;
    private final Function<WorldBounds, SmallWorld> world;
    private final List<PlantedWorld> bugs;

    /** @param noBounds the bounds of the world, all 0 */
    public ExploreCommand(WorldBounds noBounds, Function<WorldBounds, SmallWorld> world, List<PlantedWorld> bugs) {
        this.noBounds = noBounds;
        this.world = world;
        this.bugs = bugs;
    }

    /** Prints what is found; ends the process with 1 if a rule is broken. */
    public void run(String... args) {
        if (args.length > 0 && args[0].equals("planted")) {
            findPlantedBugs(args.length > 1 ? Long.parseLong(args[1]) : 1_000_000, args.length > 2 ? args[2] : "");
            return;
        }
        long states = Integer.MAX_VALUE;
        List<String> words = new ArrayList<>();
        for (String each : args) {
            if (each.startsWith("states=")) {
                states = Long.parseLong(each.substring("states=".length()));
            } else {
                words.add(each);
            }
        }
        WorldBounds bounds = noBounds.with(words);
        long begun = System.nanoTime();
        Exploration found = new Explorer(world.apply(bounds), states, System.out::println).explore();
        System.out.printf("%s%n%s%n%.1f s%n", bounds, found, (System.nanoTime() - begun) / 1e9);
        if (found.violation().isPresent()) {
            System.exit(1);
        }
    }

    private void findPlantedBugs(long states, String word) {
        for (PlantedWorld bug : bugs) {
            if (bug.name().contains(word)) {
                Exploration found = new Explorer(bug.world().get(), states, line -> {}).explore();
                System.out.printf(
                        "| %s | %s | `%s` | %,d | %d |%n",
                        bug, found.violation().orElse("not found"), bug.bounds(), found.states(), found.depth());
            }
        }
    }
}
