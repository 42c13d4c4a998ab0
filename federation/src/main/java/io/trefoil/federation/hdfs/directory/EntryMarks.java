/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.directory;

import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The marks by which NameNodes refuse to delete or rename an entry's directory on its owner. The table is the truth: without a mark such a
 * directory is as any other.
 */
public final class EntryMarks {
    private static final Logger LOG = LoggerFactory.getLogger(EntryMarks.class);

    private static final DirectoryListAttributes LISTS = MarkedDirectories.ENTRIES.lists();

    private EntryMarks() {}

    /**
     * Marks a directory, unless it is already marked. Needs NameNodes that know of marks.
     *
     * @return false if there are too many; the directory has no mark then, and the log says so
     */
    public static boolean setMark(ClientProtocol nameNode, String directory) throws IOException {
        boolean isMarked = LISTS.add(nameNode, directory);
        if (!isMarked) {
            LOG.warn(
                    "path={} belongs to a table entry but is unmarked, because the lists at the root are "
                            + "full: NameNodes let clients delete and rename it; do: add it to "
                            + "fs.protected.directories, or use fewer entries",
                    directory);
        }
        return isMarked;
    }

    /** Removes the mark of a directory, if it has one. */
    public static void removeMark(ClientProtocol nameNode, String directory) throws IOException {
        LISTS.remove(nameNode, directory);
    }
}
