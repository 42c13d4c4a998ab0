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
 * Makes directories: stages them next to their place in all groups, then gives the one in the home its name, which decides, and then the
 * copies theirs.
 *
 * @param <E> what the groups say of a file or directory
 */
final class DirectoryCreator<E extends Entry> {

    private final HashedLayout layout;
    private final List<? extends Group<E>> groups;
    private final PathResolver<E> paths;
    private final Supplier<String> operations;

    DirectoryCreator(
            HashedLayout layout, List<? extends Group<E>> groups, PathResolver<E> paths, Supplier<String> operations) {
        this.layout = layout;
        this.groups = groups;
        this.paths = paths;
        this.operations = operations;
    }

    /** Implements {@link HashedTree#mkdir}. */
    MkdirResult mkdir(String path, int mode) throws IOException {
        for (int look = 0; look < PathResolver.LOOKS; look++) {
            Optional<E> existing = paths.lookup(path);
            if (existing.isPresent()) {
                return existing.get().isDirectory() ? MkdirResult.EXISTS : MkdirResult.TAKEN;
            }
            Optional<List<Long>> parents = paths.partIds(HashedLayout.parentOf(path));
            if (!parents.isPresent()) {
                return MkdirResult.NO_PARENT;
            }
            if (tryCreate(path, parents.get(), mode)) {
                return MkdirResult.MADE;
            }
            paths.tryClearName(path);
        }
        throw PathResolver.tooManyConflicts(path);
    }

    private boolean tryCreate(String path, List<Long> parents, int mode) throws IOException {
        StagedDirectory stagedDirectory = new StagedDirectory(path, HashedLayout.stagedName(operations.get()), parents);
        boolean isMade;
        try {
            isMade = plan(stagedDirectory, mode).tryPerform();
        } catch (IOException refused) {
            // By a quota, for example: a client that tries again and again would fill the parts.
            try {
                removeStaged(stagedDirectory);
            } catch (IOException e) {
                refused.addSuppressed(e);
            }
            throw refused;
        }
        if (!isMade) {
            removeStaged(stagedDirectory);
        }
        return isMade;
    }

    private Plan<CreationStep> plan(StagedDirectory stagedDirectory, int mode) {
        return Plan.of(CreationStep.class)
                .withStep(CreationStep.STAGE_DIRECTORY, () -> tryStage(stagedDirectory, mode))
                .withStep(CreationStep.STAGE_COPIES, () -> tryStageCopies(stagedDirectory.ref(), mode))
                .withStep(CreationStep.GIVE_NAME, () -> tryAssignName(stagedDirectory))
                .withStep(CreationStep.PLACE_COPIES, () -> {
                    placeCopies(stagedDirectory.ref());
                    return true;
                });
    }

    /** A directory that does not have its name yet. */
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

        /** The directory, which must exist. */
        DirectoryRef ref() {
            return DirectoryRef.of(path, directory.getAsLong(), parents);
        }

        String inodePath(int home) {
            return HashedLayout.inodeEntryPath(parents.get(home), name);
        }
    }

    /**
     * Gives a staged directory its name, by paths: in a parent that is being deleted or renamed it must fail. If HDFS
     * has carried out a call that it was sent twice, and does not remember it, the second one finds nothing; what has
     * its name may be in use by then.
     */
    private boolean tryAssignName(StagedDirectory stagedDirectory) throws IOException {
        int home = layout.homeOf(stagedDirectory.path);
        String from =
                layout.contentsPath(home, HashedLayout.parentOf(stagedDirectory.path)) + "/" + stagedDirectory.name;
        return groups.get(home).rename(from, layout.placePath(home, stagedDirectory.path))
                || paths.exists(stagedDirectory.ref());
    }

    private boolean tryStage(StagedDirectory stagedDirectory, int mode) throws IOException {
        int group = layout.homeOf(stagedDirectory.path);
        Group<E> home = groups.get(group);
        if (!home.mkdir(stagedDirectory.inodePath(group), mode)) {
            return false;
        }
        Optional<E> directory = home.stat(stagedDirectory.inodePath(group));
        if (!directory.isPresent()
                || !home.mkdir(
                        HashedLayout.contentsOf(
                                HashedLayout.inodePath(directory.get().id())),
                        mode)) {
            return false;
        }
        stagedDirectory.directory = OptionalLong.of(directory.get().id());
        return true;
    }

    private boolean tryStageCopies(DirectoryRef ref, int mode) throws IOException {
        for (int group : layout.othersThanHome(ref.path())) {
            if (!groups.get(group).mkdir(ref.stagedCopyPath(group), mode)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Removes a staged directory that did not get its name, and its copies. It may have got the name in spite of an
     * error, so it is not removed by its id, and its copies only if it is gone: then no client, however late, can give
     * it its name.
     */
    private void removeStaged(StagedDirectory stagedDirectory) throws IOException {
        int group = layout.homeOf(stagedDirectory.path);
        Group<E> home = groups.get(group);
        home.removeRecursively(stagedDirectory.inodePath(group));
        if (stagedDirectory.directory.isPresent()
                && !home.stat(HashedLayout.inodePath(stagedDirectory.directory.getAsLong()))
                        .isPresent()) {
            for (int other : layout.othersThanHome(stagedDirectory.path)) {
                groups.get(other).removeRecursively(stagedDirectory.ref().stagedCopyPath(other));
            }
        }
    }

    private void placeCopies(DirectoryRef ref) {
        BestEffortSteps.run(() -> {
            for (int group : layout.othersThanHome(ref.path())) {
                paths.publishCopy(group, ref.parentPartIds().get(group), ref.path(), ref.directoryId());
            }
        });
    }
}
