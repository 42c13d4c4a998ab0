/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

import io.trefoil.federation.client.hashed.Group.Removal;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Deletes directories: closes all parts, so that nothing can be created any more, then decides by one call of the home. See
 * {@link Deletion}. Any client can do any of the steps, at any time: each is a rename of something that was made once, into
 * a directory that is there only as long as the deletion is not over.
 *
 * @param <E> what the groups say of a file or directory
 */
final class Deletions<E extends Entry> {

    /** The name, below the directory that decides, once the deletion is done. */
    private static final String DONE = "/done";

    /** The mode of what a deletion makes for itself: a user that may not complete another one's deletion cannot disturb it either. */
    private static final int OWN = 0700;

    private final HashedLayout layout;
    private final List<? extends Group<E>> groups;
    private final Paths<E> paths;
    private final PendingOperations<E> pending;

    Deletions(HashedLayout layout, List<? extends Group<E>> groups, Paths<E> paths, PendingOperations<E> pending) {
        this.layout = layout;
        this.groups = groups;
        this.paths = paths;
        this.pending = pending;
    }

    /**
     * Deletes a directory, unless others decide otherwise: because it has entries, or another deletion or a rename came first.
     *
     * @param directory the number of its name
     * @return whether this deletion was done; if not, it is over and nothing of it is left
     */
    boolean run(String path, long directory, Deletion deletion) throws IOException {
        Optional<DirectoryRef> found = paths.ref(path, directory);
        if (!found.isPresent()) {
            return false;
        }
        DirectoryRef ref = found.get();
        Group<E> home = groups.get(layout.homeOf(path));
        String decision = decision(ref, deletion);
        boolean isPublished = tryPublish(ref, deletion);
        for (int look = 0; look < Paths.LOOKS; look++) {
            if (isPublished) {
                settle(ref, deletion);
            }
            if (home.stat(decision + DONE).isPresent()) {
                BestEffort.run(() -> {
                    // Last the directory that decides: without it, others would think it was undone, and open the
                    // copies again.
                    removeCopies(ref, deletion);
                    home.removeAll(decision);
                });
                return true;
            }
            if (home.removeIfEmpty(decision) != Removal.NOT_EMPTY) {
                if (isPublished) {
                    pending.settle(path, directory);
                    requireKnown(ref);
                    if (paths.exists(ref)) {
                        // By its numbers: it may have another path now.
                        forget(ref, deletion);
                    }
                }
                removeUnused(ref, deletion);
                return false;
            }
        }
        throw Paths.tooManyConflicts(path);
    }

    private boolean tryPublish(DirectoryRef ref, Deletion deletion) throws IOException {
        Group<E> home = groups.get(layout.homeOf(ref.path()));
        try {
            return Plan.of(DeletionStep.class)
                    .then(DeletionStep.PLACE_DECISION, () -> home.mkdir(decision(ref, deletion), OWN))
                    .then(DeletionStep.PLACE_OTHERS, () -> tryPlaceOthers(ref, deletion))
                    .then(DeletionStep.PUBLISH, () -> {
                        // HDFS carries it out once more if it is asked once more. Then it finds nothing if others have
                        // completed the deletion meanwhile, and makes it once more, without what decides, if they have
                        // undone it.
                        home.mkdir(ref.in(deletion.name()), OWN);
                        return true;
                    })
                    .tryPerform();
        } catch (IOException refused) {
            abandon(ref, deletion, refused);
            throw refused;
        }
    }

    /** Settles a deletion; if it is refused, it was done before, or it is undone. */
    private void settle(DirectoryRef ref, Deletion deletion) throws IOException {
        try {
            pending.settle(ref.path(), ref.directory());
        } catch (IOException refused) {
            if (abandon(ref, deletion, refused)) {
                throw refused;
            }
        }
    }

    /** @return false if it was done */
    private boolean abandon(DirectoryRef ref, Deletion deletion, IOException refused) {
        try {
            return tryUndo(ref, deletion);
        } catch (IOException e) {
            refused.addSuppressed(e);
            return true;
        }
    }

    private String decision(DirectoryRef ref, Deletion deletion) {
        return ref.beside(layout.homeOf(ref.path()), deletion.name());
    }

