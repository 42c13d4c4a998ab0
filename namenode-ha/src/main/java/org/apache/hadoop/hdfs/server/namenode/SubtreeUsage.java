/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import java.util.function.BiConsumer;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockStoragePolicySuite;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;

/**
 * The usage of quotas by a subtree, counted as {@code FSDirectory.updateCountForQuota} does, including inodes that exist only in snapshots. The caller holds HDFS's locks.
 */
final class SubtreeUsage {
    private final BlockStoragePolicySuite policies;
    private final BiConsumer<INodeDirectory, QuotaCounts> counted;

    private SubtreeUsage(BlockStoragePolicySuite policies, BiConsumer<INodeDirectory, QuotaCounts> onCounted) {
        this.policies = policies;
        this.counted = onCounted;
    }

    /** @param policyAbove the storage policy of the directory that it is in */
    static QuotaCounts of(BlockStoragePolicySuite policies, INode topInode, byte policyAbove) {
        return new SubtreeUsage(policies, (directory, counts) -> {}).count(topInode, policyAbove);
    }

    /** Counts the usage of a subtree, and sets the counts of the quotas in it. */
    static QuotaCounts set(BlockStoragePolicySuite policies, INode topInode, byte policyAbove) {
        return new SubtreeUsage(policies, SubtreeUsage::set).count(topInode, policyAbove);
    }

    private static void set(INodeDirectory directory, QuotaCounts counts) {
        DirectoryWithQuotaFeature quota = directory.getDirectoryWithQuotaFeature();
        if (quota != null) {
            quota.setSpaceConsumed(counts);
        }
    }

    private QuotaCounts count(INode node, byte policyAbove) {
        byte policy = node.getStoragePolicyIDForQuota(policyAbove);
        if (!node.isDirectory()) {
            return node.computeQuotaUsage(policies, policy, false, Snapshot.CURRENT_STATE_ID);
        }
        INodeDirectory directory = node.asDirectory();
        QuotaCounts counts =
                directory.computeQuotaUsage4CurrentDirectory(policies, policy, new QuotaCounts.Builder().build());
        for (INode child : directory.getChildrenList(Snapshot.CURRENT_STATE_ID)) {
            counts.add(count(child, policy));
        }
        counted.accept(directory, counts);
        return counts;
    }
}
