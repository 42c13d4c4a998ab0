/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

import io.trefoil.federation.client.hashed.Group.Removal;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Deletes directories: closes all parts, so that nothing can be created any longer, then decides with one call to the home. See
 * {@link Deletion}. Any client can do any of the steps, at any time: each is a rename of something that was made once, into
 * a directory that is there only as long as the deletion is not over.
 *
 * @param <E> what the groups say of a file or directory
 */
final class DirectoryDeleter<E extends Entry> {

    /** The name, below the directory that decides, once the deletion is done. */
    private static final String DONE = "/done";

    /** The mode of a deletion's own directories: a user that may not complete another user's deletion cannot disturb it either. */
    private static final int OWN = 0700;

    private final HashedLayout layout;
    private final List<? extends Group<E>> groups;
    private final PathResolver<E> paths;
    private final PendingOperations<E> pendingOperations;

    DirectoryDeleter(
            HashedLayout layout,
            List<? extends Group<E>> groups,
            PathResolver<E> paths,
            PendingOperations<E> pendingOperations) {
        this.layout = layout;
        this.groups = groups;
        this.paths = paths;
        this.pendingOperations = pendingOperations;
    }

    /**
     * Deletes a directory, unless that is refused: it has entries, or another deletion or a rename came first.
     *
     * @param directory the number of its name
     * @return whether this deletion was done; if not, it is over and nothing of it is left
     */
    boolean run(String path, long directory, Deletion deletion) throws IOException {
        Optional<DirectoryRef> found = paths.findRef(path, directory);
        if (!found.isPresent()) {
            return false;
        }
        DirectoryRef ref = found.get();
        Group<E> home = groups.get(layout.homeOf(path));
        String decision = deletionPathInHome(ref, deletion);
        boolean isPublished = tryPublish(ref, deletion);
        for (int look = 0; look < PathResolver.LOOKS; look++) {
            if (isPublished) {
                settle(ref, deletion);
            }
            if (home.stat(decision + DONE).isPresent()) {
                BestEffortSteps.run(() -> {
                    // Last the directory that decides: without it, others would think it was undone, and open the
                    // copies again.
                    removeCopies(ref, deletion);
                    home.removeRecursively(decision);
                });
                return true;
            }
            if (home.removeIfEmpty(decision) != Removal.NOT_EMPTY) {
                if (isPublished) {
                    pendingOperations.settle(path, directory);
                    requireKnown(ref);
                    if (paths.exists(ref)) {
                        // By its ids: it may have another path now.
                        discardUndoneDeletion(ref, deletion);
                    }
                }
                removeUnused(ref, deletion);
                return false;
            }
        }
        throw PathResolver.tooManyConflicts(path);
    }

    private boolean tryPublish(DirectoryRef ref, Deletion deletion) throws IOException {
        Group<E> home = groups.get(layout.homeOf(ref.path()));
        try {
            return Plan.of(DeletionStep.class)
                    .withStep(DeletionStep.PLACE_DECISION, () -> home.mkdir(deletionPathInHome(ref, deletion), OWN))
                    .withStep(DeletionStep.PLACE_OTHERS, () -> tryMarkCopies(ref, deletion))
                    .withStep(DeletionStep.PUBLISH, () -> {
                        // HDFS carries it out once more if it is asked once more. Then it finds nothing if others have
                        // completed the deletion meanwhile, and makes it once more, without what decides, if they have
                        // undone it.
                        home.mkdir(ref.entryPath(deletion.name()), OWN);
                        return true;
                    })
                    .tryPerform();
        } catch (IOException refusal) {
            abandon(ref, deletion, refusal);
            throw refusal;
        }
    }

    /** Settles a deletion; if that is refused, it had been done before, or is undone. */
    private void settle(DirectoryRef ref, Deletion deletion) throws IOException {
        try {
            pendingOperations.settle(ref.path(), ref.directoryId());
        } catch (IOException refusal) {
            if (abandon(ref, deletion, refusal)) {
                throw refusal;
            }
        }
    }

    /** @return false if it was done */
    private boolean abandon(DirectoryRef ref, Deletion deletion, IOException refusal) {
        try {
            return tryUndo(ref, deletion);
        } catch (IOException e) {
            refusal.addSuppressed(e);
            return true;
        }
    }

    private String deletionPathInHome(DirectoryRef ref, Deletion deletion) {
        return ref.siblingPath(layout.homeOf(ref.path()), deletion.name());
    }

    private void requireKnown(DirectoryRef ref) throws IOException {
        int home = layout.homeOf(ref.path());
        if (!groups.get(home)
                .stat(HashedLayout.inodePath(ref.parentPartIds().get(home)))
                .isPresent()) {
            throw new UnknownDeletionException(ref.path());
        }
    }

