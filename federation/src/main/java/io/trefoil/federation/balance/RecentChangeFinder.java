/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.balance;

import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.SubtreeTable;
import io.trefoil.federation.table.TableRecord;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Finds the subtrees that got another owner recently and should stay there for a while: plans that moved them back at once would never end.
 */
public final class RecentChangeFinder {

    private RecentChangeFinder() {}

    /**
     * The subtrees whose owner has changed.
     *
     * @param history all versions of the table, the oldest first
     * @param startTime versions before it do not count
     */
    public static SortedSet<SubtreePath> findSince(Instant startTime, List<TableRecord> history) {
        SortedSet<SubtreePath> changed = new TreeSet<>();
        for (int i = 1; i < history.size(); i++) {
            if (!history.get(i).createdAt().isBefore(startTime)) {
                SubtreeTable before = history.get(i - 1).table();
                SubtreeTable after = history.get(i).table();
                Set<SubtreePath> entries = new HashSet<>(before.owners().keySet());
                entries.addAll(after.owners().keySet());
                entries.removeIf(entry -> before.ownerOf(entry).equals(after.ownerOf(entry)));
                changed.addAll(entries);
            }
        }
        return changed;
    }
}
