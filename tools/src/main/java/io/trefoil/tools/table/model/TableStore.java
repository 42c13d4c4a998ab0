/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.table.model;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The table where it is kept, and the folders of its subtrees. Its calls wait for NameNodes. Not for use by several threads. */
public interface TableStore extends Closeable {

    /** How a path is in one nameservice. */
    enum Folder {
        ABSENT,
        EMPTY,
        /** It has something in it, or is a file. */
        IN_USE,
        /** Empty, and whatever would put something there, remove it or rename it is refused. */
        SEALED
    }

    /** The nameservices that there are. */
    Set<String> nameservices();

    /** The nameservice that keeps the table. */
    String keeper();

    /** The folder in which it keeps it. */
    SubtreePath kept();

    /** Who asks. */
    String user() throws IOException;

    /** The newest version; empty if there is no table yet. */
    Optional<TableRecord> newest() throws IOException;

    /** @throws TableRefusedException if there is none */
    default TableRecord requireNewest() throws IOException {
        return newest().orElseThrow(() -> new TableRefusedException("There is no table in hdfs://" + keeper() + kept()
                + "; create one: hdfs trefoil table create " + "NAME"));
    }

    /** All versions, the oldest first. */
    List<TableRecord> history() throws IOException;

    /**
     * Makes it the newest version, if nobody else has made that number: compare and set. Durable when it returns.
     *
     * @return false if somebody else has; nothing is changed then
     */
    boolean append(TableRecord record) throws IOException;

    Folder look(String nameservice, SubtreePath path) throws IOException;

    /**
     * Seals an empty folder, and creates it before if it is absent. What was in the midst of it may have come first: whoever seals
     * looks again afterwards. Sealing twice is sealing once.
     */
    void seal(String nameservice, SubtreePath path) throws IOException;

    /** The reverse; nothing if it is not sealed. */
    void unseal(String nameservice, SubtreePath path) throws IOException;
}
