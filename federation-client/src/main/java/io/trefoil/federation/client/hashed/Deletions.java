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

    /** Below the directory that decides: the name, once the deletion is done. */
    private static final String DONE = "/done";

    /** What a deletion makes for itself: who may not complete another one's deletion cannot disturb it either. */
    private static final int OWN = 0700;

    private final HashedLayout layout;
    private final List<? extends Group<E>> groups;
    private final Paths<E> paths;
    private final Departures<E> departures;

    Deletions(HashedLayout layout, List<? extends Group<E>> groups, Paths<E> paths, Departures<E> departures) {
        this.layout = layout;
        this.groups = groups;
        this.paths = paths;
        this.departures = departures;
    }

    /**
     * Deletes a directory, unless others decide otherwise: because it has entries, or another deletion or a rename came first.
     *
     * @param directory the number of its name
     * @return whether this deletion was done; if not, it is over and nothing of it is left
     */
    boolean run(String path, long directory, Deletion deletion) throws IOException {
        Optional<Spot> found = paths.spot(path, directory);
        if (!found.isPresent()) {
            return false;
        }
        Spot spot = found.get();
        Group<E> home = groups.get(layout.homeOf(path));
        String decision = decision(spot, deletion);
        boolean isPublished = tryPublish(spot, deletion);
        for (int look = 0; look < Paths.LOOKS; look++) {
            if (isPublished) {
                settle(spot, deletion);
            }
            if (home.stat(decision + DONE).isPresent()) {
                Epilogue.run(() -> {
                    // Last the directory that decides: without it, others would think it was undone, and open the
                    // copies again.
                    removeCopies(spot, deletion);
                    home.removeAll(decision);
                });
                return true;
            }
            if (home.removeIfEmpty(decision) != Removal.NOT_EMPTY) {
                if (isPublished) {
                    departures.settle(path, directory);
                    requireKnown(spot);
                    if (paths.isThere(spot)) {
                        // By its numbers: it may have another path now.
                        forget(spot, deletion);
                    }
                }
                removeUnused(spot, deletion);
                return false;
            }
        }
        throw Paths.restless(path);
    }

    private boolean tryPublish(Spot spot, Deletion deletion) throws IOException {
        Group<E> home = groups.get(layout.homeOf(spot.path()));
        try {
            if (!home.mkdir(decision(spot, deletion), OWN) || !prepare(spot, deletion)) {
                return false;
            }
            // HDFS carries it out once more if it is asked once more. Then it finds nothing if others have completed
            // the
            // deletion meanwhile, and makes it once more, without what decides, if they have undone it.
            home.mkdir(spot.in(deletion.name()), OWN);
            return true;
        } catch (IOException refused) {
            giveUp(spot, deletion, refused);
            throw refused;
        }
    }

    /** If it is refused, it was done before, or it is undone. */
    private void settle(Spot spot, Deletion deletion) throws IOException {
        try {
            departures.settle(spot.path(), spot.directory());
        } catch (IOException refused) {
            if (giveUp(spot, deletion, refused)) {
                throw refused;
            }
        }
    }

    /** @return false if it was done */
    private boolean giveUp(Spot spot, Deletion deletion, IOException refused) {
        try {
            return tryUndo(spot, deletion);
        } catch (IOException e) {
            refused.addSuppressed(e);
            return true;
        }
    }

    private String decision(Spot spot, Deletion deletion) {
        return spot.beside(layout.homeOf(spot.path()), deletion.name());
    }

    private void requireKnown(Spot spot) throws IOException {
        int home = layout.homeOf(spot.path());
        if (!groups.get(home).stat(HashedLayout.byId(spot.parents().get(home))).isPresent()) {
            throw new UnknownDeletionException(spot.path());
        }
    }

    private boolean prepare(Spot spot, Deletion deletion) throws IOException {
        for (int group : layout.othersThanHome(spot.path())) {
            if (!groups.get(group).mkdir(spot.beside(group, deletion.name()), OWN)) {
                return false;
            }
        }
        return true;
    }

    /** For a deletion that was not done: its directories are empty, or another client has removed them. */
    private void removeUnused(Spot spot, Deletion deletion) throws IOException {
        for (int group : layout.othersThanHome(spot.path())) {
            groups.get(group).removeIfEmpty(spot.beside(group, deletion.name()));
        }
    }

    /** For a deletion that was done. */
    private void removeCopies(Spot spot, Deletion deletion) throws IOException {
        for (int group : layout.othersThanHome(spot.path())) {
            groups.get(group).removeAll(spot.beside(group, deletion.name()));
        }
    }

    /**
     * Removes what a deletion that is done has left in the parts of a directory: whoever did it ended before, and is not at work any more. The group in which it was
     * decided has it last, as in {@link #run}; where nothing is decided, nothing is removed.
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
    boolean isPending(Spot spot, Deletion deletion) throws IOException {
        return groups.get(layout.homeOf(spot.path()))
                .stat(decision(spot, deletion))
                .isPresent();
    }

    /** Undoes a deletion; false if it was done. */
    boolean tryUndo(Spot spot, Deletion deletion) throws IOException {
        if (groups.get(layout.homeOf(spot.path())).removeIfEmpty(decision(spot, deletion)) == Removal.NOT_EMPTY) {
            return false;
        }
        forget(spot, deletion);
        return true;
    }

    /** Goes on with the one deletion that may, as far as it is not undone meanwhile. What is refused is undone. */
    void complete(Spot spot, Deletion deletion) throws IOException {
        Group<E> home = groups.get(layout.homeOf(spot.path()));
        boolean isDone;
        try {
            isDone = tryDecide(spot, deletion);
        } catch (IOException refused) {
            // Closed and never deleted it would be in everybody's way.
            try {
                // This shows who may: others must not undo it.
                home.list(spot.in(deletion.name()));
                tryUndo(spot, deletion);
            } catch (IOException e) {
                refused.addSuppressed(e);
            }
            throw refused;
        }
        if (isDone) {
            Epilogue.run(() -> {
                home.removeAll(HashedLayout.contentsOf(spot.in(deletion.name())));
                removeCopies(spot, deletion);
            });
        }
    }

    private boolean tryDecide(Spot spot, Deletion deletion) throws IOException {
        String path = spot.path();
        Group<E> home = groups.get(layout.homeOf(path));
        for (int group : layout.othersThanHome(path)) {
            if (!tryCloseCopy(group, spot, deletion)) {
                return false;
            }
        }
        String closed = spot.in(deletion.name());
        home.rename(spot.contents(), HashedLayout.contentsOf(closed));
        if (!home.stat(HashedLayout.contentsOf(closed)).isPresent()) {
            return false;
        }
        if (deletion.isOnlyIfEmpty() ? hasEntries(spot, deletion) : !probeRemoval(spot, deletion)) {
            home.removeIfEmpty(decision(spot, deletion));
            return false;
        }
        // To a path, as a directory above may have another name by now: then it would be the deletion of something
        // else.
        String decision = layout.contents(layout.homeOf(path), HashedLayout.parentOf(path)) + "/" + deletion.name();
        return home.rename(HashedLayout.byId(spot.directory()), decision + DONE);
    }

    /**
     * Has HDFS judge whether a directory that is closed can be removed with all that is in it; false if it is open again. HDFS looks at the permissions of
     * everything below before it says that a directory has entries.
     *
     * @throws IOException if the caller lacks a permission
     */
    private boolean probeRemoval(Spot spot, Deletion deletion) throws IOException {
        for (int group : layout.othersThanHome(spot.path())) {
            if (groups.get(group).removeIfEmpty(spot.beside(group, deletion.name())) != Removal.NOT_EMPTY) {
                return false;
            }
        }
        // A name is never empty.
        return groups.get(layout.homeOf(spot.path())).removeIfEmpty(HashedLayout.byId(spot.directory()))
                == Removal.NOT_EMPTY;
    }

    /** Closes a copy for a deletion; false if that is over. */
    private boolean tryCloseCopy(int group, Spot spot, Deletion deletion) throws IOException {
        String into = spot.beside(group, deletion.name());
        for (int look = 0; look < Paths.LOOKS; look++) {
            if (groups.get(group).stat(into + "/" + spot.name()).isPresent()) {
                return true;
            }
            groups.get(group).rename(spot.waitingCopy(group), spot.place(group));
            Optional<E> copy = groups.get(group).stat(spot.place(group));
            // In this order: only if the directory is still there, the copy is its, and not that of a later one.
            if (!paths.isThere(spot) || !groups.get(group).stat(into).isPresent()) {
                return false;
            }
            if (copy.isPresent()) {
                groups.get(group).rename(HashedLayout.byId(copy.get().id()), into + "/" + spot.name());
            }
        }
        throw Paths.restless(spot.path());
    }

    private boolean hasEntries(Spot spot, Deletion deletion) throws IOException {
        int home = layout.homeOf(spot.path());
        for (int group = 0; group < groups.size(); group++) {
            String closed = group == home
                    ? HashedLayout.contentsOf(spot.in(deletion.name()))
                    : spot.beside(group, deletion.name()) + "/" + spot.name();
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
    private void forget(Spot spot, Deletion deletion) throws IOException {
        for (int group : layout.othersThanHome(spot.path())) {
            String from = spot.beside(group, deletion.name());
            open(group, spot, from, from + "/" + spot.name(), spot.place(group));
        }
        String from = spot.in(deletion.name());
        open(layout.homeOf(spot.path()), spot, from, HashedLayout.contentsOf(from), spot.contents());
    }

    private void open(int group, Spot spot, String directory, String closed, String place) throws IOException {
        for (int look = 0; look < Paths.LOOKS; look++) {
            groups.get(group).rename(closed, place);
            if (groups.get(group).removeIfEmpty(directory) != Removal.NOT_EMPTY) {
                return;
            }
        }
        throw Paths.restless(spot.path());
    }
}
