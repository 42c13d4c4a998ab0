/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.table;

import io.trefoil.federation.table.TableStore.DirectoryState;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Gives one subtree to another nameservice. At no moment do both accept what is created in it: the folder at the old owner is sealed, then
 * the table changes, then the folder at the new owner is opened. A crash leaves at most a sealed folder at the owner, where creating is
 * refused; requesting the same change again continues from there.
 *
 * <p>A directory that is hashed over several nameservices is handed over in the same way, but its folder stays sealed: the parts are
 * elsewhere. When it is one of its owner's again, its parts are sealed and stay so.
 */
public final class SubtreeHandover {

    private final TableStore store;
    private final SubtreeTable before;
    private final TableChange change;
    private final SubtreeTable after;
    private final Seals seals;

    private SubtreeHandover(TableStore store, SubtreeTable before, TableChange change, SubtreeTable after) {
        this.store = store;
        this.before = before;
        this.change = change;
        this.after = after;
        this.seals = new Seals(store);
    }

    /**
     * Checks whether a change can be made, by all that is asked when it is made; changes nothing.
     *
     * @throws TableRefusedException if not; the text says why
     */
    public static SubtreeHandover plan(TableStore store, SubtreeTable before, TableChange change) throws IOException {
        SubtreeTable after = change.applyTo(before, store.nameservices(), store.kept());
        SubtreeHandover handover = new SubtreeHandover(store, before, change, after);
        store.requireOwners(handover.concerned());
        handover.requireFolders();
        TableRefusedException.requireNone(handover.obstacles());
        return handover;
    }

    /** All nameservices that a change may reach; a user who is refused halfway would leave a sealed folder behind. */
    private Set<String> concerned() {
        Set<String> concerned = new TreeSet<>(change.nameservices());
        concerned.add(store.keeper());
        concerned.add(after.ownerOf(change.path()));
        if (change.isUnhash()) {
            concerned.addAll(hashedOver());
        } else {
            concerned.add(from());
        }
        return concerned;
    }

    /**
     * A handover whose version is the newest already, though its process may have ended before the rest was done;
     * {@link #finish} does the rest. Empty if the newest version is that of another change.
     */
    public static Optional<SubtreeHandover> made(TableStore store, TableChange change) throws IOException {
        List<TableRecord> history = store.history();
        int newest = history.size() - 1;
        if (newest < 1 || !history.get(newest).change().equals(change.text())) {
            return Optional.empty();
        }
        SubtreeTable before = history.get(newest - 1).table();
        SubtreeHandover handover =
                new SubtreeHandover(store, before, change, history.get(newest).table());
        store.requireSuperuser(handover.concerned());
        return Optional.of(handover);
    }

    /** The obstacles that the calls of {@link #run} would refuse, found by the same checks. */
    private List<String> obstacles() throws IOException {
        List<String> obstacles = new ArrayList<>();
        if (change.isUnhash()) {
            for (String nameservice : hashedOver()) {
                obstacles.addAll(store.sealObstacles(nameservice, change.path().part()));
            }
            return obstacles;
        }
        if (change.isHash()) {
            obstacles.addAll(store.partObstacles(from(), change.path()));
        }
        obstacles.addAll(store.sealObstacles(from(), change.path()));
        return obstacles;
    }

    private void requireFolders() throws IOException {
        if (change.isHash()) {
            requireEmpty();
            requireHashedAlike();
            return;
        }
        if (change.isUnhash()) {
            requirePartsEmpty();
            return;
        }
        if (store.inspect(from(), change.path()) == DirectoryState.IN_USE) {
            throw new TableRefusedException("hdfs://" + from() + change.path()
                    + " is not an empty folder: what is in it could no longer be reached. Copy it to hdfs://" + to()
                    + change.path() + " and move it out of the way first");
        }
        if (store.inspect(to(), change.path()) == DirectoryState.ABSENT) {
            throw new TableRefusedException(
                    "There is no folder for it, create it: hdfs dfs -mkdir -p hdfs://" + to() + change.path());
        }
    }

    private void requireEmpty() throws IOException {
        DirectoryState folder = store.inspect(from(), change.path());
        if (folder != DirectoryState.EMPTY && folder != DirectoryState.SEALED) {
            throw new TableRefusedException("hdfs://" + from() + change.path()
                    + (folder == DirectoryState.ABSENT
                            ? " is missing, create it: its owner and permission are those of the hashed" + " directory"
                            : " is not an empty folder: what is in it could no longer be reached. Move it out"
                                    + " of the way first"));
        }
        for (String nameservice : change.nameservices()) {
            if (store.inspect(nameservice, change.path().part()) == DirectoryState.IN_USE) {
                throw new TableRefusedException(
                        "hdfs://" + nameservice + change.path().part() + " is not empty: " + change.path()
                                + " was hashed before. Move it out of the way first");
            }
        }
    }

    /** Clients with an older table spread the files over the nameservices that they know. */
    private void requireHashedAlike() throws IOException {
        for (TableRecord one : store.history()) {
            List<String> earlier = one.table().hashed().get(change.path());
            if (earlier != null && !earlier.equals(change.nameservices())) {
                throw new TableRefusedException(change.path() + " was hashed over " + String.join(",", earlier)
                        + " before, and clients with an older table would put files where they were then; hash it over"
                        + " the same ones, or another directory");
            }
        }
    }

    private List<String> hashedOver() {
        return before.hashed().get(change.path());
    }

    private void requirePartsEmpty() throws IOException {
        for (String nameservice : hashedOver()) {
            requireNotInUse(nameservice, change.path().part(), "there is something in " + change.path());
            requireNotInUse(
                    nameservice, change.path().renames(), "a rename in " + change.path() + " was left half done");
        }
    }

