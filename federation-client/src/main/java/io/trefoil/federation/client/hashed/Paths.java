/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

import io.trefoil.federation.client.hashed.Renames.RenameState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Finds the names, parts of directories, and files elsewhere that belong to a path, in each group. Completes what
 * others left half done as far as it is in the way.
 *
 * @param <E> what the groups say of a file or directory
 */
final class Paths<E extends Entry> {

    /** A call that meets others' operations looks again; more often than this, something is wrong. */
    static final int LOOKS = 100;

    /** The number of no inode. */
    private static final Long NOTHING = 0L;

    private final HashedLayout layout;
    private final List<? extends Group<E>> groups;
    private final PendingOperations<E> pending;
    private final RelocatedFiles<E> relocated;

    Paths(HashedLayout layout, List<? extends Group<E>> groups) {
        this.layout = layout;
        this.groups = groups;
        this.pending = new PendingOperations<>(layout, groups, this);
        this.relocated = new RelocatedFiles<>(layout, groups, this);
    }

    /** The operations that take names away. */
    PendingOperations<E> pending() {
        return pending;
    }

    /** Files in another group than the home of their name. */
    RelocatedFiles<E> relocated() {
        return relocated;
    }

    /** Implements {@link HashedTree#lookup}. */
    Optional<E> lookup(String path) throws IOException {
        if (HashedLayout.isRoot(path)) {
            return groups.get(0).stat(layout.place(0, path));
        }
        int home = layout.homeOf(path);
        for (int look = 0; look < LOOKS; look++) {
            Optional<E> found = groups.get(home).stat(layout.place(home, path));
            if (found.isPresent()) {
                Optional<RelocatedFiles.Signpost> signpost = relocated.signpost(home, found.get());
                if (signpost.isPresent()) {
                    return guest(path, signpost.get());
                }
                RenameState standing = renameStateOf(home, found.get());
                if (standing != RenameState.OVER) {
                    return standing == RenameState.GONE ? Optional.empty() : found;
                }
            } else if (!named(path).isPresent()) {
                return Optional.empty();
            }
        }
        throw tooManyConflicts(path);
    }

    /** The file that a signpost leads to; empty if there is none. */
    Optional<E> guest(String path, RelocatedFiles.Signpost signpost) throws IOException {
        return relocated.at(
                path, signpost, (group, place) -> groups.get(group).stat(place).filter(one -> !one.isDirectory()));
    }

    /** Whether an entry of a part is one of the directory, wherever the directory is. */
    boolean isEntry(int group, E entry) throws IOException {
        if (!layout.isTrue(group, entry)) {
            return false;
        }
        Optional<RelocatedFiles.Signpost> signpost = relocated.signpost(group, entry);
        return signpost.isPresent()
                ? relocated.exists(signpost.get())
                : renameStateOf(group, entry) != RenameState.GONE;
    }

    /**
     * The standing of the renames of an entry, from its home. One call more only if something is under way. One call
     * more only if something is under way.
     */
    RenameState renameStateOf(int group, E entry) throws IOException {
        return entry.isDirectory() && entry.children() != 1
                ? pending.renames().standing(group, entry.id())
                : RenameState.UNDONE;
    }

    /**
     * Takes away what a rename that ended left of a directory's old name, or of the new name that a file did not get.
     *
     * @return whether the path is free now, as far as it depended on that
     */
    boolean tryClearName(String path) throws IOException {
        int home = layout.homeOf(path);
        Optional<E> there = groups.get(home).stat(layout.place(home, path));
        if (!there.isPresent()) {
            return true;
        }
        long name = there.get().id();
        Optional<RelocatedFiles.Signpost> signpost = relocated.signpost(home, there.get());
        return signpost.isPresent()
                ? relocated.tryClear(path, name, signpost.get())
                : there.get().isDirectory() && pending.renames().tryVacate(home, name);
    }

    /**
     * The entry that a path's home has, by the number of the directory above: if there is none, there was none at some
     * time meanwhile; if there is one, a directory above may have another name by now.
     */
    Optional<E> named(String path) throws IOException {
        OptionalLong parent = contents(layout.homeOf(path), HashedLayout.parentOf(path));
        return parent.isPresent() ? named(path, parent.getAsLong()) : Optional.empty();
    }

