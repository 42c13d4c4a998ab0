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

    /** What has become of a rename. */
    enum Standing {
        /** It is not decided: the old name has the directory. */
        PENDING,
        /** It did not happen. */
        UNDONE,
        /** It has happened: the old name has no directory, though it is still there. */
        GONE,
        /** It is not written down in the old name any more. */
        OVER
    }

    /** In a station: a group's part. */
    private static final String PART = "/part";

    /** In the station of the new name's home: the successor, which will never have its name. */
    private static final String UNDONE = "/undone";

    /** In the station of the old name's home: the old name. */
    private static final String OLD = "/old";

    /** In the station of the old name's home: the new path, in the form of directories, for who completes it. */
    private static final String TO = "/to";

    /** Others may look, so that they know which name is the directory's; they may change nothing. */
    private static final int OWN = 0755;

    /** Of a component of a path in HDFS, in bytes. */
    private static final int LONGEST = 255;

    private final HashedLayout layout;
    private final List<? extends Group<E>> groups;
    private final Paths<E> paths;
    private final Departures<E> departures;

    Renames(HashedLayout layout, List<? extends Group<E>> groups, Paths<E> paths, Departures<E> departures) {
        this.layout = layout;
        this.groups = groups;
        this.paths = paths;
        this.departures = departures;
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
        Optional<Spot> spot = paths.spot(from, like.id());
        Optional<List<Long>> parts = paths.parts(from);
        if (!spot.isPresent() || !parts.isPresent() || !paths.lineage(from).equals(lineage)) {
            return false;
        }
        Rename.Builder rename = Rename.builder()
                .digest(HashedLayout.digest(from))
                .operation(operation)
                .group(layout.homeOf(to))
                .waiting(spot.get().parents().get(layout.homeOf(to)))
                .parts(parts.get());
        OptionalLong above = paths.contents(layout.homeOf(to), HashedLayout.parentOf(to));
        if (!above.isPresent()) {
            return false;
        }
        Group<E> group = groups.get(layout.homeOf(to));
        String permit = HashedLayout.byId(above.getAsLong(), HashedLayout.permit(operation));
        boolean isDone;
        try {
            isDone = group.mkdir(permit, OWN) && tryRename(spot.get(), like, to, rename);
        } catch (IOException refused) {
            Epilogue.run(() -> group.removeIfEmpty(permit));
            throw refused;
        }
        Epilogue.run(() -> group.removeIfEmpty(permit));
        return isDone;
    }

    private boolean tryRename(Spot spot, E like, String to, Rename.Builder rename) throws IOException {
        Optional<Rename> prepared = prepare(spot, like, to, rename);
        if (!prepared.isPresent()) {
            return false;
        }
        write(spot, prepared.get());
        return tryComplete(spot, to, prepared.get());
    }

    private Optional<Rename> prepare(Spot spot, E like, String to, Rename.Builder rename) throws IOException {
        // The number of its successor is not known yet.
        Rename unmade = rename.successor(like.id()).build();
        try {
            makeStations(spot, to, unmade);
            Group<E> group = groups.get(unmade.group());
            if (tryMakeSuccessor(spot, unmade)) {
                Optional<E> successor = group.stat(unmade.waitingSuccessor());
                if (successor.isPresent()
                        && group.mkdir(
                                HashedLayout.byId(
                                        successor.get().id(),
                                        arrival(spot, unmade).name()),
                                OWN)
                        && home(spot).mkdir(spot.in(HashedLayout.held(unmade.operation())), OWN)
                        && home(spot).mkdir(spot.in(HashedLayout.staged(unmade.operation())), OWN)) {
                    return Optional.of(rename.successor(successor.get().id()).build());
                }
            }
        } catch (IOException refused) {
            try {
                removeUnwritten(spot, unmade);
            } catch (IOException e) {
                refused.addSuppressed(e);
            }
            throw refused;
        }
        removeUnwritten(spot, unmade);
        return Optional.empty();
    }

    /** Makes the successor. */
    private boolean tryMakeSuccessor(Spot spot, Rename rename) throws IOException {
        String name = HashedLayout.byId(spot.directory());
        Optional<Access> access = home(spot).access(name);
        Optional<Map<String, String>> attributes = home(spot).attributes(name);
        Group<E> group = groups.get(rename.group());
        if (!access.isPresent()
                || !attributes.isPresent()
                || !group.mkdirLike(rename.waitingSuccessor(), access.get())) {
            return false;
        }
        if (!attributes.get().isEmpty()) {
            group.setAttributes(rename.waitingSuccessor(), attributes.get());
        }
        return true;
    }

    /**
     * Whether the successor has what the name has: somebody may have changed that before the rename was written down. Who changes it later
     * looks whether one is.
     */
    private boolean isLikeSuccessor(Spot spot, Rename rename) throws IOException {
        String name = HashedLayout.byId(spot.directory());
        String successor = rename.waitingSuccessor();
        Group<E> group = groups.get(rename.group());
        return home(spot).access(name).equals(group.access(successor))
                && home(spot).attributes(name).equals(group.attributes(successor));
    }

    private void makeStations(Spot spot, String to, Rename rename) throws IOException {
        String station = layout.station(rename.operation());
        for (Group<E> group : groups) {
            if (!group.mkdir(station, OWN)) {
                throw new IOException("There is no " + HashedLayout.parentOf(station)
                        + " in each nameservice, which renames of directories need: a superuser makes it, with"
                        + " mode 1733");
            }
        }
        home(spot).mkdirs(station + TO + to, OWN);
    }

    private Rename.Arrival arrival(Spot spot, Rename rename) {
        return Rename.Arrival.of(rename.operation(), layout.homeOf(spot.path()), spot.directory());
    }

    private Group<E> home(Spot spot) {
        return groups.get(layout.homeOf(spot.path()));
    }

    /**
     * From now on others find it. By a rename: HDFS makes a directory once more if it is asked once more, though others have undone the
     * rename meanwhile and removed all that says so. That the rename finds nothing tells as little as a lost answer: it may have been
     * written down, and be over.
     */
    private void write(Spot spot, Rename rename) throws IOException {
        if (rename.name().length() > LONGEST) {
            removeUnwritten(spot, rename);
            throw new IOException("A directory that is hashed over " + groups.size()
                    + " nameservices has too many parts to be renamed");
        }
        String staged = spot.in(HashedLayout.staged(rename.operation()));
        try {
            home(spot).rename(staged, spot.in(rename.name()));
        } catch (IOException refused) {
            giveUp(spot, rename, refused);
            Epilogue.run(() -> home(spot).removeIfEmpty(staged));
            throw refused;
        }
    }

    /** Undoes a rename that was refused, unless it has happened. */
    private void giveUp(Spot spot, Rename rename, IOException refused) {
        try {
            tryUndo(spot, rename);
        } catch (IOException e) {
            refused.addSuppressed(e);
        }
    }

    /** In this order: the successor leaves the place where it waits for its name, or for the station, in which it is removed. */
    private boolean hasHappened(Rename rename) throws IOException {
        Group<E> group = groups.get(rename.group());
        return !group.stat(rename.waitingSuccessor()).isPresent()
                && !group.stat(layout.station(rename.operation()) + UNDONE).isPresent()
                && group.stat(HashedLayout.byId(rename.successor())).isPresent();
    }

    private void removeUnwritten(Spot spot, Rename rename) throws IOException {
        groups.get(rename.group()).removeAll(rename.waitingSuccessor());
        home(spot).removeAll(layout.station(rename.operation()) + TO);
        for (Group<E> group : groups) {
            group.removeIfEmpty(layout.station(rename.operation()));
        }
        // Last, as it is refused to whoever may not rename the directory.
        home(spot).removeIfEmpty(spot.in(HashedLayout.staged(rename.operation())));
        home(spot).removeIfEmpty(spot.in(HashedLayout.held(rename.operation())));
    }

    private boolean tryComplete(Spot spot, String to, Rename rename) throws IOException {
        try {
            departures.settle(spot.path(), spot.directory());
        } catch (IOException refused) {
            giveUp(spot, rename, refused);
            if (!hasHappened(rename)) {
                throw refused;
            }
        }
        // A look first: a call that stops it might be refused, though it has happened.
        if (!hasHappened(rename)) {
            if (tryStop(rename)) {
                forget(spot, rename);
                removeRemains(spot, rename);
                return false;
            }
            // In this order: what was undone has been in the station until it was removed.
            if (!groups.get(rename.group())
                    .stat(HashedLayout.byId(rename.successor()))
                    .isPresent()) {
                if (paths.isThere(spot)
                        && !home(spot).stat(spot.in(rename.name())).isPresent()) {
                    return false;
                }
                removeRemains(spot, rename);
                throw UnknownRenameException.ofDirectory(spot.path(), to);
            }
        }
        Epilogue.run(() -> departures.settle(to, rename.successor()));
        return true;
    }

    /** Makes sure that it never happens; false if it has. */
    private boolean tryStop(Rename rename) throws IOException {
        String undone = layout.station(rename.operation()) + UNDONE;
        Group<E> group = groups.get(rename.group());
        return group.rename(rename.waitingSuccessor(), undone)
                || group.stat(undone).isPresent();
    }

    /** If neither name is there, what is in the stations was deleted with one of them. */
    private void removeRemains(Spot spot, Rename rename) throws IOException {
        if (!home(spot).stat(HashedLayout.byId(spot.directory())).isPresent()) {
            for (Group<E> group : groups) {
                group.removeAll(layout.station(rename.operation()));
            }
        }
    }

    /** @param home the old name's */
    Standing standing(int home, long directory, Rename rename) throws IOException {
        Group<E> group = groups.get(rename.group());
        if (group.stat(rename.waitingSuccessor()).isPresent()) {
            return Standing.PENDING;
        }
        if (group.stat(layout.station(rename.operation()) + UNDONE).isPresent()) {
            return Standing.UNDONE;
        }
        // Last: what is undone has another name before it leaves the station.
        boolean isWritten = groups.get(home)
                .stat(HashedLayout.byId(directory, rename.name()))
                .isPresent();
        return isWritten ? Standing.GONE : Standing.OVER;
    }

    /** What became of the renames that are written down in a name; undone if there are none. */
    Standing standing(int home, long directory) throws IOException {
        Optional<List<E>> entries = groups.get(home).list(HashedLayout.byId(directory));
        if (!entries.isPresent()) {
            return Standing.OVER;
        }
        for (E one : entries.get()) {
            if (HashedLayout.isRename(one.name())) {
                Standing standing = standing(home, directory, Rename.parse(one.name()));
                if (standing == Standing.GONE || standing == Standing.OVER) {
                    return standing;
                }
            }
        }
        return Standing.UNDONE;
    }

    /** Takes a name away if its directory has another one. */
    boolean tryVacate(int home, long directory) throws IOException {
        Optional<List<E>> entries = groups.get(home).list(HashedLayout.byId(directory));
        if (entries.isPresent()) {
            for (E one : entries.get()) {
                if (HashedLayout.isRename(one.name())) {
                    Rename rename = Rename.parse(one.name());
                    if (standing(home, directory, rename) == Standing.GONE) {
                        vacate(home, directory, rename);
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /** Goes on with the one rename that may, as far as it is not undone meanwhile. What is refused is undone. */
    void complete(Spot spot, Rename rename) throws IOException {
        boolean hasHappened;
        try {
            hasHappened = tryDecide(spot, rename);
        } catch (IOException refused) {
            // What is in the stations would be in nobody's reach, and a superuser who looks might complete what was
            // refused. Others than superusers and the user whose stations they are cannot undo it.
            giveUp(spot, rename, refused);
            throw refused;
        }
        if (hasHappened) {
            Epilogue.run(() -> vacate(layout.homeOf(spot.path()), spot.directory(), rename));
        }
    }

    private boolean tryDecide(Spot spot, Rename rename) throws IOException {
        if (!isLikeSuccessor(spot, rename)) {
            // Or there is no successor any more.
            tryUndo(spot, rename);
            return false;
        }
        for (int group = 0; group < groups.size(); group++) {
            if (!tryTakeToStation(group, spot, rename)) {
                return false;
            }
        }
        Optional<String> to = target(spot, rename);
        if (!to.isPresent()) {
            return false;
        }
        // By paths: if one of the directories above cannot be reached it must fail.
        int group = rename.group();
        String permit =
                layout.contents(group, HashedLayout.parentOf(to.get())) + "/" + HashedLayout.permit(rename.operation());
        if (!groups.get(group).stat(permit).isPresent()) {
            tryUndo(spot, rename);
            return false;
        }
        String waiting = layout.contents(group, HashedLayout.parentOf(spot.path())) + "/"
                + HashedLayout.successor(rename.operation());
        if (groups.get(group).rename(waiting, layout.place(group, to.get()))) {
            return true;
        }
        // Who waited here for what is in its way might be waited for by it.
        tryUndo(spot, rename);
        return false;
    }

    /** Takes a part out of its place. What is written down may be wrong by intent, so nothing is taken from elsewhere. */
    private boolean tryTakeToStation(int group, Spot spot, Rename rename) throws IOException {
        String station = layout.station(rename.operation()) + PART;
        String place = group == layout.homeOf(spot.path()) ? spot.contents() : spot.place(group);
        long part = rename.parts().get(group);
        if (groups.get(group).stat(place).filter(one -> one.id() == part).isPresent()) {
            groups.get(group).rename(HashedLayout.byId(part), station);
        }
        return groups.get(group).stat(station).isPresent();
    }

    private Optional<String> target(Spot spot, Rename rename) throws IOException {
        StringBuilder to = new StringBuilder();
        while (true) {
            Optional<List<E>> below = home(spot).list(layout.station(rename.operation()) + TO + to);
            if (!below.isPresent()) {
                return Optional.empty();
            }
            if (below.get().isEmpty()) {
                return Optional.of(to.toString());
            }
            to.append('/').append(below.get().get(0).name());
        }
    }

    /** Undoes a rename; false if it has happened, or somebody else is about it: then the old name is vacated. */
    boolean tryUndo(Spot spot, Rename rename) throws IOException {
        if (tryStop(rename)) {
            forget(spot, rename);
            return true;
        }
        int home = layout.homeOf(spot.path());
        if (standing(home, spot.directory(), rename) == Standing.GONE) {
            vacate(home, spot.directory(), rename);
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
    void forget(Spot spot, Rename rename) throws IOException {
        for (int group = 0; group < groups.size(); group++) {
            if (group != rename.group() && !tryPutBack(group, spot, rename)) {
                return;
            }
        }
        home(spot).rename(spot.in(rename.name()), spot.in(rename.undoneName()));
        if (tryPutBack(rename.group(), spot, rename)) {
            home(spot).removeIfEmpty(spot.in(HashedLayout.held(rename.operation())));
            home(spot).removeIfEmpty(spot.in(rename.undoneName()));
        }
    }

    /** Empties and removes a station, so that nobody, however late, can move a part into it; false if the directory is gone. */
    private boolean tryPutBack(int group, Spot spot, Rename rename) throws IOException {
        int home = layout.homeOf(spot.path());
        String station = layout.station(rename.operation());
        for (int look = 0; look < Paths.LOOKS; look++) {
            groups.get(group).rename(station + PART, group == home ? spot.contents() : spot.place(group));
            if (group == home) {
                groups.get(group).removeAll(station + TO);
            }
            if (group == rename.group()) {
                groups.get(group).removeAll(station + UNDONE);
            }
            if (groups.get(group).removeIfEmpty(station) != Removal.NOT_EMPTY) {
                return true;
            }
            if (!paths.isThere(spot)) {
                return false;
            }
        }
        throw Paths.restless(spot.path());
    }

    /** Gives the parts of a renamed directory their places, and removes the rename, in the new name last. */
    void finish(Spot spot, Rename.Arrival arrival) throws IOException {
        int home = layout.homeOf(spot.path());
        for (int group = 0; group < groups.size(); group++) {
            if (!tryPlace(group, spot, arrival)) {
                return;
            }
        }
        groups.get(home).removeIfEmpty(spot.in(arrival.name()));
    }

    private boolean tryPlace(int group, Spot spot, Rename.Arrival arrival) throws IOException {
        String station = layout.station(arrival.operation());
        String place = group == layout.homeOf(spot.path()) ? spot.contents() : spot.place(group);
        for (int look = 0; look < Paths.LOOKS; look++) {
            groups.get(group).rename(station + PART, place);
            if (group == arrival.group()) {
                removeOld(spot, arrival);
            }
            if (groups.get(group).removeIfEmpty(station) != Removal.NOT_EMPTY) {
                return true;
            }
            if (!paths.isThere(spot)) {
                return false;
            }
        }
        throw Paths.restless(spot.path());
    }

    private void removeOld(Spot spot, Rename.Arrival arrival) throws IOException {
        Group<E> group = groups.get(arrival.group());
        String station = layout.station(arrival.operation());
        if (isOld(spot, arrival)) {
            group.rename(HashedLayout.byId(arrival.directory()), station + OLD);
        }
        group.removeAll(station + TO);
        group.removeAll(station + OLD);
    }

    /** Whether a directory is a name without contents which says itself that it was renamed to this one. */
    private boolean isOld(Spot spot, Rename.Arrival arrival) throws IOException {
        Optional<List<E>> entries = groups.get(arrival.group()).list(HashedLayout.byId(arrival.directory()));
        return entries.isPresent()
                && entries.get().stream().allMatch(one -> HashedLayout.isReserved(one.name()))
                && entries.get().stream()
                        .filter(one -> HashedLayout.isRename(one.name()))
                        .map(one -> Rename.parse(one.name()))
                        .anyMatch(one ->
                                one.operation().equals(arrival.operation()) && one.successor() == spot.directory());
    }
}
