/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move.explore;

import io.trefoil.federation.move.rules.MoveRules;
import io.trefoil.foundation.explore.ExploredWorlds;
import io.trefoil.foundation.explore.PlantedWorld;
import io.trefoil.foundation.explore.WorldBounds;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The small worlds of each build are closed, no state breaks a rule, and each planted bug is found where the page says. */
class MoveExplorationTest {

    static Stream<WorldBounds> worlds() {
        WorldBounds calm = MoveBugs.CALM;
        return Stream.of(
                calm.with("processes", 1),
                calm.with("gates", 1).with("processes", 2).with("writes", 1));
    }

    static List<PlantedWorld> bugs() {
        return ExploredWorlds.quicklyFoundBugs(MoveBugs.all());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("worlds")
    void exploresSmallWorldCompletelyWithoutViolation(WorldBounds bounds) {
        ExploredWorlds.assertFullyExplored(bounds, new MoveWorld(MoveRules::step, bounds));
    }

    @Test
    void visitsSameStatesWhenStepsAreReversed() {
        WorldBounds bounds = MoveBugs.CALM.with("gates", 1).with("processes", 2).with("writes", 1);

        ExploredWorlds.assertIndependentOfOrder(() -> new MoveWorld(MoveRules::step, bounds));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bugs")
    void findsPlantedBug(PlantedWorld bug) {
        ExploredWorlds.assertFound(bug);
    }
}
