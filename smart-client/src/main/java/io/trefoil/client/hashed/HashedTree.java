/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hashed;

import io.trefoil.client.hashed.Group.Removal;
import io.trefoil.client.hashed.Renames.Standing;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * A tree of directories whose files are spread over several groups. Two things make it one file system.
 *
 * <ul>
 *   <li>A name is created and removed in its home alone, by one call; but that of a {@link Guests guest} comes and goes with the file.
 *   <li><em>What can be reached by its path exists.</em> A copy gets its place after the directory has its name, and loses it
 *       before the name is gone. So a call for a file is one call of its group, and only what is not found needs a second
 *       look: {@link #contents}.
 * </ul>
 *
 * <p>All that moves a part is a rename of something that was made once, by number, so it is done once, however many clients
 * do it and however late. Thread-safe, as it keeps nothing; calls wait for the groups.
 *
 * @param <E> what the groups say of a file or directory
 */
public final class HashedTree<E extends Entry> {

    /** A call that meets others' operations looks again; more often than this, something is wrong. */
    static final int LOOKS = 100;

    /** The result of {@link #mkdir}. */
    public enum Made {
        MADE,
        /** There is a directory already. */
        EXISTS,
        /** There is a file of that name. */
        TAKEN,
        NO_PARENT
    }

    /** The result of {@link #delete}. */
    public enum Deleted {
        DELETED,
        ABSENT,
        NOT_EMPTY
    }

    /** The result of {@link #renameDirectory}, {@link #renameFile} and {@link #replaceFile}. */
    public enum Renamed {
        RENAMED,
        /** There is no such directory, or file. */
        ABSENT,
        /** There is something of the new name. */
        TAKEN,
        /** There is no directory for the new name. */
        NO_PARENT
    }

    /** @param <T> the type of its result */
    public interface FileCall<T> {
        /** @return empty if the path was not found, and nothing was done */
        Optional<T> at(int group, String place) throws IOException;
    }

    /** The number of no inode. */
    private static final Long NOTHING = 0L;

    private final HashedLayout layout;
    private final List<? extends Group<E>> groups;
    private final Supplier<String> operations;
    private final Departures<E> departures;
    private final Guests<E> guests;
    private final FileMoves<E> moves;

    /**
     * @param groups in the order of the table
     * @param operations makes unique names, of letters, digits and hyphens
     */
    public HashedTree(HashedLayout layout, List<? extends Group<E>> groups, Supplier<String> operations) {
        if (layout.groups() != groups.size()) {
            throw new IllegalArgumentException("Wanted " + layout.groups() + " groups, found " + groups.size());
        }
        this.layout = layout;
        this.groups = groups;
        this.operations = operations;
        this.departures = new Departures<>(layout, groups, this);
        this.guests = new Guests<>(layout, groups, this);
        this.moves = new FileMoves<>(layout, groups, this, guests);
    }

    /** What a path is; empty if there is nothing. One call if there is something. */
    public Optional<E> lookup(String path) throws IOException {
        if (HashedLayout.isRoot(path)) {
            return groups.get(0).stat(layout.place(0, path));
        }
        int home = layout.homeOf(path);
        for (int look = 0; look < LOOKS; look++) {
            Optional<E> found = groups.get(home).stat(layout.place(home, path));
            if (found.isPresent()) {
                Optional<Guests.Signpost> signpost = guests.signpost(home, found.get());
                if (signpost.isPresent()) {
                    return guest(path, signpost.get());
                }
                Standing standing = standing(home, found.get());
                if (standing != Standing.OVER) {
                    return standing == Standing.GONE ? Optional.empty() : found;
                }
            } else if (!named(path).isPresent()) {
                return Optional.empty();
            }
        }
        throw restless(path);
    }

    private Optional<E> guest(String path, Guests.Signpost signpost) throws IOException {
        return guests.at(
                path, signpost, (group, place) -> groups.get(group).stat(place).filter(one -> !one.isDirectory()));
    }

    /** Whether an entry of a part is one of the directory, wherever the directory is. */
    boolean isEntry(int group, E entry) throws IOException {
        if (!layout.isTrue(group, entry)) {
            return false;
        }
        Optional<Guests.Signpost> signpost = guests.signpost(group, entry);
        return signpost.isPresent() ? guests.isThere(signpost.get()) : standing(group, entry) != Standing.GONE;
    }

    /** What became of the renames of an entry, from its home. One call more only if something is under way. */
    Standing standing(int group, E entry) throws IOException {
        return entry.isDirectory() && entry.children() != 1
                ? departures.renames().standing(group, entry.id())
                : Standing.UNDONE;
    }

    /**
     * Takes away what a rename that ended left of a directory's old name, or of the new name that a file did not get.
     *
     * @return whether the path is free now, as far as it depended on that
     */
    public boolean makeFree(String path) throws IOException {
        int home = layout.homeOf(path);
        Optional<E> there = groups.get(home).stat(layout.place(home, path));
        if (!there.isPresent()) {
            return true;
        }
        long name = there.get().id();
        Optional<Guests.Signpost> signpost = guests.signpost(home, there.get());
        return signpost.isPresent()
                ? guests.isCleared(home, name, signpost.get())
                : there.get().isDirectory() && departures.renames().isVacated(home, name);
    }

    /**
     * What its home has of a path, by the number of the directory above: if there is nothing, there was nothing at some time
     * meanwhile; if there is something, a directory above may have another name by now.
     */
    Optional<E> named(String path) throws IOException {
        OptionalLong parent = contents(layout.homeOf(path), HashedLayout.parentOf(path));
        return parent.isPresent() ? named(path, parent.getAsLong()) : Optional.empty();
    }

    private Optional<E> named(String path, long parent) throws IOException {
        return groups.get(layout.homeOf(path)).stat(HashedLayout.byId(parent, HashedLayout.nameOf(path)));
    }

    /** The numbers of all parts of a directory, which were its parts at one moment; empty if it does not exist. */
    Optional<List<Long>> parts(String path) throws IOException {
        for (int look = 0; look < LOOKS; look++) {
            List<Long> lineage = lineage(path);
            List<Long> parts = new ArrayList<>();
            for (int group = 0; group < groups.size(); group++) {
                OptionalLong part = contents(group, path);
                if (!part.isPresent()) {
                    return Optional.empty();
                }
                parts.add(part.getAsLong());
            }
            if (lineage(path).equals(lineage) && !lineage.contains(NOTHING)) {
                return Optional.of(parts);
            }
        }
        throw restless(path);
    }

    /**
     * The numbers of the names of a directory and of those above it. A name never comes back: if they are the same before and
     * after something, the path was that of one directory all the time between.
     */
    List<Long> lineage(String path) throws IOException {
        List<Long> lineage = new ArrayList<>();
        for (String one = path; !HashedLayout.isRoot(one); one = HashedLayout.parentOf(one)) {
            int home = layout.homeOf(one);
            lineage.add(groups.get(home)
                    .stat(layout.place(home, one))
                    .map(Entry::id)
                    .orElse(NOTHING));
        }
        return lineage;
    }

    /** A directory with what is around it; empty if it has not this path. */
    Optional<Spot> spot(String path, long directory) throws IOException {
        Optional<List<Long>> parents = parts(HashedLayout.parentOf(path));
        if (!parents.isPresent()) {
            return Optional.empty();
        }
        Spot spot = Spot.of(path, directory, parents.get());
        return isThere(spot) ? Optional.of(spot) : Optional.empty();
    }

    /** Whether a directory has its name still; a directory above may have another one. */
    boolean isThere(Spot spot) throws IOException {
        int home = layout.homeOf(spot.path());
        Optional<E> there = groups.get(home).stat(spot.place(home));
        return there.isPresent() && there.get().id() == spot.directory();
    }

    /**
     * The number of a group's part of a directory, with its place; empty if the directory does not exist. Completes what
     * others left half done, if the part is not in its place.
     */
    public OptionalLong contents(int group, String path) throws IOException {
        for (int look = 0; look < LOOKS; look++) {
            Optional<E> there = groups.get(group).stat(layout.contents(group, path));
            if (there.isPresent()) {
                return there.get().isDirectory() ? OptionalLong.of(there.get().id()) : OptionalLong.empty();
            }
            if (HashedLayout.isRoot(path)) {
                throw new IOException("There is no " + layout.contents(group, path) + ", which the table names");
            }
            Optional<E> named = named(path);
            OptionalLong parent = contents(group, HashedLayout.parentOf(path));
            if (!parent.isPresent()
                    || !named.isPresent()
                    || !named.get().isDirectory()
                    || guests.signpost(layout.homeOf(path), named.get()).isPresent()) {
                return OptionalLong.empty();
            }
            long directory = named.get().id();
            if (departures.isSettled(path, directory) && group != layout.homeOf(path)) {
                giveName(group, parent.getAsLong(), path, directory);
            }
        }
        throw restless(path);
    }

    private void giveName(int group, long parent, String path, long directory) throws IOException {
        groups.get(group)
                .rename(
                        HashedLayout.byId(parent, HashedLayout.copyOf(directory, HashedLayout.nameOf(path))),
                        HashedLayout.byId(parent, HashedLayout.nameOf(path)));
    }

    static IOException restless(String path) {
        return new IOException(
                "Others changed " + path + " each of " + LOOKS + " times that it was looked at, or it is damaged");
    }

    /**
     * Performs a call on a file in its group, again if the directory was not in its place.
     *
     * @return empty if there is no such file
     */
    public <T> Optional<T> atFile(String path, FileCall<T> call) throws IOException {
        return inParent(path, call, true);
    }

    /**
     * Performs a call that makes a file, in the file's group.
     *
     * @param isTaken whether an error of the call says that there is something of this name
     * @return empty if there is no directory for it
     */
    public <T> Optional<T> makeFile(String path, FileCall<T> call, Predicate<IOException> isTaken) throws IOException {
        for (int look = 0; look < LOOKS; look++) {
            try {
                return inParent(path, call, false);
            } catch (IOException e) {
                if (!isTaken.test(e)) {
                    throw e;
                }
                Optional<Guests.Signpost> guest = signpost(path);
                if (!makeFree(path)) {
                    if (!guest.isPresent()) {
                        throw e;
                    }
                    // It replaces the guest in its room, or is refused there.
                    Optional<T> made = guests.at(path, guest.get(), call);
                    if (made.isPresent()) {
                        return made;
                    }
                }
            }
        }
        throw restless(path);
    }

    /** Whether the name of a path is that of a file in another group, if it is a file. */
    private boolean isGuest(String path) throws IOException {
        return signpost(path).isPresent();
    }

    private Optional<Guests.Signpost> signpost(String path) throws IOException {
        int home = layout.homeOf(path);
        Optional<E> there = groups.get(home).stat(layout.place(home, path));
        return there.isPresent() ? guests.signpost(home, there.get()) : Optional.empty();
    }

    /**
     * Performs a call on a file that is in another group than its name.
     *
     * @return empty if there is no such file
     */
    public <T> Optional<T> atGuest(String path, FileCall<T> call) throws IOException {
        Optional<Guests.Signpost> signpost = signpost(path);
        return signpost.isPresent() ? guests.at(path, signpost.get(), call) : Optional.empty();
    }

    private <T> Optional<T> inParent(String path, FileCall<T> call, boolean ofFile) throws IOException {
        int group = layout.homeOf(path);
        for (int look = 0; look < LOOKS; look++) {
            Optional<T> result = call.at(group, layout.place(group, path));
            if (result.isPresent()) {
                return result;
            }
            OptionalLong parent = contents(group, HashedLayout.parentOf(path));
            if (!parent.isPresent()) {
                return Optional.empty();
            }
            if (ofFile) {
                Optional<E> named = named(path, parent.getAsLong());
                if (!named.isPresent()) {
                    return Optional.empty();
                }
                if (named.get().isDirectory()) {
                    Optional<Guests.Signpost> signpost = guests.signpost(group, named.get());
                    return signpost.isPresent() ? guests.at(path, signpost.get(), call) : Optional.empty();
                }
            }
        }
        throw restless(path);
    }

    /** Renames a file, which stays in its group. */
    public Renamed renameFile(String from, String to) throws IOException {
        int group = layout.homeOf(from);
        Optional<E> there = groups.get(group).stat(layout.place(group, from));
        boolean isAtHome = there.isPresent() && !there.get().isDirectory() && group == layout.homeOf(to);
        if (isAtHome && moves.isRenamed(group, from, to)) {
            return Renamed.RENAMED;
        }
        return guests.rename(from, to, operations, moves);
    }

    /**
     * Renames a file, which stays in its group. A file of the new name is replaced.
     *
     * @return {@link Renamed#TAKEN} also if it cannot be replaced, as it is, or its name has its home, in another group
     */
    public Renamed replaceFile(String from, String to) throws IOException {
        int group = layout.homeOf(from);
        for (int look = 0; look < LOOKS; look++) {
            Optional<E> other = lookup(to);
            if (!other.isPresent()) {
                Renamed renamed = renameFile(from, to);
                if (renamed != Renamed.TAKEN) {
                    return renamed;
                }
                continue;
            }
            Optional<E> there = lookup(from);
            if (!there.isPresent() || there.get().isDirectory()) {
                return Renamed.ABSENT;
            }
            if (from.equals(to)
                    || other.get().isDirectory()
                    || group != layout.homeOf(to)
                    || isGuest(from)
                    || isGuest(to)) {
                return Renamed.TAKEN;
            }
            if (moves.isReplaced(group, from, to)) {
                return Renamed.RENAMED;
            }
        }
        throw restless(from);
    }

    /** The entries of a directory by name; empty if it does not exist. Not atomic, as the long listings of HDFS are not. */
    public Optional<List<E>> list(String path) throws IOException {
        List<E> all = new ArrayList<>();
        for (int group = 0; group < groups.size(); group++) {
            Optional<List<E>> some = list(group, path);
            if (!some.isPresent()) {
                return Optional.empty();
            }
            for (E one : some.get()) {
                if (layout.isTrue(group, one)) {
                    listed(path, group, one).ifPresent(all::add);
                }
            }
        }
        all.sort(Comparator.comparing(Entry::name));
        return Optional.of(all);
    }

    private Optional<E> listed(String path, int group, E entry) throws IOException {
        Optional<Guests.Signpost> signpost = guests.signpost(group, entry);
        if (signpost.isPresent()) {
            return guest(path + "/" + entry.name(), signpost.get())
                    .map(file -> groups.get(group).withName(file, entry.name()));
        }
        Standing standing = standing(group, entry);
        boolean isThere =
                standing == Standing.OVER ? lookup(path + "/" + entry.name()).isPresent() : standing != Standing.GONE;
        return isThere ? Optional.of(entry) : Optional.empty();
    }

    private Optional<List<E>> list(int group, String path) throws IOException {
        for (int look = 0; look < LOOKS; look++) {
            Optional<List<E>> found = groups.get(group).list(layout.contents(group, path));
            if (found.isPresent()) {
                return found;
            }
            if (!contents(group, path).isPresent()) {
                return Optional.empty();
            }
        }
        throw restless(path);
    }

    /**
     * Makes a directory in one that exists.
     *
     * @param mode its permission bits; its owner must be allowed to write
     */
    public Made mkdir(String path, int mode) throws IOException {
        int home = layout.homeOf(path);
        String parentPath = HashedLayout.parentOf(path);
        for (int look = 0; look < LOOKS; look++) {
            Optional<E> there = lookup(path);
            if (there.isPresent()) {
                return there.get().isDirectory() ? Made.EXISTS : Made.TAKEN;
            }
            Optional<List<Long>> parents = parts(parentPath);
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
            makeFree(path);
        }
        throw restless(path);
    }

    /**
     * Gives a staged directory its name, by paths: in a parent that is being deleted or renamed it must fail. If HDFS has carried out a call
     * that it was sent twice, and does not remember it, the second one finds nothing; what has its name may be in use by then.
     */
    private boolean isNamed(Spot spot, String staged) throws IOException {
        int home = layout.homeOf(spot.path());
        return groups.get(home).rename(staged, layout.place(home, spot.path())) || isThere(spot);
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
            giveName(group, spot.parents().get(group), spot.path(), spot.directory());
        }
    }

    /**
     * Renames a directory. The paths must not be in each other.
     *
     * @throws UnknownRenameException if another client deleted it, by whichever name
     */
    public Renamed renameDirectory(String from, String to) throws IOException {
        for (int look = 0; look < LOOKS; look++) {
            Optional<E> there = lookup(from);
            if (!there.isPresent() || !there.get().isDirectory()) {
                return Renamed.ABSENT;
            }
            if (!contents(layout.homeOf(to), HashedLayout.parentOf(to)).isPresent()) {
                return Renamed.NO_PARENT;
            }
            if (lookup(to).isPresent()) {
                return Renamed.TAKEN;
            }
            makeFree(to);
            if (departures.renames().run(from, there.get(), to, operations.get())) {
                return Renamed.RENAMED;
            }
        }
        throw restless(from);
    }

    /** Deletes a file or a directory; a directory with entries only if that is asked for. */
    public Deleted delete(String path, boolean withContents) throws IOException {
        for (int look = 0; look < LOOKS; look++) {
            Optional<E> there = lookup(path);
            if (!there.isPresent()) {
                return Deleted.ABSENT;
            }
            Optional<Deleted> result = there.get().isDirectory()
                    ? deleteDirectory(path, there.get().id(), withContents)
                    : deleteFile(path);
            if (result.isPresent()) {
                return result.get();
            }
        }
        throw restless(path);
    }

    /** By its path, as a file that was renamed meanwhile must stay. A directory's name is never empty, so it is safe from this. */
    private Optional<Deleted> deleteFile(String path) throws IOException {
        int home = layout.homeOf(path);
        if (isRemoved(home, layout.place(home, path))) {
            return Optional.of(Deleted.DELETED);
        }
        Optional<Deleted> deleted = atGuest(
                path, (group, place) -> isRemoved(group, place) ? Optional.of(Deleted.DELETED) : Optional.empty());
        if (deleted.isPresent()) {
            makeFree(path);
        }
        return deleted;
    }

    private boolean isRemoved(int group, String place) throws IOException {
        return groups.get(group).removeIfEmpty(place) == Removal.REMOVED;
    }

    private Optional<Deleted> deleteDirectory(String path, long directory, boolean withContents) throws IOException {
        if (!withContents) {
            Optional<List<E>> entries = list(path);
            if (entries.isPresent() && !entries.get().isEmpty()) {
                return Optional.of(Deleted.NOT_EMPTY);
            }
        }
        String operation = operations.get();
        Deletion deletion =
                withContents ? Deletion.withContents(path, operation) : Deletion.onlyIfEmpty(path, operation);
        return departures.deletions().run(path, directory, deletion) ? Optional.of(Deleted.DELETED) : Optional.empty();
    }
}
