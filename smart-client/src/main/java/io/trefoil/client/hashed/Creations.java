/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hashed;

import io.trefoil.client.hashed.HashedTree.Made;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * Makes directories: beside their place in all groups, then gives the one in the home its name, which decides, then the copies.
 *
 * @param <E> what the groups say of a file or directory
 */
final class Creations<E extends Entry> {

    private final HashedLayout layout;
    private final List<? extends Group<E>> groups;
    private final Paths<E> paths;
    private final Supplier<String> operations;

    Creations(HashedLayout layout, List<? extends Group<E>> groups, Paths<E> paths, Supplier<String> operations) {
        this.layout = layout;
        this.groups = groups;
        this.paths = paths;
        this.operations = operations;
    }

    /**
     * Makes a directory in one that exists.
     *
     * @param mode its permission bits; its owner must be allowed to write
     */
    Made mkdir(String path, int mode) throws IOException {
        int home = layout.homeOf(path);
        String parentPath = HashedLayout.parentOf(path);
        for (int look = 0; look < Paths.LOOKS; look++) {
            Optional<E> there = paths.lookup(path);
            if (there.isPresent()) {
                return there.get().isDirectory() ? Made.EXISTS : Made.TAKEN;
            }
            Optional<List<Long>> parents = paths.parts(parentPath);
            if (!parents.isPresent()) {
                return Made.NO_PARENT;
            }
            String staged = HashedLayout.staged(operations.get());
            OptionalLong made = stage(path, HashedLayout.byId(parents.get().get(home), staged), mode);
            if (!made.isPresent()) {
                continue;
            }
            Spot spot = Spot.of(path, made.getAsLong(), parents.get());
            if (stageCopies(spot, mode) && isNamed(spot, layout.contents(home, parentPath) + "/" + staged)) {
                placeCopies(spot);
                return Made.MADE;
            }
            removeStaged(spot);
            paths.makeFree(path);
        }
        throw Paths.restless(path);
    }

    /**
     * Gives a staged directory its name, by paths: in a parent that is being deleted or renamed it must fail. If HDFS has carried out a call
     * that it was sent twice, and does not remember it, the second one finds nothing; what has its name may be in use by then.
     */
    private boolean isNamed(Spot spot, String staged) throws IOException {
        int home = layout.homeOf(spot.path());
        return groups.get(home).rename(staged, layout.place(home, spot.path())) || paths.isThere(spot);
    }

    private OptionalLong stage(String path, String staged, int mode) throws IOException {
        Group<E> home = groups.get(layout.homeOf(path));
        if (!home.mkdir(staged, mode)) {
            return OptionalLong.empty();
        }
        Optional<E> directory = home.stat(staged);
        if (!directory.isPresent()
                || !home.mkdir(
                        HashedLayout.contentsOf(
                                HashedLayout.byId(directory.get().id())),
                        mode)) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(directory.get().id());
    }

    private boolean stageCopies(Spot spot, int mode) throws IOException {
        try {
            for (int group : layout.othersThanHome(spot.path())) {
                if (!groups.get(group).mkdir(spot.waitingCopy(group), mode)) {
                    return false;
                }
            }
            return true;
        } catch (IOException refused) {
            // By a quota, for example: who tries again and again would fill the other parts.
            try {
                removeStaged(spot);
            } catch (IOException e) {
                refused.addSuppressed(e);
            }
            throw refused;
        }
    }

    /** Of a directory that never had its name. */
    private void removeStaged(Spot spot) throws IOException {
        groups.get(layout.homeOf(spot.path())).removeAll(HashedLayout.byId(spot.directory()));
        for (int group : layout.othersThanHome(spot.path())) {
            groups.get(group).removeAll(spot.waitingCopy(group));
        }
    }

    private void placeCopies(Spot spot) throws IOException {
        for (int group : layout.othersThanHome(spot.path())) {
            paths.giveName(group, spot.parents().get(group), spot.path(), spot.directory());
        }
    }
}
