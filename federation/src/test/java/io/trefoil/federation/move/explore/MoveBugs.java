/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move.explore;

import io.trefoil.federation.move.rules.WrongMoves;
import io.trefoil.foundation.explore.PlantedWorld;
import io.trefoil.foundation.explore.WorldBounds;
import java.util.List;

/** Broken rules of moves. */
final class MoveBugs {

    static final WorldBounds CALM = WorldBounds.of(
            "move",
            "gates",
            "processes",
            "lates",
            "failures",
            "keeps",
            "writes",
            "deletions",
            "opens",
            "permissions",
            "superusers",
            "thaws",
            "versions");

    private MoveBugs() {}

    static List<PlantedWorld> all() {
        WorldBounds one = CALM.with("processes", 1).with("gates", 1);
        WorldBounds two = CALM.with("processes", 2);
        return List.of(
                plantedWorld(
                        "a record is filed away before the move is undone",
                        "M3",
                        WrongMoves.ENDS_BEFORE_IT_IS_UNDONE,
                        two),
                plantedWorld(
                        "what clients wrote last is not copied",
                        "M4",
                        WrongMoves.COPIES_NO_LAST_CHANGES,
                        one.with("writes", 1)),
                plantedWorld(
                        "a version of an earlier process is not withdrawn",
                        "M4",
                        WrongMoves.WITHDRAWS_NO_VERSION,
                        two.with("lates", 1)),
                plantedWorld("a freeze is relied upon alone", "M1", WrongMoves.CLOSES_NO_SOURCE, one.with("thaws", 1)),
                plantedWorld(
                        "a record has the permission of before the fence",
                        "M3",
                        WrongMoves.RECORDS_NO_FENCE,
                        CALM.with("processes", 1).with("permissions", 1)),
                plantedWorld("no record says that the source may be closed", "M3", WrongMoves.RECORDS_NO_PAUSE, two),
                plantedWorld(
                        "a record says that the source is open before it is",
                        "M3",
                        WrongMoves.RECORDS_COPYING_FIRST,
                        two),
                plantedWorld(
                        "a record says that the target is open before it is",
                        "M3",
                        WrongMoves.RECORDS_OPENED_FIRST,
                        two),
                plantedWorld(
                        "any version is taken for the move's own",
                        "M3",
                        WrongMoves.TAKES_ANY_VERSION,
                        one.with("versions", 1)),
                plantedWorld(
                        "a source is opened without a look at the table",
                        "M4",
                        WrongMoves.OPENS_SOURCE_UNASKED,
                        one.with("failures", 1)),
                plantedWorld(
                        "a superuser's change is not looked for",
                        "M3",
                        WrongMoves.LOOKS_FOR_NO_CHANGES,
                        one.with("superusers", 1)));
    }

    private static PlantedWorld plantedWorld(String name, String rule, WrongMoves plantedMoves, WorldBounds bounds) {
        return new PlantedWorld(name, rule, bounds, () -> new MoveWorld(plantedMoves, bounds));
    }
}
