/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

import io.trefoil.federation.client.hashed.DirectoryRenamer.RenameState;
import io.trefoil.federation.client.hashed.Group.Removal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A tree of directories whose files are spread over several groups. Two things make it one file system.
 *
 * <ul>
 *   <li>A name is created and removed in its home alone, by one call; but that of a {@link RelocatedFiles guest} comes and goes with the file.
 *   <li><em>What can be reached by its path exists.</em> A copy gets its place after the directory has its name, and loses it
 *       before the name is gone. So a call for a file is one call of its group, and only what is not found needs a second
 *       look: {@link #findPartId}.
 * </ul>
 *
 * <p>All that moves a part is a rename of something that was made once, by inode id, so it is done once, however many clients
 * do it and however late. Thread-safe, as it keeps nothing; calls wait for the groups.
 *
 * @param <E> what the groups say of a file or directory
 */
public final class HashedTree<E extends Entry> {

    /** The result of {@link #mkdir}. */
    public enum MkdirResult {
        MADE,
        /** The directory exists already. */
        EXISTS,
        /** A file has the name. */
        TAKEN,
        NO_PARENT
    }

    /** The result of {@link #delete}. */
    public enum DeleteResult {
        DELETED,
        ABSENT,
        NOT_EMPTY
    }

    /** The result of a rename or replacement. */
    public enum RenameResult {
        RENAMED,
        /** The directory, or file, does not exist. */
        ABSENT,
        /** The new name is taken. */
        TAKEN,
        /** The directory for the new name does not exist. */
        NO_PARENT,
        /** The file would be a guest in a directory with the sticky bit. */
        STICKY
    }

    /** @param <T> the type of its result */
    public interface FileCall<T> {
        /** @return empty if the path was not found, and nothing was done */
        Optional<T> callAt(int group, String path) throws IOException;
    }

    private final HashedLayout layout;
    private final List<? extends Group<E>> groups;
    private final Supplier<String> operations;
    private final PathResolver<E> paths;
    private final RelocatedFiles<E> relocated;
    private final FileCalls<E> fileCalls;
    private final DirectoryCreator<E> creations;
    private final FileRenamer<E> fileRenames;
    private final AttributeChanger<E> attributeChanges;

    /**
     * @param groups in the order of the table
     * @param operations makes unique names, of letters, digits and hyphens
     */
    public HashedTree(HashedLayout layout, List<? extends Group<E>> groups, Supplier<String> operations) {
        if (layout.groupCount() != groups.size()) {
            throw new IllegalArgumentException("Wanted " + layout.groupCount() + " groups, found " + groups.size());
        }
        this.layout = layout;
        this.groups = groups;
        this.operations = operations;
        this.paths = new PathResolver<>(layout, groups);
        this.relocated = paths.relocatedFiles();
        this.fileCalls = new FileCalls<>(layout, paths);
        this.creations = new DirectoryCreator<>(layout, groups, paths, operations);
        this.fileRenames = new FileRenamer<>(layout, groups, paths, operations);
        this.attributeChanges = new AttributeChanger<>(layout, groups, paths, operations);
    }

    /** The file or directory at a path; empty if there is none. One call if there is one. One call if there is something. */
    public Optional<E> lookup(String path) throws IOException {
        return paths.lookup(path);
    }

    /**
     * The inode id of a group's part of a directory, with its place; empty if the directory does not exist. Completes what
     * others left half done, if the part is not in its place.
     */
    public OptionalLong findPartId(int group, String path) throws IOException {
        return paths.findPartId(group, path);
    }

    /**
     * Performs a call on a file in its group, and repeats it if the directory was not in place.
     *
     * @return empty if there is no such file
     */
    public <T> Optional<T> callOnFile(String path, FileCall<T> call) throws IOException {
        return fileCalls.callOnFile(path, call);
    }

    /**
     * Performs a call that makes a file, in the file's group.
     *
     * @param isTaken whether an error of the call says that there is something of this name
     * @return empty if there is no directory for it
     */
    public <T> Optional<T> createFile(String path, FileCall<T> call, Predicate<IOException> isTaken)
            throws IOException {
        return fileCalls.createFile(path, call, isTaken);
    }

    /**
     * Performs a call on a file that is in a group other than its name's home.
     *
     * @return empty if there is no such file
     */
    public <T> Optional<T> callOnRelocatedFile(String path, FileCall<T> call) throws IOException {
        return fileCalls.callOnRelocatedFile(path, call);
    }

    /**
     * Performs a call that reads the attributes of a directory, by the inode id of its name.
     *
     * @return empty if there is no such directory
     */
    public <T> Optional<T> callOnDirectory(String path, FileCall<T> call) throws IOException {
        return attributeChanges.callOnDirectory(path, call);
    }

    /**
     * Performs a call that changes attributes that only the name of a directory has, by its inode id.
     *
     * @return empty if there is no such directory
     * @throws UnknownChangeException if others renamed or deleted it meanwhile
     */
    public <T> Optional<T> changeDirectory(String path, FileCall<T> call) throws IOException {
        return attributeChanges.changeDirectory(path, call);
    }

    /**
     * Performs a call that changes the {@link Access} of a directory, by the inode id of its name, and gives all parts the same access. The
     * call must let the owner write and enter.
     *
     * @return empty if there is no such directory
     * @throws UnknownChangeException if others renamed or deleted it meanwhile
     */
    public <T> Optional<T> changeAccess(String path, FileCall<T> call) throws IOException {
        return attributeChanges.changeAccess(path, call);
    }

    /** Whether a directory has room for files with other names; false if the directory does not exist. */
    public boolean hasRelocatedFiles(String path) throws IOException {
        for (int group = 0; group < groups.size(); group++) {
            Optional<List<E>> entries = list(group, path);
            if (entries.isPresent()
                    && entries.get().stream().anyMatch(entry -> HashedLayout.isRelocationDirectory(entry.name()))) {
                return true;
            }
        }
        return false;
    }

    /** Renames a file, which stays in its group. */
    public RenameResult renameFile(String from, String to) throws IOException {
        return fileRenames.rename(from, to);
    }

    /**
     * Renames a file, which stays in its group. A file of the new name is replaced.
     *
     * @return {@link RenameResult#TAKEN} also if it cannot be replaced, as it is, or its name has its home, in another group
     */
    public RenameResult replaceFile(String from, String to) throws IOException {
        return fileRenames.replace(from, to);
    }

    /**
     * The entries of a directory by name; empty if it does not exist. Not atomic, as the long listings of HDFS are not. Then
     * {@link #complete completes} what others have left in it.
     */
    public Optional<List<E>> list(String path) throws IOException {
        List<E> all = new ArrayList<>();
        List<List<E>> marks = new ArrayList<>();
        for (int group = 0; group < groups.size(); group++) {
            Optional<List<E>> some = list(group, path);
            if (!some.isPresent()) {
                return Optional.empty();
            }
            for (E entry : some.get()) {
                resolveEntry(path, group, entry).ifPresent(all::add);
            }
            marks.add(some.get().stream()
                    .filter(entry -> HashedLayout.isMark(entry.name()))
                    .collect(Collectors.toList()));
        }
        complete(path, marks);
        all.sort(Comparator.comparing(Entry::name));
        return Optional.of(all);
    }

    /**
     * Completes a change of a directory's access, if a client with the caller's rights left it half done, and removes the remains of
     * completed deletions in it. For callers that list the parts themselves.
     *
     * @param marks the entries of each part that are {@link HashedLayout#isMark marks}, by group
     */
    public void complete(String path, List<List<E>> marks) {
        List<List<E>> changes = filterMarks(marks, HashedLayout::isAccessChange);
        if (!changes.stream().allMatch(List::isEmpty)) {
            // Others than its owner and superusers may list it, and see it as it is.
            BestEffortSteps.run(() -> attributeChanges.complete(path, changes));
        }
        // Others than the deleter and superusers cannot look into it.
        abandonedMarks(filterMarks(marks, HashedLayout::isDeletion))
                .forEach(name -> BestEffortSteps.run(
                        () -> paths.pendingOperations().deletions().sweep(path, Deletion.parse(name))));
    }

    /**
     * The names of marks with which no client still works in any group. A client that has just decided a deletion must
     * find its mark again, or would take the deletion for undone and delete what has come to its path meanwhile.
     */
    private Set<String> abandonedMarks(List<List<E>> marks) {
        Set<String> abandoned = new TreeSet<>();
        Set<String> inUse = new HashSet<>();
        for (int group = 0; group < marks.size(); group++) {
            for (E mark : marks.get(group)) {
                (groups.get(group).isAbandoned(mark) ? abandoned : inUse).add(mark.name());
            }
        }
        abandoned.removeAll(inUse);
        return abandoned;
    }

    private static <E extends Entry> List<List<E>> filterMarks(List<List<E>> marks, Predicate<String> kind) {
        return marks.stream()
                .map(some ->
                        some.stream().filter(entry -> kind.test(entry.name())).collect(Collectors.toList()))
                .collect(Collectors.toList());
    }

    /**
     * The file or directory that an entry of a group's part stands for: the entry itself, or the file to which it
     * leads; empty if it is not an entry of the directory. Makes no call for a file, and as a rule none for a directory.
     */
    public Optional<E> resolveEntry(String path, int group, E entry) throws IOException {
        if (!layout.isRealEntry(group, entry)) {
            return Optional.empty();
        }
        Optional<RelocatedFiles.Signpost> signpost = relocated.parseSignpost(group, entry);
        if (signpost.isPresent()) {
            return paths.findRelocatedFile(path + "/" + entry.name(), signpost.get())
                    .map(file -> groups.get(group).withName(file, entry.name()));
        }
        RenameState standing = paths.renameStateOf(group, entry);
        boolean isThere = standing == RenameState.OVER
                ? lookup(path + "/" + entry.name()).isPresent()
                : standing != RenameState.GONE;
        return isThere ? Optional.of(entry) : Optional.empty();
    }

    private Optional<List<E>> list(int group, String path) throws IOException {
        for (int look = 0; look < PathResolver.LOOKS; look++) {
            Optional<List<E>> entries = groups.get(group).list(layout.contentsPath(group, path));
            if (entries.isPresent()) {
                return entries;
            }
            if (!findPartId(group, path).isPresent()) {
                return Optional.empty();
            }
        }
        throw PathResolver.tooManyConflicts(path);
    }

    /**
     * Makes a directory in one that exists.
     *
     * @param mode its permission bits; its owner must be allowed to write
     */
    public MkdirResult mkdir(String path, int mode) throws IOException {
        return creations.mkdir(path, mode);
    }

    /**
     * Renames a directory. The paths must not be in each other.
     *
     * @throws UnknownRenameException if another client deleted it, by whichever name
     */
    public RenameResult renameDirectory(String from, String to) throws IOException {
        for (int look = 0; look < PathResolver.LOOKS; look++) {
            Optional<E> existing = lookup(from);
            if (!existing.isPresent() || !existing.get().isDirectory()) {
                return RenameResult.ABSENT;
            }
            if (!findPartId(layout.homeOf(to), HashedLayout.parentOf(to)).isPresent()) {
                return RenameResult.NO_PARENT;
            }
            if (lookup(to).isPresent()) {
                return RenameResult.TAKEN;
            }
            paths.tryClearName(to);
            if (paths.pendingOperations().renames().run(from, existing.get(), to, operations.get())) {
                return RenameResult.RENAMED;
            }
        }
        throw PathResolver.tooManyConflicts(from);
    }

    /**
     * Renames a directory. An empty directory of the new name is deleted before, by a call that decides for itself: if
     * the rename is refused then, another one with the same permission is made; if its client ends, that one is gone.
     *
     * @return {@link RenameResult#TAKEN} if what has the new name is no directory, or has entries
     */
    public RenameResult replaceDirectory(String from, String to) throws IOException {
        Optional<Access> replacedAccess = Optional.empty();
        for (int look = 0; look < PathResolver.LOOKS; look++) {
            Optional<E> other = lookup(to);
            if (other.isPresent()) {
                Optional<E> existing = lookup(from);
                if (!existing.isPresent() || !existing.get().isDirectory()) {
                    return RenameResult.ABSENT;
                }
                if (!other.get().isDirectory()) {
                    return RenameResult.TAKEN;
                }
                Optional<Access> access = access(to);
                Optional<DeleteResult> deleted = deleteDirectory(to, other.get().id(), false);
                if (deleted.isPresent() && deleted.get() == DeleteResult.NOT_EMPTY) {
                    return RenameResult.TAKEN;
                }
                if (access.isPresent() && deleted.isPresent() && deleted.get() == DeleteResult.DELETED) {
                    replacedAccess = access;
                }
            }
            RenameResult renamed = renameReplacing(replacedAccess, from, to);
            if (renamed != RenameResult.TAKEN) {
                return renamed;
            }
        }
        throw PathResolver.tooManyConflicts(from);
    }

    /** The access of a directory's name. */
    private Optional<Access> access(String path) throws IOException {
        int home = layout.homeOf(path);
        return groups.get(home).access(layout.placePath(home, path));
    }

    /** @param replacedAccess the access of the directory that was deleted for this */
    private RenameResult renameReplacing(Optional<Access> replacedAccess, String from, String to) throws IOException {
        try {
            RenameResult renamed = renameDirectory(from, to);
            if (renamed == RenameResult.ABSENT && replacedAccess.isPresent()) {
                mkdir(to, replacedAccess.get().mode());
            }
            return renamed;
        } catch (UnknownRenameException e) {
            throw e;
        } catch (IOException e) {
            if (replacedAccess.isPresent()) {
                restoreMode(to, replacedAccess.get().mode(), e);
            }
            throw e;
        }
    }

    private void restoreMode(String path, int mode, IOException reason) {
        try {
            mkdir(path, mode);
        } catch (IOException e) {
            reason.addSuppressed(e);
        }
    }

    /** Deletes a file or a directory; a directory with entries only if requested. */
    public DeleteResult delete(String path, boolean withContents) throws IOException {
        for (int look = 0; look < PathResolver.LOOKS; look++) {
            Optional<E> existing = lookup(path);
            if (!existing.isPresent()) {
                return DeleteResult.ABSENT;
            }
            Optional<DeleteResult> result = existing.get().isDirectory()
                    ? deleteDirectory(path, existing.get().id(), withContents)
                    : deleteFile(path);
            if (result.isPresent()) {
                return result.get();
            }
        }
        throw PathResolver.tooManyConflicts(path);
    }

    /**
     * Deletes a file by its path, as a file that has been renamed must stay. A directory's name is never empty, so
     * it is safe from this.
     */
    private Optional<DeleteResult> deleteFile(String path) throws IOException {
        int home = layout.homeOf(path);
        if (tryRemove(home, layout.placePath(home, path))) {
            return Optional.of(DeleteResult.DELETED);
        }
        Optional<DeleteResult> deleted = callOnRelocatedFile(
                path, (group, place) -> tryRemove(group, place) ? Optional.of(DeleteResult.DELETED) : Optional.empty());
        if (deleted.isPresent()) {
            BestEffortSteps.run(() -> paths.tryClearName(path));
        }
        return deleted;
    }

    private boolean tryRemove(int group, String path) throws IOException {
        return groups.get(group).removeIfEmpty(path) == Removal.REMOVED;
    }

    private Optional<DeleteResult> deleteDirectory(String path, long directory, boolean withContents)
            throws IOException {
        if (!withContents) {
            Optional<List<E>> entries = list(path);
            if (entries.isPresent() && !entries.get().isEmpty()) {
                return Optional.of(DeleteResult.NOT_EMPTY);
            }
        }
        String operation = operations.get();
        Deletion deletion = withContents ? Deletion.recursive(path, operation) : Deletion.ifEmpty(path, operation);
        return paths.pendingOperations().deletions().run(path, directory, deletion)
                ? Optional.of(DeleteResult.DELETED)
                : Optional.empty();
    }
}
