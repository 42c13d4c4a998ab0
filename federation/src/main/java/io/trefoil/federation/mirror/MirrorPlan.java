/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.mirror;

import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.SubtreeTable;
import io.trefoil.federation.table.TableRecord;
import io.trefoil.federation.table.TableRefusedException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The changes that make the Routers' mount table agree with a version of the table. Pure.
 *
 * <p>The changes are made one by one, and a crash may come between any two. Their order moves every path from its old owner to its new one,
 * never to a third in between: new entries from the bottom up, then changed targets. If a new entry were made before one below it, the
 * paths of the lower one would belong to another owner for a moment, and what is created there then would become invisible.
 *
 * <p>Before an entry is removed, it is made to lead to the new owner. Routers with quotas of their own clear the quota at the target of a
 * removed entry: at the old owner that would open the seal. For the same reason targets change from the bottom up: with an entry, Routers
 * also set the quotas of what is below it.
 *
 * <p>Marks come first: they change no route, so a caller who may not change entries is refused before anything is done; and an older
 * version is refused from then on.
 */
public final class MirrorPlan {

    private static final Comparator<MountChange> TOP_DOWN = Comparator.<MountChange>comparingInt(
                    change -> change.path().length())
            .thenComparing(MountChange::path);

    private final SubtreeTable table;
    private final Set<Consent> consents;
    private final Map<String, MountEntry> present = new TreeMap<>();

    private MirrorPlan(SubtreeTable table, Collection<MountEntry> presentEntries, Set<Consent> consents) {
        this.table = table;
        this.consents = consents;
        presentEntries.forEach(entry -> this.present.put(entry.path(), entry));
    }

    /**
     * Plans the changes by comparing the table with the Routers' entries.
     *
     * @throws TableRefusedException if another's entry is where one of the table must be, or the Routers have a newer version
     */
    public static MirrorPlan of(SubtreeTable table, Collection<MountEntry> presentEntries, Set<Consent> consents)
            throws TableRefusedException {
        MirrorPlan plan = new MirrorPlan(table, presentEntries, consents);
        plan.requireNotOlder();
        plan.requireNoForeignEntries();
        return plan;
    }

    private void requireNotOlder() throws TableRefusedException {
        int mirrored = mirroredVersion();
        if (mirrored > table.version() && !consents.contains(Consent.GO_BACK)) {
            throw new TableRefusedException("The Routers have version " + mirrored + " of hdfs://" + table.name()
                    + ", and the newest version of the table is " + table.version()
                    + ": it went back. If it was restored on purpose, give --back-to " + table.version());
        }
    }

    /** The newest version among the table's entries; 0 if none is the table's. */
    private int mirroredVersion() {
        int mirrored = 0;
        for (MountEntry entry : present.values()) {
            if (isMirrorEntry(entry)) {
                mirrored = Math.max(mirrored, entry.mark().get().version());
            }
        }
        return mirrored;
    }

    private void requireNoForeignEntries() throws TableRefusedException {
        List<String> conflicts = new ArrayList<>();
        table.owners().forEach((path, owner) -> {
            MountEntry entry = present.get(path.text());
            if (entry != null && !isMirrorEntry(entry) && !mayBeAdopted(entry, owner)) {
                conflicts.add(entry.path() + " leads to " + String.join(", ", entry.targets())
                        + entry.mark().map(mark -> " by hdfs://" + mark.table()).orElse("") + ": "
                        + (entry.leadsTo(owner)
                                ? "as the table says; --adopt takes it over"
                                : "the table has it with " + owner + "; remove it with hdfs dfsrouteradmin -rm "
                                        + entry.path()));
            }
        });
        if (!conflicts.isEmpty()) {
            throw new TableRefusedException("The Routers have entries that are not of hdfs://" + table.name()
                    + " where it has its own. Nothing was changed.\n" + String.join("\n", conflicts));
        }
    }

