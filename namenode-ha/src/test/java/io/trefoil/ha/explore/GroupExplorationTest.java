/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.explore;

import io.trefoil.foundation.explore.ExploredWorlds;
import io.trefoil.foundation.explore.PlantedWorld;
import io.trefoil.foundation.explore.WorldBounds;
import io.trefoil.ha.agent.Agent;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The small worlds of each build are closed, no state breaks a rule, and each planted bug is found where the page says. */
class GroupExplorationTest {

    static Stream<WorldBounds> worlds() {
        WorldBounds calm = GroupBugs.CALM;
        return Stream.of(
                calm.with("sessions", 1).with("losses", 1),
                calm.with("sessions", 1).with("disconnects", 1),
                calm.with("wipes", 1),
                calm.with("sessions", 2));
    }

    static List<PlantedWorld> bugs() {
        return ExploredWorlds.quicklyFoundBugs(GroupBugs.all());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("worlds")
    void exploresSmallWorldCompletelyWithoutViolation(WorldBounds bounds) {
        ExploredWorlds.assertFullyExplored(bounds, new GroupWorld(Agent::step, bounds));
    }

    @Test
    void visitsSameStatesWhenStepsAreReversed() {
        WorldBounds bounds = GroupBugs.CALM.with("sessions", 1).with("disconnects", 1);

        ExploredWorlds.assertIndependentOfOrder(() -> new GroupWorld(Agent::step, bounds));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bugs")
    void findsPlantedBug(PlantedWorld bug) {
        ExploredWorlds.assertFound(bug);
    }
}
