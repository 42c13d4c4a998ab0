/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.table.mirror;

import io.trefoil.tools.table.model.Seals;
import io.trefoil.tools.table.model.SubtreePath;
import io.trefoil.tools.table.model.SubtreeTable;
import io.trefoil.tools.table.model.TableRecord;
import io.trefoil.tools.table.model.TableStore;
import io.trefoil.tools.table.model.TableStore.Folder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Seals that Routers have opened. Routers with quotas of their own set those of an entry at the folder that it leads to: when an operator
 * sets them, and every minute where they find others. From a change of the table until it is mirrored that is the old owner's folder, whose
 * seal is a quota.
 */
public final class OpenedSeals {

    private final TableStore store;
    private final Moves moves;

    /** What is being moved now. */
    public interface Moves {
        /** Whether a folder is part of a move, or contains it: then the move deals with its seal. */
        boolean concern(SubtreePath path) throws IOException;
    }

    /** What is done to a seal. */
    private interface Treatment {
        void treat(String nameservice, SubtreePath path) throws IOException;
    }

    public OpenedSeals(TableStore store, Moves moves) {
        this.store = store;
        this.moves = moves;
    }

    /** Returns what {@link #close} would close; changes nothing. */
    public SealOutcome look() throws IOException {
        return each((nameservice, path) -> {});
    }

    /**
     * Closes them again, and looks whether something was created in the folders. What goes wrong with one is in the outcome, and the others
     * are closed.
     *
     * @throws IOException if the table cannot be read
     */
    public SealOutcome close() throws IOException {
        return each(new Seals(store)::closeAgain);
    }

    private SealOutcome each(Treatment treatment) throws IOException {
        List<String> closed = new ArrayList<>();
        Map<String, String> open = new TreeMap<>();
        Map<String, String> unknown = new TreeMap<>();
        for (Map.Entry<String, SortedSet<SubtreePath>> one :
                givenAway(store.history()).entrySet()) {
            String nameservice = one.getKey();
            if (!store.nameservices().contains(nameservice)) {
                unknown.put("hdfs://" + nameservice, "the configuration does not have it");
                continue;
            }
            try {
                store.requireSuperuser(Collections.singleton(nameservice));
                for (SubtreePath path : opened(nameservice, one.getValue())) {
                    String folder = "hdfs://" + nameservice + path;
                    try {
                        treatment.treat(nameservice, path);
                        closed.add(folder);
                    } catch (IOException e) {
                        open.put(folder, firstLine(e));
                    }
                }
            } catch (IOException e) {
                unknown.put("hdfs://" + nameservice, firstLine(e));
            }
        }
        return SealOutcome.of(closed, open, unknown);
    }

    /** The folders that belong to another nameservice by now, or are hashed, by each that had them. */
    private static SortedMap<String, SortedSet<SubtreePath>> givenAway(List<TableRecord> history) {
        SortedMap<String, SortedSet<SubtreePath>> given = new TreeMap<>();
        SubtreeTable newest = history.get(history.size() - 1).table();
        for (SubtreePath hashed : newest.hashed().keySet()) {
            given.computeIfAbsent(newest.ownerOf(hashed), none -> new TreeSet<>())
                    .add(hashed);
        }
        for (int i = 1; i < history.size(); i++) {
            SubtreeTable before = history.get(i - 1).table();
            SubtreeTable after = history.get(i).table();
            SortedSet<SubtreePath> entries = new TreeSet<>(before.owners().keySet());
            entries.addAll(after.owners().keySet());
            for (SubtreePath path : entries) {
                String owner = before.ownerOf(path);
                if (!owner.equals(after.ownerOf(path)) && !owner.equals(newest.ownerOf(path))) {
                    given.computeIfAbsent(owner, none -> new TreeSet<>()).add(path);
                }
            }
        }
        return given;
    }

    private List<SubtreePath> opened(String nameservice, SortedSet<SubtreePath> paths) throws IOException {
        List<SubtreePath> opened = new ArrayList<>();
        for (SubtreePath path : paths) {
            // The move is asked for last: one that has opened this folder was there before.
            if (store.hasSeal(nameservice, path)
                    && store.look(nameservice, path) != Folder.SEALED
                    && !moves.concern(path)) {
                opened.add(path);
            }
        }
        return opened;
    }

    /** A NameNode appends its stack trace. */
    private static String firstLine(IOException e) {
        return String.valueOf(e.getMessage()).split("\n", 2)[0];
    }
}
