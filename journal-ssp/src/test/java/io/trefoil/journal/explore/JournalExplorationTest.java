/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.foundation.explore.Exploration;
import io.trefoil.foundation.explore.ExploredPage;
import io.trefoil.foundation.explore.ExploredWorlds;
import io.trefoil.foundation.explore.Explorer;
import io.trefoil.foundation.explore.RandomWalks;
import io.trefoil.journal.explore.Bounds.Bound;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The small worlds of each build are closed, no state breaks a rule, and each planted bug is found where the page says. */
class JournalExplorationTest {

    private static final long SOON_STATES = 300_000;

    static Stream<Bounds> worlds() {
        Bounds quiet = Bounds.CALM.with(Bound.APPENDS, 0).with(Bound.SERVING);
        Bounds written = Bounds.CALM.with(Bound.APPENDS, 2).with(Bound.SERVING).with(Bound.WRITTEN);
        return Stream.of(
                quiet.with(Bound.DAMAGES, 1),
                quiet.with(Bound.COPIES, 1),
                quiet.with(Bound.EPOCHS, 1).with(Bound.REMOVALS, 1).with(Bound.ADDITIONS, 5),
                quiet.with(Bound.REMOVALS, 1),
                written.with(Bound.PURGES, 1),
                Bounds.CALM.with(Bound.EPOCHS, 1).withPendingBarrier().with(Bound.PURGES, 1),
                written.with(Bound.EPOCHS, 3).with(Bound.PROMOTIONS, 1),
                quiet.with(Bound.EPOCHS, 3)
                        .with(Bound.LOSSES, 1)
                        .with(Bound.CHANGES, 1)
                        .with(Bound.PROMOTIONS, 1),
                Bounds.CALM.with(Bound.EPOCHS, 1),
                Bounds.CALM.with(Bound.SERVING),
                Bounds.CALM
                        .with(Bound.APPENDS, 0)
                        .with(Bound.TICKS, 1)
                        .with(Bound.CLOCKS, 50)
                        .with(Bound.SERVING),
                Bounds.CALM
                        .with(Bound.EPOCHS, 1)
                        .with(Bound.TICKS, 1)
                        .with(Bound.READS, 2)
                        .with(Bound.CLOCKS, 1_000)
                        .with(Bound.SERVING),
                Bounds.CALM
                        .with(Bound.EPOCHS, 1)
                        .with(Bound.TICKS, 1)
                        .with(Bound.READS, 3)
                        .with(Bound.CLOCKS, 1_000)
                        .with(Bound.OBSERVERS, 2)
                        .with(Bound.SERVING),
                Bounds.CALM
                        .with(Bound.EPOCHS, 1)
                        .with(Bound.LOSSES, 1)
                        .with(Bound.CHANGES, 3)
                        .with(Bound.SERVING),
                Bounds.CALM.with(Bound.APPENDS, 0).with(Bound.CHANGES, 2).withJoiningMember());
    }

    /** Those that are found soon; the page says which ones the command finds. */
    static List<PlantedBug> bugs() {
        return PlantedBug.all().stream()
                .filter(bug -> documentedStateCount(bug) <= SOON_STATES)
                .toList();
    }

    /** Where the page says that a bug is found; 0 if it says nothing, which the test then finds wrong. */
    private static long documentedStateCount(PlantedBug bug) {
        return ExploredPage.rows("Planted bugs").stream()
                .filter(row -> row.get(0).equals(bug.name()))
                .mapToLong(row -> Long.parseLong(row.get(3).replace(",", "")))
                .findFirst()
                .orElse(0);
    }

    private static Exploration explore(ExploredRules rules, Bounds bounds) {
        return new Explorer(new JournalWorld(rules, bounds), 2_000_000, line -> {}).explore();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("worlds")
    void exploresSmallWorldCompletelyWithoutViolation(Bounds bounds) {
        Exploration found = explore(ExploredRules.REAL, bounds);

        assertThat(found.violation()).as("%s", found).isEmpty();
        assertThat(found.closed()).isTrue();
        assertThat(ExploredPage.rows("Worlds"))
                .as("docs/design/exploration.md, where this world has %,d states", found.states())
                .anySatisfy(row ->
                        assertThat(row).startsWith(bounds.toString(), String.format("%,d", found.states()), "yes"));
    }

    /** In the first a node is caught up from either of two that are equal, in the second both writers choose among three. */
    static Stream<Bounds> symmetricWorlds() {
        return Stream.of(
                Bounds.CALM
                        .with(Bound.EPOCHS, 1)
                        .with(Bound.LOSSES, 1)
                        .with(Bound.CHANGES, 3)
                        .with(Bound.SERVING),
                Bounds.CALM.with(Bound.APPENDS, 0).with(Bound.DAMAGES, 1).with(Bound.SERVING));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("symmetricWorlds")
    void visitsSameStatesWhenStepsAreReversed(Bounds bounds) {
        ExploredWorlds.assertIndependentOfOrder(() -> new JournalWorld(ExploredRules.REAL, bounds));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bugs")
    void findsPlantedBug(PlantedBug bug) {
        Exploration found = explore(bug.rules(), bug.bounds());

        assertThat(found.violation().map(broken -> broken.substring(0, broken.indexOf(':'))))
                .as("%s", found)
                .isEqualTo(Optional.of(bug.rule()));
        assertThat(ExploredPage.rows("Planted bugs"))
                .as("docs/design/exploration.md, where this bug takes %,d states", found.states())
                .anySatisfy(row -> assertThat(row)
                        .startsWith(
                                bug.name(), bug.rule(), bug.bounds().toString(), String.format("%,d", found.states())));
    }

    private static RandomWalks walks(ExploredRules rules, Bounds bounds) {
        return new RandomWalks(new JournalWorld(rules, bounds), Explore.WALK_STEPS);
    }

    @Test
    void randomWalksFindNoViolationInWholeWorld() {
        Bounds whole = Bounds.CALM
                .with(Bound.EPOCHS, 3)
                .with(Bound.APPENDS, 3)
                .with(Bound.LOSSES, 1)
                .with(Bound.CHANGES, 3)
                .with(Bound.PROMOTIONS, 1)
                .with(Bound.SERVING);

        Exploration found = walks(ExploredRules.REAL, whole).take(1, 500);

        assertThat(found.violation()).as("%s", found).isEmpty();
        assertThat(found.depth()).isGreaterThan(50);
    }

    /** Those that are found only among many states. */
    static List<PlantedBug> deepBugs() {
        return PlantedBug.all().stream()
                .filter(bug -> documentedStateCount(bug) > SOON_STATES)
                .toList();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("deepBugs")
    void randomWalksFindDeepPlantedBug(PlantedBug bug) {
        assertThat(walks(bug.rules(), bug.bounds()).take(1, 20_000).violation())
                .hasValueSatisfying(broken -> assertThat(broken).startsWith(bug.rule() + ":"));
    }

    @Test
    void traceNamesEachStepToPlantedBug() {
        PlantedBug bug = bugs().get(0);

        assertThat(explore(bug.rules(), bug.bounds()).story())
                .hasSize(2)
                .satisfiesExactly(
                        first -> assertThat(first)
                                .startsWith("1. writer-0 its term is wanted, sends node-0 NewEpochRequest"),
                        second ->
                                assertThat(second).contains("node-0 gets NewEpochRequest", "dies after a part of it"));
    }
}
