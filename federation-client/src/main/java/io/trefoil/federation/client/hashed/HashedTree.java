/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

import io.trefoil.federation.client.hashed.Group.Removal;
import io.trefoil.federation.client.hashed.Renames.RenameState;
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
 *       look: {@link #contents}.
 * </ul>
 *
 * <p>All that moves a part is a rename of something that was made once, by number, so it is done once, however many clients
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

    /** The result of what renames and replaces. */
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
        Optional<T> at(int group, String place) throws IOException;
    }

    private final HashedLayout layout;
    private final List<? extends Group<E>> groups;
    private final Supplier<String> operations;
    private final Paths<E> paths;
    private final RelocatedFiles<E> relocated;
    private final FileCalls<E> fileCalls;
    private final Creations<E> creations;
    private final FileRenames<E> fileRenames;
    private final AttributeChanges<E> attributeChanges;

    /**
     * @param groups in the order of the table
     * @param operations makes unique names, of letters, digits and hyphens
     */
    public HashedTree(HashedLayout layout, List<? extends Group<E>> groups, Supplier<String> operations) {
        if (layout.groups() != groups.size()) {
            throw new IllegalArgumentException("Wanted " + layout.groups() + " groups, found " + groups.size());
        }
        this.layout = layout;
        this.groups = groups;
        this.operations = operations;
        this.paths = new Paths<>(layout, groups);
        this.relocated = paths.relocated();
        this.fileCalls = new FileCalls<>(layout, paths);
        this.creations = new Creations<>(layout, groups, paths, operations);
        this.fileRenames = new FileRenames<>(layout, groups, paths, operations);
        this.attributeChanges = new AttributeChanges<>(layout, groups, paths, operations);
    }

    /** The file or directory at a path; empty if there is none. One call if there is one. One call if there is something. */
    public Optional<E> lookup(String path) throws IOException {
        return paths.lookup(path);
    }

    /**
     * The number of a group's part of a directory, with its place; empty if the directory does not exist. Completes what
     * others left half done, if the part is not in its place.
     */
    public OptionalLong contents(int group, String path) throws IOException {
        return paths.contents(group, path);
    }

    /**
     * Performs a call on a file in its group, again if the directory was not in its place.
     *
     * @return empty if there is no such file
     */
    public <T> Optional<T> atFile(String path, FileCall<T> call) throws IOException {
        return fileCalls.atFile(path, call);
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
     * Performs a call on a file that is in another group than its name.
     *
     * @return empty if there is no such file
     */
    public <T> Optional<T> atGuest(String path, FileCall<T> call) throws IOException {
        return fileCalls.atGuest(path, call);
    }

    /**
     * Performs a call that reads what a directory has, by the number of its name.
     *
     * @return empty if there is no such directory
     */
    public <T> Optional<T> atDirectory(String path, FileCall<T> call) throws IOException {
        return attributeChanges.at(path, call);
    }

    /**
     * Performs a call that changes what only the name of a directory has, by its number.
     *
     * @return empty if there is no such directory
     * @throws UnknownChangeException if others renamed or deleted it meanwhile
     */
    public <T> Optional<T> changeDirectory(String path, FileCall<T> call) throws IOException {
        return attributeChanges.change(path, call);
    }

    /**
     * Performs a call that changes the {@link Access} of a directory, by the number of its name, and gives all parts
     * the same. The call must let the owner write and enter.
     *
     * @return empty if there is no such directory
     * @throws UnknownChangeException if others renamed or deleted it meanwhile
     */
    public <T> Optional<T> changeAccess(String path, FileCall<T> call) throws IOException {
        return attributeChanges.changeAccess(path, call);
    }

    /** Whether a directory has room for files of other names; false if it does not exist. */
    public boolean hasGuests(String path) throws IOException {
        for (int group = 0; group < groups.size(); group++) {
            Optional<List<E>> entries = list(group, path);
            if (entries.isPresent() && entries.get().stream().anyMatch(one -> HashedLayout.isRoom(one.name()))) {
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
            for (E one : some.get()) {
                entry(path, group, one).ifPresent(all::add);
            }
            marks.add(some.get().stream()
                    .filter(one -> HashedLayout.isMark(one.name()))
                    .collect(Collectors.toList()));
        }
        complete(path, marks);
        all.sort(Comparator.comparing(Entry::name));
        return Optional.of(all);
    }

    /**
     * Completes a change of a directory's access, if a client whose right the caller has left it half done, and removes
     * what deletions in it have left that are done. For those who list the parts themselves.
     *
     * @param marks the entries of each part that are {@link HashedLayout#isMark marks}, by group
     */
    public void complete(String path, List<List<E>> marks) {
        List<List<E>> changes = filterMarks(marks, HashedLayout::isChange);
        if (!changes.stream().allMatch(List::isEmpty)) {
            // Others than its owner and superusers may list it, and see it as it is.
            BestEffort.run(() -> attributeChanges.complete(path, changes));
        }
        // Others than the deleter and superusers cannot look into it.
        abandoned(filterMarks(marks, HashedLayout::isDeletion))
                .forEach(
                        name -> BestEffort.run(() -> paths.pending().deletions().sweep(path, Deletion.parse(name))));
    }

    /**
     * The names of marks with which no client works any more in any group. Who has just decided a deletion must find
     * that again, or would take it for undone and delete what has come to its path meanwhile.
     */
    private Set<String> abandoned(List<List<E>> marks) {
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
                .map(some -> some.stream().filter(one -> kind.test(one.name())).collect(Collectors.toList()))
                .collect(Collectors.toList());
    }

    /**
     * The file or directory that an entry of a group's part stands for: the entry itself, or the file to which it
     * leads; empty if it is not one of the directory. Makes no call for a file, and as a rule none for a directory.
     */
    public Optional<E> entry(String path, int group, E entry) throws IOException {
        if (!layout.isTrue(group, entry)) {
            return Optional.empty();
        }
        Optional<RelocatedFiles.Signpost> signpost = relocated.signpost(group, entry);
        if (signpost.isPresent()) {
            return paths.guest(path + "/" + entry.name(), signpost.get())
                    .map(file -> groups.get(group).withName(file, entry.name()));
        }
        RenameState standing = paths.renameStateOf(group, entry);
        boolean isThere = standing == RenameState.OVER
                ? lookup(path + "/" + entry.name()).isPresent()
                : standing != RenameState.GONE;
        return isThere ? Optional.of(entry) : Optional.empty();
    }

    private Optional<List<E>> list(int group, String path) throws IOException {
        for (int look = 0; look < Paths.LOOKS; look++) {
            Optional<List<E>> found = groups.get(group).list(layout.contents(group, path));
            if (found.isPresent()) {
                return found;
            }
            if (!contents(group, path).isPresent()) {
                return Optional.empty();
            }
        }
        throw Paths.tooManyConflicts(path);
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
        for (int look = 0; look < Paths.LOOKS; look++) {
            Optional<E> there = lookup(from);
            if (!there.isPresent() || !there.get().isDirectory()) {
                return RenameResult.ABSENT;
            }
            if (!contents(layout.homeOf(to), HashedLayout.parentOf(to)).isPresent()) {
                return RenameResult.NO_PARENT;
            }
            if (lookup(to).isPresent()) {
                return RenameResult.TAKEN;
            }
            paths.tryClearName(to);
            if (paths.pending().renames().run(from, there.get(), to, operations.get())) {
                return RenameResult.RENAMED;
            }
        }
        throw Paths.tooManyConflicts(from);
    }

    /**
     * Renames a directory. An empty directory of the new name is deleted before, by a call that decides for itself: if
     * the rename is refused then, another one with the same permission is made; if its client ends, that one is gone.
     *
     * @return {@link RenameResult#TAKEN} if what has the new name is no directory, or has entries
     */
    public RenameResult replaceDirectory(String from, String to) throws IOException {
        Optional<Access> replaced = Optional.empty();
        for (int look = 0; look < Paths.LOOKS; look++) {
            Optional<E> other = lookup(to);
            if (other.isPresent()) {
                Optional<E> there = lookup(from);
                if (!there.isPresent() || !there.get().isDirectory()) {
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
                    replaced = access;
                }
            }
            RenameResult renamed = renameInPlaceOf(replaced, from, to);
            if (renamed != RenameResult.TAKEN) {
                return renamed;
            }
        }
        throw Paths.tooManyConflicts(from);
    }

    /** The access of a directory's name. */
    private Optional<Access> access(String path) throws IOException {
        int home = layout.homeOf(path);
        return groups.get(home).access(layout.place(home, path));
    }

    /** @param replaced what the directory had that was deleted for this */
    private RenameResult renameInPlaceOf(Optional<Access> replaced, String from, String to) throws IOException {
        try {
            RenameResult renamed = renameDirectory(from, to);
            if (renamed == RenameResult.ABSENT && replaced.isPresent()) {
                mkdir(to, replaced.get().mode());
            }
            return renamed;
        } catch (UnknownRenameException e) {
            throw e;
        } catch (IOException e) {
            if (replaced.isPresent()) {
                restoreMode(to, replaced.get().mode(), e);
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

    /** Deletes a file or a directory; a directory with entries only if that is asked for. */
    public DeleteResult delete(String path, boolean withContents) throws IOException {
        for (int look = 0; look < Paths.LOOKS; look++) {
            Optional<E> there = lookup(path);
            if (!there.isPresent()) {
                return DeleteResult.ABSENT;
            }
            Optional<DeleteResult> result = there.get().isDirectory()
                    ? deleteDirectory(path, there.get().id(), withContents)
                    : deleteFile(path);
            if (result.isPresent()) {
                return result.get();
            }
        }
        throw Paths.tooManyConflicts(path);
    }

    /**
     * Deletes a file by its path, as a file that was renamed meanwhile must stay. A directory's name is never empty, so
     * it is safe from this.
     */
    private Optional<DeleteResult> deleteFile(String path) throws IOException {
        int home = layout.homeOf(path);
        if (tryRemove(home, layout.place(home, path))) {
            return Optional.of(DeleteResult.DELETED);
        }
        Optional<DeleteResult> deleted = atGuest(
                path, (group, place) -> tryRemove(group, place) ? Optional.of(DeleteResult.DELETED) : Optional.empty());
        if (deleted.isPresent()) {
            BestEffort.run(() -> paths.tryClearName(path));
        }
        return deleted;
    }

    private boolean tryRemove(int group, String place) throws IOException {
        return groups.get(group).removeIfEmpty(place) == Removal.REMOVED;
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
        Deletion deletion =
                withContents ? Deletion.withContents(path, operation) : Deletion.onlyIfEmpty(path, operation);
        return paths.pending().deletions().run(path, directory, deletion)
                ? Optional.of(DeleteResult.DELETED)
                : Optional.empty();
    }
}