    /** The entry that a path's home has, by the number of the home's part of the directory above. */
    Optional<E> named(String path, long parent) throws IOException {
        return groups.get(layout.homeOf(path)).stat(HashedLayout.byId(parent, HashedLayout.nameOf(path)));
    }

    /** The numbers of all parts of a directory, which were its parts at one moment; empty if it does not exist. */
    Optional<List<Long>> parts(String path) throws IOException {
        for (int look = 0; look < LOOKS; look++) {
            List<Long> lineage = lineage(path);
            List<Long> parts = new ArrayList<>();
            for (int group = 0; group < groups.size(); group++) {
                OptionalLong part = contents(group, path);
                if (!part.isPresent()) {
                    return Optional.empty();
                }
                parts.add(part.getAsLong());
            }
            if (lineage(path).equals(lineage) && !lineage.contains(NOTHING)) {
                return Optional.of(parts);
            }
        }
        throw tooManyConflicts(path);
    }

    /**
     * The numbers of the names of a directory and of those above it. A name never comes back: if they are the same before and
     * after something, the path was that of one directory all the time between.
     */
    List<Long> lineage(String path) throws IOException {
        List<Long> lineage = new ArrayList<>();
        for (String one = path; !HashedLayout.isRoot(one); one = HashedLayout.parentOf(one)) {
            int home = layout.homeOf(one);
            lineage.add(groups.get(home)
                    .stat(layout.place(home, one))
                    .map(Entry::id)
                    .orElse(NOTHING));
        }
        return lineage;
    }

    /** A directory with what is around it; empty if it has not this path. */
    Optional<DirectoryRef> ref(String path, long directory) throws IOException {
        Optional<List<Long>> parents = parts(HashedLayout.parentOf(path));
        if (!parents.isPresent()) {
            return Optional.empty();
        }
        DirectoryRef ref = DirectoryRef.of(path, directory, parents.get());
        return exists(ref) ? Optional.of(ref) : Optional.empty();
    }

    /** Whether a directory has its name still; a directory above may have another one. */
    boolean exists(DirectoryRef ref) throws IOException {
        int home = layout.homeOf(ref.path());
        Optional<E> there = groups.get(home).stat(ref.place(home));
        return there.isPresent() && there.get().id() == ref.directory();
    }

    /** Implements {@link HashedTree#contents}. */
    OptionalLong contents(int group, String path) throws IOException {
        for (int look = 0; look < LOOKS; look++) {
            Optional<E> there = groups.get(group).stat(layout.contents(group, path));
            if (there.isPresent()) {
                return there.get().isDirectory() ? OptionalLong.of(there.get().id()) : OptionalLong.empty();
            }
            if (HashedLayout.isRoot(path)) {
                throw new IOException("There is no " + layout.contents(group, path) + ", which the table names");
            }
            Optional<E> named = named(path);
            OptionalLong parent = contents(group, HashedLayout.parentOf(path));
            if (!parent.isPresent()
                    || !named.isPresent()
                    || !named.get().isDirectory()
                    || relocated.signpost(layout.homeOf(path), named.get()).isPresent()) {
                return OptionalLong.empty();
            }
            long directory = named.get().id();
            if (!pending.settleIfPending(path, directory) && group != layout.homeOf(path)) {
                publishCopy(group, parent.getAsLong(), path, directory);
            }
        }
        throw tooManyConflicts(path);
    }

    /** Gives a copy that waits its name. */
    void publishCopy(int group, long parent, String path, long directory) throws IOException {
        groups.get(group)
                .rename(
                        HashedLayout.byId(parent, HashedLayout.copyOf(directory, HashedLayout.nameOf(path))),
                        HashedLayout.byId(parent, HashedLayout.nameOf(path)));
    }

    /** The failure of a call that met others' changes too often. */
    static IOException tooManyConflicts(String path) {
        return new IOException(
                "Others changed " + path + " each of " + LOOKS + " times that it was looked at, or it is damaged");
    }

    /** The signpost of a path, if its file is in another group than its name. */
    Optional<RelocatedFiles.Signpost> signpost(String path) throws IOException {
        int home = layout.homeOf(path);
        Optional<E> there = groups.get(home).stat(layout.place(home, path));
        return there.isPresent() ? relocated.signpost(home, there.get()) : Optional.empty();
    }
}
