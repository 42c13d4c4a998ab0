/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.AddBlockOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.AddCloseOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.AppendOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.ClearNSQuotaOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.ConcatDeleteOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.DeleteOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.DeleteSnapshotOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.MkdirOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.RemoveXAttrOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.RenameOldOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.RenameOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.SetAclOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.SetNSQuotaOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.SetOwnerOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.SetPermissionsOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.SetQuotaByStorageTypeOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.SetQuotaOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.SetReplicationOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.SetStoragePolicyOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.SetXAttrOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.SymlinkOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.TimesOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.TruncateOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.UpdateBlocksOp;

/**
 * Examines the inodes that an edit names, before HDFS applies it.
 *
 * <p>It depends on the kind of edit what it can change: a file, a subtree, or what a snapshot has wherever that is now.
 */
final class EditedPlaces {
    private final FSDirectory directory;
    private final SnapshotUsage snapshots;

    EditedPlaces(FSDirectory directory, SnapshotUsage snapshots) {
        this.directory = directory;
        this.snapshots = snapshots;
    }

    /** @throws UncountableException if it is not known what the edit changes, as one of a newer HDFS */
    QuotaChange change(FSEditLogOp edit) throws UncountableException {
        switch (edit.opCode) {
            case OP_ADD:
            case OP_CLOSE:
                return ofPath(((AddCloseOp) edit).path);
            case OP_APPEND:
                return ofPath(((AppendOp) edit).path);
            case OP_ADD_BLOCK:
                return ofPath(((AddBlockOp) edit).getPath());
            case OP_UPDATE_BLOCKS:
                return ofPath(((UpdateBlocksOp) edit).path);
            case OP_TRUNCATE:
                return ofPath(((TruncateOp) edit).src);
            case OP_SET_REPLICATION:
                return ofPath(((SetReplicationOp) edit).path);
            case OP_MKDIR:
                return ofPath(((MkdirOp) edit).path);
            case OP_SYMLINK:
                return ofPath(((SymlinkOp) edit).path);
            case OP_DELETE:
                return delete(((DeleteOp) edit).path);
            case OP_CONCAT_DELETE:
                return concat((ConcatDeleteOp) edit);
            case OP_RENAME_OLD:
                return renameOld((RenameOldOp) edit);
            case OP_RENAME:
                return rename(place(((RenameOp) edit).src), place(((RenameOp) edit).dst));
            case OP_SET_STORAGE_POLICY:
                return policy(((SetStoragePolicyOp) edit).path);
            case OP_SET_QUOTA:
                return quota(((SetQuotaOp) edit).src);
            case OP_SET_QUOTA_BY_STORAGETYPE:
                return quota(((SetQuotaByStorageTypeOp) edit).src);
            case OP_SET_NS_QUOTA:
                return quota(((SetNSQuotaOp) edit).src);
            case OP_CLEAR_NS_QUOTA:
                return quota(((ClearNSQuotaOp) edit).src);
            case OP_SET_PERMISSIONS:
                return attributes(((SetPermissionsOp) edit).src);
            case OP_SET_OWNER:
                return attributes(((SetOwnerOp) edit).src);
            case OP_SET_ACL:
                return attributes(((SetAclOp) edit).src);
            case OP_SET_XATTR:
                return attributes(((SetXAttrOp) edit).src);
            case OP_REMOVE_XATTR:
                return attributes(((RemoveXAttrOp) edit).src);
            case OP_TIMES:
                return attributes(((TimesOp) edit).path);
            case OP_CREATE_SNAPSHOT:
                return snapshotCreation();
            case OP_DELETE_SNAPSHOT:
                return snapshotDeletion(((DeleteSnapshotOp) edit).snapshotRoot);
            case OP_REASSIGN_LEASE:
            case OP_ALLOCATE_BLOCK_ID:
            case OP_SET_GENSTAMP_V1:
            case OP_SET_GENSTAMP_V2:
            case OP_ALLOW_SNAPSHOT:
            case OP_DISALLOW_SNAPSHOT:
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
                return QuotaChange.none();
            default:
                throw new UncountableException("it is not known what " + edit.opCode + " changes");
        }
    }

