/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Moves files by their paths, each by one call of its group. HDFS has no call that moves a file only: what has taken the old name since the
 * caller looked goes along, if it is a directory or a signpost. So whoever has moved a file looks at the new name.
 *
 * <p>A directory there is no proof: perhaps the file was moved, and has left, and somebody else has the name by now, and was told so. That
 * one must stay. It is known by what is at its place: a directory has copies in the other groups, which have its name or wait for it beside
 * it; a signpost has its room in the same directory. Only what belongs at the old name, and is missing there, is given back.
 *
 * @param <E> what the groups say of a file or directory
 */
final class FileMoves<E extends Entry> {

    private final HashedLayout layout;
    private final List<? extends Group<E>> groups;
    private final Paths<E> paths;
    private final RelocatedFiles<E> relocated;

    FileMoves(HashedLayout layout, List<? extends Group<E>> groups, Paths<E> paths) {
        this.layout = layout;
        this.groups = groups;
        this.paths = paths;
        this.relocated = paths.relocated();
    }

    /**
     * Gives a file a free name of the same group.
     *
     * @return false if it is not there, or cannot have the name: nothing is changed
     * @throws IOException also if something went along and cannot be given back; the text says where it is
     */
    boolean tryRename(int group, String from, String to) throws IOException {
        return groups.get(group).renameFile(layout.place(group, from), layout.place(group, to))
                && !undoIfDirectory(group, from, to);
    }

    /** Renames a file like {@link #tryRename}, but replaces another file of the new name. */
    boolean tryReplace(int group, String from, String to) throws IOException {
        return groups.get(group).replaceFile(layout.place(group, from), layout.place(group, to))
                && !undoIfDirectory(group, from, to);
    }

    /** Gives back a directory that was renamed instead of a file, because it had taken the file's name. */
    private boolean undoIfDirectory(int group, String from, String to) throws IOException {
        Optional<E> there = groups.get(group).stat(layout.place(group, to));
        if (!there.isPresent() || !there.get().isDirectory() || !wasMovedAlong(group, there.get(), from, to)) {
            return false;
        }
        OptionalLong parent = paths.contents(group, HashedLayout.parentOf(from));
        if (!parent.isPresent()) {
            throw UnknownRenameException.ofFile(from, to);
        }
        String origin = HashedLayout.byId(parent.getAsLong(), HashedLayout.nameOf(from));
        if (exists(group, there.get(), origin)) {
            // What was above the new name is above the old one by now.
            return false;
        }
        moveBack(group, there.get(), origin, to);
        return true;
    }

    private boolean wasMovedAlong(int group, E other, String from, String to) throws IOException {
        Optional<RelocatedFiles.Signpost> signpost = relocated.signpost(group, other);
        if (signpost.isPresent()) {
            return !relocated.isFor(to, signpost.get()) && relocated.isFor(from, signpost.get());
        }
        if (hasCopy(to, other.id())) {
            return false;
        }
        boolean isMissed = isMissed(from, other.id());
        // The copies of one that is being deleted or renamed are elsewhere.
        if (!isMissed && other.children() == 1) {
            throw UnknownRenameException.ofFile(from, to);
        }
        return isMissed;
    }

    private boolean exists(int group, E entry, String place) throws IOException {
        return groups.get(group)
                .stat(place)
                .filter(one -> one.id() == entry.id())
                .isPresent();
    }

    /**
     * Moves a file into a room.
     *
     * @param file its place there by the number of the room
     * @param origin where it is by the number of the directory around it
     * @return false if it is not there, or the room cannot be reached: nothing is changed
     */
    boolean tryHouse(int group, String from, String room, String file, String origin) throws IOException {
        if (!groups.get(group).renameFile(from, room)) {
            return false;
        }
        Optional<E> there = groups.get(group).stat(file);
        boolean wentAlong = there.isPresent() && there.get().isDirectory();
        if (wentAlong) {
            // Nobody else puts anything there.
            moveBack(group, there.get(), origin, file);
        }
        return !wentAlong;
    }

    /** Whether a directory has a copy in this group, looked for in this order: a copy that waits gets its name. */
    private boolean hasCopy(String path, long directory) throws IOException {
        return waitingCopy(path, directory).isPresent() || copy(path).isPresent();
    }

    /** Whether a directory belongs to a path at which it is not: a copy has its name last, and loses it first. */
    private boolean isMissed(String path, long directory) throws IOException {
        if (waitingCopy(path, directory).isPresent()) {
            return true;
        }
        Optional<E> copy = copy(path);
        if (!copy.isPresent() || paths.named(path).isPresent()) {
            return false;
        }
        Optional<E> after = copy(path);
        return after.isPresent() && after.get().id() == copy.get().id();
    }

    private Optional<E> waitingCopy(String path, long directory) throws IOException {
        return findInOtherGroup(path, HashedLayout.copyOf(directory, HashedLayout.nameOf(path)));
    }

    private Optional<E> copy(String path) throws IOException {
        return findInOtherGroup(path, HashedLayout.nameOf(path));
    }

    /** The entry of this name beside a path, in a group that has copies there. */
    private Optional<E> findInOtherGroup(String path, String name) throws IOException {
        int group = layout.othersThanHome(path).get(0);
        OptionalLong parent = paths.contents(group, HashedLayout.parentOf(path));
        return parent.isPresent()
                ? groups.get(group).stat(HashedLayout.byId(parent.getAsLong(), name))
                : Optional.empty();
    }

    /** Gives back a directory by its number: whatever has the new name by now stays. */
    private void moveBack(int group, E directory, String origin, String to) throws IOException {
        if (!groups.get(group).rename(HashedLayout.byId(directory.id()), origin)) {
            throw new IOException("A directory took the name of a file that was about to be renamed, and is " + to
                    + " now: others have its name, " + origin);
        }
    }
}
