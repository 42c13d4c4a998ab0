/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

import io.trefoil.federation.client.hashed.DirectoryRenamer.RenameState;
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
final class PathResolver<E extends Entry> {

    /** How often a call that meets others' operations retries; more often than this, something is wrong. */
    static final int LOOKS = 100;

    /** An id that no inode has. */
    private static final Long NOTHING = 0L;

    private final HashedLayout layout;
    private final List<? extends Group<E>> groups;
    private final PendingOperations<E> pending;
    private final RelocatedFiles<E> relocated;

    PathResolver(HashedLayout layout, List<? extends Group<E>> groups) {
        this.layout = layout;
        this.groups = groups;
        this.pending = new PendingOperations<>(layout, groups, this);
        this.relocated = new RelocatedFiles<>(layout, groups, this);
    }

    /** The operations that remove names. */
    PendingOperations<E> pendingOperations() {
        return pending;
    }

    /** The files in a group other than the home of their name. */
    RelocatedFiles<E> relocatedFiles() {
        return relocated;
    }

    /** Implements {@link HashedTree#lookup}. */
    Optional<E> lookup(String path) throws IOException {
        if (HashedLayout.isRoot(path)) {
            return groups.get(0).stat(layout.placePath(0, path));
        }
        int home = layout.homeOf(path);
        for (int look = 0; look < LOOKS; look++) {
            Optional<E> entry = groups.get(home).stat(layout.placePath(home, path));
            if (entry.isPresent()) {
                Optional<RelocatedFiles.Signpost> signpost = relocated.parseSignpost(home, entry.get());
                if (signpost.isPresent()) {
                    return findRelocatedFile(path, signpost.get());
                }
                RenameState standing = renameStateOf(home, entry.get());
                if (standing != RenameState.OVER) {
                    return standing == RenameState.GONE ? Optional.empty() : entry;
                }
            } else if (!findEntry(path).isPresent()) {
                return Optional.empty();
            }
        }
        throw tooManyConflicts(path);
    }

    /** The file that a signpost leads to; empty if there is none. */
    Optional<E> findRelocatedFile(String path, RelocatedFiles.Signpost signpost) throws IOException {
        return relocated.callOnFile(path, signpost, (group, place) -> groups.get(group)
                .stat(place)
                .filter(target -> !target.isDirectory()));
    }

    /** Whether an entry of a part is an entry of the directory, wherever the directory is. */
    boolean isEntry(int group, E entry) throws IOException {
        if (!layout.isRealEntry(group, entry)) {
            return false;
        }
        Optional<RelocatedFiles.Signpost> signpost = relocated.parseSignpost(group, entry);
        return signpost.isPresent()
                ? relocated.exists(signpost.get())
                : renameStateOf(group, entry) != RenameState.GONE;
    }

    /**
     * The state of the renames of an entry, according to its home. One call more only if something is in progress. One call
     * more only if something is in progress.
     */
    RenameState renameStateOf(int group, E entry) throws IOException {
        return entry.isDirectory() && entry.childCount() != 1
                ? pending.renames().renameState(group, entry.id())
                : RenameState.UNDONE;
    }

    /**
     * Removes the remains of an ended rename: of a directory's old name, or of the new name that a file did not get.
     *
     * @return whether the path is free now, as far as it depended on that
     */
    boolean tryClearName(String path) throws IOException {
        int home = layout.homeOf(path);
        Optional<E> existing = groups.get(home).stat(layout.placePath(home, path));
        if (!existing.isPresent()) {
            return true;
        }
        long name = existing.get().id();
        Optional<RelocatedFiles.Signpost> signpost = relocated.parseSignpost(home, existing.get());
        return signpost.isPresent()
                ? relocated.tryClear(path, name, signpost.get())
                : existing.get().isDirectory() && pending.renames().tryRemoveOldName(home, name);
    }

    /**
     * The entry of a path in its home, by the inode id of the parent directory: if there is none, there was none at some time during the
     * call; if there is one, a directory above may have been renamed by now.
     */
    Optional<E> findEntry(String path) throws IOException {
        OptionalLong parent = findPartId(layout.homeOf(path), HashedLayout.parentOf(path));
        return parent.isPresent() ? findEntry(path, parent.getAsLong()) : Optional.empty();
    }

    /** The entry of a path in its home, by the inode id of the home's part of the parent directory. */
    Optional<E> findEntry(String path, long parent) throws IOException {
        return groups.get(layout.homeOf(path)).stat(HashedLayout.inodeEntryPath(parent, HashedLayout.nameOf(path)));
    }

