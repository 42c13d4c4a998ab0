/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockStoragePolicySuite;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;

/**
 * The usage of trees that is due to snapshots: inodes that only snapshots still have, and files that are in a snapshot. All else in a tree
 * is what it was when a snapshot is deleted, and is passed by: it takes no longer than the walk by which HDFS deletes the snapshot. The
 * caller holds HDFS's locks.
 */
final class SnapshotShare {
    private final BlockStoragePolicySuite policies;
    private final List<Part> parts = new ArrayList<>();
    private final IdentityHashMap<DirectoryWithQuotaFeature, QuotaCounts> counts = new IdentityHashMap<>();

    SnapshotShare(BlockStoragePolicySuite policies) {
        this.policies = policies;
    }

    /**
     * Examines a tree before a snapshot is deleted.
     *
     * @param quotas the quotas above it
     * @param policyAbove the storage policy of the directory that it is in
     */
    void subtractTree(INode topInode, List<DirectoryWithQuotaFeature> quotas, byte policyAbove) {
        quotas.forEach(this::keep);
        walk(topInode, new ArrayList<>(quotas), policyAbove);
    }

    private void walk(INode node, List<DirectoryWithQuotaFeature> quotas, byte policyAbove) {
        byte policy = node.getStoragePolicyIDForQuota(policyAbove);
        if (node.isDirectory()) {
            walkDirectory(node.asDirectory(), quotas, policy);
        } else if (node.isFile() && node.asFile().isWithSnapshot()) {
            subtract(new Part(node, policy, quotas));
        }
    }

    private void subtract(Part part) {
        parts.add(part);
        part.add(part.usage().negation());
    }

    private void walkDirectory(INodeDirectory directory, List<DirectoryWithQuotaFeature> ancestors, byte policy) {
        List<DirectoryWithQuotaFeature> quotas = ancestors;
        DirectoryWithQuotaFeature quota = directory.getDirectoryWithQuotaFeature();
        if (quota != null) {
            keep(quota);
            quotas = new ArrayList<>(ancestors);
            quotas.add(quota);
        }
        if (directory.isWithSnapshot()) {
            subtract(new Part(directory, policy, quotas));
        }
        for (INode child : directory.getChildrenList(Snapshot.CURRENT_STATE_ID)) {
            walk(child, quotas, policy);
        }
    }

    void keep(DirectoryWithQuotaFeature quota) {
        counts.computeIfAbsent(quota, DirectoryWithQuotaFeature::getSpaceConsumed);
    }

    /** Counts the same once more, after the snapshot was deleted, and sets the counts of all quotas. */
    void addAgain() {
        parts.forEach(part -> part.add(part.usage()));
        counts.forEach(DirectoryWithQuotaFeature::setSpaceConsumed);
    }

    /** A file or directory that holds data of a snapshot. */
    private final class Part {
        private final INode node;
        private final byte policy;
        private final List<DirectoryWithQuotaFeature> quotas;

        Part(INode node, byte policy, List<DirectoryWithQuotaFeature> quotas) {
            this.node = node;
            this.policy = policy;
            this.quotas = quotas;
        }

        QuotaCounts usage() {
            return node.isDirectory()
                    ? node.asDirectory()
                            .computeQuotaUsage4CurrentDirectory(policies, policy, new QuotaCounts.Builder().build())
                    : node.computeQuotaUsage(policies, policy, false, Snapshot.CURRENT_STATE_ID);
        }

        void add(QuotaCounts usage) {
            quotas.forEach(quota -> counts.get(quota).add(usage));
        }
    }
}
