/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.AddBlockOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.AddCloseOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.AppendOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.ClearNSQuotaOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.ConcatDeleteOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.DeleteOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.MkdirOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.RenameOldOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.RenameOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.SetNSQuotaOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.SetQuotaByStorageTypeOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.SetQuotaOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.SetReplicationOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.SetStoragePolicyOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.SymlinkOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.TruncateOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.UpdateBlocksOp;

/**
 * The change by one edit in the counts of quotas: looked at before HDFS applies the edit, and {@link #settle settled}
 * after.
 *
 * <p>While HDFS applies edits, it changes the counts for some of them, and not, or not by the right amount, for others: blocks
 * that are added or removed, deletions, storage policies. It does not matter which. The counts of all quotas above the places that
 * an edit names are set to what they were before, and the difference of what is used there.
 */
final class QuotaChange {
    private static final QuotaChange NONE = new QuotaChange(() -> {});

    private final Settlement settlement;

    private QuotaChange(Settlement settlement) {
        this.settlement = settlement;
    }

    /** The work that is left when the edit is applied. */
    private interface Settlement {
        void settle() throws UncountableException;
    }

    static QuotaChange none() {
        return NONE;
    }

    /** @throws UncountableException if it is not known what the edit changes: snapshots, and edits of a newer HDFS */
    static QuotaChange ofEdit(FSEditLogOp edit, FSDirectory directory) throws UncountableException {
        switch (edit.opCode) {
            case OP_ADD:
            case OP_CLOSE:
                return at(directory, ((AddCloseOp) edit).path);
            case OP_APPEND:
                return at(directory, ((AppendOp) edit).path);
            case OP_ADD_BLOCK:
                return at(directory, ((AddBlockOp) edit).getPath());
            case OP_UPDATE_BLOCKS:
                return at(directory, ((UpdateBlocksOp) edit).path);
            case OP_TRUNCATE:
                return at(directory, ((TruncateOp) edit).src);
            case OP_SET_REPLICATION:
                return at(directory, ((SetReplicationOp) edit).path);
            case OP_MKDIR:
                return at(directory, ((MkdirOp) edit).path);
            case OP_SYMLINK:
                return at(directory, ((SymlinkOp) edit).path);
            case OP_DELETE:
                return at(directory, ((DeleteOp) edit).path);
            case OP_CONCAT_DELETE:
                return concat(directory, (ConcatDeleteOp) edit);
            case OP_RENAME_OLD:
                return renameOld(directory, (RenameOldOp) edit);
            case OP_RENAME:
                return rename(
                        QuotaPath.of(directory, ((RenameOp) edit).src), QuotaPath.of(directory, ((RenameOp) edit).dst));
            case OP_SET_STORAGE_POLICY:
                return policy(directory, ((SetStoragePolicyOp) edit).path);
            case OP_SET_QUOTA:
                return quota(directory, ((SetQuotaOp) edit).src);
            case OP_SET_QUOTA_BY_STORAGETYPE:
                return quota(directory, ((SetQuotaByStorageTypeOp) edit).src);
            case OP_SET_NS_QUOTA:
                return quota(directory, ((SetNSQuotaOp) edit).src);
            case OP_CLEAR_NS_QUOTA:
                return quota(directory, ((ClearNSQuotaOp) edit).src);
            case OP_SET_PERMISSIONS:
            case OP_SET_OWNER:
            case OP_SET_ACL:
            case OP_SET_XATTR:
            case OP_REMOVE_XATTR:
            case OP_TIMES:
            case OP_REASSIGN_LEASE:
            case OP_ALLOCATE_BLOCK_ID:
            case OP_SET_GENSTAMP_V1:
            case OP_SET_GENSTAMP_V2:
            // What is in a snapshot counts no more than before, until it changes.
            case OP_ALLOW_SNAPSHOT:
            case OP_DISALLOW_SNAPSHOT:
            case OP_CREATE_SNAPSHOT:
            case OP_RENAME_SNAPSHOT:
            case OP_GET_DELEGATION_TOKEN:
            case OP_RENEW_DELEGATION_TOKEN:
            case OP_CANCEL_DELEGATION_TOKEN:
            case OP_UPDATE_MASTER_KEY:
            case OP_ADD_CACHE_DIRECTIVE:
            case OP_MODIFY_CACHE_DIRECTIVE:
            case OP_REMOVE_CACHE_DIRECTIVE:
            case OP_ADD_CACHE_POOL:
            case OP_MODIFY_CACHE_POOL:
            case OP_REMOVE_CACHE_POOL:
            case OP_ADD_ERASURE_CODING_POLICY:
            case OP_ENABLE_ERASURE_CODING_POLICY:
            case OP_DISABLE_ERASURE_CODING_POLICY:
            case OP_REMOVE_ERASURE_CODING_POLICY:
            case OP_ROLLING_UPGRADE_START:
            case OP_ROLLING_UPGRADE_FINALIZE:
            case OP_START_LOG_SEGMENT:
            case OP_END_LOG_SEGMENT:
                return NONE;
            default:
                throw new UncountableException("it is not known what " + edit.opCode + " changes");
        }
    }