    /** The inode ids of all parts of a directory, as they were at one moment; empty if the directory does not exist. */
    Optional<List<Long>> partIds(String path) throws IOException {
        for (int look = 0; look < LOOKS; look++) {
            List<Long> ancestors = ancestorIds(path);
            List<Long> parts = new ArrayList<>();
            for (int group = 0; group < groups.size(); group++) {
                OptionalLong part = findPartId(group, path);
                if (!part.isPresent()) {
                    return Optional.empty();
                }
                parts.add(part.getAsLong());
            }
            if (ancestorIds(path).equals(ancestors) && !ancestors.contains(NOTHING)) {
                return Optional.of(parts);
            }
        }
        throw tooManyConflicts(path);
    }

    /**
     * The inode ids of the names of a directory and of those above it. A name never comes back: if they are the same before and
     * after something, the path was that of one directory all the time between.
     */
    List<Long> ancestorIds(String path) throws IOException {
        List<Long> ancestors = new ArrayList<>();
        for (String ancestor = path; !HashedLayout.isRoot(ancestor); ancestor = HashedLayout.parentOf(ancestor)) {
            int home = layout.homeOf(ancestor);
            ancestors.add(groups.get(home)
                    .stat(layout.placePath(home, ancestor))
                    .map(Entry::id)
                    .orElse(NOTHING));
        }
        return ancestors;
    }

    /** A directory with the directories around it; empty if the directory does not have this path. */
    Optional<DirectoryRef> findRef(String path, long directory) throws IOException {
        Optional<List<Long>> parents = partIds(HashedLayout.parentOf(path));
        if (!parents.isPresent()) {
            return Optional.empty();
        }
        DirectoryRef ref = DirectoryRef.of(path, directory, parents.get());
        return exists(ref) ? Optional.of(ref) : Optional.empty();
    }

    /** Whether a directory still has its name; a directory above may have been renamed. */
    boolean exists(DirectoryRef ref) throws IOException {
        int home = layout.homeOf(ref.path());
        Optional<E> existing = groups.get(home).stat(ref.placedPath(home));
        return existing.isPresent() && existing.get().id() == ref.directoryId();
    }

    /** Implements {@link HashedTree#findPartId}. */
    OptionalLong findPartId(int group, String path) throws IOException {
        for (int look = 0; look < LOOKS; look++) {
            Optional<E> existing = groups.get(group).stat(layout.contentsPath(group, path));
            if (existing.isPresent()) {
                return existing.get().isDirectory()
                        ? OptionalLong.of(existing.get().id())
                        : OptionalLong.empty();
            }
            if (HashedLayout.isRoot(path)) {
                throw new IOException("There is no " + layout.contentsPath(group, path) + ", which the table names");
            }
            Optional<E> named = findEntry(path);
            OptionalLong parent = findPartId(group, HashedLayout.parentOf(path));
            if (!parent.isPresent()
                    || !named.isPresent()
                    || !named.get().isDirectory()
                    || relocated.parseSignpost(layout.homeOf(path), named.get()).isPresent()) {
                return OptionalLong.empty();
            }
            long directory = named.get().id();
            if (!pending.settleIfPending(path, directory) && group != layout.homeOf(path)) {
                publishCopy(group, parent.getAsLong(), path, directory);
            }
        }
        throw tooManyConflicts(path);
    }

    /** Gives a waiting copy its name. */
    void publishCopy(int group, long parent, String path, long directory) throws IOException {
        groups.get(group)
                .rename(
                        HashedLayout.inodeEntryPath(
                                parent, HashedLayout.stagedCopyName(directory, HashedLayout.nameOf(path))),
                        HashedLayout.inodeEntryPath(parent, HashedLayout.nameOf(path)));
    }

    /** The exception for a call that met others' changes too often. */
    static IOException tooManyConflicts(String path) {
        return new IOException(
                "Others changed " + path + " each of " + LOOKS + " times that it was looked at, or it is damaged");
    }

    /** The signpost of a path, if its file is in a group other than the name's home. */
    Optional<RelocatedFiles.Signpost> findSignpost(String path) throws IOException {
        int home = layout.homeOf(path);
        Optional<E> existing = groups.get(home).stat(layout.placePath(home, path));
        return existing.isPresent() ? relocated.parseSignpost(home, existing.get()) : Optional.empty();
    }
}
