/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.directory;

import io.trefoil.federation.hdfs.tree.HdfsTree;
import io.trefoil.federation.marks.EntryMark;
import io.trefoil.federation.marks.MovedMark;
import io.trefoil.federation.marks.SealMark;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Optional;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The marks by which NameNodes redirect clients with an older table to a subtree's new owner. The table is the truth: without a mark
 * clients meet a seal.
 *
 * <p>Uses {@code XAttrHelper}.
 */
public final class MovedMarks {
    private static final Logger LOG = LoggerFactory.getLogger(MovedMarks.class);

    private static final DirectoryListAttributes LISTS = MarkedDirectories.GIVEN_AWAY.lists();

    private MovedMarks() {}

    /**
     * Marks the directory on the old owner, or replaces its mark. Needs NameNodes that know of marks, others may have no extended
     * attributes.
     *
     * @return false if there are too many; the directory has no mark then, and the log says so
     */
    public static boolean set(ClientProtocol nameNode, String directory, MovedMark mark) throws IOException {
        HdfsFileStatus there = nameNode.getFileInfo(directory);
        if (there == null) {
            throw new FileNotFoundException("There is no " + directory);
        }
        if (!LISTS.add(nameNode, directory)) {
            LOG.info(
                    "Cannot mark path={} as moved, as the lists of such directories at the root are full: "
                            + "clients with a stale table are stopped by its seal and refresh the table",
                    directory);
            return false;
        }
        // By its id: if this arrives when a move has brought the subtree back, another directory is there, which
        // belongs to clients.
        nameNode.setXAttr(
                HdfsTree.inodePath(there.getFileId()),
                XAttrHelper.buildXAttr(MovedMark.NAME, mark.value()),
                EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
        return LISTS.add(nameNode, directory);
    }

    /**
     * The number of extra attributes that the root has for a moment while a list of directories is rewritten: of those handed over, sealed,
     * or entries.
     */
    public static int rootAttributesNeeded(Collection<XAttr> attributes) {
        int moved = 0;
        int entries = 0;
        int seals = 0;
        for (XAttr attr : attributes) {
            String name = XAttrHelper.getPrefixedName(attr);
            moved += MovedMark.isDirectoriesAttribute(name) ? 1 : 0;
            entries += EntryMark.isDirectoriesAttribute(name) ? 1 : 0;
            seals += SealMark.isDirectoriesAttribute(name) ? 1 : 0;
        }
        return 1 + Math.max(seals, Math.max(moved, entries));
    }

    /** The mark of a directory; empty if it has none, the mark is meaningless, or the directory is missing. */
    public static Optional<MovedMark> findMark(ClientProtocol nameNode, String directory) throws IOException {
        byte[] value = nameNode.getFileInfo(directory) == null
                ? null
                : DirectoryListAttributes.attributes(nameNode, directory).get(MovedMark.NAME);
        try {
            return value == null ? Optional.empty() : Optional.of(MovedMark.parse(value));
        } catch (IllegalArgumentException e) {
            // NameNodes answer such a directory as stock HDFS does.
            return Optional.empty();
        }
    }

    /** Removes the mark of a directory, if it has one; by inode id, as it was set. */
    public static void remove(ClientProtocol nameNode, String directory) throws IOException {
        HdfsFileStatus there = nameNode.getFileInfo(directory);
        if (there != null
                && DirectoryListAttributes.attributes(nameNode, directory).containsKey(MovedMark.NAME)) {
            nameNode.removeXAttr(HdfsTree.inodePath(there.getFileId()), XAttrHelper.buildXAttr(MovedMark.NAME));
        }
        LISTS.remove(nameNode, directory);
    }
}
