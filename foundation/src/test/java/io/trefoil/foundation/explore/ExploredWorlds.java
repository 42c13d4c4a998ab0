/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.explore;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Explores the worlds of a build, and compares what is found with the tables of docs/design/exploration.md. */
public final class ExploredWorlds {

    private static final long MAX_STATES = 500_000;
    private static final long SOON_STATES = 10_000;
    private static final int TWIN_STATES = 100_000;

    private ExploredWorlds() {}

    /** Those bugs that the page says are found soon; the others are looked for by the command. */
    public static List<PlantedWorld> quicklyFoundBugs(List<PlantedWorld> bugs) {
        return bugs.stream()
                .filter(bug -> documentedStateCount(bug) <= SOON_STATES)
                .toList();
    }

    /** Where the page says that a bug is found; 0 if it says nothing, which {@link #assertFound} then finds wrong. */
    private static long documentedStateCount(PlantedWorld bug) {
        return ExploredPage.rows("Planted bugs").stream()
                .filter(row -> row.get(0).equals(bug.name()))
                .mapToLong(row -> Long.parseLong(row.get(3).replace(",", "")))
                .findFirst()
                .orElse(0);
    }

    /** Nothing is left to visit, no state breaks a rule, and the page says how many there are. */
    public static void assertFullyExplored(WorldBounds bounds, SmallWorld world) {
        Exploration found = new Explorer(world, MAX_STATES, line -> {}).explore();

        assertThat(found.violation()).as("%s", found).isEmpty();
        assertThat(found.closed()).isTrue();
        assertThat(ExploredPage.rows("Worlds"))
                .as("docs/design/exploration.md, where %s has %,d states", bounds, found.states())
                .anySatisfy(row -> assertThat(row)
                        .startsWith(bounds.toString(), String.format("%,d", found.states()), "yes", "yes"));
    }

    /**
     * The states that are visited do not depend on which of two that are one is met first: two of them lead to the same ones, and as many are
     * visited if the steps come in the reverse order.
     *
     * @param world of which each has numbers of its own
     */
    public static void assertIndependentOfOrder(Supplier<SmallWorld> world) {
        assertThat(TwinStates.findUnequal(world.get(), TWIN_STATES)).isEmpty();
        assertThat(new Explorer(new ReversedWorld(world.get()), MAX_STATES, line -> {}).explore())
                .isEqualTo(new Explorer(world.get(), MAX_STATES, line -> {}).explore());
    }

    /** A bug breaks its rule where the page says. */
    public static void assertFound(PlantedWorld bug) {
        Exploration found = new Explorer(bug.world().get(), MAX_STATES, line -> {}).explore();

        assertThat(found.violation().map(broken -> broken.substring(0, broken.indexOf(':'))))
                .as("%s", found)
                .isEqualTo(Optional.of(bug.rule()));
        assertThat(ExploredPage.rows("Planted bugs"))
                .as("docs/design/exploration.md, where '%s' takes %,d states", bug, found.states())
                .anySatisfy(row -> assertThat(row)
                        .startsWith(
                                bug.name(), bug.rule(), bug.bounds().toString(), String.format("%,d", found.states())));
    }
}
