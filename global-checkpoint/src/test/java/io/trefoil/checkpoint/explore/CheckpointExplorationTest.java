/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.explore;

import io.trefoil.checkpoint.sim.SimRules;
import io.trefoil.foundation.explore.ExploredWorlds;
import io.trefoil.foundation.explore.PlantedWorld;
import io.trefoil.foundation.explore.WorldBounds;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The small worlds of each build are closed, no state breaks a rule, and each planted bug is found where the page says. */
class CheckpointExplorationTest {

    static Stream<WorldBounds> worlds() {
        WorldBounds calm = CheckpointBugs.CALM;
        return Stream.of(
                calm.with("writes", 1),
                calm.with("deadlines", 2),
                calm.with("deadlines", 2).with("failures", 1),
                calm.with("failovers", 1).with("crashes", 1));
    }

    static List<PlantedWorld> bugs() {
        return ExploredWorlds.quicklyFoundBugs(CheckpointBugs.all());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("worlds")
    void exploresSmallWorldCompletelyWithoutViolation(WorldBounds bounds) {
        ExploredWorlds.assertFullyExplored(bounds, new CheckpointWorld(SimRules.REAL, bounds));
    }

    @Test
    void visitsSameStatesWhenStepsAreReversed() {
        WorldBounds bounds = CheckpointBugs.CALM.with("failovers", 1).with("crashes", 1);

        ExploredWorlds.assertIndependentOfOrder(() -> new CheckpointWorld(SimRules.REAL, bounds));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bugs")
    void findsPlantedBug(PlantedWorld bug) {
        ExploredWorlds.assertFound(bug);
    }
}