    private void requireNotInUse(String nameservice, SubtreePath path, String reason) throws IOException {
        if (store.inspect(nameservice, path) == DirectoryState.IN_USE) {
            HashedCopy copy = new HashedCopy(
                    before,
                    change.path(),
                    to(),
                    "hdfs trefoil table " + change.text() + " --table hdfs://" + store.keeper() + store.kept());
            throw new TableRefusedException("hdfs://" + nameservice + path + " is not empty: " + reason + ".\n"
                    + String.join("\n", copy.lines()));
        }
    }

    /** The owner before the change; of a directory that was hashed all its nameservices. */
    public String from() {
        return change.isUnhash() ? String.join(",", hashedOver()) : before.ownerOf(change.path());
    }

    /** The owner after the change; of a hashed directory all its nameservices. */
    public String to() {
        return change.isHash() ? String.join(",", change.nameservices()) : after.ownerOf(change.path());
    }

    /** The version that the change makes. */
    public SubtreeTable after() {
        return after;
    }

    /**
     * Makes the change.
     *
     * @throws TableRefusedException if something was created in the folder, or somebody else changed the table at the same time:
     *     nothing has changed then
     */
    public void run(Instant now) throws IOException {
        SubtreePath path = change.path();
        if (change.isUnhash()) {
            unhash(now);
            return;
        }
        for (String nameservice : change.nameservices()) {
            store.createPart(nameservice, from(), path);
        }
        store.seal(from(), path);
        if (store.inspect(from(), path) != DirectoryState.SEALED) {
            seals.open(from(), path);
            requireFolders();
            throw new TableRefusedException(
                    "hdfs://" + from() + path + " was changed by somebody else while it was sealed");
        }
        appendVersion(now);
        finish();
    }

    private void unhash(Instant now) throws IOException {
        SubtreePath part = change.path().part();
        for (String nameservice : hashedOver()) {
            store.seal(nameservice, part);
        }
        // Each was empty and sealed, so all are at once, and stay so.
        for (String nameservice : hashedOver()) {
            if (store.inspect(nameservice, part) != DirectoryState.SEALED) {
                seals.openParts(hashedOver(), change.path());
                requirePartsEmpty();
                throw new TableRefusedException(
                        "hdfs://" + nameservice + part + " was changed by somebody else while it was sealed");
            }
        }
        boolean wasMarked = store.unmark(to(), change.path());
        if (!store.append(TableRecord.of(after, change.text(), store.user(), now))) {
            TableRecord winner = winner();
            seals.openParts(hashedOver(), change.path());
            if (wasMarked) {
                seals.close(to(), change.path());
            }
            throw refusedBecauseOf(winner);
        }
        finish();
    }

    /**
     * Does what follows the new version, and no more than the newest one still wants; may be repeated.
     *
     * @throws IOException also if something was created at the old owner, in a folder that a change that was refused had opened
     */
    public void finish() throws IOException {
        if (change.isHash()) {
            // Its folder stays with the owner of what is around it, and stays sealed.
            seals.close(from(), change.path());
            // They are sealed if it was hashed before.
            seals.openParts(change.nameservices(), change.path());
            return;
        }
        seals.open(to(), change.path());
        if (!change.isUnhash()) {
            seals.close(from(), change.path());
        }
    }

    /**
     * Whether the copy of the files of a directory that is no longer to be hashed can take the place of its owner's
     * folder; changes nothing.
     *
     * @throws TableRefusedException if not; the text says why
     */
    public void requireCopy() throws IOException {
        requirePlaceForCopy();
        DirectoryState copy = store.inspect(to(), copy());
        if (copy == DirectoryState.ABSENT) {
            throw new TableRefusedException("There is no hdfs://" + to() + copy()
                    + ": copy the files as 'hdfs trefoil table " + change.text()
                    + "' says, or leave --with-copy out; nothing was changed");
        }
    }

    private void requirePlaceForCopy() throws IOException {
        if (store.inspect(to(), change.path()) == DirectoryState.IN_USE) {
            throw new TableRefusedException("hdfs://" + to() + change.path()
                    + " is not an empty folder, and hdfs://" + to() + copy()
                    + " does not replace it: move out of the way what is in it, and repeat the command");
        }
    }

    private SubtreePath copy() {
        return HashedCopy.of(change.path());
    }

    /** Has that copy take the place of the owner's folder when all else is done; does nothing if it has taken it. */
    public void placeCopy() throws IOException {
        if (store.inspect(to(), copy()) != DirectoryState.ABSENT) {
            requirePlaceForCopy();
            store.replaceEmpty(to(), change.path(), copy());
        }
    }

    /** @throws TableRefusedException if somebody else has changed the table meanwhile; all is as it was then */
    private void appendVersion(Instant now) throws IOException {
        SubtreePath path = change.path();
        // What the new owner was told when it gave the folder away goes before the version, by which clients come back
        // to it.
        // Until then they meet the seal there.
        boolean wasMarked = !change.isHash() && store.unmark(to(), path);
        if (store.append(TableRecord.of(after, change.text(), store.user(), now))) {
            return;
        }
        TableRecord winner = winner();
        seals.open(from(), path);
        if (wasMarked) {
            seals.close(to(), path);
        }
        throw refusedBecauseOf(winner);
    }

    private TableRecord winner() throws IOException {
        return store.newest()
                .orElseThrow(
                        () -> new IOException("The table that was read as version " + before.version() + " is gone"));
    }

    private TableRefusedException refusedBecauseOf(TableRecord winner) {
        return new TableRefusedException("Version " + after.version() + " was made by " + winner.by()
                + " meanwhile; look at the table, and try again");
    }
}
