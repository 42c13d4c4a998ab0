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
 * The folders that the newest version of the table has sealed, and those that it has open, among those that some
 * command may have sealed: what was given away or hashed in some version, and parts of hashed directories. Immutable.
 */
final class ExpectedSeals {

    private final SubtreeTable newest;
    private final SortedMap<String, SortedSet<SubtreePath>> given = new TreeMap<>();

    private ExpectedSeals(SubtreeTable newest) {
        this.newest = newest;
    }

    /** @param history of the table, the oldest version first */
    static ExpectedSeals of(List<TableRecord> history) {
        ExpectedSeals seals = new ExpectedSeals(history.get(history.size() - 1).table());
        for (int i = 0; i < history.size(); i++) {
            SubtreeTable after = history.get(i).table();
            after.hashed().keySet().forEach(hashed -> seals.gave(after.ownerOf(hashed), hashed));
            if (i > 0) {
                seals.gaveBetween(history.get(i - 1).table(), after);
            }
        }
        return seals;
    }

    private void gaveBetween(SubtreeTable before, SubtreeTable after) {
        SortedSet<SubtreePath> entries = new TreeSet<>(before.owners().keySet());
        entries.addAll(after.owners().keySet());
        for (SubtreePath path : entries) {
            if (!before.ownerOf(path).equals(after.ownerOf(path))) {
                gave(before.ownerOf(path), path);
            }
        }
    }

    private void gave(String nameservice, SubtreePath path) {
        given.computeIfAbsent(nameservice, none -> new TreeSet<>()).add(path);
    }

    /** The nameservices that have given subtrees away, or in which some were or are hashed. */
    Set<String> nameservices() {
        Set<String> all = new TreeSet<>(given.keySet());
        newest.hashed().values().forEach(all::addAll);
        return all;
    }

    private SortedSet<SubtreePath> givenBy(String nameservice) {
        return new TreeSet<>(given.getOrDefault(nameservice, Collections.emptySortedSet()));
    }

    /** The subtrees of a nameservice that belong to another one by now, or are hashed. */
    SortedSet<SubtreePath> sealed(String nameservice) {
        SortedSet<SubtreePath> away = givenBy(nameservice);
        away.removeIf(path -> newest.has(nameservice, path));
        return away;
    }

    /** The subtrees that are this nameservice's again, and its parts of hashed directories. */
    SortedSet<SubtreePath> open(String nameservice) {
        SortedSet<SubtreePath> open = givenBy(nameservice);
        open.removeIf(path -> !newest.has(nameservice, path));
        newest.hashed().forEach((path, nameservices) -> {
            if (nameservices.contains(nameservice)) {
                open.add(path.part());
            }
        });
        return open;
    }
}