    private void requireKnown(DirectoryRef ref) throws IOException {
        int home = layout.homeOf(ref.path());
        if (!groups.get(home).stat(HashedLayout.byId(ref.parents().get(home))).isPresent()) {
            throw new UnknownDeletionException(ref.path());
        }
    }

    private boolean tryPlaceOthers(DirectoryRef ref, Deletion deletion) throws IOException {
        for (int group : layout.othersThanHome(ref.path())) {
            if (!groups.get(group).mkdir(ref.beside(group, deletion.name()), OWN)) {
                return false;
            }
        }
        return true;
    }

    /** Removes the directories of a deletion that was not done: they are empty, or another client has removed them. */
    private void removeUnused(DirectoryRef ref, Deletion deletion) throws IOException {
        for (int group : layout.othersThanHome(ref.path())) {
            groups.get(group).removeIfEmpty(ref.beside(group, deletion.name()));
        }
    }

    /** Removes the copies of a deletion that was done. */
    private void removeCopies(DirectoryRef ref, Deletion deletion) throws IOException {
        for (int group : layout.othersThanHome(ref.path())) {
            groups.get(group).removeAll(ref.beside(group, deletion.name()));
        }
    }

    /**
     * Removes what a deletion that is done has left in the parts of a directory: its client ended before, and is not at
     * work any more. The group in which it was decided has it last, as in {@link #run}; where nothing is decided,
     * nothing is removed.
     *
     * @param parent of the directory that was deleted
     */
    void sweep(String parent, Deletion deletion) throws IOException {
        for (int home = 0; home < groups.size(); home++) {
            String decision = layout.contents(home, parent) + "/" + deletion.name();
            // Only the name that was moved has this in it: a copy of a directory that is called "done" has not.
            if (groups.get(home).stat(decision + DONE + "/" + deletion.name()).isPresent()) {
                for (int group = 0; group < groups.size(); group++) {
                    if (group != home) {
                        // By their paths, which nothing else ever gets.
                        groups.get(group).removeAll(layout.contents(group, parent) + "/" + deletion.name());
                    }
                }
                groups.get(home).removeAll(decision);
                return;
            }
        }
    }

    /** Whether it is not over, or done but not cleared away. */
    boolean isPending(DirectoryRef ref, Deletion deletion) throws IOException {
        return groups.get(layout.homeOf(ref.path()))
                .stat(decision(ref, deletion))
                .isPresent();
    }

    /** Undoes a deletion; false if it was done. */
    boolean tryUndo(DirectoryRef ref, Deletion deletion) throws IOException {
        if (groups.get(layout.homeOf(ref.path())).removeIfEmpty(decision(ref, deletion)) == Removal.NOT_EMPTY) {
            return false;
        }
        forget(ref, deletion);
        return true;
    }

    /** Continues the one deletion that may proceed, unless it is undone meanwhile. What is refused is undone. */
    void complete(DirectoryRef ref, Deletion deletion) throws IOException {
        Group<E> home = groups.get(layout.homeOf(ref.path()));
        boolean isDone;
        try {
            isDone = tryDecide(ref, deletion);
        } catch (IOException refused) {
            // Closed and never deleted it would be in everybody's way.
            try {
                // This shows who may: others must not undo it.
                home.list(ref.in(deletion.name()));
                tryUndo(ref, deletion);
            } catch (IOException e) {
                refused.addSuppressed(e);
            }
            throw refused;
        }
        if (isDone) {
            BestEffort.run(() -> {
                home.removeAll(HashedLayout.contentsOf(ref.in(deletion.name())));
                removeCopies(ref, deletion);
            });
        }
    }

    private boolean tryDecide(DirectoryRef ref, Deletion deletion) throws IOException {
        return Plan.of(DeletionStep.class)
                .then(DeletionStep.CLOSE_COPIES, () -> tryCloseCopies(ref, deletion))
                .then(DeletionStep.CLOSE_CONTENTS, () -> tryCloseContents(ref, deletion))
                .then(DeletionStep.JUDGE, () -> tryRemoveDecision(ref, deletion))
                .then(DeletionStep.DECIDE, () -> tryRemoveName(ref, deletion))
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
        String closed = HashedLayout.contentsOf(ref.in(deletion.name()));
        home.rename(ref.contents(), closed);
        return home.stat(closed).isPresent();
    }

