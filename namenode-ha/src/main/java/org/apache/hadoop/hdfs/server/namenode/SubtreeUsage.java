/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import java.util.function.BiConsumer;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockStoragePolicySuite;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;

/**
 * The usage of quotas by a subtree, counted as {@code FSDirectory.updateCountForQuota} does. The caller holds HDFS's
 * locks.
 *
 * <p>Refuses subtrees with snapshots in them. Names of a file or folder that was renamed after a snapshot, and what only a
 * snapshot still has, count in more than one place, so that a change of one place says nothing about the others.
 */
final class SubtreeUsage {
    private final BlockStoragePolicySuite policies;
    private final BiConsumer<INodeDirectory, QuotaCounts> counted;

    private SubtreeUsage(BlockStoragePolicySuite policies, BiConsumer<INodeDirectory, QuotaCounts> counted) {
        this.policies = policies;
        this.counted = counted;
    }

    /** @param policyAbove the storage policy of the folder that it is in */
    static QuotaCounts of(BlockStoragePolicySuite policies, INode top, byte policyAbove) throws UncountableException {
        return new SubtreeUsage(policies, (folder, counts) -> {}).count(top, policyAbove);
    }

    /** Counts the usage of a subtree, and sets what the quotas in it have counted. */
    static QuotaCounts set(BlockStoragePolicySuite policies, INode top, byte policyAbove) throws UncountableException {
        return new SubtreeUsage(policies, SubtreeUsage::set).count(top, policyAbove);
    }

    private static void set(INodeDirectory folder, QuotaCounts counts) {
        DirectoryWithQuotaFeature quota = folder.getDirectoryWithQuotaFeature();
        if (quota != null) {
            quota.setSpaceConsumed(counts);
        }
    }

    private QuotaCounts count(INode node, byte policyAbove) throws UncountableException {
        requireNoSnapshots(node);
        byte policy = node.getStoragePolicyIDForQuota(policyAbove);
        if (!node.isDirectory()) {
            return node.computeQuotaUsage(policies, policy, false, Snapshot.CURRENT_STATE_ID);
        }
        INodeDirectory folder = node.asDirectory();
        QuotaCounts counts = new QuotaCounts.Builder().nameSpace(1).build();
        for (INode child : folder.getChildrenList(Snapshot.CURRENT_STATE_ID)) {
            counts.add(count(child, policy));
        }
        counted.accept(folder, counts);
        return counts;
    }

    /** A folder of which snapshots may be made, but none are, is like any other. */
    static void requireNoSnapshots(INode node) throws UncountableException {
        boolean involved = node.isReference()
                || (node.isDirectory()
                        ? node.asDirectory().isWithSnapshot()
                                && !node.asDirectory().getDiffs().isEmpty()
                        : node.isFile() && node.asFile().isWithSnapshot());
        if (involved) {
            throw new UncountableException(node.getFullPathName() + " is in a snapshot, or was");
        }
    }
}
