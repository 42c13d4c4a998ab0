/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.move;

import io.trefoil.federation.hdfs.tree.CallerContexts;
import io.trefoil.federation.hdfs.tree.HdfsTree;
import io.trefoil.federation.marks.SubtreeCaller;
import io.trefoil.federation.move.InitialQuotas;
import io.trefoil.federation.move.TreeNode;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Consumer;
import org.apache.hadoop.fs.PathIsNotDirectoryException;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.ipc.RemoteException;

/**
 * Gives the source's folder its first quota, for which HDFS counts everything in it while no other call is answered. So
 * large folders in it get one before, which refuses nothing, and lose it as soon as all is counted. Belongs to one
 * thread.
 */
final class InitialQuota {

    private final HdfsDirectory folder;
    private final String path;
    private final ClientProtocol nameNode;
    private final HdfsTree tree;
    private final long slice;
    private final Consumer<String> progress;
    private List<String> before = Collections.emptyList();
    /** Whether no process has left a quota in it. */
    private boolean isSwept;

    /**
     * @param nameNode the source's, which asks for a permit before each call that changes something
     * @param slice how many files and folders one call counts at most, unless a folder has more
     */
    InitialQuota(
            HdfsDirectory folder,
            String path,
            ClientProtocol nameNode,
            HdfsTree tree,
            long slice,
            Consumer<String> progress) {
        this.folder = folder;
        this.path = path;
        this.nameNode = nameNode;
        this.tree = tree;
        this.slice = slice;
        this.progress = progress;
    }

    /** The tree was read in full: takes quotas away that an earlier process has left. */
    void clearLeftovers(SortedMap<String, TreeNode> found) throws IOException {
        before = InitialQuotas.before(found, slice);
        sweepFound();
    }

    /** Takes quotas away that an earlier process may have left, or this one. */
    void sweep() throws IOException {
        if (!isSwept) {
            tree.readQuotas(path);
            sweepFound();
        }
    }

    private void sweepFound() throws IOException {
        for (String left : tree.takeFoldersWithAnyRoom()) {
            if (left.startsWith(path + "/")) {
                clear(left);
            }
        }
        isSwept = true;
    }

    /** Sets a quota that refuses nothing, unless the folder has one. */
    void set() throws IOException {
        if (folder.hasQuotas()) {
            return;
        }
        isSwept = before.isEmpty();
        Deque<String> given = new ArrayDeque<>();
        for (String inside : before) {
            if (give(path + inside)) {
                given.push(path + inside);
            }
        }
        folder.prepareQuotas();
        List<String> renamed = cleared(given);
        isSwept = renamed.isEmpty();
        if (!isSwept) {
            progress.accept("Folders were renamed while quotas were counted, and may keep one of " + HdfsTree.ANY_ROOM
                    + " names, which refuses nothing, if they are not in " + path + " any more: " + renamed);
        }
    }

    /** Clears the quotas of folders; returns the folders that do not exist any more. */
    private List<String> cleared(Collection<String> given) throws IOException {
        List<String> renamed = new ArrayList<>();
        for (String one : given) {
            if (!clear(one)) {
                renamed.add(one);
            }
        }
        return renamed;
    }

    private interface Change {
        void run() throws IOException;
    }

    /** Returns false if it has a quota, or is not there any more. */
    private boolean give(String inside) throws IOException {
        QuotaUsage now = usage(inside);
        return now != null
                && now.getQuota() < 0
                && now.getSpaceQuota() < 0
                && exists(() -> nameNode.setQuota(inside, HdfsDirectory.ANY_ROOM, HdfsConstants.QUOTA_DONT_SET, null));
    }

    /** Returns false if no such folder has the quota. */
    private boolean clear(String inside) throws IOException {
        QuotaUsage now = usage(inside);
        return now != null
                && now.getQuota() == HdfsDirectory.ANY_ROOM
                && exists(
                        () -> nameNode.setQuota(inside, HdfsConstants.QUOTA_RESET, HdfsConstants.QUOTA_DONT_SET, null));
    }

    /** The quota usage of a folder; null if there is no such folder. */
    private QuotaUsage usage(String inside) throws IOException {
        HdfsFileStatus now = nameNode.getFileInfo(inside);
        if (now == null || !now.isDirectory()) {
            return null;
        }
        // By the number NameNodes with gates do not count what is in it.
        String number = HdfsTree.byNumber(now.getFileId());
        try {
            return CallerContexts.with(SubtreeCaller.QUOTAS, () -> nameNode.getQuotaUsage(number));
        } catch (RemoteException e) {
            if (!HdfsTree.isDeletedInode(e)) {
                throw e;
            }
            return null;
        }
    }

    private static boolean exists(Change change) throws IOException {
        try {
            change.run();
            return true;
        } catch (RemoteException e) {
            IOException reason =
                    e.unwrapRemoteException(FileNotFoundException.class, PathIsNotDirectoryException.class);
            if (reason == e) {
                throw e;
            }
            return false;
        }
    }
}
