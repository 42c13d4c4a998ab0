/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

import io.trefoil.federation.client.hashed.HashedTree.RenameResult;
import io.trefoil.federation.client.hashed.RelocatedFiles.Signpost;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * Renames files: by one call to their group if it is the home of both names, otherwise as {@link RelocatedFiles}.
 *
 * @param <E> what the groups say of a file or directory
 */
final class FileRenamer<E extends Entry> {

    /** The mode of directories in a signpost, which have no entries: a user that may remove the signpost may remove them as well. */
    private static final int OWN = 0755;

    private final HashedLayout layout;
    private final List<? extends Group<E>> groups;
    private final PathResolver<E> paths;
    private final RelocatedFiles<E> relocated;
    private final FileMover<E> moves;
    private final Supplier<String> operations;

    FileRenamer(
            HashedLayout layout, List<? extends Group<E>> groups, PathResolver<E> paths, Supplier<String> operations) {
        this.layout = layout;
        this.groups = groups;
        this.paths = paths;
        this.relocated = paths.relocatedFiles();
        this.moves = new FileMover<>(layout, groups, paths);
        this.operations = operations;
    }

    /** Implements {@link HashedTree#renameFile}. */
    RenameResult rename(String from, String to) throws IOException {
        int group = layout.homeOf(from);
        Optional<E> existing = groups.get(group).stat(layout.placePath(group, from));
        boolean isAtHome = existing.isPresent() && !existing.get().isDirectory() && group == layout.homeOf(to);
        if (isAtHome && moves.tryRename(group, from, to)) {
            return RenameResult.RENAMED;
        }
        return renameAcrossGroups(from, to);
    }

    /** Implements {@link HashedTree#replaceFile}. */
    RenameResult replace(String from, String to) throws IOException {
        int group = layout.homeOf(from);
        for (int look = 0; look < PathResolver.LOOKS; look++) {
            Optional<E> other = paths.lookup(to);
            if (!other.isPresent()) {
                RenameResult renamed = rename(from, to);
                if (renamed != RenameResult.TAKEN) {
                    return renamed;
                }
                continue;
            }
            Optional<E> existing = paths.lookup(from);
            if (!existing.isPresent() || existing.get().isDirectory()) {
                return RenameResult.ABSENT;
            }
            if (from.equals(to)
                    || other.get().isDirectory()
                    || group != layout.homeOf(to)
                    || paths.findSignpost(from).isPresent()
                    || paths.findSignpost(to).isPresent()) {
                return RenameResult.TAKEN;
            }
            if (moves.tryReplace(group, from, to)) {
                return RenameResult.RENAMED;
            }
        }
        throw PathResolver.tooManyConflicts(from);
    }

    /** Renames a file, in whatever group it is and whatever its name is there. */
    private RenameResult renameAcrossGroups(String from, String to) throws IOException {
        for (int look = 0; look < PathResolver.LOOKS; look++) {
            Optional<E> existing = paths.lookup(from);
            if (!existing.isPresent() || existing.get().isDirectory()) {
                return RenameResult.ABSENT;
            }
            if (paths.lookup(to).isPresent()) {
                return RenameResult.TAKEN;
            }
            Optional<List<Long>> parts = paths.partIds(HashedLayout.parentOf(to));
            if (!parts.isPresent()) {
                return RenameResult.NO_PARENT;
            }
            paths.tryClearName(to);
            int home = layout.homeOf(from);
            Optional<E> name = groups.get(home).stat(layout.placePath(home, from));
            Optional<Signpost> old = name.isPresent() ? relocated.parseSignpost(home, name.get()) : Optional.empty();
            int group = old.isPresent() ? old.get().group() : home;
            if (group != layout.homeOf(to) && isSticky(group, parts.get().get(group))) {
                return RenameResult.STICKY;
            }
            boolean isDone = old.isPresent()
                    ? tryMoveRelocatedFile(from, name.get().id(), old.get(), to, parts.get())
                    : tryMoveFile(from, to, parts.get());
            if (isDone) {
                return RenameResult.RENAMED;
            }
        }
        throw PathResolver.tooManyConflicts(from);
    }

    private boolean isSticky(int group, long part) throws IOException {
        return groups.get(group)
                .stat(HashedLayout.inodePath(part))
                .filter(Entry::isSticky)
                .isPresent();
    }

    /** @param name the number of the signpost */
    private boolean tryMoveRelocatedFile(String from, long name, Signpost old, String to, List<Long> parts)
            throws IOException {
        int group = old.group();
        String source = layout.contentsPath(group, HashedLayout.parentOf(from)) + "/"
                + HashedLayout.relocationDirectoryName(old.operation()) + RelocatedFiles.FILE;
        boolean isDone = group == layout.homeOf(to)
                // Only files come out of rooms.
                ? groups.get(group).renameFile(source, layout.placePath(group, to))
                : tryRelocate(
                        to,
                        group,
                        parts,
                        (room, file) ->
                                moves.tryMoveIntoRelocationDirectory(group, source, room, file, old.filePath()));
        if (isDone) {
            BestEffortSteps.run(() -> relocated.tryClear(from, name, old));
        }
        return isDone;
    }

