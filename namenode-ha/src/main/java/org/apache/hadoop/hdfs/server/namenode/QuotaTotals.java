/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockStoragePolicySuite;

/** The counts of the quotas above some places before an edit, and the differences that the edit makes. */
final class QuotaTotals {
    private final IdentityHashMap<DirectoryWithQuotaFeature, QuotaCounts> counts = new IdentityHashMap<>();
    private final List<Kept> kept = new ArrayList<>();

    /** @param entries what the edit may change in addition to the places, and is counted later */
    QuotaTotals(List<DeletedEntry> entries, QuotaPath... places) {
        entries.forEach(entry -> entry.quotas().forEach(this::include));
        for (QuotaPath quotaPath : places) {
            quotaPath.quotas().forEach(this::include);
        }
    }

    private void include(DirectoryWithQuotaFeature quota) {
        counts.computeIfAbsent(quota, DirectoryWithQuotaFeature::getSpaceConsumed);
    }

    void add(QuotaPath quotaPath, QuotaCounts difference) {
        quotaPath.quotas().forEach(quota -> counts.get(quota).add(difference));
    }

    /** Adds the usage that snapshots newly keep of an entry when the edit removes it; what they already keep is not counted again. */
    void addWhatSnapshotsKeep(QuotaPath quotaPath, BlockStoragePolicySuite policies) {
        kept.add(new Kept(quotaPath, policies));
    }

    void set() throws UncountableException {
        for (Kept each : kept) {
            add(each.quotaPath, each.added());
        }
        counts.forEach(DirectoryWithQuotaFeature::setSpaceConsumed);
    }

    private static final class Kept {
        private final QuotaPath quotaPath;
        private final DeletedEntry entry;
        private final BlockStoragePolicySuite policies;
        private final List<INode> before;

        Kept(QuotaPath quotaPath, BlockStoragePolicySuite policies) {
            this.quotaPath = quotaPath;
            this.entry = quotaPath.deletedEntry();
            this.policies = policies;
            this.before = entry.nodes();
        }

        QuotaCounts added() throws UncountableException {
            QuotaCounts sum = new QuotaCounts.Builder().build();
            int same = 0;
            for (INode node : entry.nodes()) {
                if (hadBefore(node)) {
                    same++;
                } else {
                    sum.add(entry.usage(node, policies));
                }
            }
            if (same < before.size()) {
                throw new UncountableException("a snapshot has lost " + entry);
            }
            return sum;
        }

        /** Compares the objects, as a reference has the id of the inode it refers to. */
        @SuppressWarnings("ReferenceEquality")
        private boolean hadBefore(INode node) {
            return before.stream().anyMatch(each -> each == node);
        }
    }
}
