/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.folder;

import io.trefoil.federation.hdfs.tree.HdfsTree;
import io.trefoil.federation.marks.SealMark;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.EnumSet;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * The marks by which NameNodes keep folders in their places for seals and moves, and let only superusers into those that are closed.
 *
 * <p>Uses {@code XAttrHelper}.
 */
public final class SealMarks {

    private static final DirectoryLists LISTS = MarkedDirectories.SEALED.lists();

    private static final byte[] EMPTY = {};

    private SealMarks() {}

    /**
     * Marks a folder; a removal under way has ended when this returns, or is refused. Needs NameNodes that know of marks.
     *
     * @return false if there are too many; the folder has no mark then
     */
    public static boolean set(ClientProtocol nameNode, String folder) throws IOException {
        HdfsFileStatus there = nameNode.getFileInfo(folder);
        if (there == null) {
            throw new FileNotFoundException("There is no " + folder);
        }
        if (!LISTS.add(nameNode, folder)) {
            return false;
        }
        // By its number: if this arrives late, another folder may be there, which belongs to clients.
        nameNode.setXAttr(
                HdfsTree.byNumber(there.getFileId()),
                XAttrHelper.buildXAttr(SealMark.NAME, EMPTY),
                EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
        return LISTS.add(nameNode, folder);
    }

    /** Whether a folder is there and has a mark that NameNodes heed: one that came late is not listed. */
    public static boolean has(ClientProtocol nameNode, String folder) throws IOException {
        return nameNode.getFileInfo(folder) != null
                && DirectoryLists.attributes(nameNode, folder).containsKey(SealMark.NAME)
                && LISTS.has(nameNode, folder);
    }

    /** Removes the mark of a folder, if it has one; by its number, as it was set. */
    public static void remove(ClientProtocol nameNode, String folder) throws IOException {
        HdfsFileStatus there = nameNode.getFileInfo(folder);
        if (there != null && DirectoryLists.attributes(nameNode, folder).containsKey(SealMark.NAME)) {
            nameNode.removeXAttr(HdfsTree.byNumber(there.getFileId()), XAttrHelper.buildXAttr(SealMark.NAME));
        }
        LISTS.remove(nameNode, folder);
    }
}
