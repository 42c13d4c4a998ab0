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
 * Gives the source's directory its first quota, for which HDFS counts everything in it without answering other calls. So
 * large directories in it get one before, which refuses nothing, and lose it as soon as all is counted. Belongs to one
 * thread.
 */
final class InitialQuota {

    private final HdfsDirectory directory;
    private final String path;
    private final ClientProtocol nameNode;
    private final HdfsTree tree;
    private final long slice;
    private final Consumer<String> progress;
    private List<String> before = Collections.emptyList();
    /** Whether no process has left a quota in the directory. */
    private boolean isSwept;

    /**
     * @param nameNode the source's, which asks for a permit before each call that changes something
     * @param slice how many files and directories one call counts at most, unless a directory has more
     */
    InitialQuota(
            HdfsDirectory directory,
            String path,
            ClientProtocol nameNode,
            HdfsTree tree,
            long slice,
            Consumer<String> progress) {
        this.directory = directory;
        this.path = path;
        this.nameNode = nameNode;
        this.tree = tree;
        this.slice = slice;
        this.progress = progress;
    }

    /** Removes quotas left by an earlier process, once the tree was read in full. */
    void clearLeftovers(SortedMap<String, TreeNode> foundNodes) throws IOException {
        before = InitialQuotas.select(foundNodes, slice);
        clearFoundLeftovers();
    }

    /** Removes quotas that an earlier process, or this one, may have left. */
    void sweep() throws IOException {
        if (!isSwept) {
            tree.readQuotas(path);
            clearFoundLeftovers();
        }
    }

    private void clearFoundLeftovers() throws IOException {
        for (String left : tree.drainDirectoriesWithMarkerQuota()) {
            if (left.startsWith(path + "/")) {
                clearQuota(left);
            }
        }
        isSwept = true;
    }

    /** Sets a quota that refuses nothing, unless the directory already has one. */
    void set() throws IOException {
        if (directory.hasQuotas()) {
            return;
        }
        isSwept = before.isEmpty();
        Deque<String> given = new ArrayDeque<>();
        for (String relativePath : before) {
            if (setQuota(path + relativePath)) {
                given.push(path + relativePath);
            }
        }
        directory.prepareQuotas();
        List<String> renamed = clearQuotas(given);
        isSwept = renamed.isEmpty();
        if (!isSwept) {
            progress.accept(
                    "Directories were renamed while quotas were counted, and may keep one of " + HdfsTree.ANY_ROOM
                            + " names, which refuses nothing, if they are not in " + path + " any more: " + renamed);
        }
    }

    /** Clears the quotas of directories; returns the directories that no longer exist. */
    private List<String> clearQuotas(Collection<String> paths) throws IOException {
        List<String> renamed = new ArrayList<>();
        for (String one : paths) {
            if (!clearQuota(one)) {
                renamed.add(one);
            }
        }
        return renamed;
    }

    private interface Change {
        void run() throws IOException;
    }

    /** Sets the quota; returns false if the directory has a quota, or no longer exists. */
    private boolean setQuota(String relativePath) throws IOException {
        QuotaUsage now = usage(relativePath);
        return now != null
                && now.getQuota() < 0
                && now.getSpaceQuota() < 0
                && tryApply(() ->
                        nameNode.setQuota(relativePath, HdfsDirectory.ANY_ROOM, HdfsConstants.QUOTA_DONT_SET, null));
    }

    /** Clears the quota; returns false if no such directory has it. */
    private boolean clearQuota(String relativePath) throws IOException {
        QuotaUsage now = usage(relativePath);
        return now != null
                && now.getQuota() == HdfsDirectory.ANY_ROOM
                && tryApply(() ->
                        nameNode.setQuota(relativePath, HdfsConstants.QUOTA_RESET, HdfsConstants.QUOTA_DONT_SET, null));
    }

    /** The quota usage of a directory; null if there is no such directory. */
    private QuotaUsage usage(String relativePath) throws IOException {
        HdfsFileStatus now = nameNode.getFileInfo(relativePath);
        if (now == null || !now.isDirectory()) {
            return null;
        }
        // By the id NameNodes with gates do not count what is in it.
        String number = HdfsTree.inodePath(now.getFileId());
        try {
            return CallerContexts.callWithContext(SubtreeCaller.QUOTAS, () -> nameNode.getQuotaUsage(number));
        } catch (RemoteException e) {
            if (!HdfsTree.isDeletedInode(e)) {
                throw e;
            }
            return null;
        }
    }

    /** Applies a change; returns false if its directory does not exist. */
    private static boolean tryApply(Change change) throws IOException {
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
