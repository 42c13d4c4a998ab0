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
 * Renames directories: takes all parts out of their places, so that nothing can be reached by the old name any more, then
 * decides by one call of the new name's home, then gives the parts their new places. See {@link Rename}.
 *
 * @param <E> what the groups say of a file or directory
 */
final class Renames<E extends Entry> {

    /** The state of a rename. */
    enum RenameState {
        /** The rename is not decided: the old name has the directory. */
        PENDING,
        /** The rename did not happen. */
        UNDONE,
        /** The rename has happened: the old name has no directory, though it is still there. */
        GONE,
        /** The rename is not written down in the old name any more. */
        OVER
    }

    /** The path of a group's part in its station. */
    private static final String PART = "/part";

    /** The path of a successor that will never have its name, in the station of the new name's home. */
    private static final String UNDONE = "/undone";

    /** The path of the old name in the station of its home. */
    private static final String OLD = "/old";

    /**
     * The record of the new path, in the form of directories, in the station of the old name's home, for clients that
     * complete the rename.
     */
    private static final String TO = "/to";

    /** The mode by which others may look, so that they know which name is the directory's, and may change nothing. */
    private static final int OWN = 0755;

    /** The greatest length of a component of a path in HDFS, in bytes. */
    private static final int LONGEST = 255;

    private final HashedLayout layout;
    private final List<? extends Group<E>> groups;
    private final Paths<E> paths;
    private final PendingOperations<E> pending;

    Renames(HashedLayout layout, List<? extends Group<E>> groups, Paths<E> paths, PendingOperations<E> pending) {
        this.layout = layout;
        this.groups = groups;
        this.paths = paths;
        this.pending = pending;
    }

    /**
     * Renames a directory, unless others decide otherwise.
     *
     * @param like the directory's name, with its number
     * @param operation unique, of letters, digits and hyphens
     * @return whether this rename was done; if not, it is over and nothing of it is left
     */
    boolean run(String from, E like, String to, String operation) throws IOException {
        List<Long> lineage = paths.lineage(from);
        Optional<DirectoryRef> ref = paths.ref(from, like.id());
        Optional<List<Long>> parts = paths.parts(from);
        if (!ref.isPresent() || !parts.isPresent() || !paths.lineage(from).equals(lineage)) {
            return false;
        }
        Rename.Builder rename = Rename.builder()
                .digest(HashedLayout.digest(from))
                .operation(operation)
                .group(layout.homeOf(to))
                .waiting(ref.get().parents().get(layout.homeOf(to)))
                .parts(parts.get());
        OptionalLong above = paths.contents(layout.homeOf(to), HashedLayout.parentOf(to));
        if (!above.isPresent()) {
            return false;
        }
        Group<E> group = groups.get(layout.homeOf(to));
        String permit = HashedLayout.byId(above.getAsLong(), HashedLayout.permit(operation));
        boolean isDone;
        try {
            isDone = group.mkdir(permit, OWN) && tryRename(ref.get(), like, to, rename);
        } catch (IOException refused) {
            BestEffort.run(() -> group.removeIfEmpty(permit));
            throw refused;
        }
        BestEffort.run(() -> group.removeIfEmpty(permit));
        return isDone;
    }

    private boolean tryRename(DirectoryRef ref, E like, String to, Rename.Builder rename) throws IOException {
        Optional<Rename> prepared = prepare(ref, like, to, rename);
        if (!prepared.isPresent()) {
            return false;
        }
        return Plan.of(RenameStep.class)
                .then(RenameStep.PUBLISH, () -> {
                    write(ref, prepared.get());
                    return true;
                })
                .then(RenameStep.DECIDE, () -> tryComplete(ref, to, prepared.get()))
                .tryPerform();
    }

    private Optional<Rename> prepare(DirectoryRef ref, E like, String to, Rename.Builder rename) throws IOException {
        // The number of its successor is not known yet.
        Rename unmade = rename.successor(like.id()).build();
        try {
            Successor successor = new Successor();
            if (preparation(ref, to, unmade, successor).tryPerform()) {
                return Optional.of(rename.successor(successor.number).build());
            }
        } catch (IOException refused) {
            try {
                removeUnwritten(ref, unmade);
            } catch (IOException e) {
                refused.addSuppressed(e);
            }
            throw refused;
        }
        removeUnwritten(ref, unmade);
        return Optional.empty();
    }

