/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.table;

import io.trefoil.federation.table.TableStore.DirectoryState;
import java.io.IOException;
import java.util.List;

/**
 * Opens and seals folders as the newest version of the table has them. Whoever does so may stall before any call, while others make
 * versions and seal for these; so it reads the table again afterwards, and what it undid of theirs it does once more.
 *
 * <p>One that ends between the two leaves a folder open that is no longer its nameservice's, which the next change of that folder finds; or
 * sealed, or marked as given away, although it came back. {@code SealRepair} finds that.
 */
public final class Seals {

    private final TableStore store;

    public Seals(TableStore store) {
        this.store = store;
    }

    private SubtreeTable newest() throws IOException {
        return store.requireNewest().table();
    }

    /**
     * Opens a folder at its owner; does nothing if it is another one's.
     *
     * @throws IOException also if it was given away meanwhile, and something was created in it that nobody would find
     */
    public void open(String nameservice, SubtreePath path) throws IOException {
        SubtreeTable table = newest();
        while (table.has(nameservice, path)) {
            if (table.owners().containsKey(path)) {
                // As long as it has a seal, nobody can remove it.
                store.keep(nameservice, path);
            } else {
                store.release(nameservice, path);
            }
            store.unseal(nameservice, path);
            table = newest();
            if (table.has(nameservice, path)) {
                return;
            }
            table = sealAndRedirect(nameservice, path, table);
        }
    }

    /**
     * Seals a folder where it no longer is, and has clients told who has it; opens it if it came back.
     *
     * @throws IOException also if something was created in it that nobody would find
     */
    void close(String nameservice, SubtreePath path) throws IOException {
        SubtreeTable table = newest();
        if (!table.has(nameservice, path)) {
            sealAndRedirect(nameservice, path, table);
            open(nameservice, path);
        }
    }

    /**
     * Seals a folder again whose seal was opened by another quota; does nothing if it is this nameservice's.
     *
     * @throws IOException also if something was created in it that nobody would find, or it came back just when its quota was taken away,
     *     which HDFS does without a condition
     */
    public void reseal(String nameservice, SubtreePath path) throws IOException {
        if (!newest().has(nameservice, path)) {
            if (store.clearOtherQuota(nameservice, path) && newest().has(nameservice, path)) {
                throw new IOException(
                        "the subtree came back just then, and a quota of names, if it had one, was taken away: set it"
                                + " again with hdfs dfsadmin -fs hdfs://" + nameservice + " -setQuota N " + path);
            }
            close(nameservice, path);
        }
    }

    /** @return the newest version, by which it may be this nameservice's again: then this has sealed what others had opened */
    private SubtreeTable sealAndRedirect(String nameservice, SubtreePath path, SubtreeTable table) throws IOException {
        if (store.inspect(nameservice, path) != DirectoryState.SEALED) {
            seal(nameservice, path, table);
        }
        boolean isSealed = store.inspect(nameservice, path) == DirectoryState.SEALED;
        // A hashed directory has no one owner: its name is that of the table.
        String owner = table.hashedAround(path).isPresent() ? table.name() : table.ownerOf(path);
        store.release(nameservice, path);
        store.leave(nameservice, path, owner, table.version());
        SubtreeTable newest = newest();
        if (!isSealed && !newest.has(nameservice, path)) {
            throw new IOException("Version " + newest.version() + " stands, but somebody opened hdfs://" + nameservice
                    + path
                    + " meanwhile and something was created in it, which can be reached by this path alone: copy it to "
                    + resolvedOwner(path, newest));
        }
        return newest;
    }

    private static String resolvedOwner(SubtreePath path, SubtreeTable table) {
        String authority = table.hashedAround(path).isPresent() ? table.name() : table.ownerOf(path);
        return "hdfs://" + authority + path;
    }

    private void seal(String nameservice, SubtreePath path, SubtreeTable table) throws IOException {
        try {
            store.seal(nameservice, path);
        } catch (TableRefusedException e) {
            throw new IOException(
                    "Version " + table.version() + " stands, but somebody opened hdfs://" + nameservice + path
                            + " meanwhile, and it cannot be sealed again, so clients with an older table can create in"
                            + " it what nobody else sees: " + e.getMessage(),
                    e);
        }
    }

    /**
     * Opens the parts of a directory that is hashed; does nothing if it is not hashed any more.
     *
     * @throws IOException also if that ended meanwhile, and something was created in a part
     */
    void openParts(List<String> nameservices, SubtreePath path) throws IOException {
        SubtreeTable table = newest();
        while (table.hashed().containsKey(path)) {
            for (String nameservice : nameservices) {
                store.unseal(nameservice, path.part());
            }
            table = newest();
            if (table.hashed().containsKey(path)) {
                return;
            }
            table = sealParts(nameservices, path, table);
        }
    }

    private SubtreeTable sealParts(List<String> nameservices, SubtreePath path, SubtreeTable table) throws IOException {
        for (String nameservice : nameservices) {
            seal(nameservice, path.part(), table);
        }
        SubtreeTable newest = newest();
        for (String nameservice : nameservices) {
            if (store.inspect(nameservice, path.part()) != DirectoryState.SEALED
                    && !newest.hashed().containsKey(path)) {
                throw new IOException("Version " + newest.version() + " stands, by which " + path
                        + " is not hashed, but somebody opened hdfs://" + nameservice + path.part()
                        + " meanwhile and something was created in it, which can be reached by this path alone: copy"
                        + " it to "
                        + resolvedOwner(path, newest));
            }
        }
        return newest;
    }
}
