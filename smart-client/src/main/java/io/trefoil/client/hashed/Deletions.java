/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hashed;

import io.trefoil.client.hashed.Group.Removal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

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
    private final HashedTree<E> tree;

    Deletions(HashedLayout layout, List<? extends Group<E>> groups, HashedTree<E> tree) {
        this.layout = layout;
        this.groups = groups;
        this.tree = tree;
    }

    /**
     * Deletes a directory, unless others decide otherwise: because it has entries, or another deletion came first.
     *
     * @param directory the number of its name
     * @return whether this deletion was done; if not, it is over and nothing of it is left
     */
    boolean run(String path, long directory, Deletion deletion) throws IOException {
        Group<E> home = groups.get(layout.homeOf(path));
        OptionalLong parent = tree.contents(layout.homeOf(path), HashedLayout.parentOf(path));
        if (!parent.isPresent()) {
            return false;
        }
        String decision = HashedLayout.byId(parent.getAsLong(), deletion.name());
        boolean isPublished = home.mkdir(decision, OWN)
                && prepare(path, deletion)
                && home.mkdir(HashedLayout.byId(directory, deletion.name()), OWN);
        for (int look = 0; look < HashedTree.LOOKS; look++) {
            if (isPublished) {
                settle(path, directory);
            }
            if (home.stat(decision + DONE).isPresent()) {
                // Last the directory that decides: without it, others would think it was undone, and open the copies
                // again.
                removeCopies(path, deletion);
                home.removeAll(decision);
                return true;
            }
            if (home.removeIfEmpty(decision) != Removal.NOT_EMPTY) {
                if (isPublished) {
                    settle(path, directory);
                    requireKnown(path, parent.getAsLong());
                }
                removeUnused(path, deletion);
                return false;
            }
        }
        throw HashedTree.restless(path);
    }

    private void requireKnown(String path, long parent) throws IOException {
        if (!groups.get(layout.homeOf(path)).stat(HashedLayout.byId(parent)).isPresent()) {
            throw new UnknownDeletionException(path);
        }
    }

    private boolean prepare(String path, Deletion deletion) throws IOException {
        for (int group : layout.othersThanHome(path)) {
            OptionalLong parent = tree.contents(group, HashedLayout.parentOf(path));
            if (!parent.isPresent()
                    || !groups.get(group).mkdir(HashedLayout.byId(parent.getAsLong(), deletion.name()), OWN)) {
                return false;
            }
        }
        return true;
    }

    /** For a deletion that was not done: its directories are empty, or another client has removed them. */
    private void removeUnused(String path, Deletion deletion) throws IOException {
        tree.inOthers(path, (group, parent) -> group.removeIfEmpty(HashedLayout.byId(parent, deletion.name())));
    }

    /** For a deletion that was done. */
    private void removeCopies(String path, Deletion deletion) throws IOException {
        tree.inOthers(path, (group, parent) -> group.removeAll(HashedLayout.byId(parent, deletion.name())));
    }

    /** Whether no deletion of a directory was under way; if one was, completes or undoes it. */
    boolean isSettled(String path, long directory) throws IOException {
        if (published(path, directory).isEmpty()) {
            return true;
        }
        settle(path, directory);
        return false;
    }

    private List<Deletion> published(String path, long directory) throws IOException {
        List<Deletion> all = new ArrayList<>();
        Optional<List<E>> entries = groups.get(layout.homeOf(path)).list(HashedLayout.byId(directory));
        if (entries.isPresent()) {
            for (E one : entries.get()) {
                if (HashedLayout.isDeletion(one.name())) {
                    all.add(Deletion.parse(one.name()));
                }
            }
        }
        all.sort(null);
        return all;
    }

    /** Completes or undoes all deletions of a directory. */
    private void settle(String path, long directory) throws IOException {
        int home = layout.homeOf(path);
        for (int look = 0; look < HashedTree.LOOKS; look++) {
            OptionalLong parent = tree.contents(home, HashedLayout.parentOf(path));
            if (!parent.isPresent() || !isThere(path, parent.getAsLong(), directory)) {
                return;
            }
            List<Deletion> published = published(path, directory);
            if (published.isEmpty()) {
                return;
            }
            Optional<Deletion> first = firstPending(path, parent.getAsLong(), directory, published);
            if (first.isPresent()) {
                complete(path, parent.getAsLong(), directory, first.get());
            }
        }
        throw HashedTree.restless(path);
    }

    private boolean isThere(String path, long parent, long directory) throws IOException {
        Optional<E> there = groups.get(layout.homeOf(path)).stat(HashedLayout.byId(parent, HashedLayout.nameOf(path)));
        return there.isPresent() && there.get().id() == directory;
    }

    /** Undoes all others: two that close at the same time would wait for each other. */
    private Optional<Deletion> firstPending(String path, long parent, long directory, List<Deletion> published)
            throws IOException {
        Group<E> home = groups.get(layout.homeOf(path));
        Deletion first = null;
        for (Deletion one : published) {
            String decision = HashedLayout.byId(parent, one.name());
            if (first == null && home.stat(decision).isPresent()) {
                first = one;
            } else if (first == null || home.removeIfEmpty(decision) != Removal.NOT_EMPTY) {
                forget(path, directory, one);
            } else {
                return Optional.empty();
            }
        }
        return Optional.ofNullable(first);
    }

    private void complete(String path, long parent, long directory, Deletion deletion) throws IOException {
        int home = layout.homeOf(path);
        for (int group : layout.othersThanHome(path)) {
            if (!isCopyClosed(group, path, parent, directory, deletion)) {
                return;
            }
        }
        String closed = HashedLayout.byId(directory, deletion.name());
        groups.get(home).rename(HashedLayout.contentsOf(HashedLayout.byId(directory)), HashedLayout.contentsOf(closed));
        if (!groups.get(home).stat(HashedLayout.contentsOf(closed)).isPresent()) {
            return;
        }
        String decision = HashedLayout.byId(parent, deletion.name());
        if (deletion.isOnlyIfEmpty() && hasEntries(path, directory, deletion)) {
            groups.get(home).removeIfEmpty(decision);
        } else if (groups.get(home).rename(HashedLayout.byId(directory), decision + DONE)) {
            groups.get(home).removeAll(HashedLayout.contentsOf(closed));
            removeCopies(path, deletion);
        }
    }

    /** Closes a copy for a deletion; false if that is over. */
    private boolean isCopyClosed(int group, String path, long homeParent, long directory, Deletion deletion)
            throws IOException {
        String name = HashedLayout.nameOf(path);
        for (int look = 0; look < HashedTree.LOOKS; look++) {
            OptionalLong parent = tree.contents(group, HashedLayout.parentOf(path));
            if (!parent.isPresent()) {
                return false;
            }
            String into = HashedLayout.byId(parent.getAsLong(), deletion.name());
            if (groups.get(group).stat(into + "/" + name).isPresent()) {
                return true;
            }
            groups.get(group)
                    .rename(
                            HashedLayout.byId(parent.getAsLong(), HashedLayout.copyOf(directory)),
                            HashedLayout.byId(parent.getAsLong(), name));
            Optional<E> copy = groups.get(group).stat(HashedLayout.byId(parent.getAsLong(), name));
            // In this order: only if the directory is still there, the copy is its, and not that of a later one.
            if (!isThere(path, homeParent, directory)
                    || !groups.get(group).stat(into).isPresent()) {
                return false;
            }
            if (copy.isPresent()) {
                groups.get(group).rename(HashedLayout.byId(copy.get().id()), into + "/" + name);
            }
        }
        throw HashedTree.restless(path);
    }

    private boolean hasEntries(String path, long directory, Deletion deletion) throws IOException {
        int home = layout.homeOf(path);
        for (int group = 0; group < groups.size(); group++) {
            OptionalLong parent = tree.contents(group, HashedLayout.parentOf(path));
            if (!parent.isPresent()) {
                return true;
            }
            String closed = group == home
                    ? HashedLayout.contentsOf(HashedLayout.byId(directory, deletion.name()))
                    : HashedLayout.byId(parent.getAsLong(), deletion.name()) + "/" + HashedLayout.nameOf(path);
            Optional<List<E>> entries = groups.get(group).list(closed);
            if (!entries.isPresent()) {
                return true;
            }
            for (E one : entries.get()) {
                if (layout.isTrue(group, one)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Opens what an undone deletion has closed, and removes it, in the name last: until then others find it and do the same. */
    private void forget(String path, long directory, Deletion deletion) throws IOException {
        String name = HashedLayout.nameOf(path);
        for (int group : layout.othersThanHome(path)) {
            OptionalLong parent = tree.contents(group, HashedLayout.parentOf(path));
            if (!parent.isPresent()) {
                return;
            }
            String from = HashedLayout.byId(parent.getAsLong(), deletion.name());
            open(group, path, from, from + "/" + name, HashedLayout.byId(parent.getAsLong(), name));
        }
        String from = HashedLayout.byId(directory, deletion.name());
        open(
                layout.homeOf(path),
                path,
                from,
                HashedLayout.contentsOf(from),
                HashedLayout.contentsOf(HashedLayout.byId(directory)));
    }

    private void open(int group, String path, String directory, String closed, String place) throws IOException {
        for (int look = 0; look < HashedTree.LOOKS; look++) {
            groups.get(group).rename(closed, place);
            if (groups.get(group).removeIfEmpty(directory) != Removal.NOT_EMPTY) {
                return;
            }
        }
        throw HashedTree.restless(path);
    }
}