    private boolean tryMarkCopies(DirectoryRef ref, Deletion deletion) throws IOException {
        for (int group : layout.othersThanHome(ref.path())) {
            if (!groups.get(group).mkdir(ref.siblingPath(group, deletion.name()), OWN)) {
                return false;
            }
        }
        return true;
    }

    /** Removes the directories of a deletion that was undone: they are empty, or another client has removed them. */
    private void removeUnused(DirectoryRef ref, Deletion deletion) throws IOException {
        for (int group : layout.othersThanHome(ref.path())) {
            groups.get(group).removeIfEmpty(ref.siblingPath(group, deletion.name()));
        }
    }

    /** Removes the copies of a deletion that was done. */
    private void removeCopies(DirectoryRef ref, Deletion deletion) throws IOException {
        for (int group : layout.othersThanHome(ref.path())) {
            groups.get(group).removeRecursively(ref.siblingPath(group, deletion.name()));
        }
    }

    /**
     * Removes the remains of a completed deletion in the parts of a directory: its client exited early, and is no longer active. The
     * group in which it was decided has it last, as in {@link #run}; where nothing is decided, nothing is removed.
     *
     * @param parent of the directory that was deleted
     */
    void sweep(String parent, Deletion deletion) throws IOException {
        for (int home = 0; home < groups.size(); home++) {
            String decision = layout.contentsPath(home, parent) + "/" + deletion.name();
            // Only the name that was moved has this in it: a copy of a directory that is called "done" has not.
            if (groups.get(home).stat(decision + DONE + "/" + deletion.name()).isPresent()) {
                for (int group = 0; group < groups.size(); group++) {
                    if (group != home) {
                        // By their paths, which nothing else ever gets.
                        groups.get(group).removeRecursively(layout.contentsPath(group, parent) + "/" + deletion.name());
                    }
                }
                groups.get(home).removeRecursively(decision);
                return;
            }
        }
    }

    /** Whether the deletion is in progress, or done but not cleaned up. */
    boolean isPending(DirectoryRef ref, Deletion deletion) throws IOException {
        return groups.get(layout.homeOf(ref.path()))
                .stat(deletionPathInHome(ref, deletion))
                .isPresent();
    }

    /** Undoes a deletion; returns false if it was done. */
    boolean tryUndo(DirectoryRef ref, Deletion deletion) throws IOException {
        if (groups.get(layout.homeOf(ref.path())).removeIfEmpty(deletionPathInHome(ref, deletion))
                == Removal.NOT_EMPTY) {
            return false;
        }
        discardUndoneDeletion(ref, deletion);
        return true;
    }

    /** Continues the one deletion that may proceed, unless it is undone in the meantime. What is refused is undone. */
    void complete(DirectoryRef ref, Deletion deletion) throws IOException {
        Group<E> home = groups.get(layout.homeOf(ref.path()));
        boolean isDone;
        try {
            isDone = tryDecide(ref, deletion);
        } catch (IOException refusal) {
            // Closed and never deleted the directory would be in the way of every client.
            try {
                // HDFS refuses this call to users who must not undo the deletion.
                home.list(ref.entryPath(deletion.name()));
                tryUndo(ref, deletion);
            } catch (IOException e) {
                refusal.addSuppressed(e);
            }
            throw refusal;
        }
        if (isDone) {
            BestEffortSteps.run(() -> {
                home.removeRecursively(HashedLayout.contentsOf(ref.entryPath(deletion.name())));
                removeCopies(ref, deletion);
            });
        }
    }

    private boolean tryDecide(DirectoryRef ref, Deletion deletion) throws IOException {
        return Plan.of(DeletionStep.class)
                .withStep(DeletionStep.CLOSE_COPIES, () -> tryCloseCopies(ref, deletion))
                .withStep(DeletionStep.CLOSE_CONTENTS, () -> tryCloseContents(ref, deletion))
                .withStep(DeletionStep.JUDGE, () -> tryRemoveDecision(ref, deletion))
                .withStep(DeletionStep.DECIDE, () -> tryMoveNameAside(ref, deletion))
                .tryPerform();
    }

    private boolean tryCloseCopies(DirectoryRef ref, Deletion deletion) throws IOException {
        for (int group : layout.othersThanHome(ref.path())) {
            if (!tryCloseCopy(group, ref, deletion)) {
                return false;
            }
        }
        return true;
    }

    private boolean tryCloseContents(DirectoryRef ref, Deletion deletion) throws IOException {
        Group<E> home = groups.get(layout.homeOf(ref.path()));
        String closedDirectory = HashedLayout.contentsOf(ref.entryPath(deletion.name()));
        home.rename(ref.contentsPath(), closedDirectory);
        return home.stat(closedDirectory).isPresent();
    }

