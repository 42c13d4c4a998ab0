/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

import io.trefoil.federation.client.hashed.Group.Removal;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Renames directories: moves all parts out of place, so that nothing can be reached by the old name, then decides with one call to the new
 * name's home, and then moves the parts into their new places. See {@link Rename}.
 *
 * @param <E> what the groups say of a file or directory
 */
final class DirectoryRenamer<E extends Entry> {

    /** The state of a rename. */
    enum RenameState {
        /** The rename is undecided: the directory has the old name. */
        PENDING,
        /** The rename did not happen. */
        UNDONE,
        /** The rename has happened: the old name still exists, but no longer names the directory. */
        GONE,
        /** The rename is no longer recorded in the old name. */
        OVER
    }

    /** The path of a group's part in that group's station. */
    private static final String PART = "/part";

    /** The path of a successor that will never have its name, in the station of the new name's home. */
    private static final String UNDONE = "/undone";

    /** The path of the old name in the station of its home. */
    private static final String OLD = "/old";

    /**
     * The record of the new path, in the form of directories, in the station of the old name's home, for clients that
     * complete the rename.
     */
    private static final String NEW_PATH_RECORD = "/to";

    /** The mode in which others may read, to know which name is the directory's, but change nothing. */
    private static final int OWN = 0755;

    /** The maximum length of a path component in HDFS, in bytes. */
    private static final int MAX_NAME_BYTES = 255;

    private final HashedLayout layout;
    private final List<? extends Group<E>> groups;
    private final PathResolver<E> paths;
    private final PendingOperations<E> pendingOperations;

