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
 * Hands over one subtree to another nameservice. At no moment do both accept what is created in it: the directory at the old owner is
 * sealed, then the table changes, then the directory at the new owner is opened. A crash leaves at most a sealed directory at the owner,
 * where creating is refused; requesting the same change again continues from there.
 *
 * <p>A directory that is hashed over several nameservices is handed over in the same way, but its directory stays sealed: the parts are
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
     * Checks whether a change can be made, with all the checks of making it; changes nothing.
     *
     * @throws TableRefusedException if not; the text says why
     */
    public static SubtreeHandover plan(TableStore store, SubtreeTable before, TableChange change) throws IOException {
        SubtreeTable after = change.applyTo(before, store.nameservices(), store.tableDirectory());
        SubtreeHandover handover = new SubtreeHandover(store, before, change, after);
        store.requireOwners(handover.affectedNameservices());
        handover.requireDirectories();
        TableRefusedException.requireNone(handover.obstacles());
        return handover;
    }

    /** All nameservices that a change may affect; a user who is refused halfway would leave a sealed directory behind. */
    private Set<String> affectedNameservices() {
        Set<String> concerned = new TreeSet<>(change.nameservices());
        concerned.add(store.tableNameservice());
        concerned.add(after.ownerOf(change.path()));
        if (change.isUnhash()) {
            concerned.addAll(hashNameservices());
        } else {
            concerned.add(from());
        }
        return concerned;
    }

    /**
     * Finds the handover whose version is already the newest, although its process may have exited before the rest was done, which {@link
     * #finish} does. Empty if the newest version is that of another change.
     */
    public static Optional<SubtreeHandover> findCommitted(TableStore store, TableChange change) throws IOException {
        List<TableRecord> history = store.history();
        int newest = history.size() - 1;
        if (newest < 1 || !history.get(newest).change().equals(change.text())) {
            return Optional.empty();
        }
        SubtreeTable before = history.get(newest - 1).table();
        SubtreeHandover handover =
                new SubtreeHandover(store, before, change, history.get(newest).table());
        store.requireSuperuser(handover.affectedNameservices());
        return Optional.of(handover);
    }

    /** The obstacles that the calls of {@link #run} would refuse, found by the same checks. */
    private List<String> obstacles() throws IOException {
        List<String> obstacles = new ArrayList<>();
        if (change.isUnhash()) {
            for (String nameservice : hashNameservices()) {
                obstacles.addAll(store.sealObstacles(nameservice, change.path().partPath()));
            }
            return obstacles;
        }
        if (change.isHash()) {
            obstacles.addAll(store.partObstacles(from(), change.path()));
        }
        obstacles.addAll(store.sealObstacles(from(), change.path()));
        return obstacles;
    }

    private void requireDirectories() throws IOException {
        if (change.isHash()) {
            requireEmpty();
            requireSameHashing();
            return;
        }
        if (change.isUnhash()) {
            requirePartsEmpty();
            return;
        }
        if (store.inspect(from(), change.path()) == DirectoryState.IN_USE) {
            throw new TableRefusedException("hdfs://" + from() + change.path()
                    + " is not an empty directory: what is in it could no longer be reached. Copy it to hdfs://" + to()
                    + change.path() + " and move it out of the way first");
        }
        if (store.inspect(to(), change.path()) == DirectoryState.ABSENT) {
            throw new TableRefusedException(
                    "There is no directory for it, create it: hdfs dfs -mkdir -p hdfs://" + to() + change.path());
        }
    }

    private void requireEmpty() throws IOException {
        DirectoryState directory = store.inspect(from(), change.path());
        if (directory != DirectoryState.EMPTY && directory != DirectoryState.SEALED) {
            throw new TableRefusedException("hdfs://" + from() + change.path()
                    + (directory == DirectoryState.ABSENT
                            ? " is missing, create it: its owner and permission are those of the hashed" + " directory"
                            : " is not an empty directory: what is in it could no longer be reached. Move it out"
                                    + " of the way first"));
        }
        for (String nameservice : change.nameservices()) {
            if (store.inspect(nameservice, change.path().partPath()) == DirectoryState.IN_USE) {
                throw new TableRefusedException(
                        "hdfs://" + nameservice + change.path().partPath() + " is not empty: " + change.path()
                                + " was hashed before. Move it out of the way first");
            }
        }
    }

    /** Clients with an older table spread the files over the nameservices in that table. */
    private void requireSameHashing() throws IOException {
        for (TableRecord past : store.history()) {
            List<String> earlier = past.table().hashedDirectories().get(change.path());
            if (earlier != null && !earlier.equals(change.nameservices())) {
                throw new TableRefusedException(change.path() + " was hashed over " + String.join(",", earlier)
                        + " before, and clients with an older table would put files where they were then; hash it over"
                        + " the same ones, or another directory");
            }
        }
    }

    private List<String> hashNameservices() {
        return before.hashedDirectories().get(change.path());
    }

    private void requirePartsEmpty() throws IOException {
        for (String nameservice : hashNameservices()) {
            requireNotInUse(nameservice, change.path().partPath(), "there is something in " + change.path());
            requireNotInUse(
                    nameservice, change.path().renamesPath(), "a rename in " + change.path() + " was left half done");
        }
    }

    private void requireNotInUse(String nameservice, SubtreePath path, String reason) throws IOException {
        if (store.inspect(nameservice, path) == DirectoryState.IN_USE) {
            HashedCopy copy = new HashedCopy(
                    before,
                    change.path(),
                    to(),
                    "hdfs trefoil table " + change.text() + " --table hdfs://" + store.tableNameservice()
                            + store.tableDirectory());
            throw new TableRefusedException("hdfs://" + nameservice + path + " is not empty: " + reason + ".\n"
                    + String.join("\n", copy.lines()));
        }
    }

    /** The owner before the change; for a directory that was hashed, all its nameservices. */
    public String from() {
        return change.isUnhash() ? String.join(",", hashNameservices()) : before.ownerOf(change.path());
    }

    /** The owner after the change; for a hashed directory, all its nameservices. */
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
     * @throws TableRefusedException if something was created in the directory, or another process changed the table at the same
     *     time: nothing has changed then
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
            seals.openDirectory(from(), path);
            requireDirectories();
            throw new TableRefusedException("hdfs://" + from() + path + " was changed while it was sealed");
        }
        appendVersion(now);
        finish();
    }

    private void unhash(Instant now) throws IOException {
        SubtreePath part = change.path().partPath();
        for (String nameservice : hashNameservices()) {
            store.seal(nameservice, part);
        }
        // Each was empty and sealed, so all are at once, and stay so.
        for (String nameservice : hashNameservices()) {
            if (store.inspect(nameservice, part) != DirectoryState.SEALED) {
                seals.openParts(hashNameservices(), change.path());
                requirePartsEmpty();
                throw new TableRefusedException("hdfs://" + nameservice + part + " was changed while it was sealed");
            }
        }
        boolean wasMarked = store.clearRedirect(to(), change.path());
        if (!store.append(TableRecord.of(after, change.text(), store.user(), now))) {
            TableRecord winner = conflictingRecord();
            seals.openParts(hashNameservices(), change.path());
            if (wasMarked) {
                seals.closeDirectory(to(), change.path());
            }
            throw conflictRefusal(winner);
        }
        finish();
    }

    /**
     * Does the work that follows the new version, as far as the newest version still requires it; may be repeated.
     *
     * @throws IOException also if something was created at the old owner, in a directory that a change that was refused had opened
     */
    public void finish() throws IOException {
        if (change.isHash()) {
            // Its directory stays with the owner of what is around it, and stays sealed.
            seals.closeDirectory(from(), change.path());
            // They are sealed if it was hashed before.
            seals.openParts(change.nameservices(), change.path());
            return;
        }
        seals.openDirectory(to(), change.path());
        if (!change.isUnhash()) {
            seals.closeDirectory(from(), change.path());
        }
    }

    /**
     * Whether the copy of the files of a directory that will no longer be hashed can replace its owner's directory; changes nothing.
     *
     * @throws TableRefusedException if not; the text says why
     */
    public void requireCopy() throws IOException {
        requireCopyCanBePlaced();
        DirectoryState copy = store.inspect(to(), copyPath());
        if (copy == DirectoryState.ABSENT) {
            throw new TableRefusedException("There is no hdfs://" + to() + copyPath()
                    + ": copy the files as 'hdfs trefoil table " + change.text()
                    + "' says, or leave --with-copy out; nothing was changed");
        }
    }

    private void requireCopyCanBePlaced() throws IOException {
        if (store.inspect(to(), change.path()) == DirectoryState.IN_USE) {
            throw new TableRefusedException("hdfs://" + to() + change.path()
                    + " is not an empty directory, and hdfs://" + to() + copyPath()
                    + " does not replace it: move out of the way what is in it, and repeat the command");
        }
    }

    private SubtreePath copyPath() {
        return HashedCopy.copyPath(change.path());
    }

    /** Replaces the owner's directory with that copy when everything else is done; does nothing if that has been done. */
    public void placeCopy() throws IOException {
        if (store.inspect(to(), copyPath()) != DirectoryState.ABSENT) {
            requireCopyCanBePlaced();
            store.replaceEmpty(to(), change.path(), copyPath());
        }
    }

    /** @throws TableRefusedException if another process has changed the table meanwhile; all is as it was then */
    private void appendVersion(Instant now) throws IOException {
        SubtreePath path = change.path();
        // What the new owner was told when it gave the directory away goes before the new version is written, by which
        // clients come back to it. Until then they meet the seal there.
        boolean wasMarked = !change.isHash() && store.clearRedirect(to(), path);
        if (store.append(TableRecord.of(after, change.text(), store.user(), now))) {
            return;
        }
        TableRecord winner = conflictingRecord();
        seals.openDirectory(from(), path);
        if (wasMarked) {
            seals.closeDirectory(to(), path);
        }
        throw conflictRefusal(winner);
    }

    private TableRecord conflictingRecord() throws IOException {
        return store.newest()
                .orElseThrow(
                        () -> new IOException("The table that was read as version " + before.version() + " is gone"));
    }

    private TableRefusedException conflictRefusal(TableRecord winner) {
        return new TableRefusedException("Version " + after.version() + " was made by " + winner.requester()
                + " meanwhile; look at the table, and try again");
    }
}
