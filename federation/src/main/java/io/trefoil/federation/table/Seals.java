/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.table;

import io.trefoil.federation.table.TableStore.DirectoryState;
import java.io.IOException;
import java.util.List;

/**
 * Opens and seals directories in agreement with the newest version of the table. A process that does so may stall before any call, while
 * others make versions and seal for these; so it reads the table again afterwards, and what it undid of theirs it does once more.
 *
 * <p>A process that ends between the two leaves a directory open that is no longer its nameservice's; the next change of that directory
 * finds this; or sealed, or marked as handed over, although it came back. {@code SealRepairer} finds that.
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
     * Opens a directory on its owner; does nothing on another nameservice.
     *
     * @throws IOException also if it was handed over meanwhile, and something was created in it that no client would
     *     find
     */
    public void openDirectory(String nameservice, SubtreePath path) throws IOException {
        SubtreeTable table = newest();
        while (table.ownsContents(nameservice, path)) {
            if (table.owners().containsKey(path)) {
                // As long as it has a seal, no client can remove it.
                store.protectEntry(nameservice, path);
            } else {
                store.unprotectEntry(nameservice, path);
            }
            store.unseal(nameservice, path);
            table = newest();
            if (table.ownsContents(nameservice, path)) {
                return;
            }
            table = sealAndRedirect(nameservice, path, table);
        }
    }

    /**
     * Seals a directory on a nameservice that no longer owns it, and redirects clients to the owner; opens it if it came back.
     *
     * @throws IOException also if something was created in it that no client would find
     */
    void closeDirectory(String nameservice, SubtreePath path) throws IOException {
        SubtreeTable table = newest();
        if (!table.ownsContents(nameservice, path)) {
            sealAndRedirect(nameservice, path, table);
            openDirectory(nameservice, path);
        }
    }

    /**
     * Seals a directory again whose seal was opened by a change of the quota; does nothing if this nameservice owns it.
     *
     * @throws IOException also if something was created in it that no client would find, or it came back just when its quota was taken
     *     away, which HDFS does without a condition
     */
    public void reseal(String nameservice, SubtreePath path) throws IOException {
        if (!newest().ownsContents(nameservice, path)) {
            if (store.clearOtherQuota(nameservice, path) && newest().ownsContents(nameservice, path)) {
                throw new IOException(
                        "the subtree came back just then, and a quota of names, if it had one, was taken away: set it"
                                + " again with hdfs dfsadmin -fs hdfs://" + nameservice + " -setQuota N " + path);
            }
            closeDirectory(nameservice, path);
        }
    }

    /** @return the newest version, by which it may be this nameservice's again: then this has sealed what others had opened */
    private SubtreeTable sealAndRedirect(String nameservice, SubtreePath path, SubtreeTable table) throws IOException {
        if (store.inspect(nameservice, path) != DirectoryState.SEALED) {
            seal(nameservice, path, table);
        }
        boolean isSealed = store.inspect(nameservice, path) == DirectoryState.SEALED;
        // A hashed directory has no single owner: its name is that of the table.
        String owner = table.enclosingHashedDirectory(path).isPresent() ? table.name() : table.ownerOf(path);
        store.unprotectEntry(nameservice, path);
        store.setRedirect(nameservice, path, owner, table.version());
        SubtreeTable newest = newest();
        if (!isSealed && !newest.ownsContents(nameservice, path)) {
            throw new IOException(
                    "Version " + newest.version() + " stands, but the seal was removed from hdfs://" + nameservice
                            + path
                            + " meanwhile and something was created in it, which can be reached by this path alone: copy it to "
                            + resolvedOwner(path, newest));
        }
        return newest;
    }

    private static String resolvedOwner(SubtreePath path, SubtreeTable table) {
        String authority = table.enclosingHashedDirectory(path).isPresent() ? table.name() : table.ownerOf(path);
        return "hdfs://" + authority + path;
    }

    private void seal(String nameservice, SubtreePath path, SubtreeTable table) throws IOException {
        try {
            store.seal(nameservice, path);
        } catch (TableRefusedException e) {
            throw new IOException(
                    "Version " + table.version() + " stands, but the seal was removed from hdfs://" + nameservice + path
                            + " meanwhile, and it cannot be sealed again, so clients with an older table can create in"
                            + " it what no other client sees: " + e.getMessage(),
                    e);
        }
    }

    /**
     * Opens the parts of a hashed directory; does nothing if it is no longer hashed.
     *
     * @throws IOException also if that ended meanwhile, and something was created in a part
     */
    void openParts(List<String> nameservices, SubtreePath path) throws IOException {
        SubtreeTable table = newest();
        while (table.hashedDirectories().containsKey(path)) {
            for (String nameservice : nameservices) {
                store.unseal(nameservice, path.partPath());
            }
            table = newest();
            if (table.hashedDirectories().containsKey(path)) {
                return;
            }
            table = sealParts(nameservices, path, table);
        }
    }

    private SubtreeTable sealParts(List<String> nameservices, SubtreePath path, SubtreeTable table) throws IOException {
        for (String nameservice : nameservices) {
            seal(nameservice, path.partPath(), table);
        }
        SubtreeTable newest = newest();
        for (String nameservice : nameservices) {
            if (store.inspect(nameservice, path.partPath()) != DirectoryState.SEALED
                    && !newest.hashedDirectories().containsKey(path)) {
                throw new IOException("Version " + newest.version() + " stands, by which " + path
                        + " is not hashed, but the seal was removed from hdfs://" + nameservice + path.partPath()
                        + " meanwhile and something was created in it, which can be reached by this path alone: copy"
                        + " it to "
                        + resolvedOwner(path, newest));
            }
        }
        return newest;
    }
}
