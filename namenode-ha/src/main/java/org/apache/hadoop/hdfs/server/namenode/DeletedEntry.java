/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockStoragePolicySuite;
import org.apache.hadoop.hdfs.server.namenode.snapshot.DirectoryWithSnapshotFeature;
import org.apache.hadoop.hdfs.server.namenode.snapshot.DirectoryWithSnapshotFeature.DirectoryDiff;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.apache.hadoop.hdfs.util.Diff;

/**
 * A name in a directory, and the inodes that only snapshots still have under it. HDFS counts that where the directory is now. The caller
 * holds HDFS's locks.
 */
final class DeletedEntry {
    private final INodeDirectory directory;
    private final byte[] name;

    DeletedEntry(INodeDirectory directory, byte[] name) {
        this.directory = directory;
        this.name = name;
    }

    INodeDirectory directory() {
        return directory;
    }

    /** The inodes that snapshots have under the name, each of which counts. */
    List<INode> nodes() {
        DirectoryWithSnapshotFeature snapshots = directory.getDirectoryWithSnapshotFeature();
        List<INode> nodes = new ArrayList<>();
        if (snapshots != null) {
            for (DirectoryDiff diff : snapshots.getDiffs()) {
                INode deleted = children(diff).getDeleted(name);
                if (deleted != null) {
                    nodes.add(deleted);
                }
            }
        }
        return nodes;
    }

    /** Everything that was deleted or renamed between a snapshot and the next. */
    static List<INode> deleted(DirectoryDiff diff) {
        return children(diff).getDeletedUnmodifiable();
    }

    /** The list of differences, whose own type in HDFS is not visible here. */
    private static Diff<byte[], INode> children(DirectoryDiff diff) {
        return diff.getChildrenDiff();
    }

    QuotaCounts usage(BlockStoragePolicySuite policies) {
        QuotaCounts sum = new QuotaCounts.Builder().build();
        nodes().forEach(node -> sum.add(usage(node, policies)));
        return sum;
    }

    /** Counts like {@code DirectoryWithSnapshotFeature.computeQuotaUsage4CurrentDirectory}: not as it was in the snapshot. */
    QuotaCounts usage(INode node, BlockStoragePolicySuite policies) {
        byte policy = node.getStoragePolicyIDForQuota(directory.getStoragePolicyID());
        return node.computeQuotaUsage(policies, policy, false, Snapshot.CURRENT_STATE_ID);
    }

    /** The quotas of the directory and those above it, unless it is in a snapshot alone. */
    List<DirectoryWithQuotaFeature> quotas() {
        List<DirectoryWithQuotaFeature> quotas = new ArrayList<>();
        for (INodeDirectory each = directory; each != null; each = each.getParent()) {
            DirectoryWithQuotaFeature quota = each.getDirectoryWithQuotaFeature();
            if (quota != null) {
                quotas.add(quota);
            }
        }
        return quotas;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DeletedEntry
                && directory.getId() == ((DeletedEntry) other).directory.getId()
                && Arrays.equals(name, ((DeletedEntry) other).name);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(directory.getId()) * 31 + Arrays.hashCode(name);
    }

    @Override
    public String toString() {
        return directory.getFullPathName() + " " + DFSUtil.bytes2String(name);
    }
}
