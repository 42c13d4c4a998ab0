/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.folder;

import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The marks by which NameNodes refuse to delete or rename an entry's folder at its owner. The table is the truth: without a mark such a
 * folder is as any other.
 */
public final class EntryMarks {
    private static final Logger LOG = LoggerFactory.getLogger(EntryMarks.class);

    private static final DirectoryLists LISTS = MarkedDirectories.ENTRIES.lists();

    private EntryMarks() {}

    /**
     * Marks a folder, unless it is marked. Needs NameNodes that know of marks.
     *
     * @return false if there are too many; the folder has no mark then, and the log says so
     */
    public static boolean set(ClientProtocol nameNode, String folder) throws IOException {
        boolean isMarked = LISTS.add(nameNode, folder);
        if (!isMarked) {
            LOG.warn(
                    "path={} belongs to a table entry but is unmarked, because the lists at the root are "
                            + "full: NameNodes let clients delete and rename it; do: name it in "
                            + "fs.protected.directories, or have fewer entries",
                    folder);
        }
        return isMarked;
    }

    /** Removes the mark of a folder, if it has one. */
    public static void remove(ClientProtocol nameNode, String folder) throws IOException {
        LISTS.remove(nameNode, folder);
    }
}
