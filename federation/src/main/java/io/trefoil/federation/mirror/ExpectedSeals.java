/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.mirror;

import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.SubtreeTable;
import io.trefoil.federation.table.TableRecord;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The directories that should be sealed or open in the newest version of the table, among those that a command may have sealed: subtrees
 * handed over or hashed in some version, and parts of hashed directories. Immutable.
 */
final class ExpectedSeals {

    private final SubtreeTable newestTable;
    private final SortedMap<String, SortedSet<SubtreePath>> given = new TreeMap<>();

    private ExpectedSeals(SubtreeTable newestTable) {
        this.newestTable = newestTable;
    }

    /** @param history of the table, the oldest version first */
    static ExpectedSeals of(List<TableRecord> history) {
        ExpectedSeals seals = new ExpectedSeals(history.get(history.size() - 1).table());
        for (int i = 0; i < history.size(); i++) {
            SubtreeTable after = history.get(i).table();
            after.hashedDirectories().keySet().forEach(hashed -> seals.recordTransfer(after.ownerOf(hashed), hashed));
            if (i > 0) {
                seals.recordTransfers(history.get(i - 1).table(), after);
            }
        }
        return seals;
    }

    private void recordTransfers(SubtreeTable before, SubtreeTable after) {
        SortedSet<SubtreePath> entries = new TreeSet<>(before.owners().keySet());
        entries.addAll(after.owners().keySet());
        for (SubtreePath path : entries) {
            if (!before.ownerOf(path).equals(after.ownerOf(path))) {
                recordTransfer(before.ownerOf(path), path);
            }
        }
    }

    private void recordTransfer(String nameservice, SubtreePath path) {
        given.computeIfAbsent(nameservice, none -> new TreeSet<>()).add(path);
    }

    /** The nameservices that have handed subtrees over, or in which some were or are hashed. */
    Set<String> nameservices() {
        Set<String> all = new TreeSet<>(given.keySet());
        newestTable.hashedDirectories().values().forEach(all::addAll);
        return all;
    }

    private SortedSet<SubtreePath> transferredFrom(String nameservice) {
        return new TreeSet<>(given.getOrDefault(nameservice, Collections.emptySortedSet()));
    }

    /** The subtrees of a nameservice that now belong to another one, or are hashed. */
    SortedSet<SubtreePath> sealedSubtrees(String nameservice) {
        SortedSet<SubtreePath> away = transferredFrom(nameservice);
        away.removeIf(path -> newestTable.ownsContents(nameservice, path));
        return away;
    }

    /** The subtrees that belong to this nameservice again, and its parts of hashed directories. */
    SortedSet<SubtreePath> openSubtrees(String nameservice) {
        SortedSet<SubtreePath> open = transferredFrom(nameservice);
        open.removeIf(path -> !newestTable.ownsContents(nameservice, path));
        newestTable.hashedDirectories().forEach((path, nameservices) -> {
            if (nameservices.contains(nameservice)) {
                open.add(path.partPath());
            }
        });
        return open;
    }
}
