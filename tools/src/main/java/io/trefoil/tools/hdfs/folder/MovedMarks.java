/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.hdfs.folder;

import io.trefoil.foundation.subtrees.MovedMark;
import io.trefoil.tools.hdfs.tree.HdfsTree;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.ipc.RemoteException;

/**
 * The marks by which NameNodes tell clients with an older table where a subtree is now. The table is the truth: without a mark clients meet
 * a seal.
 *
 * <p>Uses {@code XAttrHelper}.
 */
public final class MovedMarks {

    private static final String ROOT = "/";

    /** HDFS takes 16 KB as an attribute's value. */
    private static final int LONGEST = 12 << 10;

    private MovedMarks() {}

    /**
     * Marks the folder at the old owner, or replaces its mark; does nothing if there are too many. Needs NameNodes that know of marks, others
     * may have no extended attributes.
     */
    public static void set(ClientProtocol nameNode, String folder, MovedMark mark) throws IOException {
        HdfsFileStatus there = nameNode.getFileInfo(folder);
        if (there == null) {
            throw new FileNotFoundException("There is no " + folder);
        }
        Map<String, byte[]> lists = lists(nameNode);
        Set<String> folders = folders(lists);
        if (folders.add(folder) && !replace(nameNode, lists.keySet(), folders)) {
            return;
        }
        // By its number: if this arrives when a move has brought the subtree back, another folder is there, which
        // belongs to clients.
        nameNode.setXAttr(
                HdfsTree.byNumber(there.getFileId()),
                XAttrHelper.buildXAttr(MovedMark.NAME, mark.value()),
                EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
    }

    /** The mark of a folder; empty if it has none, or one that says nothing, or is missing. */
    public static Optional<MovedMark> of(ClientProtocol nameNode, String folder) throws IOException {
        byte[] value = nameNode.getFileInfo(folder) == null
                ? null
                : attributes(nameNode, folder).get(MovedMark.NAME);
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
        if (there != null && attributes(nameNode, folder).containsKey(MovedMark.NAME)) {
            nameNode.removeXAttr(HdfsTree.byNumber(there.getFileId()), XAttrHelper.buildXAttr(MovedMark.NAME));
        }
        Map<String, byte[]> lists = lists(nameNode);
        Set<String> folders = folders(lists);
        if (folders.remove(folder)) {
            replace(nameNode, lists.keySet(), folders);
        }
    }

    /**
     * Makes one list of several, or of one. What others add meanwhile is in a list of its own, and stays; what they remove may come back,
     * which does no harm. So it is after a crash between the two steps.
     *
     * @return false if it would be too long; nothing has changed then
     */
    private static boolean replace(ClientProtocol nameNode, Set<String> lists, Set<String> folders) throws IOException {
        byte[] value = MovedMark.folders(folders);
        if (value.length > LONGEST) {
            return false;
        }
        if (!folders.isEmpty()) {
            String name = MovedMark.foldersName(UUID.randomUUID().toString());
            nameNode.setXAttr(ROOT, XAttrHelper.buildXAttr(name, value), EnumSet.of(XAttrSetFlag.CREATE));
        }
        for (String list : lists) {
            removeList(nameNode, list);
        }
        return true;
    }

    /** Others may have replaced it, too. */
    private static void removeList(ClientProtocol nameNode, String list) throws IOException {
        try {
            nameNode.removeXAttr(ROOT, XAttrHelper.buildXAttr(list));
        } catch (RemoteException e) {
            if (attributes(nameNode, ROOT).containsKey(list)) {
                throw e;
            }
        }
    }

    private static Set<String> folders(Map<String, byte[]> lists) {
        Set<String> folders = new TreeSet<>();
        for (byte[] one : lists.values()) {
            folders.addAll(MovedMark.folders(one));
        }
        return folders;
    }

    private static Map<String, byte[]> lists(ClientProtocol nameNode) throws IOException {
        Map<String, byte[]> lists = attributes(nameNode, ROOT);
        lists.keySet().removeIf(name -> !MovedMark.hasFolders(name));
        return lists;
    }

    private static Map<String, byte[]> attributes(ClientProtocol nameNode, String folder) throws IOException {
        Map<String, byte[]> attributes = new TreeMap<>();
        for (XAttr one : nameNode.getXAttrs(folder, null)) {
            byte[] value = one.getValue();
            attributes.put(XAttrHelper.getPrefixedName(one), value == null ? new byte[0] : value);
        }
        return attributes;
    }
}