    private boolean mayBeAdopted(MountEntry entry, String owner) {
        // What another table made belongs to that table.
        return consents.contains(Consent.ADOPT)
                && entry.leadsTo(owner)
                && !entry.mark().isPresent();
    }

    private boolean isMirrorEntry(MountEntry entry) {
        return entry.mark().filter(mark -> mark.table().equals(table.name())).isPresent()
                && subtree(entry).isPresent();
    }

    /** The changes to make, in order; empty if nothing needs to change. */
    public List<MountChange> changes() {
        List<MountChange> marked = new ArrayList<>();
        List<MountChange> added = new ArrayList<>();
        List<MountChange> set = new ArrayList<>();
        List<MountChange> removed = new ArrayList<>();
        table.owners().forEach((path, owner) -> {
            MountEntry entry = present.get(path.text());
            if (entry == null) {
                added.add(MountChange.of(MountChange.Kind.ADD, path.text(), owner));
            } else if (!entry.leadsTo(owner)) {
                set.add(MountChange.of(MountChange.Kind.SET, path.text(), owner));
            } else if (!isMarked(entry)) {
                marked.add(MountChange.of(MountChange.Kind.MARK, path.text(), owner));
            }
        });
        for (MountEntry entry : present.values()) {
            if (isMirrorEntry(entry)
                    && !table.owners().containsKey(subtree(entry).get())) {
                String owner = table.ownerOf(subtree(entry).get());
                if (!entry.leadsTo(owner)) {
                    set.add(MountChange.of(MountChange.Kind.SET, entry.path(), owner));
                }
                removed.add(MountChange.of(MountChange.Kind.REMOVE, entry.path(), owner));
            }
        }
        marked.sort(TOP_DOWN);
        added.sort(TOP_DOWN.reversed());
        set.sort(TOP_DOWN.reversed());
        removed.sort(TOP_DOWN);
        List<MountChange> all = new ArrayList<>(marked);
        all.addAll(added);
        all.addAll(set);
        all.addAll(removed);
        return Collections.unmodifiableList(all);
    }

    /**
     * The targets, by path, of entries that should be removed but do not exist: those of the last mirrored version. A State Store that
     * could not read one does not say so, and Routers go there again when it can.
     *
     * @param history of the table
     */
    public SortedMap<String, String> missingEntries(List<TableRecord> history) {
        SortedMap<String, String> unseen = new TreeMap<>();
        int mirrored = mirroredVersion();
        history.stream()
                .map(TableRecord::table)
                .filter(entry -> entry.version() == mirrored)
                .forEach(last -> last.owners().forEach((path, owner) -> {
                    if (!table.owners().containsKey(path) && !present.containsKey(path.text())) {
                        unseen.put(path.text(), owner);
                    }
                }));
        return unseen;
    }

    /**
     * Whether an entry has the right mark. The root is always there, so its mark has the last version; other entries
     * keep the version of their last change.
     */
    private boolean isMarked(MountEntry entry) {
        if (!isMirrorEntry(entry)) {
            return false;
        }
        int version = entry.mark().get().version();
        return entry.path().equals("/") ? version == table.version() : version <= table.version();
    }

    /** The entries of others by which Routers deviate from the table. They are left alone. */
    public List<MountEntry> conflictingEntries() {
        List<MountEntry> elsewhere = new ArrayList<>();
        for (MountEntry entry : present.values()) {
            Optional<SubtreePath> path = subtree(entry);
            boolean agrees = path.isPresent() && entry.leadsTo(table.ownerOf(path.get()));
            if (!isMirrorEntry(entry) && !agrees) {
                elsewhere.add(entry);
            }
        }
        return Collections.unmodifiableList(elsewhere);
    }

    private static Optional<SubtreePath> subtree(MountEntry entry) {
        try {
            return Optional.of(SubtreePath.parse(entry.path()));
        } catch (IllegalArgumentException e) {
            // The Routers allow paths that a table does not.
            return Optional.empty();
        }
    }
}
