/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.directory;

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
 * The marks by which NameNodes keep directories in place for seals and moves, and admit only superusers to those that are closed.
 *
 * <p>Uses {@code XAttrHelper}.
 */
public final class SealMarks {

    private static final DirectoryListAttributes LISTS = MarkedDirectories.SEALED.lists();

    private static final byte[] EMPTY = {};

    private SealMarks() {}

    /**
     * Marks a directory; a removal in progress has ended or is refused when this returns. Needs NameNodes that know of marks.
     *
     * @return false if there are too many; the directory has no mark then
     */
    public static boolean setMark(ClientProtocol nameNode, String directory) throws IOException {
        HdfsFileStatus there = nameNode.getFileInfo(directory);
        if (there == null) {
            throw new FileNotFoundException("There is no " + directory);
        }
        if (!LISTS.add(nameNode, directory)) {
            return false;
        }
        // By its id: if this arrives late, another directory may be there, which belongs to clients.
        nameNode.setXAttr(
                HdfsTree.inodePath(there.getFileId()),
                XAttrHelper.buildXAttr(SealMark.NAME, EMPTY),
                EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
        return LISTS.add(nameNode, directory);
    }

    /** Whether a directory exists and has a mark that NameNodes obey: one that was set late is not listed. */
    public static boolean hasMark(ClientProtocol nameNode, String directory) throws IOException {
        return nameNode.getFileInfo(directory) != null
                && DirectoryListAttributes.attributes(nameNode, directory).containsKey(SealMark.NAME)
                && LISTS.contains(nameNode, directory);
    }

    /** Removes the mark of a directory, if it has one; by inode id, as it was set. */
    public static void removeMark(ClientProtocol nameNode, String directory) throws IOException {
        HdfsFileStatus there = nameNode.getFileInfo(directory);
        if (there != null
                && DirectoryListAttributes.attributes(nameNode, directory).containsKey(SealMark.NAME)) {
            nameNode.removeXAttr(HdfsTree.inodePath(there.getFileId()), XAttrHelper.buildXAttr(SealMark.NAME));
        }
        LISTS.remove(nameNode, directory);
    }
}