    /** The name that the directory will have. */
    private static final class Successor {
        private long number;
    }

    private Plan<RenameStep> preparation(DirectoryRef ref, String to, Rename unmade, Successor successor) {
        Group<E> group = groups.get(unmade.group());
        String operation = unmade.operation();
        return Plan.of(RenameStep.class)
                .then(RenameStep.MAKE_STATIONS, () -> {
                    createStations(ref, to, unmade);
                    return true;
                })
                .then(RenameStep.MAKE_SUCCESSOR, () -> tryMakeSuccessor(ref, unmade, successor))
                .then(
                        RenameStep.MARK_SUCCESSOR,
                        () -> group.mkdir(
                                HashedLayout.byId(
                                        successor.number, arrival(ref, unmade).name()),
                                OWN))
                .then(RenameStep.HOLD_OLD_NAME, () -> home(ref).mkdir(ref.in(HashedLayout.held(operation)), OWN))
                .then(RenameStep.STAGE_RECORD, () -> home(ref).mkdir(ref.in(HashedLayout.staged(operation)), OWN));
    }

    private boolean tryMakeSuccessor(DirectoryRef ref, Rename rename, Successor successor) throws IOException {
        String name = HashedLayout.byId(ref.directory());
        Optional<Access> access = home(ref).access(name);
        Optional<Map<String, String>> attributes = home(ref).attributes(name);
        Group<E> group = groups.get(rename.group());
        if (!access.isPresent()
                || !attributes.isPresent()
                || !group.mkdirLike(rename.waitingSuccessor(), access.get())) {
            return false;
        }
        if (!attributes.get().isEmpty()) {
            group.setAttributes(rename.waitingSuccessor(), attributes.get());
        }
        Optional<E> made = group.stat(rename.waitingSuccessor());
        made.ifPresent(one -> successor.number = one.id());
        return made.isPresent();
    }

    /**
     * Whether the successor has what the name has: another client may have changed that before the rename was written
     * down. Who changes it later looks whether one is.
     */
    private boolean isLikeSuccessor(DirectoryRef ref, Rename rename) throws IOException {
        String name = HashedLayout.byId(ref.directory());
        String successor = rename.waitingSuccessor();
        Group<E> group = groups.get(rename.group());
        return home(ref).access(name).equals(group.access(successor))
                && home(ref).attributes(name).equals(group.attributes(successor));
    }

    private void createStations(DirectoryRef ref, String to, Rename rename) throws IOException {
        String station = layout.station(rename.operation());
        for (Group<E> group : groups) {
            if (!group.mkdir(station, OWN)) {
                throw new IOException("There is no " + HashedLayout.parentOf(station)
                        + " in each nameservice, which renames of directories need: a superuser makes it, with"
                        + " mode 1733");
            }
        }
        home(ref).mkdirs(station + TO + to, OWN);
    }

    private Rename.ArrivalRecord arrival(DirectoryRef ref, Rename rename) {
        return Rename.ArrivalRecord.of(rename.operation(), layout.homeOf(ref.path()), ref.directory());
    }

    private Group<E> home(DirectoryRef ref) {
        return groups.get(layout.homeOf(ref.path()));
    }

    /**
     * Writes a rename down, so that others find it from now on. By a rename: HDFS makes a directory once more if it is
     * asked once more, though others have undone the rename meanwhile and removed all that says so. That the rename
     * finds nothing tells as little as a lost answer: it may have been written down, and be over.
     */
    private void write(DirectoryRef ref, Rename rename) throws IOException {
        if (rename.name().length() > LONGEST) {
            removeUnwritten(ref, rename);
            throw new IOException("A directory that is hashed over " + groups.size()
                    + " nameservices has too many parts to be renamed");
        }
        String staged = ref.in(HashedLayout.staged(rename.operation()));
        try {
            home(ref).rename(staged, ref.in(rename.name()));
        } catch (IOException refused) {
            abandon(ref, rename, refused);
            BestEffort.run(() -> home(ref).removeIfEmpty(staged));
            throw refused;
        }
    }

