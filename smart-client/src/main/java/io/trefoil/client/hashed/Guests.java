/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hashed;

import com.google.auto.value.AutoValue;
import io.trefoil.client.hashed.Group.Removal;
import io.trefoil.client.hashed.HashedTree.FileCall;
import io.trefoil.client.hashed.HashedTree.Renamed;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * Files in another group than the home of their name, because they were renamed to it: their blocks, leases and writers stay. Such a
 * <em>guest</em> has a <em>room</em>, a directory of its own in its group's part of the directory that it is in, and its name is a
 * <em>signpost</em>, a directory in the home of the name that says where the room is. The name is a file as long as there is one in the
 * room, so one call of the guest's group makes the old name go and the new one come.
 *
 * <p>A signpost to an empty room is in nobody's way: who needs the name removes the room, and nobody, however late, can move a file into
 * it then.
 *
 * @param <E> what the groups say of a file or directory
 */
final class Guests<E extends Entry> {

    private static final String FILE = "/file";
    private static final int RADIX = 36;

    /** What is in a signpost has no entries: whoever may remove the signpost may remove it as well. */
    private static final int OWN = 0755;

    private final HashedLayout layout;
    private final List<? extends Group<E>> groups;
    private final HashedTree<E> tree;

    Guests(HashedLayout layout, List<? extends Group<E>> groups, HashedTree<E> tree) {
        this.layout = layout;
        this.groups = groups;
        this.tree = tree;
    }

    /** What a signpost says. Immutable. */
    @AutoValue
    abstract static class Signpost {

        static Signpost of(String operation, int group, long room, String digest) {
            return new AutoValue_Guests_Signpost(operation, group, room, digest);
        }

        static Signpost parse(String name) {
            String[] texts = HashedLayout.textOfGuest(name).split("\\.");
            return of(texts[0], Integer.parseInt(texts[1], RADIX), Long.parseLong(texts[2], RADIX), texts[3]);
        }

        /** That of the rename that made it. */
        abstract String operation();

        /** The guest's. */
        abstract int group();

        /** Its number. */
        abstract long room();

        /** Of the name that it was made for. */
        abstract String digest();

        /** The name of its directory in the signpost. */
        final String name() {
            return HashedLayout.guest(operation() + "." + Integer.toString(group(), RADIX) + "."
                    + Long.toString(room(), RADIX) + "." + digest());
        }

        final String file() {
            return HashedLayout.byId(room()) + FILE;
        }
    }

    /** The signpost that an entry of its home is; empty if it is none. A call only if it is no usual name. */
    Optional<Signpost> signpost(int home, E entry) throws IOException {
        if (entry.isDirectory() && entry.children() != 1) {
            Optional<List<E>> inside = groups.get(home).list(HashedLayout.byId(entry.id()));
            if (inside.isPresent()) {
                for (E one : inside.get()) {
                    if (HashedLayout.isGuest(one.name())) {
                        return Optional.of(Signpost.parse(one.name()));
                    }
                }
            }
        }
        return Optional.empty();
    }

    /** Whether there is a guest, wherever the directory above is. */
    boolean isThere(Signpost signpost) throws IOException {
        return groups.get(signpost.group())
                .stat(signpost.file())
                .filter(one -> !one.isDirectory())
                .isPresent();
    }

    /** Whether a signpost was made for this path, and still leads somewhere: its room is in the directory that it is in. */
    boolean isOf(String path, Signpost signpost) throws IOException {
        if (!signpost.digest().equals(HashedLayout.digest(HashedLayout.nameOf(path)))) {
            return false;
        }
        OptionalLong part = tree.contents(signpost.group(), HashedLayout.parentOf(path));
        return part.isPresent()
                && groups.get(signpost.group())
                        .stat(HashedLayout.byId(part.getAsLong(), HashedLayout.room(signpost.operation())))
                        .isPresent();
    }

    /**
     * Performs a call on a guest, by its path: what can be reached by it exists.
     *
     * @param path that of the signpost
     * @return empty if there was none at some time since the signpost was seen
     */
    <T> Optional<T> at(String path, Signpost signpost, FileCall<T> call) throws IOException {
        int group = signpost.group();
        String parent = HashedLayout.parentOf(path);
        String room = HashedLayout.room(signpost.operation());
        for (int look = 0; look < HashedTree.LOOKS; look++) {
            Optional<T> result = call.at(group, layout.contents(group, parent) + "/" + room + FILE);
            if (result.isPresent() || !isThere(signpost)) {
                return result;
            }
            OptionalLong part = tree.contents(group, parent);
            if (!part.isPresent()
                    || !groups.get(group)
                            .stat(HashedLayout.byId(part.getAsLong(), room))
                            .isPresent()) {
                // The directory that had it has another name, and this name was free meanwhile.
                return Optional.empty();
            }
        }
        throw HashedTree.restless(path);
    }

    /** Takes a signpost away if there is no guest; false if there is one. */
    boolean isCleared(int home, long name, Signpost signpost) throws IOException {
        if (groups.get(signpost.group()).removeIfEmpty(HashedLayout.byId(signpost.room())) == Removal.NOT_EMPTY) {
            return false;
        }
        groups.get(home).removeAll(HashedLayout.byId(name));
        return true;
    }