    private QuotaPath place(String path) throws UncountableException {
        return QuotaPath.of(directory, path);
    }

    private QuotaChange ofPath(String path) throws UncountableException {
        QuotaPath quotaPath = place(path);
        return difference(quotaPath, totals(Collections.emptyList(), quotaPath));
    }

    private QuotaChange delete(String path) throws UncountableException {
        QuotaPath quotaPath = place(path);
        List<INode> deleted = nodes(quotaPath.node());
        snapshots.settleWithin(deleted);
        return difference(quotaPath, totals(deleted, quotaPath));
    }

    private static QuotaChange difference(QuotaPath quotaPath, QuotaTotals totals) {
        QuotaCounts before = quotaPath.usage();
        return new QuotaChange(() -> {
            totals.add(quotaPath, quotaPath.usage().subtract(before));
            totals.set();
        });
    }

    private QuotaChange concat(ConcatDeleteOp edit) throws UncountableException {
        List<QuotaPath> places = new ArrayList<>();
        places.add(place(edit.trg));
        for (String source : edit.srcs) {
            places.add(place(source));
        }
        QuotaTotals totals = totals(Collections.emptyList(), places.toArray(new QuotaPath[0]));
        for (QuotaPath quotaPath : places) {
            totals.add(quotaPath, quotaPath.usage().negation());
        }
        return new QuotaChange(() -> {
            for (QuotaPath quotaPath : places) {
                totals.add(quotaPath, quotaPath.usage());
            }
            totals.set();
        });
    }

    /** Handles a legacy rename: if the target is a directory, HDFS moves the source into it. */
    private QuotaChange renameOld(RenameOldOp edit) throws UncountableException {
        QuotaPath from = place(edit.src);
        QuotaPath to = place(edit.dst);
        return rename(from, to.node().filter(INode::isDirectory).isPresent() ? to.resolveBelow(from) : to);
    }

    /** Handles a rename; within the same quotas nothing is counted, as jobs rename their output, however large it is. */
    private QuotaChange rename(QuotaPath from, QuotaPath to) throws UncountableException {
        INode moved = from.node().orElseThrow(() -> new UncountableException("what is to be renamed is missing"));
        boolean samePolicy =
                moved.getStoragePolicyIDForQuota(from.policy()) == moved.getStoragePolicyIDForQuota(to.policy());
        boolean alike = samePolicy && from.quotas().equals(to.quotas());
        List<INode> replaced = to.contains(moved) ? Collections.emptyList() : nodes(to.node());
        List<INode> both = new ArrayList<>(replaced);
        both.add(moved);
        snapshots.settleWithin(alike ? replaced : both);
        QuotaTotals totals = totals(samePolicy ? replaced : both, from, to);
        QuotaCounts replacedUsage = replaced.isEmpty() ? new QuotaCounts.Builder().build() : to.usage();
        QuotaCounts before = alike ? new QuotaCounts.Builder().build() : from.usage();
        return new QuotaChange(() -> {
            if (!from.contains(moved)) {
                if (!to.contains(moved)) {
                    throw new UncountableException("what was renamed is not where it should be");
                }
                totals.add(from, before.negation());
                totals.add(to, samePolicy ? before : to.recount());
                totals.add(to, replacedUsage.negation());
            }
            totals.set();
        });
    }

    /**
     * Handles a change of a storage policy: files count by the storage types of their policy, or of that of a directory above if they have
     * none.
     */
    private QuotaChange policy(String path) throws UncountableException {
        INodeDirectory root = directory.getRoot();
        if (isRoot(path)) {
            snapshots.settleWithin(Collections.singletonList(root));
            return new QuotaChange(() -> SubtreeUsage.set(snapshots.policies(), root, root.getStoragePolicyID()));
        }
        QuotaPath quotaPath = place(path);
        List<INode> counted = nodes(quotaPath.node());
        snapshots.settleWithin(counted);
        QuotaTotals totals = totals(counted, quotaPath);
        QuotaCounts before = quotaPath.usage();
        return new QuotaChange(() -> {
            totals.add(quotaPath, quotaPath.recount().subtract(before));
            totals.set();
        });
    }

