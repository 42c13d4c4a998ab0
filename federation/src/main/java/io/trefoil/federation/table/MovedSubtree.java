/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.table;

import com.google.auto.value.AutoValue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A subtree that was moved with everything in it, as recorded in the table's history. Immutable. */
@AutoValue
public abstract class MovedSubtree {

    private static final String MOVE = "move ";

    /** The change of a version by which a move gives a subtree its new owner. */
    public static String changeText(SubtreePath path, String to, String move) {
        return MOVE + path + " " + to + " " + move;
    }

    /**
     * Returns the subtrees that got their new owner after a time, the earliest first.
     *
     * @param history of the table, the oldest version first; its times are by the clocks of the processes that moved
     */
    public static List<MovedSubtree> movedSince(Instant time, List<TableRecord> history) {
        List<MovedSubtree> moved = new ArrayList<>();
        for (int i = 1; i < history.size(); i++) {
            TableRecord record = history.get(i);
            if (record.createdAt().isAfter(time) && record.change().startsWith(MOVE)) {
                // A path has no blanks.
                SubtreePath path = SubtreePath.parse(
                        record.change().substring(MOVE.length()).split(" ", 2)[0]);
                SubtreeTable before = history.get(i - 1).table();
                moved.add(new AutoValue_MovedSubtree(
                        path, before.ownerOf(path), record.table().ownerOf(path), record.createdAt()));
            }
        }
        return moved;
    }

    public abstract SubtreePath path();

    /** The owner until that time. */
    public abstract String from();

    /** The owner from that time on. */
    public abstract String to();

    /** The time at which the owner changed, by the clock of the host that moved the subtree. */
    public abstract Instant movedAt();
}