    /** Renames a file that stays in its group, whichever this is, and whatever was its name there. */
    Renamed rename(String from, String to, Supplier<String> operations, FileMoves<E> moves) throws IOException {
        for (int look = 0; look < HashedTree.LOOKS; look++) {
            Optional<E> there = tree.lookup(from);
            if (!there.isPresent() || there.get().isDirectory()) {
                return Renamed.ABSENT;
            }
            if (tree.lookup(to).isPresent()) {
                return Renamed.TAKEN;
            }
            Optional<List<Long>> parts = tree.parts(HashedLayout.parentOf(to));
            if (!parts.isPresent()) {
                return Renamed.NO_PARENT;
            }
            tree.makeFree(to);
            if (isMoved(from, to, parts.get(), operations, moves)) {
                return Renamed.RENAMED;
            }
        }
        throw HashedTree.restless(from);
    }

    private boolean isMoved(String from, String to, List<Long> parts, Supplier<String> operations, FileMoves<E> moves)
            throws IOException {
        int home = layout.homeOf(from);
        Optional<E> name = groups.get(home).stat(layout.place(home, from));
        Optional<Signpost> old = name.isPresent() ? signpost(home, name.get()) : Optional.empty();
        if (!old.isPresent()) {
            return home == layout.homeOf(to)
                    ? moves.isRenamed(home, from, to)
                    : isLeaving(from, to, parts, operations.get(), moves);
        }
        int group = old.get().group();
        String source = layout.contents(group, HashedLayout.parentOf(from)) + "/"
                + HashedLayout.room(old.get().operation()) + FILE;
        boolean isDone = group == layout.homeOf(to)
                // Only files come out of rooms.
                ? groups.get(group).renameFile(source, layout.place(group, to))
                : isHoused(
                        to,
                        group,
                        parts,
                        operations.get(),
                        (room, file) -> moves.isHoused(
                                group, source, room, file, old.get().file()));
        if (isDone) {
            isCleared(home, name.get().id(), old.get());
        }
        return isDone;
    }

    private boolean isLeaving(String from, String to, List<Long> parts, String operation, FileMoves<E> moves)
            throws IOException {
        int home = layout.homeOf(from);
        OptionalLong parent = tree.contents(home, HashedLayout.parentOf(from));
        if (!parent.isPresent()) {
            return false;
        }
        String origin = HashedLayout.byId(parent.getAsLong(), HashedLayout.nameOf(from));
        return isHoused(
                to,
                home,
                parts,
                operation,
                (room, file) -> moves.isHoused(home, layout.place(home, from), room, file, origin));
    }

    /** Moves the file into its room. */
    private interface Housing {
        /** @param file its place by the number of the room */
        boolean isDone(String room, String file) throws IOException;
    }

    /** Makes room and signpost, and has the file moved in; if it does not get there, nothing is left of them. */
    private boolean isHoused(String to, int group, List<Long> parts, String operation, Housing housing)
            throws IOException {
        int home = layout.homeOf(to);
        String staged = HashedLayout.staged(operation);
        String room = HashedLayout.room(operation);
        boolean isDone = false;
        try {
            Optional<E> made = made(group, parts.get(group), room);
            Optional<E> name = made(home, parts.get(home), staged);
            if (made.isPresent() && name.isPresent()) {
                Signpost signpost =
                        Signpost.of(operation, group, made.get().id(), HashedLayout.digest(HashedLayout.nameOf(to)));
                String parent = HashedLayout.parentOf(to);
                // By paths, as what decides: in a directory that is being deleted or renamed they must fail.
                isDone = isLabelled(home, name.get().id(), signpost)
                        && groups.get(home).rename(layout.contents(home, parent) + "/" + staged, layout.place(home, to))
                        && housing.isDone(layout.contents(group, parent) + "/" + room + FILE, signpost.file());
                if (!isDone) {
                    isCleared(home, name.get().id(), signpost);
                }
            }
        } catch (IOException refused) {
            try {
                removeUnused(group, home, parts, operation);
            } catch (IOException e) {
                refused.addSuppressed(e);
            }
            throw refused;
        }
        if (!isDone) {
            removeUnused(group, home, parts, operation);
        }
        return isDone;
    }

    private Optional<E> made(int group, long part, String name) throws IOException {
        Group<E> at = groups.get(group);
        Optional<E> like = at.stat(HashedLayout.byId(part));
        String path = HashedLayout.byId(part, name);
        return like.isPresent() && at.mkdirIn(path, like.get()) ? at.stat(path) : Optional.empty();
    }

    /** There must be more than one entry: see {@link Entry#children()}. */
    private boolean isLabelled(int home, long name, Signpost signpost) throws IOException {
        Group<E> at = groups.get(home);
        return at.mkdir(HashedLayout.byId(name, HashedLayout.held(signpost.operation())), OWN)
                && at.mkdir(HashedLayout.byId(name, signpost.name()), OWN);
    }

    /** Of a rename that was not done: a signpost that has its name, and leads to no room, is removed by who needs the name. */
    private void removeUnused(int group, int home, List<Long> parts, String operation) throws IOException {
        groups.get(group).removeIfEmpty(HashedLayout.byId(parts.get(group), HashedLayout.room(operation)));
        groups.get(home).removeAll(HashedLayout.byId(parts.get(home), HashedLayout.staged(operation)));
    }
}
