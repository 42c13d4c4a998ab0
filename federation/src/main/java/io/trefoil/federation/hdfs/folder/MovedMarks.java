/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.folder;

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
 * The marks by which NameNodes tell clients with an older table where a subtree is now. The table is the truth: without a mark clients meet
 * a seal.
 *
 * <p>Uses {@code XAttrHelper}.
 */
public final class MovedMarks {
    private static final Logger LOG = LoggerFactory.getLogger(MovedMarks.class);

    private static final DirectoryLists LISTS = MarkedDirectories.GIVEN_AWAY.lists();

    private MovedMarks() {}

    /**
     * Marks the folder at the old owner, or replaces its mark. Needs NameNodes that know of marks, others may have no extended attributes.
     *
     * @return false if there are too many; the folder has no mark then, and the log says so
     */
    public static boolean set(ClientProtocol nameNode, String folder, MovedMark mark) throws IOException {
        HdfsFileStatus there = nameNode.getFileInfo(folder);
        if (there == null) {
            throw new FileNotFoundException("There is no " + folder);
        }
        if (!LISTS.add(nameNode, folder)) {
            LOG.warn(
                    "path={} was handed over but is unmarked, because the lists at the root are full: "
                            + "clients with a stale table hit its seal and refresh; no action needed",
                    folder);
            return false;
        }
        // By its number: if this arrives when a move has brought the subtree back, another folder is there, which
        // belongs to clients.
        nameNode.setXAttr(
                HdfsTree.byNumber(there.getFileId()),
                XAttrHelper.buildXAttr(MovedMark.NAME, mark.value()),
                EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
        return LISTS.add(nameNode, folder);
    }

    /**
     * The number of attributes that the root has for a moment, beside those that it has, when a list of folders is
     * written again, of those that were given away, are sealed, or are entries.
     */
    public static int roomAtRoot(Collection<XAttr> attributes) {
        int moved = 0;
        int entries = 0;
        int seals = 0;
        for (XAttr one : attributes) {
            String name = XAttrHelper.getPrefixedName(one);
            moved += MovedMark.hasFolders(name) ? 1 : 0;
            entries += EntryMark.hasFolders(name) ? 1 : 0;
            seals += SealMark.hasFolders(name) ? 1 : 0;
        }
        return 1 + Math.max(seals, Math.max(moved, entries));
    }

    /** The mark of a folder; empty if it has none, or one that says nothing, or is missing. */
    public static Optional<MovedMark> of(ClientProtocol nameNode, String folder) throws IOException {
        byte[] value = nameNode.getFileInfo(folder) == null
                ? null
                : DirectoryLists.attributes(nameNode, folder).get(MovedMark.NAME);
        try {
            return value == null ? Optional.empty() : Optional.of(MovedMark.parse(value));
        } catch (IllegalArgumentException e) {
            // NameNodes answer such a folder as stock HDFS does.
            return Optional.empty();
        }
    }

    /** Removes the mark of a folder, if it has one; by its number, as it was set. */
    public static void remove(ClientProtocol nameNode, String folder) throws IOException {
        HdfsFileStatus there = nameNode.getFileInfo(folder);
        if (there != null && DirectoryLists.attributes(nameNode, folder).containsKey(MovedMark.NAME)) {
            nameNode.removeXAttr(HdfsTree.byNumber(there.getFileId()), XAttrHelper.buildXAttr(MovedMark.NAME));
        }
        LISTS.remove(nameNode, folder);
    }
}