    private boolean tryMoveFile(String from, String to, List<Long> parts) throws IOException {
        int home = layout.homeOf(from);
        if (home == layout.homeOf(to)) {
            return moves.tryRename(home, from, to);
        }
        OptionalLong parent = paths.findPartId(home, HashedLayout.parentOf(from));
        if (!parent.isPresent()) {
            return false;
        }
        String origin = HashedLayout.inodeEntryPath(parent.getAsLong(), HashedLayout.nameOf(from));
        return tryRelocate(
                to,
                home,
                parts,
                (room, file) ->
                        moves.tryMoveIntoRelocationDirectory(home, layout.placePath(home, from), room, file, origin));
    }

    /** Moves the file into its room. */
    private interface Relocation {
        /** @param file its place by the id of the room */
        boolean tryMoveFile(String room, String file) throws IOException;
    }

    /** Makes the room and the signpost, and has the file moved in; if that fails, nothing is left of them. */
    private boolean tryRelocate(String to, int group, List<Long> parts, Relocation relocation) throws IOException {
        String operation = operations.get();
        int home = layout.homeOf(to);
        RelocationTarget target = new RelocationTarget(to, group, parts, operation);
        boolean isDone;
        try {
            isDone = plan(target, home, relocation).tryPerform();
            if (!isDone && target.signpost.isPresent()) {
                relocated.tryClear(to, target.name, target.signpost.get());
            }
        } catch (IOException refused) {
            try {
                removeUnused(group, home, parts, operation);
                // Without its room the signpost is in the way of users who may not remove it.
                paths.tryClearName(to);
            } catch (IOException e) {
                refused.addSuppressed(e);
            }
            throw refused;
        }
        if (!isDone) {
            removeUnused(group, home, parts, operation);
        }
        return isDone;
    }

    private Plan<FileRenameStep> plan(RelocationTarget target, int home, Relocation relocation) {
        return Plan.of(FileRenameStep.class)
                .withStep(FileRenameStep.STAGE_ROOM, () -> tryStage(target, home))
                .withStep(FileRenameStep.LABEL_SIGNPOST, () -> tryLabel(home, target.name, target.signpost.get()))
                .withStep(FileRenameStep.PLACE_SIGNPOST, () -> tryPlaceSignpost(target, home))
                .withStep(FileRenameStep.MOVE_FILE_IN, () -> tryMoveIn(target, relocation));
    }

    /** A room for a file to be moved, and the signpost to it. */
    private static final class RelocationTarget {
        private final String to;
        private final int group;
        private final List<Long> parts;
        private final String operation;
        private Optional<Signpost> signpost = Optional.empty();
        /** The inode id of the signpost, if it exists. */
        private long name;

        RelocationTarget(String to, int group, List<Long> parts, String operation) {
            this.to = to;
            this.group = group;
            this.parts = parts;
            this.operation = operation;
        }
    }

    private boolean tryStage(RelocationTarget target, int home) throws IOException {
        Optional<E> made = tryCreateDirectory(
                target.group, target.parts.get(target.group), HashedLayout.relocationDirectoryName(target.operation));
        Optional<E> name = tryCreateDirectory(home, target.parts.get(home), HashedLayout.stagedName(target.operation));
        if (!made.isPresent() || !name.isPresent()) {
            return false;
        }
        target.name = name.get().id();
        target.signpost = Optional.of(Signpost.of(
                target.operation, target.group, made.get().id(), HashedLayout.digest(HashedLayout.nameOf(target.to))));
        return true;
    }

    /** Gives the signpost its name, by paths like the deciding call: in a directory that is being deleted or renamed, it must fail. */
    private boolean tryPlaceSignpost(RelocationTarget target, int home) throws IOException {
        String parent = layout.contentsPath(home, HashedLayout.parentOf(target.to));
        return groups.get(home)
                .rename(parent + "/" + HashedLayout.stagedName(target.operation), layout.placePath(home, target.to));
    }

    private boolean tryMoveIn(RelocationTarget target, Relocation relocation) throws IOException {
        String parent = layout.contentsPath(target.group, HashedLayout.parentOf(target.to));
        return relocation.tryMoveFile(
                parent + "/" + HashedLayout.relocationDirectoryName(target.operation) + RelocatedFiles.FILE,
                target.signpost.get().filePath());
    }

    private Optional<E> tryCreateDirectory(int group, long part, String name) throws IOException {
        Group<E> at = groups.get(group);
        Optional<E> like = at.stat(HashedLayout.inodePath(part));
        String path = HashedLayout.inodeEntryPath(part, name);
        return like.isPresent() && at.mkdirWithAccessFor(path, like.get()) ? at.stat(path) : Optional.empty();
    }

    /** Labels a signpost, which must have more than one entry: see {@link Entry#childCount()}. */
    private boolean tryLabel(int home, long name, Signpost signpost) throws IOException {
        Group<E> at = groups.get(home);
        return at.mkdir(HashedLayout.inodeEntryPath(name, HashedLayout.placeholderName(signpost.operation())), OWN)
                && at.mkdir(HashedLayout.inodeEntryPath(name, signpost.name()), OWN);
    }

    /**
     * Removes the room and the signpost of an incomplete rename; a client that needs the name removes a signpost that has it but
     * leads to no room.
     */
    private void removeUnused(int group, int home, List<Long> parts, String operation) throws IOException {
        groups.get(group)
                .removeIfEmpty(
                        HashedLayout.inodeEntryPath(parts.get(group), HashedLayout.relocationDirectoryName(operation)));
        groups.get(home)
                .removeRecursively(HashedLayout.inodeEntryPath(parts.get(home), HashedLayout.stagedName(operation)));
    }
}
