/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

import com.google.auto.value.AutoValue;
import io.trefoil.federation.client.hashed.Group.Removal;
import io.trefoil.federation.client.hashed.HashedTree.FileCall;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Handles files in a group other than the home of their name, because they were renamed: their blocks, leases and writers stay. Such a
 * <em>guest</em> has a <em>room</em>, a directory of its own in its group's part of the directory that it is in, and its name is a
 * <em>signpost</em>, a directory in the home of the name that says where the room is. The name is a file as long as there is one in the
 * room, so one call of the guest's group makes the old name go and the new one come.
 *
 * <p>A signpost to an empty room is in no client's way: one that needs the name removes the room, and no client, however late, can move
 * a file into it then. In a directory with the sticky bit it would be in the way of all but its owner, so there are no relocated;
 * without the bit on the room every user could delete the file.
 *
 * @param <E> what the groups say of a file or directory
 */
final class RelocatedFiles<E extends Entry> {

    /** The path of the file in a room. */
    static final String FILE = "/file";

    private static final int RADIX = 36;

    private final HashedLayout layout;
    private final List<? extends Group<E>> groups;
    private final PathResolver<E> paths;

    RelocatedFiles(HashedLayout layout, List<? extends Group<E>> groups, PathResolver<E> paths) {
        this.layout = layout;
        this.groups = groups;
        this.paths = paths;
    }

    /** The content of a signpost. Immutable. */
    @AutoValue
    abstract static class Signpost {

        static Signpost of(String operation, int group, long directoryId, String digest) {
            return new AutoValue_RelocatedFiles_Signpost(operation, group, directoryId, digest);
        }

        static Signpost parse(String name) {
            String[] texts = HashedLayout.textOfSignpostLabel(name).split("\\.");
            return of(texts[0], Integer.parseInt(texts[1], RADIX), Long.parseLong(texts[2], RADIX), texts[3]);
        }

        /** The operation of the rename that made the signpost. */
        abstract String operation();

        /** The guest's group. */
        abstract int group();

        /** The inode id of the room. */
        abstract long relocationDirectoryId();

        /** The digest of the name for which the signpost was made. */
        abstract String digest();

        /** The name of its directory in the signpost. */
        final String name() {
            return HashedLayout.signpostLabel(operation() + "." + Integer.toString(group(), RADIX) + "."
                    + Long.toString(relocationDirectoryId(), RADIX) + "." + digest());
        }

        final String filePath() {
            return HashedLayout.inodePath(relocationDirectoryId()) + FILE;
        }
    }

    /** The entry of a home as a signpost; empty if it is not one. A call only if it is no usual name. */
    Optional<Signpost> parseSignpost(int home, E entry) throws IOException {
        if (entry.isDirectory() && entry.childCount() != 1) {
            Optional<List<E>> inside = groups.get(home).list(HashedLayout.inodePath(entry.id()));
            if (inside.isPresent()) {
                for (E one : inside.get()) {
                    if (HashedLayout.isSignpostLabel(one.name())) {
                        return Optional.of(Signpost.parse(one.name()));
                    }
                }
            }
        }
        return Optional.empty();
    }

    /** Whether there is a guest, wherever the parent directory is. */
    boolean exists(Signpost signpost) throws IOException {
        return groups.get(signpost.group())
                .stat(signpost.filePath())
                .filter(target -> !target.isDirectory())
                .isPresent();
    }

    /** Whether a signpost was made for this path, and still leads somewhere, because its room is in the same directory. */
    boolean isFor(String path, Signpost signpost) throws IOException {
        if (!signpost.digest().equals(HashedLayout.digest(HashedLayout.nameOf(path)))) {
            return false;
        }
        OptionalLong part = paths.findPartId(signpost.group(), HashedLayout.parentOf(path));
        return part.isPresent()
                && groups.get(signpost.group())
                        .stat(HashedLayout.inodeEntryPath(
                                part.getAsLong(), HashedLayout.relocationDirectoryName(signpost.operation())))
                        .isPresent();
    }

    /**
     * Performs a call on a guest, by its path, through which only existing files are reachable.
     *
     * @param path that of the signpost
     * @return empty if there was none at some time since the signpost was seen
     */
    <T> Optional<T> callOnFile(String path, Signpost signpost, FileCall<T> call) throws IOException {
        int group = signpost.group();
        String parent = HashedLayout.parentOf(path);
        String room = HashedLayout.relocationDirectoryName(signpost.operation());
        for (int look = 0; look < PathResolver.LOOKS; look++) {
            Optional<T> result = call.callAt(group, layout.contentsPath(group, parent) + "/" + room + FILE);
            if (result.isPresent() || !exists(signpost)) {
                return result;
            }
            OptionalLong part = paths.findPartId(group, parent);
            if (!part.isPresent()
                    || !groups.get(group)
                            .stat(HashedLayout.inodeEntryPath(part.getAsLong(), room))
                            .isPresent()) {
                // The directory that had it has another name, and this name was free meanwhile.
                return Optional.empty();
            }
        }
        throw PathResolver.tooManyConflicts(path);
    }

    /**
     * Removes a signpost if there is no guest; returns false if there is one. What a signpost says may be wrong by intent, so nothing is
     * removed but a room in the directory that it is in.
     *
     * @param path that of the signpost
     * @param name its number
     */
    boolean tryClear(String path, long name, Signpost signpost) throws IOException {
        Group<E> group = groups.get(signpost.group());
        String room = HashedLayout.inodePath(signpost.relocationDirectoryId());
        if (group.stat(room).isPresent()
                && (!isInSameDirectory(path, signpost) || group.removeIfEmpty(room) == Removal.NOT_EMPTY)) {
            return false;
        }
        // If another client has removed it, and it is in a snapshot, its number may lead to what has its place by now.
        Group<E> home = groups.get(layout.homeOf(path));
        if (home.stat(HashedLayout.inodePath(name)).isPresent()) {
            home.removeRecursively(HashedLayout.inodePath(name));
        }
        return true;
    }

    private boolean isInSameDirectory(String path, Signpost signpost) throws IOException {
        OptionalLong part = paths.findPartId(signpost.group(), HashedLayout.parentOf(path));
        return part.isPresent()
                && groups.get(signpost.group())
                        .stat(HashedLayout.inodeEntryPath(
                                part.getAsLong(), HashedLayout.relocationDirectoryName(signpost.operation())))
                        .filter(target -> target.id() == signpost.relocationDirectoryId())
                        .isPresent();
    }
}