    void settle() throws UncountableException {
        settlement.settle();
    }

    private static QuotaChange at(FSDirectory directory, String path) throws UncountableException {
        QuotaPath place = QuotaPath.of(directory, path);
        Totals totals = new Totals(place);
        QuotaCounts before = place.usage();
        return new QuotaChange(() -> {
            totals.add(place, place.usage().subtract(before));
            totals.set();
        });
    }

    private static QuotaChange concat(FSDirectory directory, ConcatDeleteOp edit) throws UncountableException {
        List<QuotaPath> places = new ArrayList<>();
        places.add(QuotaPath.of(directory, edit.trg));
        for (String source : edit.srcs) {
            places.add(QuotaPath.of(directory, source));
        }
        Totals totals = new Totals(places.toArray(new QuotaPath[0]));
        for (QuotaPath place : places) {
            totals.add(place, place.usage().negation());
        }
        return new QuotaChange(() -> {
            for (QuotaPath place : places) {
                totals.add(place, place.usage());
            }
            totals.set();
        });
    }

    /** HDFS renames into a folder that it finds in the place. */
    private static QuotaChange renameOld(FSDirectory directory, RenameOldOp edit) throws UncountableException {
        QuotaPath from = QuotaPath.of(directory, edit.src);
        QuotaPath to = QuotaPath.of(directory, edit.dst);
        return rename(from, to.node().filter(INode::isDirectory).isPresent() ? to.resolveBelow(from) : to);
    }

    /** Within the same quotas nothing is counted: jobs rename what they have made, however large it is. */
    private static QuotaChange rename(QuotaPath from, QuotaPath to) throws UncountableException {
        INode moved = from.node().orElseThrow(() -> new UncountableException("what is to be renamed is missing"));
        SubtreeUsage.requireNoSnapshots(moved);
        boolean samePolicy =
                moved.getStoragePolicyIDForQuota(from.policy()) == moved.getStoragePolicyIDForQuota(to.policy());
        boolean alike = samePolicy && from.quotas().equals(to.quotas());
        Totals totals = new Totals(from, to);
        QuotaCounts replaced = to.contains(moved) ? new QuotaCounts.Builder().build() : to.usage();
        QuotaCounts before = alike ? new QuotaCounts.Builder().build() : from.usage();
        return new QuotaChange(() -> {
            if (!from.contains(moved)) {
                if (!to.contains(moved)) {
                    throw new UncountableException("what was renamed is not where it should be");
                }
                totals.add(from, before.negation());
                totals.add(to, samePolicy ? before : to.recount());
                totals.add(to, replaced.negation());
            }
            totals.set();
        });
    }

    /** Files count by the types of storage that their policy prefers, with the policy of a folder above if they have none. */
    private static QuotaChange policy(FSDirectory directory, String path) throws UncountableException {
        INodeDirectory root = directory.getRoot();
        if (INode.getPathComponents(path).length < 2) {
            SubtreeUsage.requireNoSnapshots(root);
            return new QuotaChange(
                    () -> SubtreeUsage.set(directory.getBlockStoragePolicySuite(), root, root.getStoragePolicyID()));
        }
        QuotaPath place = QuotaPath.of(directory, path);
        Totals totals = new Totals(place);
        QuotaCounts before = place.usage();
        return new QuotaChange(() -> {
            totals.add(place, place.recount().subtract(before));
            totals.set();
        });
    }

    /** A new quota begins with what HDFS counts, in which the folder may have another storage policy than in the count of a takeover. */
    private static QuotaChange quota(FSDirectory directory, String path) throws UncountableException {
        if (INode.getPathComponents(path).length < 2) {
            // The root always has one.
            return NONE;
        }
        QuotaPath place = QuotaPath.of(directory, path);
        INode folder = place.node().orElseThrow(() -> new UncountableException(path + " is missing"));
        SubtreeUsage.requireNoSnapshots(folder);
        if (hasQuota(folder)) {
            return NONE;
        }
        return new QuotaChange(() -> {
            if (hasQuota(folder)) {
                place.recount();
            }
        });
    }

    private static boolean hasQuota(INode folder) {
        return folder.isDirectory() && folder.asDirectory().getDirectoryWithQuotaFeature() != null;
    }

    /** The counts of quotas before an edit, and those after it. */
    private static final class Totals {
        private final IdentityHashMap<DirectoryWithQuotaFeature, QuotaCounts> counts = new IdentityHashMap<>();

        Totals(QuotaPath... places) {
            for (QuotaPath place : places) {
                for (DirectoryWithQuotaFeature quota : place.quotas()) {
                    counts.put(quota, quota.getSpaceConsumed());
                }
            }
        }

        void add(QuotaPath place, QuotaCounts difference) {
            place.quotas().forEach(quota -> counts.get(quota).add(difference));
        }

        void set() {
            counts.forEach(DirectoryWithQuotaFeature::setSpaceConsumed);
        }
    }
}
