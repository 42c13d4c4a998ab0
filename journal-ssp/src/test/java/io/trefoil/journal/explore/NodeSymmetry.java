/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.explore;

import io.trefoil.journal.explore.Bounds.Bound;
import io.trefoil.journal.model.Members;
import java.util.List;

/** Which nodes of a world are interchangeable: states that differ only by their names are one. */
final class NodeSymmetry {

    private static final List<int[]> NONE = List.of(new int[] {0, 1, 2});
    private static final List<int[]> FIRST_TWO = List.of(new int[] {0, 1, 2}, new int[] {1, 0, 2});
    private static final List<int[]> ALL = List.of(
            new int[] {0, 1, 2},
            new int[] {0, 2, 1},
            new int[] {1, 0, 2},
            new int[] {1, 2, 0},
            new int[] {2, 0, 1},
            new int[] {2, 1, 0});

    private final List<int[]> orders;
    private final String members;

    /** @param members with which the world begins */
    NodeSymmetry(Bounds bounds, Members members) {
        this.members = members.toString();
        boolean isOneNamed = bounds.has(Bound.LOSSES)
                || bounds.has(Bound.REMOVALS)
                || bounds.has(Bound.PROMOTIONS)
                || bounds.has(Bound.READS);
        boolean isEachOther = bounds.has(Bound.OBSERVERS) || (bounds.has(Bound.LOSSES) && bounds.has(Bound.PROMOTIONS));
        if (bounds.has(Bound.COPIES) || isEachOther) {
            // One node may have the name of another, or each has another part.
            orders = NONE;
        } else {
            // Members change, and name the node that lost its disk, or is read from.
            orders = isOneNamed ? FIRST_TWO : ALL;
        }
    }

    /** All orders of the nodes in which interchangeable ones may stand; the first one is that of their numbers. */
    List<int[]> orders() {
        return orders;
    }

    /** A text in which interchangeable nodes have no names; the list of all of them is always the same. */
    String anonymize(String text) {
        if (orders == NONE) {
            return text;
        }
        return orders == FIRST_TWO
                ? text.replaceAll("node-[01]", "node").replaceAll("index=[01]", "")
                : text.replace(members, "").replaceAll("node-\\d", "node").replaceAll("index=\\d", "");
    }
}