    /** Undoes a rename that was refused, unless it has happened. */
    private void abandon(DirectoryRef ref, Rename rename, IOException refused) {
        try {
            tryUndo(ref, rename);
        } catch (IOException e) {
            refused.addSuppressed(e);
        }
    }

    /**
     * Whether a rename has happened, checked in this order: the successor leaves the place where it waits for its name,
     * or for the station, in which it is removed.
     */
    private boolean hasHappened(Rename rename) throws IOException {
        Group<E> group = groups.get(rename.group());
        return !group.stat(rename.waitingSuccessor()).isPresent()
                && !group.stat(layout.station(rename.operation()) + UNDONE).isPresent()
                && group.stat(HashedLayout.byId(rename.successor())).isPresent();
    }

    private void removeUnwritten(DirectoryRef ref, Rename rename) throws IOException {
        groups.get(rename.group()).removeAll(rename.waitingSuccessor());
        home(ref).removeAll(layout.station(rename.operation()) + TO);
        for (Group<E> group : groups) {
            group.removeIfEmpty(layout.station(rename.operation()));
        }
        // Last, as it is refused to whoever may not rename the directory.
        home(ref).removeIfEmpty(ref.in(HashedLayout.staged(rename.operation())));
        home(ref).removeIfEmpty(ref.in(HashedLayout.held(rename.operation())));
    }

    private boolean tryComplete(DirectoryRef ref, String to, Rename rename) throws IOException {
        try {
            pending.settle(ref.path(), ref.directory());
        } catch (IOException refused) {
            abandon(ref, rename, refused);
            if (!hasHappened(rename)) {
                throw refused;
            }
        }
        // A look first: a call that stops it might be refused, though it has happened.
        if (!hasHappened(rename)) {
            if (tryStop(rename)) {
                forget(ref, rename);
                removeRemains(ref, rename);
                return false;
            }
            // In this order: what was undone has been in the station until it was removed.
            if (!groups.get(rename.group())
                    .stat(HashedLayout.byId(rename.successor()))
                    .isPresent()) {
                if (paths.exists(ref) && !home(ref).stat(ref.in(rename.name())).isPresent()) {
                    return false;
                }
                removeRemains(ref, rename);
                throw UnknownRenameException.ofDirectory(ref.path(), to);
            }
        }
        BestEffort.run(() -> pending.settle(to, rename.successor()));
        return true;
    }

    /** Makes sure that it never happens; false if it has. */
    private boolean tryStop(Rename rename) throws IOException {
        String undone = layout.station(rename.operation()) + UNDONE;
        Group<E> group = groups.get(rename.group());
        return group.rename(rename.waitingSuccessor(), undone)
                || group.stat(undone).isPresent();
    }

    /** Removes the remains in the stations if neither name is there, as the parts in them were deleted with one of the names. */
    private void removeRemains(DirectoryRef ref, Rename rename) throws IOException {
        if (!home(ref).stat(HashedLayout.byId(ref.directory())).isPresent()) {
            for (Group<E> group : groups) {
                group.removeAll(layout.station(rename.operation()));
            }
        }
    }

    /** @param home the old name's */
    RenameState standing(int home, long directory, Rename rename) throws IOException {
        Group<E> group = groups.get(rename.group());
        if (group.stat(rename.waitingSuccessor()).isPresent()) {
            return RenameState.PENDING;
        }
        if (group.stat(layout.station(rename.operation()) + UNDONE).isPresent()) {
            return RenameState.UNDONE;
        }
        // Last: what is undone has another name before it leaves the station.
        boolean isWritten = groups.get(home)
                .stat(HashedLayout.byId(directory, rename.name()))
                .isPresent();
        return isWritten ? RenameState.GONE : RenameState.OVER;
    }

    /** The standing of the renames that are written down in a name; undone if there are none. */
    RenameState standing(int home, long directory) throws IOException {
        Optional<List<E>> entries = groups.get(home).list(HashedLayout.byId(directory));
        if (!entries.isPresent()) {
            return RenameState.OVER;
        }
        for (E one : entries.get()) {
            if (HashedLayout.isRename(one.name())) {
                RenameState standing = standing(home, directory, Rename.parse(one.name()));
                if (standing == RenameState.GONE || standing == RenameState.OVER) {
                    return standing;
                }
            }
        }
        return RenameState.UNDONE;
    }

