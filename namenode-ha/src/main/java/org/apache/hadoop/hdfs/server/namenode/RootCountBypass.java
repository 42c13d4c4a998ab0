/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import java.util.concurrent.ForkJoinWorkerThread;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.util.ReadOnlyList;

/**
 * Stands in for the root while {@code FSDirectory.updateCountForQuota} begins, shows it no children, and then makes way for the root, so
 * that this count finds nothing to do, and sets nothing.
 *
 * <p>HDFS reads the field of the root once, before it looks at the root itself. It counts in threads of a pool of its
 * own and waits for them. Other code that should look, without HDFS's lock or in a later Hadoop that counts no more,
 * sees the root's attributes and children.
 */
final class RootCountBypass extends INodeDirectory {
    private final FSDirectory directory;
    private final INodeDirectory root;

    private RootCountBypass(FSDirectory directory, INodeDirectory root) {
        super(root, false, withoutAcl(root.getFeatures()));
        this.directory = directory;
        this.root = root;
    }

    /** Drops the root's ACL: HDFS counts the references to an ACL, and the root's is never checked without the lock. */
    private static Feature[] withoutAcl(Feature[] features) {
        return Stream.of(features)
                .filter(feature -> !(feature instanceof AclFeature))
                .toArray(Feature[]::new);
    }

    /** The caller holds the namesystem's write lock until the count has ended. */
    static void replaceRoot(FSDirectory directory) {
        directory.rootDir = new RootCountBypass(directory, directory.rootDir);
    }

    /** Puts the root back, if this object is still in its place. */
    static void restoreRoot(FSDirectory directory) {
        if (directory.rootDir instanceof RootCountBypass) {
            directory.rootDir = ((RootCountBypass) directory.rootDir).root;
        }
    }

    @Override
    public ReadOnlyList<INode> getChildrenList(int snapshotId) {
        restoreRoot(directory);
        return Thread.currentThread() instanceof ForkJoinWorkerThread
                ? ReadOnlyList.Util.emptyList()
                : root.getChildrenList(snapshotId);
    }

    /** Returns no quota, as HDFS sets its counts only where there is a quota. */
    @Override
    public QuotaCounts getQuotaCounts() {
        return new QuotaCounts.Builder()
                .nameSpace(HdfsConstants.QUOTA_RESET)
                .storageSpace(HdfsConstants.QUOTA_RESET)
                .typeSpaces(HdfsConstants.QUOTA_RESET)
                .build();
    }
}
