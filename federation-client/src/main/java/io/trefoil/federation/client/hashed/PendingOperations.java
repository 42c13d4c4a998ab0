/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The operations that take a directory's name away: {@link Deletions} and {@link Renames}, which are written down in
 * the name. Of several at the same time the first by its text goes on, the others are undone; a rename that gave the
 * directory its name is finished before. Any client can do any of the steps, at any time.
 *
 * @param <E> what the groups say of a file or directory
 */
final class PendingOperations<E extends Entry> {

    private final HashedLayout layout;
    private final List<? extends Group<E>> groups;
    private final Paths<E> paths;
    private final Deletions<E> deletions;
    private final Renames<E> renames;

    PendingOperations(HashedLayout layout, List<? extends Group<E>> groups, Paths<E> paths) {
        this.layout = layout;
        this.groups = groups;
        this.paths = paths;
        this.renames = new Renames<>(layout, groups, paths, this);
        this.deletions = new Deletions<>(layout, groups, paths, this);
    }

    Deletions<E> deletions() {
        return deletions;
    }

    Renames<E> renames() {
        return renames;
    }

    /**
     * Completes or undoes what is under way for a directory.
     *
     * @return whether something was
     */
    boolean settleIfPending(String path, long directory) throws IOException {
        if (written(path, directory).isEmpty()) {
            return false;
        }
        settle(path, directory);
        return true;
    }

    private List<String> written(String path, long directory) throws IOException {
        List<String> all = new ArrayList<>();
        Optional<List<E>> entries = groups.get(layout.homeOf(path)).list(HashedLayout.byId(directory));
        if (entries.isPresent()) {
            for (E one : entries.get()) {
                String name = one.name();
                if (HashedLayout.isDeletion(name)
                        || HashedLayout.isRename(name)
                        || HashedLayout.isUndone(name)
                        || HashedLayout.isArrival(name)) {
                    all.add(name);
                }
            }
        }
        all.sort(null);
        return all;
    }

    /** Completes or undoes all that is under way for a directory. */
    void settle(String path, long directory) throws IOException {
        for (int look = 0; look < Paths.LOOKS; look++) {
            Optional<DirectoryRef> ref = paths.ref(path, directory);
            if (!ref.isPresent()) {
                return;
            }
            List<String> written = written(path, directory);
            if (written.isEmpty()) {
                return;
            }
            go(ref.get(), written);
        }
        throw Paths.tooManyConflicts(path);
    }

    private void go(DirectoryRef ref, List<String> written) throws IOException {
        for (String one : written) {
            if (HashedLayout.isArrival(one)) {
                renames.finish(ref, Rename.ArrivalRecord.parse(one));
                return;
            }
        }
        for (String one : written) {
            if (HashedLayout.isUndone(one)) {
                renames.forget(ref, Rename.parse(one));
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

    /** Undoes all others: two that close at the same time would wait for each other. */
    private Optional<String> firstPending(DirectoryRef ref, List<String> written) throws IOException {
        String first = null;
        for (String one : written) {
            if (first == null && isPending(ref, one)) {
                first = one;
            } else if (!tryUndo(ref, one)) {
                return Optional.empty();
            }
        }
        return Optional.ofNullable(first);
    }

    /**
     * Whether an operation may go on. If a directory above has another name since, it must not: it is asked for at a
     * path where nothing is.
     */
    private boolean isPending(DirectoryRef ref, String name) throws IOException {
        if (HashedLayout.isRename(name)) {
            Rename rename = Rename.parse(name);
            return rename.isFor(ref.path())
                    && renames.standing(layout.homeOf(ref.path()), ref.directory(), rename)
                            == Renames.RenameState.PENDING;
        }
        Deletion deletion = Deletion.parse(name);
        return deletion.isFor(ref.path()) && deletions.isPending(ref, deletion);
    }

    /** Undoes an operation; false if it has happened, or another client is about it. */
    private boolean tryUndo(DirectoryRef ref, String name) throws IOException {
        return HashedLayout.isRename(name)
                ? renames.tryUndo(ref, Rename.parse(name))
                : deletions.tryUndo(ref, Deletion.parse(name));
    }
}
