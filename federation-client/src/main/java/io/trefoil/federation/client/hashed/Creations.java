/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

import io.trefoil.federation.client.hashed.HashedTree.MkdirResult;
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

    /** Implements {@link HashedTree#mkdir}. */
    MkdirResult mkdir(String path, int mode) throws IOException {
        for (int look = 0; look < Paths.LOOKS; look++) {
            Optional<E> there = paths.lookup(path);
            if (there.isPresent()) {
                return there.get().isDirectory() ? MkdirResult.EXISTS : MkdirResult.TAKEN;
            }
            Optional<List<Long>> parents = paths.parts(HashedLayout.parentOf(path));
            if (!parents.isPresent()) {
                return MkdirResult.NO_PARENT;
            }
            if (tryMake(path, parents.get(), mode)) {
                return MkdirResult.MADE;
            }
            paths.tryClearName(path);
        }
        throw Paths.tooManyConflicts(path);
    }

    private boolean tryMake(String path, List<Long> parents, int mode) throws IOException {
        StagedDirectory staged = new StagedDirectory(path, HashedLayout.staged(operations.get()), parents);
        boolean isMade;
        try {
            isMade = plan(staged, mode).tryPerform();
        } catch (IOException refused) {
            // By a quota, for example: who tries again and again would fill the parts.
            try {
                removeStaged(staged);
            } catch (IOException e) {
                refused.addSuppressed(e);
            }
            throw refused;
        }
        if (!isMade) {
            removeStaged(staged);
        }
        return isMade;
    }

    private Plan<CreationStep> plan(StagedDirectory staged, int mode) {
        return Plan.of(CreationStep.class)
                .then(CreationStep.STAGE_DIRECTORY, () -> tryStage(staged, mode))
                .then(CreationStep.STAGE_COPIES, () -> tryStageCopies(staged.ref(), mode))
                .then(CreationStep.GIVE_NAME, () -> tryName(staged))
                .then(CreationStep.PLACE_COPIES, () -> {
                    placeCopies(staged.ref());
                    return true;
                });
    }

    /** A directory that has not got its name yet. */
    private static final class StagedDirectory {
        private final String path;
        private final String name;
        private final List<Long> parents;
        private OptionalLong directory = OptionalLong.empty();

        StagedDirectory(String path, String name, List<Long> parents) {
            this.path = path;
            this.name = name;
            this.parents = parents;
        }

        /** The directory, which must be there. */
        DirectoryRef ref() {
            return DirectoryRef.of(path, directory.getAsLong(), parents);
        }

        String byNumber(int home) {
            return HashedLayout.byId(parents.get(home), name);
        }
    }

    /**
     * Gives a staged directory its name, by paths: in a parent that is being deleted or renamed it must fail. If HDFS
     * has carried out a call that it was sent twice, and does not remember it, the second one finds nothing; what has
     * its name may be in use by then.
     */
    private boolean tryName(StagedDirectory staged) throws IOException {
        int home = layout.homeOf(staged.path);
        String from = layout.contents(home, HashedLayout.parentOf(staged.path)) + "/" + staged.name;
        return groups.get(home).rename(from, layout.place(home, staged.path)) || paths.exists(staged.ref());
    }

    private boolean tryStage(StagedDirectory staged, int mode) throws IOException {
        int group = layout.homeOf(staged.path);
        Group<E> home = groups.get(group);
        if (!home.mkdir(staged.byNumber(group), mode)) {
            return false;
        }
        Optional<E> directory = home.stat(staged.byNumber(group));
        if (!directory.isPresent()
                || !home.mkdir(
                        HashedLayout.contentsOf(
                                HashedLayout.byId(directory.get().id())),
                        mode)) {
            return false;
        }
        staged.directory = OptionalLong.of(directory.get().id());
        return true;
    }

    private boolean tryStageCopies(DirectoryRef ref, int mode) throws IOException {
        for (int group : layout.othersThanHome(ref.path())) {
            if (!groups.get(group).mkdir(ref.waitingCopy(group), mode)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Removes what was staged for a directory that has not got its name. It may have got it in spite of an error, so it
     * is not removed by its number, and its copies only if it is gone: then nobody, however late, can give it its name.
     */
    private void removeStaged(StagedDirectory staged) throws IOException {
        int group = layout.homeOf(staged.path);
        Group<E> home = groups.get(group);
        home.removeAll(staged.byNumber(group));
        if (staged.directory.isPresent()
                && !home.stat(HashedLayout.byId(staged.directory.getAsLong())).isPresent()) {
            for (int other : layout.othersThanHome(staged.path)) {
                groups.get(other).removeAll(staged.ref().waitingCopy(other));
            }
        }
    }

    private void placeCopies(DirectoryRef ref) {
        BestEffort.run(() -> {
            for (int group : layout.othersThanHome(ref.path())) {
                paths.publishCopy(group, ref.parents().get(group), ref.path(), ref.directory());
            }
        });
    }
}