    /** Removes the deciding directory if the directory may not be deleted. */
    private boolean tryRemoveDecision(DirectoryRef ref, Deletion deletion) throws IOException {
        if (deletion.requiresEmptyDirectory() ? hasEntries(ref, deletion) : !probeRemoval(ref, deletion)) {
            groups.get(layout.homeOf(ref.path())).removeIfEmpty(deletionPathInHome(ref, deletion));
            return false;
        }
        return true;
    }

    /**
     * Moves the name to a path, as a directory above may have another name by now, and a deletion by id would delete something else.
     */
    private boolean tryMoveNameAside(DirectoryRef ref, Deletion deletion) throws IOException {
        int home = layout.homeOf(ref.path());
        String decision = layout.contentsPath(home, HashedLayout.parentOf(ref.path())) + "/" + deletion.name();
        return groups.get(home).rename(HashedLayout.inodePath(ref.directoryId()), decision + DONE);
    }

    /**
     * Makes HDFS check whether a closed directory can be removed with all its content; returns false if it is open again. HDFS looks at the
     * permissions of everything below before it says that a directory has entries.
     *
     * @throws IOException if the caller lacks a permission
     */
    private boolean probeRemoval(DirectoryRef ref, Deletion deletion) throws IOException {
        for (int group : layout.othersThanHome(ref.path())) {
            if (groups.get(group).removeIfEmpty(ref.siblingPath(group, deletion.name())) != Removal.NOT_EMPTY) {
                return false;
            }
        }
        // A name is never empty.
        return groups.get(layout.homeOf(ref.path())).removeIfEmpty(HashedLayout.inodePath(ref.directoryId()))
                == Removal.NOT_EMPTY;
    }

    /** Closes a copy for a deletion; returns false if the deletion has ended. */
    private boolean tryCloseCopy(int group, DirectoryRef ref, Deletion deletion) throws IOException {
        String into = ref.siblingPath(group, deletion.name());
        for (int look = 0; look < PathResolver.LOOKS; look++) {
            if (groups.get(group).stat(into + "/" + ref.name()).isPresent()) {
                return true;
            }
            groups.get(group).rename(ref.stagedCopyPath(group), ref.placedPath(group));
            Optional<E> copy = groups.get(group).stat(ref.placedPath(group));
            // In this order: only if the directory is still there, the copy is its, and not that of a later one.
            if (!paths.exists(ref) || !groups.get(group).stat(into).isPresent()) {
                return false;
            }
            if (copy.isPresent()) {
                groups.get(group).rename(HashedLayout.inodePath(copy.get().id()), into + "/" + ref.name());
            }
        }
        throw PathResolver.tooManyConflicts(ref.path());
    }

    private boolean hasEntries(DirectoryRef ref, Deletion deletion) throws IOException {
        int home = layout.homeOf(ref.path());
        for (int group = 0; group < groups.size(); group++) {
            String closedDirectory = group == home
                    ? HashedLayout.contentsOf(ref.entryPath(deletion.name()))
                    : ref.siblingPath(group, deletion.name()) + "/" + ref.name();
            Optional<List<E>> entries = groups.get(group).list(closedDirectory);
            if (!entries.isPresent()) {
                return true;
            }
            for (E entry : entries.get()) {
                if (paths.isEntry(group, entry)) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Opens the directories that an undone deletion has closed, and removes the deletion, from the name last: until then, other clients
     * find it and do the same.
     */
    private void discardUndoneDeletion(DirectoryRef ref, Deletion deletion) throws IOException {
        Plan.of(DeletionStep.class)
                .withStep(DeletionStep.OPEN_COPIES, () -> {
                    for (int group : layout.othersThanHome(ref.path())) {
                        String from = ref.siblingPath(group, deletion.name());
                        open(group, ref, from, from + "/" + ref.name(), ref.placedPath(group));
                    }
                    return true;
                })
                .withStep(DeletionStep.OPEN_CONTENTS, () -> {
                    String from = ref.entryPath(deletion.name());
                    open(layout.homeOf(ref.path()), ref, from, HashedLayout.contentsOf(from), ref.contentsPath());
                    return true;
                })
                .tryPerform();
    }

    private void open(int group, DirectoryRef ref, String directory, String closedDirectory, String path)
            throws IOException {
        for (int look = 0; look < PathResolver.LOOKS; look++) {
            groups.get(group).rename(closedDirectory, path);
            if (groups.get(group).removeIfEmpty(directory) != Removal.NOT_EMPTY) {
                return;
            }
        }
        throw PathResolver.tooManyConflicts(ref.path());
    }
}
