/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move.explore;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** What outlives every process: two directories, the table, the record, and what clients were told. */
final class Places extends Value {

    /** A version of the table, and the move that made it, or 0. */
    record Version(int owner, int move) {}

    ExploredDirectory[] directories = {new ExploredDirectory(), new ExploredDirectory()};
    List<Version> table = List.of(new Version(0, 0));
    Optional<WrittenMove> record = Optional.empty();
    Set<Integer> ended = new TreeSet<>();
    /** What clients were told that the file has. */
    int notified;

    int permission;
    /** What a superuser wrote into a closed directory: it may be in the way, but must not be lost. */
    int superusers = ExploredDirectory.NO_FILE;

    int contents;

    Places copy() {
        Places copy = new Places();
        copy.directories = new ExploredDirectory[] {directories[0].copy(), directories[1].copy()};
        copy.table = table;
        copy.record = record;
        copy.ended = new TreeSet<>(ended);
        copy.notified = notified;
        copy.permission = permission;
        copy.superusers = superusers;
        copy.contents = contents;
        return copy;
    }

    @Override
    List<Object> components() {
        return List.of(
                directories[0], directories[1], table, record, ended, notified, permission, superusers, contents);
    }

    int owner() {
        return table.get(table.size() - 1).owner();
    }

    boolean hasMoved() {
        return table.stream().anyMatch(version -> version.move() != 0);
    }

    void append(Version version) {
        List<Version> all = new ArrayList<>(table);
        all.add(version);
        table = List.copyOf(all);
    }

    int nextContent() {
        return ++contents;
    }
}
