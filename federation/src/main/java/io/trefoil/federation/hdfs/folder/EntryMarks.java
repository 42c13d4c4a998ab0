/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.folder;

import io.trefoil.federation.marks.EntryMark;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;

/**
 * The marks by which NameNodes refuse to delete or rename an entry's folder at its owner. The table is the truth: without a mark such a
 * folder is as any other.
 */
public final class EntryMarks {

    private static final FolderLists LISTS = new FolderLists(EntryMark::foldersName, EntryMark::hasFolders);

    private EntryMarks() {}

    /** Marks a folder; does nothing if it is marked, or if there are too many. Needs NameNodes that know of marks. */
    public static void set(ClientProtocol nameNode, String folder) throws IOException {
        LISTS.add(nameNode, folder);
    }

    /** Removes the mark of a folder, if it has one. */
    public static void remove(ClientProtocol nameNode, String folder) throws IOException {
        LISTS.remove(nameNode, folder);
    }
}