    /** Takes away what decides if the directory may not be deleted. */
    private boolean tryRemoveDecision(DirectoryRef ref, Deletion deletion) throws IOException {
        if (deletion.isOnlyIfEmpty() ? hasEntries(ref, deletion) : !probeRemoval(ref, deletion)) {
            groups.get(layout.homeOf(ref.path())).removeIfEmpty(decision(ref, deletion));
            return false;
        }
        return true;
    }

    /**
     * Moves the name to a path, as a directory above may have another name by now, and a deletion by number would be
     * that of something else.
     */
    private boolean tryRemoveName(DirectoryRef ref, Deletion deletion) throws IOException {
        int home = layout.homeOf(ref.path());
        String decision = layout.contents(home, HashedLayout.parentOf(ref.path())) + "/" + deletion.name();
        return groups.get(home).rename(HashedLayout.byId(ref.directory()), decision + DONE);
    }

    /**
     * Makes HDFS judge whether a directory that is closed can be removed with all that is in it; false if it is open
     * again. HDFS looks at the permissions of everything below before it says that a directory has entries.
     *
     * @throws IOException if the caller lacks a permission
     */
    private boolean probeRemoval(DirectoryRef ref, Deletion deletion) throws IOException {
        for (int group : layout.othersThanHome(ref.path())) {
            if (groups.get(group).removeIfEmpty(ref.beside(group, deletion.name())) != Removal.NOT_EMPTY) {
                return false;
            }
        }
        // A name is never empty.
        return groups.get(layout.homeOf(ref.path())).removeIfEmpty(HashedLayout.byId(ref.directory()))
                == Removal.NOT_EMPTY;
    }

    /** Closes a copy for a deletion; false if that is over. */
    private boolean tryCloseCopy(int group, DirectoryRef ref, Deletion deletion) throws IOException {
        String into = ref.beside(group, deletion.name());
        for (int look = 0; look < Paths.LOOKS; look++) {
            if (groups.get(group).stat(into + "/" + ref.name()).isPresent()) {
                return true;
            }
            groups.get(group).rename(ref.waitingCopy(group), ref.place(group));
            Optional<E> copy = groups.get(group).stat(ref.place(group));
            // In this order: only if the directory is still there, the copy is its, and not that of a later one.
            if (!paths.exists(ref) || !groups.get(group).stat(into).isPresent()) {
                return false;
            }
            if (copy.isPresent()) {
                groups.get(group).rename(HashedLayout.byId(copy.get().id()), into + "/" + ref.name());
            }
        }
        throw Paths.tooManyConflicts(ref.path());
    }

    private boolean hasEntries(DirectoryRef ref, Deletion deletion) throws IOException {
        int home = layout.homeOf(ref.path());
        for (int group = 0; group < groups.size(); group++) {
            String closed = group == home
                    ? HashedLayout.contentsOf(ref.in(deletion.name()))
                    : ref.beside(group, deletion.name()) + "/" + ref.name();
            Optional<List<E>> entries = groups.get(group).list(closed);
            if (!entries.isPresent()) {
                return true;
            }
            for (E one : entries.get()) {
                if (paths.isEntry(group, one)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Opens what an undone deletion has closed, and removes it, in the name last: until then others find it and do the same. */
    private void forget(DirectoryRef ref, Deletion deletion) throws IOException {
        Plan.of(DeletionStep.class)
                .then(DeletionStep.OPEN_COPIES, () -> {
                    for (int group : layout.othersThanHome(ref.path())) {
                        String from = ref.beside(group, deletion.name());
                        open(group, ref, from, from + "/" + ref.name(), ref.place(group));
                    }
                    return true;
                })
                .then(DeletionStep.OPEN_CONTENTS, () -> {
                    String from = ref.in(deletion.name());
                    open(layout.homeOf(ref.path()), ref, from, HashedLayout.contentsOf(from), ref.contents());
                    return true;
                })
                .tryPerform();
    }

    private void open(int group, DirectoryRef ref, String directory, String closed, String place) throws IOException {
        for (int look = 0; look < Paths.LOOKS; look++) {
            groups.get(group).rename(closed, place);
            if (groups.get(group).removeIfEmpty(directory) != Removal.NOT_EMPTY) {
                return;
            }
        }
        throw Paths.tooManyConflicts(ref.path());
    }
}