    /** Takes a name away if its directory has another one. */
    boolean tryVacate(int home, long directory) throws IOException {
        Optional<List<E>> entries = groups.get(home).list(HashedLayout.byId(directory));
        if (entries.isPresent()) {
            for (E one : entries.get()) {
                if (HashedLayout.isRename(one.name())) {
                    Rename rename = Rename.parse(one.name());
                    if (standing(home, directory, rename) == RenameState.GONE) {
                        vacate(home, directory, rename);
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /** Continues the one rename that may proceed, unless it is undone meanwhile. What is refused is undone. */
    void complete(DirectoryRef ref, Rename rename) throws IOException {
        boolean hasHappened;
        try {
            hasHappened = tryDecide(ref, rename);
        } catch (IOException refused) {
            // What is in the stations would be in nobody's reach, and a superuser who looks might complete what was
            // refused. Others than superusers and the user whose stations they are cannot undo it.
            abandon(ref, rename, refused);
            throw refused;
        }
        if (hasHappened) {
            BestEffort.run(() -> vacate(layout.homeOf(ref.path()), ref.directory(), rename));
        }
    }

    private boolean tryDecide(DirectoryRef ref, Rename rename) throws IOException {
        return Plan.of(RenameStep.class)
                // If not, or there is no successor any more, it is undone.
                .then(RenameStep.COMPARE_SUCCESSOR, () -> isLikeSuccessor(ref, rename) || undo(ref, rename))
                .then(RenameStep.TAKE_PARTS, () -> tryTakeParts(ref, rename))
                .then(RenameStep.DECIDE, () -> tryNameSuccessor(ref, rename))
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

    /** Gives the successor its name, by paths: if one of the directories above cannot be reached it must fail. */
    private boolean tryNameSuccessor(DirectoryRef ref, Rename rename) throws IOException {
        Optional<String> to = target(ref, rename);
        if (!to.isPresent()) {
            return false;
        }
        int group = rename.group();
        String permit =
                layout.contents(group, HashedLayout.parentOf(to.get())) + "/" + HashedLayout.permit(rename.operation());
        if (!groups.get(group).stat(permit).isPresent()) {
            return undo(ref, rename);
        }
        String waiting = layout.contents(group, HashedLayout.parentOf(ref.path())) + "/"
                + HashedLayout.successor(rename.operation());
        // Who waited here for what is in its way might be waited for by it.
        return groups.get(group).rename(waiting, layout.place(group, to.get())) || undo(ref, rename);
    }

    /** Undoes the rename, which cannot go on; always false. */
    private boolean undo(DirectoryRef ref, Rename rename) throws IOException {
        tryUndo(ref, rename);
        return false;
    }

    /** Takes a part out of its place. What is written down may be wrong by intent, so nothing is taken from elsewhere. */
    private boolean tryTakeToStation(int group, DirectoryRef ref, Rename rename) throws IOException {
        String station = layout.station(rename.operation()) + PART;
        String place = group == layout.homeOf(ref.path()) ? ref.contents() : ref.place(group);
        long part = rename.parts().get(group);
        if (groups.get(group).stat(place).filter(one -> one.id() == part).isPresent()) {
            groups.get(group).rename(HashedLayout.byId(part), station);
        }
        return groups.get(group).stat(station).isPresent();
    }

    private Optional<String> target(DirectoryRef ref, Rename rename) throws IOException {
        StringBuilder to = new StringBuilder();
        while (true) {
            Optional<List<E>> below = home(ref).list(layout.station(rename.operation()) + TO + to);
            if (!below.isPresent()) {
                return Optional.empty();
            }
            if (below.get().isEmpty()) {
                return Optional.of(to.toString());
            }
            to.append('/').append(below.get().get(0).name());
        }
    }

    /** Undoes a rename; false if it has happened, or another client is about it: then the old name is vacated. */
    boolean tryUndo(DirectoryRef ref, Rename rename) throws IOException {
        if (tryStop(rename)) {
            forget(ref, rename);
            return true;
        }
        int home = layout.homeOf(ref.path());
        if (standing(home, ref.directory(), rename) == RenameState.GONE) {
            vacate(home, ref.directory(), rename);
        }
        return false;
    }

    /** Takes a name away whose directory has another one. */
    void vacate(int home, long directory, Rename rename) throws IOException {
        groups.get(home).rename(HashedLayout.byId(directory), layout.station(rename.operation()) + OLD);
    }

    /**
     * Puts back what an undone rename has moved, and removes the rename. In the name it is called undone before what shows
     * this is removed, and is removed last: until then others find it and do the same.
     */
    void forget(DirectoryRef ref, Rename rename) throws IOException {
        Plan.of(RenameStep.class)
                .then(RenameStep.PUT_BACK_OTHERS, () -> tryPutBackOthers(ref, rename))
                .then(RenameStep.CALL_UNDONE, () -> {
                    home(ref).rename(ref.in(rename.name()), ref.in(rename.undoneName()));
                    return true;
                })
                .then(RenameStep.PUT_BACK_LAST, () -> tryPutBack(rename.group(), ref, rename))
                .then(RenameStep.END_UNDONE, () -> {
                    home(ref).removeIfEmpty(ref.in(HashedLayout.held(rename.operation())));
                    home(ref).removeIfEmpty(ref.in(rename.undoneName()));
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

    /** Empties and removes a station, so that no client, however late, can move a part into it; false if the directory is gone. */
    private boolean tryPutBack(int group, DirectoryRef ref, Rename rename) throws IOException {
        int home = layout.homeOf(ref.path());
        String station = layout.station(rename.operation());
        for (int look = 0; look < Paths.LOOKS; look++) {
            groups.get(group).rename(station + PART, group == home ? ref.contents() : ref.place(group));
            if (group == home) {
                groups.get(group).removeAll(station + TO);
            }
            if (group == rename.group()) {
                groups.get(group).removeAll(station + UNDONE);
            }
            if (groups.get(group).removeIfEmpty(station) != Removal.NOT_EMPTY) {
                return true;
            }
            if (!paths.exists(ref)) {
                return false;
            }
        }
        throw Paths.tooManyConflicts(ref.path());
    }

    /** Gives the parts of a renamed directory their places, and removes the rename, in the new name last. */
    void finish(DirectoryRef ref, Rename.ArrivalRecord arrival) throws IOException {
        Plan.of(RenameStep.class)
                .then(RenameStep.PLACE_PARTS, () -> tryPlaceParts(ref, arrival))
                .then(RenameStep.END_ARRIVAL, () -> {
                    groups.get(layout.homeOf(ref.path())).removeIfEmpty(ref.in(arrival.name()));
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
        String station = layout.station(arrival.operation());
        String place = group == layout.homeOf(ref.path()) ? ref.contents() : ref.place(group);
        for (int look = 0; look < Paths.LOOKS; look++) {
            groups.get(group).rename(station + PART, place);
            if (group == arrival.group()) {
                removeOld(ref, arrival);
            }
            if (groups.get(group).removeIfEmpty(station) != Removal.NOT_EMPTY) {
                return true;
            }
            if (!paths.exists(ref)) {
                return false;
            }
        }
        throw Paths.tooManyConflicts(ref.path());
    }

    private void removeOld(DirectoryRef ref, Rename.ArrivalRecord arrival) throws IOException {
        Group<E> group = groups.get(arrival.group());
        String station = layout.station(arrival.operation());
        if (isOld(ref, arrival)) {
            group.rename(HashedLayout.byId(arrival.directory()), station + OLD);
        }
        group.removeAll(station + TO);
        group.removeAll(station + OLD);
    }

    /** Whether a directory is a name without contents which says itself that it was renamed to this one. */
    private boolean isOld(DirectoryRef ref, Rename.ArrivalRecord arrival) throws IOException {
        Optional<List<E>> entries = groups.get(arrival.group()).list(HashedLayout.byId(arrival.directory()));
        return entries.isPresent()
                && entries.get().stream().allMatch(one -> HashedLayout.isReserved(one.name()))
                && entries.get().stream()
                        .filter(one -> HashedLayout.isRename(one.name()))
                        .map(one -> Rename.parse(one.name()))
                        .anyMatch(one ->
                                one.operation().equals(arrival.operation()) && one.successor() == ref.directory());
    }
}