    /**
     * Handles a new quota, which begins with HDFS's count, in which the directory may have another storage policy than in the count of a
     * takeover.
     */
    private QuotaChange quota(String path) throws UncountableException {
        if (isRoot(path)) {
            // The root always has one.
            return QuotaChange.none();
        }
        QuotaPath quotaPath = place(path);
        INode inode = quotaPath.node().orElseThrow(() -> new UncountableException(path + " is missing"));
        snapshots.settleWithin(Collections.singletonList(inode));
        QuotaTotals totals = totals(Collections.emptyList(), quotaPath);
        boolean hadQuota = hasQuota(inode);
        return new QuotaChange(() -> {
            if (!hadQuota && hasQuota(inode)) {
                quotaPath.recount();
            }
            totals.set();
        });
    }

    /** Handles a file's first change after a snapshot, before which it is recorded for the snapshot, and then counts there as recorded. */
    private QuotaChange attributes(String path) throws UncountableException {
        if (!snapshots.hasSnapshots() || isRoot(path)) {
            return QuotaChange.none();
        }
        QuotaTotals totals = totals(Collections.emptyList(), place(path));
        return new QuotaChange(totals::set);
    }

    /** Handles the creation of a snapshot, in which HDFS may record open files. */
    private QuotaChange snapshotCreation() {
        if (!snapshots.hasSnapshots()) {
            return QuotaChange.none();
        }
        SnapshotReferences references = new SnapshotReferences();
        for (Long id : directory.getFSNamesystem().getLeaseManager().getINodeIdWithLeases()) {
            INode file = directory.getInode(id);
            if (file != null && SnapshotReferences.isReferencedBySnapshot(file)) {
                references.addHoldersOf(file);
            }
        }
        QuotaTotals totals = new QuotaTotals(snapshots.markStale(references, Collections.emptyList()));
        return new QuotaChange(totals::set);
    }

    /** Handles the deletion of a snapshot, whose inodes are counted wherever they are now. */
    private QuotaChange snapshotDeletion(String path) throws UncountableException {
        INode top = isRoot(path)
                ? directory.getRoot()
                : place(path).node().orElseThrow(() -> new UncountableException(path + " is missing"));
        SnapshotReferences references = new SnapshotReferences();
        references.addHoldersInSnapshots(top);
        List<INode> tops = references.outermost(top);
        snapshots.settleWithin(tops);
        List<DeletedEntry> stale = snapshots.markStale(references, tops);
        SnapshotShare share = new SnapshotShare(snapshots.policies());
        stale.forEach(entry -> entry.quotas().forEach(share::keep));
        for (INode each : tops) {
            if (each.isRoot()) {
                share.subtractTree(each, Collections.emptyList(), each.getStoragePolicyID());
            } else {
                QuotaPath quotaPath = place(each.getFullPathName());
                share.subtractTree(each, quotaPath.quotas(), quotaPath.policy());
            }
        }
        return new QuotaChange(share::addAgain);
    }

    /** @param counted what is counted as a whole before and after the edit */
    private QuotaTotals totals(List<INode> counted, QuotaPath... places) {
        if (!snapshots.hasSnapshots()) {
            return new QuotaTotals(Collections.emptyList(), places);
        }
        SnapshotReferences references = new SnapshotReferences();
        for (QuotaPath quotaPath : places) {
            INode named = quotaPath.node().orElse(quotaPath.parent());
            if (SnapshotReferences.isReferencedBySnapshot(named)) {
                references.addHoldersOf(named);
            }
        }
        counted.forEach(references::addHoldersInTree);
        QuotaTotals totals = new QuotaTotals(snapshots.markStale(references, counted), places);
        for (QuotaPath quotaPath : places) {
            if (!snapshots.isStale(quotaPath.deletedEntry())) {
                totals.addWhatSnapshotsKeep(quotaPath, snapshots.policies());
            }
        }
        return totals;
    }

    private static boolean isRoot(String path) {
        return INode.getPathComponents(path).length < 2;
    }

    private static boolean hasQuota(INode inode) {
        return inode.isDirectory() && inode.asDirectory().getDirectoryWithQuotaFeature() != null;
    }

    private static List<INode> nodes(Optional<INode> node) {
        return node.map(Collections::singletonList).orElse(Collections.emptyList());
    }
}