    DirectoryRenamer(
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
     * Renames a directory, unless that is refused.
     *
     * @param like the directory's name, with its number
     * @param operation unique, of letters, digits and hyphens
     * @return whether this rename was done; if not, it is over and nothing of it is left
     */
    boolean run(String from, E like, String to, String operation) throws IOException {
        List<Long> ancestors = paths.ancestorIds(from);
        Optional<DirectoryRef> ref = paths.findRef(from, like.id());
        Optional<List<Long>> parts = paths.partIds(from);
        if (!ref.isPresent() || !parts.isPresent() || !paths.ancestorIds(from).equals(ancestors)) {
            return false;
        }
        Rename.Builder rename = Rename.builder()
                .digest(HashedLayout.digest(from))
                .operation(operation)
                .group(layout.homeOf(to))
                .stagingDirectoryId(ref.get().parentPartIds().get(layout.homeOf(to)))
                .partIds(parts.get());
        OptionalLong above = paths.findPartId(layout.homeOf(to), HashedLayout.parentOf(to));
        if (!above.isPresent()) {
            return false;
        }
        Group<E> group = groups.get(layout.homeOf(to));
        String permit = HashedLayout.inodeEntryPath(above.getAsLong(), HashedLayout.permitName(operation));
        boolean isDone;
        try {
            isDone = group.mkdir(permit, OWN) && tryRename(ref.get(), like, to, rename);
        } catch (IOException refusal) {
            BestEffortSteps.run(() -> group.removeIfEmpty(permit));
            throw refusal;
        }
        BestEffortSteps.run(() -> group.removeIfEmpty(permit));
        return isDone;
    }

    private boolean tryRename(DirectoryRef ref, E like, String to, Rename.Builder rename) throws IOException {
        Optional<Rename> prepared = prepare(ref, like, to, rename);
        if (!prepared.isPresent()) {
            return false;
        }
        return Plan.of(RenameStep.class)
                .withStep(RenameStep.PUBLISH, () -> {
                    write(ref, prepared.get());
                    return true;
                })
                .withStep(RenameStep.DECIDE, () -> tryComplete(ref, to, prepared.get()))
                .tryPerform();
    }

    private Optional<Rename> prepare(DirectoryRef ref, E like, String to, Rename.Builder rename) throws IOException {
        // The number of its successor is not known yet.
        Rename unmade = rename.successorId(like.id()).build();
        try {
            Successor successor = new Successor();
            if (preparationPlan(ref, to, unmade, successor).tryPerform()) {
                return Optional.of(rename.successorId(successor.number).build());
            }
        } catch (IOException refusal) {
            try {
                removeUnwritten(ref, unmade);
            } catch (IOException e) {
                refusal.addSuppressed(e);
            }
            throw refusal;
        }
        removeUnwritten(ref, unmade);
        return Optional.empty();
    }

    /** The name that the directory will have. */
    private static final class Successor {
        private long number;
    }

    private Plan<RenameStep> preparationPlan(DirectoryRef ref, String to, Rename unmade, Successor successor) {
        Group<E> group = groups.get(unmade.group());
        String operation = unmade.operation();
        return Plan.of(RenameStep.class)
                .withStep(RenameStep.MAKE_STATIONS, () -> {
                    createStations(ref, to, unmade);
                    return true;
                })
                .withStep(RenameStep.MAKE_SUCCESSOR, () -> tryCreateSuccessor(ref, unmade, successor))
                .withStep(
                        RenameStep.MARK_SUCCESSOR,
                        () -> group.mkdir(
                                HashedLayout.inodeEntryPath(
                                        successor.number,
                                        newArrivalRecord(ref, unmade).name()),
                                OWN))
                .withStep(RenameStep.HOLD_OLD_NAME, () -> homeGroup(ref)
                        .mkdir(ref.entryPath(HashedLayout.placeholderName(operation)), OWN))
                .withStep(RenameStep.STAGE_RECORD, () -> homeGroup(ref)
                        .mkdir(ref.entryPath(HashedLayout.stagedName(operation)), OWN));
    }

    private boolean tryCreateSuccessor(DirectoryRef ref, Rename rename, Successor successor) throws IOException {
        String name = HashedLayout.inodePath(ref.directoryId());
        Optional<Access> access = homeGroup(ref).access(name);
        Optional<Map<String, String>> attributes = homeGroup(ref).attributes(name);
        Group<E> group = groups.get(rename.group());
        if (!access.isPresent()
                || !attributes.isPresent()
                || !group.mkdirLike(rename.stagedSuccessorPath(), access.get())) {
            return false;
        }
        if (!attributes.get().isEmpty()) {
            group.setAttributes(rename.stagedSuccessorPath(), attributes.get());
        }
        Optional<E> made = group.stat(rename.stagedSuccessorPath());
        made.ifPresent(entry -> successor.number = entry.id());
        return made.isPresent();
    }

    /**
     * Whether the successor has the same attributes as the name: another client may have changed those before the rename was recorded. A
     * client that changes them later looks whether a rename is recorded.
     */
    private boolean isLikeSuccessor(DirectoryRef ref, Rename rename) throws IOException {
        String name = HashedLayout.inodePath(ref.directoryId());
        String successor = rename.stagedSuccessorPath();
        Group<E> group = groups.get(rename.group());
        return homeGroup(ref).access(name).equals(group.access(successor))
                && homeGroup(ref).attributes(name).equals(group.attributes(successor));
    }

    private void createStations(DirectoryRef ref, String to, Rename rename) throws IOException {
        String station = layout.stationPath(rename.operation());
        for (Group<E> group : groups) {
            if (!group.mkdir(station, OWN)) {
                throw new IOException("There is no " + HashedLayout.parentOf(station)
                        + " in each nameservice, which renames of directories need: a superuser makes it, with"
                        + " mode 1733");
            }
        }
        homeGroup(ref).mkdirs(station + NEW_PATH_RECORD + to, OWN);
    }

    private Rename.ArrivalRecord newArrivalRecord(DirectoryRef ref, Rename rename) {
        return Rename.ArrivalRecord.of(rename.operation(), layout.homeOf(ref.path()), ref.directoryId());
    }

    private Group<E> homeGroup(DirectoryRef ref) {
        return groups.get(layout.homeOf(ref.path()));
    }

    /**
     * Records a rename, so that others find it from now on. By a rename: HDFS makes a directory once more if it is
     * asked once more, though others have undone the rename meanwhile and removed all that says so. That the rename
     * finds nothing tells as little as a lost answer: it may have been written down, and be over.
     */
    private void write(DirectoryRef ref, Rename rename) throws IOException {
        if (rename.name().length() > MAX_NAME_BYTES) {
            removeUnwritten(ref, rename);
            throw new IOException("A directory that is hashed over " + groups.size()
                    + " nameservices has too many parts to be renamed");
        }
        String staged = ref.entryPath(HashedLayout.stagedName(rename.operation()));
        try {
            homeGroup(ref).rename(staged, ref.entryPath(rename.name()));
        } catch (IOException refusal) {
            abandon(ref, rename, refusal);
            BestEffortSteps.run(() -> homeGroup(ref).removeIfEmpty(staged));
            throw refusal;
        }
    }

    /** Undoes a rename that was refused, unless it has happened. */
    private void abandon(DirectoryRef ref, Rename rename, IOException refusal) {
        try {
            tryUndo(ref, rename);
        } catch (IOException e) {
            refusal.addSuppressed(e);
        }
    }

    /**
     * Whether a rename has happened; the checks are ordered like the successor's moves: it leaves the place where it waits for its name, or
     * for the station, in which it is removed.
     */
    private boolean hasHappened(Rename rename) throws IOException {
        Group<E> group = groups.get(rename.group());
        return !group.stat(rename.stagedSuccessorPath()).isPresent()
                && !group.stat(layout.stationPath(rename.operation()) + UNDONE).isPresent()
                && group.stat(HashedLayout.inodePath(rename.successorId())).isPresent();
    }

    private void removeUnwritten(DirectoryRef ref, Rename rename) throws IOException {
        groups.get(rename.group()).removeRecursively(rename.stagedSuccessorPath());
        homeGroup(ref).removeRecursively(layout.stationPath(rename.operation()) + NEW_PATH_RECORD);
        for (Group<E> group : groups) {
            group.removeIfEmpty(layout.stationPath(rename.operation()));
        }
        // Last, as it is refused to users who may not rename the directory.
        homeGroup(ref).removeIfEmpty(ref.entryPath(HashedLayout.stagedName(rename.operation())));
        homeGroup(ref).removeIfEmpty(ref.entryPath(HashedLayout.placeholderName(rename.operation())));
    }

    private boolean tryComplete(DirectoryRef ref, String to, Rename rename) throws IOException {
        try {
            pendingOperations.settle(ref.path(), ref.directoryId());
        } catch (IOException refusal) {
            abandon(ref, rename, refusal);
            if (!hasHappened(rename)) {
                throw refusal;
            }
        }
        // A look first: a call that stops it might be refused, though it has happened.
        if (!hasHappened(rename)) {
            if (tryPrevent(rename)) {
                discardUndoneRename(ref, rename);
                removeRemains(ref, rename);
                return false;
            }
            // In this order: what was undone has been in the station until it was removed.
            if (!groups.get(rename.group())
                    .stat(HashedLayout.inodePath(rename.successorId()))
                    .isPresent()) {
                if (paths.exists(ref)
                        && !homeGroup(ref).stat(ref.entryPath(rename.name())).isPresent()) {
                    return false;
                }
                removeRemains(ref, rename);
                throw UnknownRenameException.ofDirectory(ref.path(), to);
            }
        }
        BestEffortSteps.run(() -> pendingOperations.settle(to, rename.successorId()));
        return true;
    }

    /** Makes sure that the rename never happens; returns false if it has. */
    private boolean tryPrevent(Rename rename) throws IOException {
        String undone = layout.stationPath(rename.operation()) + UNDONE;
        Group<E> group = groups.get(rename.group());
        return group.rename(rename.stagedSuccessorPath(), undone)
                || group.stat(undone).isPresent();
    }

    /** Removes the remains in the stations if neither name exists, as the parts in them were deleted with one of the names. */
    private void removeRemains(DirectoryRef ref, Rename rename) throws IOException {
        if (!homeGroup(ref).stat(HashedLayout.inodePath(ref.directoryId())).isPresent()) {
            for (Group<E> group : groups) {
                group.removeRecursively(layout.stationPath(rename.operation()));
            }
        }
    }

    /** @param home the old name's */
    RenameState renameState(int home, long directory, Rename rename) throws IOException {
        Group<E> group = groups.get(rename.group());
        if (group.stat(rename.stagedSuccessorPath()).isPresent()) {
            return RenameState.PENDING;
        }
        if (group.stat(layout.stationPath(rename.operation()) + UNDONE).isPresent()) {
            return RenameState.UNDONE;
        }
        // Last: what is undone has another name before it leaves the station.
        boolean isWritten = groups.get(home)
                .stat(HashedLayout.inodeEntryPath(directory, rename.name()))
                .isPresent();
        return isWritten ? RenameState.GONE : RenameState.OVER;
    }

    /** The state of the renames recorded in a name; undone if there are none. */
    RenameState renameState(int home, long directory) throws IOException {
        Optional<List<E>> entries = groups.get(home).list(HashedLayout.inodePath(directory));
        if (!entries.isPresent()) {
            return RenameState.OVER;
        }
        for (E entry : entries.get()) {
            if (HashedLayout.isRename(entry.name())) {
                RenameState standing = renameState(home, directory, Rename.parse(entry.name()));
                if (standing == RenameState.GONE || standing == RenameState.OVER) {
                    return standing;
                }
            }
        }
        return RenameState.UNDONE;
    }

    /** Removes a name if its directory has another one. */
    boolean tryRemoveOldName(int home, long directory) throws IOException {
        Optional<List<E>> entries = groups.get(home).list(HashedLayout.inodePath(directory));
        if (entries.isPresent()) {
            for (E entry : entries.get()) {
                if (HashedLayout.isRename(entry.name())) {
                    Rename rename = Rename.parse(entry.name());
                    if (renameState(home, directory, rename) == RenameState.GONE) {
                        removeOldName(home, directory, rename);
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /** Continues the one rename that may proceed, unless it is undone in the meantime. What is refused is undone. */
    void complete(DirectoryRef ref, Rename rename) throws IOException {
        boolean hasHappened;
        try {
            hasHappened = tryDecide(ref, rename);
        } catch (IOException refusal) {
            // What is in the stations would be out of every client's reach, and a superuser who looks might complete
            // what was refused. Others than superusers and the user whose stations they are cannot undo it.
            abandon(ref, rename, refusal);
            throw refusal;
        }
        if (hasHappened) {
            BestEffortSteps.run(() -> removeOldName(layout.homeOf(ref.path()), ref.directoryId(), rename));
        }
    }

    private boolean tryDecide(DirectoryRef ref, Rename rename) throws IOException {
        return Plan.of(RenameStep.class)
                // If not, or there is no successor any longer, it is undone.
                .withStep(RenameStep.COMPARE_SUCCESSOR, () -> isLikeSuccessor(ref, rename) || undoAndFail(ref, rename))
                .withStep(RenameStep.TAKE_PARTS, () -> tryTakeParts(ref, rename))
                .withStep(RenameStep.DECIDE, () -> tryNameSuccessor(ref, rename))
                .tryPerform();
    }

    private boolean tryTakeParts(DirectoryRef ref, Rename rename) throws IOException {
        for (int group = 0; group < groups.size(); group++) {
            if (!tryTakeToStation(group, ref, rename)) {
                return false;
            }
        }
        return true;
    }

    /** Gives the successor its name, by paths: if one of the directories above cannot be reached, it must fail. */
    private boolean tryNameSuccessor(DirectoryRef ref, Rename rename) throws IOException {
        Optional<String> to = findTarget(ref, rename);
        if (!to.isPresent()) {
            return false;
        }
        int group = rename.group();
        String permit = layout.contentsPath(group, HashedLayout.parentOf(to.get())) + "/"
                + HashedLayout.permitName(rename.operation());
        if (!groups.get(group).stat(permit).isPresent()) {
            return undoAndFail(ref, rename);
        }
        String waiting = layout.contentsPath(group, HashedLayout.parentOf(ref.path())) + "/"
                + HashedLayout.successorName(rename.operation());
        // A rename that waited here for the operation in its way might itself be waited for by that operation.
        return groups.get(group).rename(waiting, layout.placePath(group, to.get())) || undoAndFail(ref, rename);
    }

    /** Undoes the rename, which cannot continue; always returns false. */
    private boolean undoAndFail(DirectoryRef ref, Rename rename) throws IOException {
        tryUndo(ref, rename);
        return false;
    }

    /** Moves a part out of place. What is written down may be wrong by intent, so nothing is taken from elsewhere. */
    private boolean tryTakeToStation(int group, DirectoryRef ref, Rename rename) throws IOException {
        String station = layout.stationPath(rename.operation()) + PART;
        String place = group == layout.homeOf(ref.path()) ? ref.contentsPath() : ref.placedPath(group);
        long part = rename.partIds().get(group);
        if (groups.get(group).stat(place).filter(entry -> entry.id() == part).isPresent()) {
            groups.get(group).rename(HashedLayout.inodePath(part), station);
        }
        return groups.get(group).stat(station).isPresent();
    }

    private Optional<String> findTarget(DirectoryRef ref, Rename rename) throws IOException {
        StringBuilder to = new StringBuilder();
        while (true) {
            Optional<List<E>> below =
                    homeGroup(ref).list(layout.stationPath(rename.operation()) + NEW_PATH_RECORD + to);
            if (!below.isPresent()) {
                return Optional.empty();
            }
            if (below.get().isEmpty()) {
                return Optional.of(to.toString());
            }
            to.append('/').append(below.get().get(0).name());
        }
    }

    /** Undoes a rename; returns false if it has happened, or another client is completing it: then the old name is vacated. */
    boolean tryUndo(DirectoryRef ref, Rename rename) throws IOException {
        if (tryPrevent(rename)) {
            discardUndoneRename(ref, rename);
            return true;
        }
        int home = layout.homeOf(ref.path());
        if (renameState(home, ref.directoryId(), rename) == RenameState.GONE) {
            removeOldName(home, ref.directoryId(), rename);
        }
        return false;
    }

    /** Removes the old name of a directory that already has its new name. */
    void removeOldName(int home, long directory, Rename rename) throws IOException {
        groups.get(home).rename(HashedLayout.inodePath(directory), layout.stationPath(rename.operation()) + OLD);
    }

    /**
     * Puts back the parts that an undone rename has moved, and removes the rename. In the name it is called undone before
     * what shows this is removed, and is removed last: until then others find it and do the same.
     */
    void discardUndoneRename(DirectoryRef ref, Rename rename) throws IOException {
        Plan.of(RenameStep.class)
                .withStep(RenameStep.PUT_BACK_OTHERS, () -> tryPutBackOthers(ref, rename))
                .withStep(RenameStep.CALL_UNDONE, () -> {
                    homeGroup(ref).rename(ref.entryPath(rename.name()), ref.entryPath(rename.undoneName()));
                    return true;
                })
                .withStep(RenameStep.PUT_BACK_LAST, () -> tryPutBack(rename.group(), ref, rename))
                .withStep(RenameStep.END_UNDONE, () -> {
                    homeGroup(ref).removeIfEmpty(ref.entryPath(HashedLayout.placeholderName(rename.operation())));
                    homeGroup(ref).removeIfEmpty(ref.entryPath(rename.undoneName()));
                    return true;
                })
                .tryPerform();
    }

    private boolean tryPutBackOthers(DirectoryRef ref, Rename rename) throws IOException {
        for (int group = 0; group < groups.size(); group++) {
            if (group != rename.group() && !tryPutBack(group, ref, rename)) {
                return false;
            }
        }
        return true;
    }

    /** Empties and removes a station, so that no client, however late, can move a part into it; returns false if the directory is gone. */
    private boolean tryPutBack(int group, DirectoryRef ref, Rename rename) throws IOException {
        int home = layout.homeOf(ref.path());
        String station = layout.stationPath(rename.operation());
        for (int look = 0; look < PathResolver.LOOKS; look++) {
            groups.get(group).rename(station + PART, group == home ? ref.contentsPath() : ref.placedPath(group));
            if (group == home) {
                groups.get(group).removeRecursively(station + NEW_PATH_RECORD);
            }
            if (group == rename.group()) {
                groups.get(group).removeRecursively(station + UNDONE);
            }
            if (groups.get(group).removeIfEmpty(station) != Removal.NOT_EMPTY) {
                return true;
            }
            if (!paths.exists(ref)) {
                return false;
            }
        }
        throw PathResolver.tooManyConflicts(ref.path());
    }

    /** Moves the parts of a renamed directory into place, and removes the rename, from the new name last. */
    void finish(DirectoryRef ref, Rename.ArrivalRecord arrival) throws IOException {
        Plan.of(RenameStep.class)
                .withStep(RenameStep.PLACE_PARTS, () -> tryPlaceParts(ref, arrival))
                .withStep(RenameStep.END_ARRIVAL, () -> {
                    groups.get(layout.homeOf(ref.path())).removeIfEmpty(ref.entryPath(arrival.name()));
                    return true;
                })
                .tryPerform();
    }

    private boolean tryPlaceParts(DirectoryRef ref, Rename.ArrivalRecord arrival) throws IOException {
        for (int group = 0; group < groups.size(); group++) {
            if (!tryPlace(group, ref, arrival)) {
                return false;
            }
        }
        return true;
    }

    private boolean tryPlace(int group, DirectoryRef ref, Rename.ArrivalRecord arrival) throws IOException {
        String station = layout.stationPath(arrival.operation());
        String place = group == layout.homeOf(ref.path()) ? ref.contentsPath() : ref.placedPath(group);
        for (int look = 0; look < PathResolver.LOOKS; look++) {
            groups.get(group).rename(station + PART, place);
            if (group == arrival.group()) {
                removeOldDirectory(ref, arrival);
            }
            if (groups.get(group).removeIfEmpty(station) != Removal.NOT_EMPTY) {
                return true;
            }
            if (!paths.exists(ref)) {
                return false;
            }
        }
        throw PathResolver.tooManyConflicts(ref.path());
    }

    private void removeOldDirectory(DirectoryRef ref, Rename.ArrivalRecord arrival) throws IOException {
        Group<E> group = groups.get(arrival.group());
        String station = layout.stationPath(arrival.operation());
        if (isOldDirectory(ref, arrival)) {
            group.rename(HashedLayout.inodePath(arrival.directory()), station + OLD);
        }
        group.removeRecursively(station + NEW_PATH_RECORD);
        group.removeRecursively(station + OLD);
    }

    /** Whether a directory is a name without contents that is recorded as renamed to this one. */
    private boolean isOldDirectory(DirectoryRef ref, Rename.ArrivalRecord arrival) throws IOException {
        Optional<List<E>> entries = groups.get(arrival.group()).list(HashedLayout.inodePath(arrival.directory()));
        return entries.isPresent()
                && entries.get().stream().allMatch(entry -> HashedLayout.isReserved(entry.name()))
                && entries.get().stream()
                        .filter(entry -> HashedLayout.isRename(entry.name()))
                        .map(entry -> Rename.parse(entry.name()))
                        .anyMatch(entry -> entry.operation().equals(arrival.operation())
                                && entry.successorId() == ref.directoryId());
    }
}
