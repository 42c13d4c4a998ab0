/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.table.mirror;

import io.trefoil.tools.table.model.SubtreePath;
import io.trefoil.tools.table.model.SubtreeTable;
import io.trefoil.tools.table.model.TableRefusedException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What has to be done to the Routers' mount table so that it is as a version of the table says. Pure.
 *
 * <p>The changes are made one by one, and a crash may come between any two. Their order lets every path go from its old owner to its new
 * one, and to no third in between: new entries from the bottom up, then other targets. With a new entry made before one below it, what the
 * lower one contains would belong to somebody else for a moment, and what is created there be lost to sight.
 *
 * <p>An entry that goes leads to the new owner first. Routers with quotas of their own clear the quota where an entry leads that is
 * removed: at the old owner that would open the seal. For the same reason targets change from the bottom up: Routers set the quotas of
 * what is below an entry with it.
 *
 * <p>Marks come first: they change no route, whoever may not change entries is refused before anything is done, and an older version is
 * from then on.
 */
public final class MirrorPlan {

    private static final Comparator<MountChange> FROM_THE_TOP = Comparator.<MountChange>comparingInt(
                    change -> change.path().length())
            .thenComparing(MountChange::path);

    private final SubtreeTable table;
    private final Set<Consent> given;
    private final Map<String, MountEntry> present = new TreeMap<>();

    private MirrorPlan(SubtreeTable table, Collection<MountEntry> present, Set<Consent> given) {
        this.table = table;
        this.given = given;
        present.forEach(entry -> this.present.put(entry.path(), entry));
    }

    /**
     * Compares.
     *
     * @throws TableRefusedException if an entry of somebody else is where one of the table must be, or the Routers have a newer version
     */
    public static MirrorPlan of(SubtreeTable table, Collection<MountEntry> present, Set<Consent> given)
            throws TableRefusedException {
        MirrorPlan plan = new MirrorPlan(table, present, given);
        plan.requireNotOlder();
        plan.requireNobodyElses();
        return plan;
    }

    private void requireNotOlder() throws TableRefusedException {
        int mirrored = 0;
        for (MountEntry entry : present.values()) {
            if (isOurs(entry)) {
                mirrored = Math.max(mirrored, entry.mark().get().version());
            }
        }
        if (mirrored > table.version() && !given.contains(Consent.GO_BACK)) {
            throw new TableRefusedException("The Routers have version " + mirrored + " of hdfs://" + table.name()
                    + ", and the newest version of the table is " + table.version()
                    + ": it went back. If it was restored on purpose, give --back-to " + table.version());
        }
    }

    private void requireNobodyElses() throws TableRefusedException {
        List<String> conflicts = new ArrayList<>();
        table.owners().forEach((path, owner) -> {
            MountEntry entry = present.get(path.text());
            if (entry != null && !isOurs(entry) && !mayBeAdopted(entry, owner)) {
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
        // What another table made is that one's.
        return given.contains(Consent.ADOPT)
                && entry.leadsTo(owner)
                && !entry.mark().isPresent();
    }

    private boolean isOurs(MountEntry entry) {
        return entry.mark().filter(mark -> mark.table().equals(table.name())).isPresent()
                && subtree(entry).isPresent();
    }

    /** What to do, in this order; nothing if all is as it should be. */
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
            if (isOurs(entry) && !table.owners().containsKey(subtree(entry).get())) {
                String owner = table.ownerOf(subtree(entry).get());
                if (!entry.leadsTo(owner)) {
                    set.add(MountChange.of(MountChange.Kind.SET, entry.path(), owner));
                }
                removed.add(MountChange.of(MountChange.Kind.REMOVE, entry.path(), owner));
            }
        }
        marked.sort(FROM_THE_TOP);
        added.sort(FROM_THE_TOP.reversed());
        set.sort(FROM_THE_TOP.reversed());
        removed.sort(FROM_THE_TOP);
        List<MountChange> all = new ArrayList<>(marked);
        all.addAll(added);
        all.addAll(set);
        all.addAll(removed);
        return Collections.unmodifiableList(all);
    }

    /** The root is always there, so its mark says which version came last; the others keep that of their last change. */
    private boolean isMarked(MountEntry entry) {
        if (!isOurs(entry)) {
            return false;
        }
        int version = entry.mark().get().version();
        return entry.path().equals("/") ? version == table.version() : version <= table.version();
    }

    /** Entries of others, by which Routers go elsewhere than the table says. They are left alone. */
    public List<MountEntry> elsewhere() {
        List<MountEntry> elsewhere = new ArrayList<>();
        for (MountEntry entry : present.values()) {
            Optional<SubtreePath> path = subtree(entry);
            boolean agrees = path.isPresent() && entry.leadsTo(table.ownerOf(path.get()));
            if (!isOurs(entry) && !agrees) {
                elsewhere.add(entry);
            }
        }
        return Collections.unmodifiableList(elsewhere);
    }

    private static Optional<SubtreePath> subtree(MountEntry entry) {
        try {
            return Optional.of(SubtreePath.parse(entry.path()));
        } catch (IllegalArgumentException e) {
            // The Routers allow what a table does not.
            return Optional.empty();
        }
    }
}
