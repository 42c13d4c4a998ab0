/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The operations that remove a directory's name, {@link DirectoryDeleter} and {@link DirectoryRenamer}, which are recorded in the name. Of
 * several at the same time the first by its text continues, the others are undone; a rename that gave the directory its name is finished
 * before. Any client can do any of the steps, at any time.
 *
 * @param <E> what the groups say of a file or directory
 */
final class PendingOperations<E extends Entry> {

    private final HashedLayout layout;
    private final List<? extends Group<E>> groups;
    private final PathResolver<E> paths;
    private final DirectoryDeleter<E> deletions;
    private final DirectoryRenamer<E> renames;

    PendingOperations(HashedLayout layout, List<? extends Group<E>> groups, PathResolver<E> paths) {
        this.layout = layout;
        this.groups = groups;
        this.paths = paths;
        this.renames = new DirectoryRenamer<>(layout, groups, paths, this);
        this.deletions = new DirectoryDeleter<>(layout, groups, paths, this);
    }

    DirectoryDeleter<E> deletions() {
        return deletions;
    }

    DirectoryRenamer<E> renames() {
        return renames;
    }

    /**
     * Completes or undoes an operation in progress on a directory.
     *
     * @return whether something was
     */
    boolean settleIfPending(String path, long directory) throws IOException {
        if (writtenOperations(path, directory).isEmpty()) {
            return false;
        }
        settle(path, directory);
        return true;
    }

    private List<String> writtenOperations(String path, long directory) throws IOException {
        List<String> all = new ArrayList<>();
        Optional<List<E>> entries = groups.get(layout.homeOf(path)).list(HashedLayout.inodePath(directory));
        if (entries.isPresent()) {
            for (E text : entries.get()) {
                String name = text.name();
                if (HashedLayout.isDeletion(name)
                        || HashedLayout.isRename(name)
                        || HashedLayout.isUndoneRename(name)
                        || HashedLayout.isArrival(name)) {
                    all.add(name);
                }
            }
        }
        all.sort(null);
        return all;
    }

    /** Completes or undoes all operations in progress on a directory. */
    void settle(String path, long directory) throws IOException {
        for (int look = 0; look < PathResolver.LOOKS; look++) {
            Optional<DirectoryRef> ref = paths.findRef(path, directory);
            if (!ref.isPresent()) {
                return;
            }
            List<String> written = writtenOperations(path, directory);
            if (written.isEmpty()) {
                return;
            }
            completeFirstPending(ref.get(), written);
        }
        throw PathResolver.tooManyConflicts(path);
    }

    private void completeFirstPending(DirectoryRef ref, List<String> written) throws IOException {
        for (String text : written) {
            if (HashedLayout.isArrival(text)) {
                renames.finish(ref, Rename.ArrivalRecord.parse(text));
                return;
            }
        }
        for (String text : written) {
            if (HashedLayout.isUndoneRename(text)) {
                renames.discardUndoneRename(ref, Rename.parse(text));
                return;
            }
        }
        Optional<String> first = firstPending(ref, written);
        if (first.isPresent()) {
            if (HashedLayout.isRename(first.get())) {
                renames.complete(ref, Rename.parse(first.get()));
            } else {
                deletions.complete(ref, Deletion.parse(first.get()));
            }
        }
    }

    /** Undoes all other operations: two that close a directory at the same time would wait for each other. */
    private Optional<String> firstPending(DirectoryRef ref, List<String> written) throws IOException {
        String first = null;
        for (String text : written) {
            if (first == null && isPending(ref, text)) {
                first = text;
            } else if (!tryUndo(ref, text)) {
                return Optional.empty();
            }
        }
        return Optional.ofNullable(first);
    }

    /**
     * Whether an operation may continue. If a directory above has another name since, it must not: it is asked for at a
     * path where nothing is.
     */
    private boolean isPending(DirectoryRef ref, String name) throws IOException {
        if (HashedLayout.isRename(name)) {
            Rename rename = Rename.parse(name);
            return rename.isStillFor(ref.path())
                    && renames.renameState(layout.homeOf(ref.path()), ref.directoryId(), rename)
                            == DirectoryRenamer.RenameState.PENDING;
        }
        Deletion deletion = Deletion.parse(name);
        return deletion.isStillFor(ref.path()) && deletions.isPending(ref, deletion);
    }

    /** Undoes an operation; returns false if it has happened, or another client is completing it. */
    private boolean tryUndo(DirectoryRef ref, String name) throws IOException {
        return HashedLayout.isRename(name)
                ? renames.tryUndo(ref, Rename.parse(name))
                : deletions.tryUndo(ref, Deletion.parse(name));
    }
}
