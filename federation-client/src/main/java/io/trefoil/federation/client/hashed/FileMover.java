/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Moves files by their paths, each by one call to its group. HDFS has no call that moves a file only: what has taken the old name since the
 * caller looked goes along, if it is a directory or a signpost. So a client that has moved a file looks at the new name.
 *
 * <p>A directory there is no proof: perhaps the file was moved, and has left, and the name is another client's by now, which was told so.
 * That one must stay. It is known by what is at its place: a directory has copies in the other groups, which have its name or wait for it
 * next to it; a signpost has its room in the same directory. Only what belongs at the old name, and is missing there, is given back.
 *
 * @param <E> what the groups say of a file or directory
 */
final class FileMover<E extends Entry> {

    private final HashedLayout layout;
    private final List<? extends Group<E>> groups;
    private final PathResolver<E> paths;
    private final RelocatedFiles<E> relocated;

    FileMover(HashedLayout layout, List<? extends Group<E>> groups, PathResolver<E> paths) {
        this.layout = layout;
        this.groups = groups;
        this.paths = paths;
        this.relocated = paths.relocatedFiles();
    }

    /**
     * Gives a file a free name of the same group.
     *
     * @return false if it is not there, or cannot have the name: nothing is changed
     * @throws IOException also if something went along and cannot be given back; the text says where it is
     */
    boolean tryRename(int group, String from, String to) throws IOException {
        return groups.get(group).renameFile(layout.placePath(group, from), layout.placePath(group, to))
                && !undoIfDirectory(group, from, to);
    }

    /** Renames a file like {@link #tryRename}, but replaces another file of the new name. */
    boolean tryReplace(int group, String from, String to) throws IOException {
        return groups.get(group).replaceFile(layout.placePath(group, from), layout.placePath(group, to))
                && !undoIfDirectory(group, from, to);
    }

    /** Renames back a directory that had taken a file's name and was renamed instead; returns whether there was one. */
    private boolean undoIfDirectory(int group, String from, String to) throws IOException {
        Optional<E> existing = groups.get(group).stat(layout.placePath(group, to));
        if (!existing.isPresent()
                || !existing.get().isDirectory()
                || !wasMovedWithParent(group, existing.get(), from, to)) {
            return false;
        }
        OptionalLong parent = paths.findPartId(group, HashedLayout.parentOf(from));
        if (!parent.isPresent()) {
            throw UnknownRenameException.ofFile(from, to);
        }
        String origin = HashedLayout.inodeEntryPath(parent.getAsLong(), HashedLayout.nameOf(from));
        if (exists(group, existing.get(), origin)) {
            // What was above the new name is above the old one by now.
            return false;
        }
        restoreDirectory(group, existing.get(), origin, to);
        return true;
    }

    private boolean wasMovedWithParent(int group, E otherEntry, String from, String to) throws IOException {
        Optional<RelocatedFiles.Signpost> signpost = relocated.parseSignpost(group, otherEntry);
        if (signpost.isPresent()) {
            return !relocated.isFor(to, signpost.get()) && relocated.isFor(from, signpost.get());
        }
        if (hasCopy(to, otherEntry.id())) {
            return false;
        }
        boolean isMissed = isMissingAtPath(from, otherEntry.id());
        // The copies of one that is being deleted or renamed are elsewhere.
        if (!isMissed && otherEntry.childCount() == 1) {
            throw UnknownRenameException.ofFile(from, to);
        }
        return isMissed;
    }

    private boolean exists(int group, E entry, String path) throws IOException {
        return groups.get(group)
                .stat(path)
                .filter(target -> target.id() == entry.id())
                .isPresent();
    }

    /**
     * Moves a file into a room.
     *
     * @param file its place there by the id of the room
     * @param origin where it is by the id of the directory around it
     * @return false if it is not there, or the room cannot be reached: nothing is changed
     */
    boolean tryMoveIntoRelocationDirectory(int group, String from, String room, String file, String origin)
            throws IOException {
        if (!groups.get(group).renameFile(from, room)) {
            return false;
        }
        Optional<E> existing = groups.get(group).stat(file);
        boolean wentAlong = existing.isPresent() && existing.get().isDirectory();
        if (wentAlong) {
            // No other client puts anything there.
            restoreDirectory(group, existing.get(), origin, file);
        }
        return !wentAlong;
    }

    /** Whether a directory has a copy in this group; checks in this order, as a waiting copy gets its name. */
    private boolean hasCopy(String path, long directory) throws IOException {
        return findStagedCopy(path, directory).isPresent() || findCopy(path).isPresent();
    }

    /** Whether a directory belongs to a path at which it is not: a copy gets its name last, and loses it first. */
    private boolean isMissingAtPath(String path, long directory) throws IOException {
        if (findStagedCopy(path, directory).isPresent()) {
            return true;
        }
        Optional<E> copy = findCopy(path);
        if (!copy.isPresent() || paths.findEntry(path).isPresent()) {
            return false;
        }
        Optional<E> after = findCopy(path);
        return after.isPresent() && after.get().id() == copy.get().id();
    }

    private Optional<E> findStagedCopy(String path, long directory) throws IOException {
        return findInOtherGroup(path, HashedLayout.stagedCopyName(directory, HashedLayout.nameOf(path)));
    }

    private Optional<E> findCopy(String path) throws IOException {
        return findInOtherGroup(path, HashedLayout.nameOf(path));
    }

    /** The entry of this name next to a path, in a group that has copies there. */
    private Optional<E> findInOtherGroup(String path, String name) throws IOException {
        int group = layout.othersThanHome(path).get(0);
        OptionalLong parent = paths.findPartId(group, HashedLayout.parentOf(path));
        return parent.isPresent()
                ? groups.get(group).stat(HashedLayout.inodeEntryPath(parent.getAsLong(), name))
                : Optional.empty();
    }

    /** Renames back a directory by its id: whatever now has the new name stays. */
    private void restoreDirectory(int group, E directory, String origin, String to) throws IOException {
        if (!groups.get(group).rename(HashedLayout.inodePath(directory.id()), origin)) {
            throw new IOException("A directory took the name of a file that was about to be renamed, and is " + to
                    + " now: others have its name, " + origin);
        }
    }
}
