/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

import io.trefoil.federation.client.hashed.HashedTree.Made;
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

    /** {@link HashedTree#mkdir}. */
    Made mkdir(String path, int mode) throws IOException {
        for (int look = 0; look < Paths.LOOKS; look++) {
            Optional<E> there = paths.lookup(path);
            if (there.isPresent()) {
                return there.get().isDirectory() ? Made.EXISTS : Made.TAKEN;
            }
            Optional<List<Long>> parents = paths.parts(HashedLayout.parentOf(path));
            if (!parents.isPresent()) {
                return Made.NO_PARENT;
            }
            if (tryMake(path, parents.get(), mode)) {
                return Made.MADE;
            }
            paths.makeFree(path);
        }
        throw Paths.restless(path);
    }

    private boolean tryMake(String path, List<Long> parents, int mode) throws IOException {
        int home = layout.homeOf(path);
        String name = HashedLayout.staged(operations.get());
        String staged = HashedLayout.byId(parents.get(home), name);
        Optional<DirectoryRef> ref = Optional.empty();
        boolean isMade = false;
        try {
            OptionalLong made = stage(path, staged, mode);
            if (made.isPresent()) {
                ref = Optional.of(DirectoryRef.of(path, made.getAsLong(), parents));
                isMade = stageCopies(ref.get(), mode)
                        && tryName(ref.get(), layout.contents(home, HashedLayout.parentOf(path)) + "/" + name);
            }
        } catch (IOException refused) {
            // By a quota, for example: who tries again and again would fill the parts.
            try {
                removeStaged(path, staged, ref);
            } catch (IOException e) {
                refused.addSuppressed(e);
            }
            throw refused;
        }
        if (isMade) {
            placeCopies(ref.get());
        } else {
            removeStaged(path, staged, ref);
        }
        return isMade;
    }

    /**
     * Gives a staged directory its name, by paths: in a parent that is being deleted or renamed it must fail. If HDFS has carried out a call
     * that it was sent twice, and does not remember it, the second one finds nothing; what has its name may be in use by then.
     */
    private boolean tryName(DirectoryRef ref, String staged) throws IOException {
        int home = layout.homeOf(ref.path());
        return groups.get(home).rename(staged, layout.place(home, ref.path())) || paths.isThere(ref);
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

    private boolean stageCopies(DirectoryRef ref, int mode) throws IOException {
        for (int group : layout.othersThanHome(ref.path())) {
            if (!groups.get(group).mkdir(ref.waitingCopy(group), mode)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Of a directory that has not got its name. It may have got it in spite of an error, so it is not removed by its number, and its copies
     * only if it is gone: then nobody, however late, can give it its name.
     */
    private void removeStaged(String path, String staged, Optional<DirectoryRef> ref) throws IOException {
        Group<E> home = groups.get(layout.homeOf(path));
        home.removeAll(staged);
        if (ref.isPresent()
                && !home.stat(HashedLayout.byId(ref.get().directory())).isPresent()) {
            for (int group : layout.othersThanHome(path)) {
                groups.get(group).removeAll(ref.get().waitingCopy(group));
            }
        }
    }

    private void placeCopies(DirectoryRef ref) {
        BestEffort.run(() -> {
            for (int group : layout.othersThanHome(ref.path())) {
                paths.giveName(group, ref.parents().get(group), ref.path(), ref.directory());
            }
        });
    }
}
