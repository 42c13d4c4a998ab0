/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import java.util.Optional;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.ClearNSQuotaOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.SetNSQuotaOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.SetQuotaByStorageTypeOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.SetQuotaOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.SetStoragePolicyOp;

/**
 * An edit that changes a file or directory, but for which HDFS sends no event. It is in HDFS's package because the fields of edits
 * are visible only there; it decides nothing.
 *
 * <p>Uses {@code FSEditLogOp.opCode}, and the paths of the edits that set quotas and storage policies.
 */
public final class EventlessEdit {

    private EventlessEdit() {}

    /** Whether the changes of this edit are known, and whether HDFS sends an event for it; false for edits of a newer HDFS. */
    public static boolean isKnown(FSEditLogOp edit) {
        return isKnown(edit.opCode);
    }

    /** Whether the changes of a kind of edits are known, and whether HDFS sends events for them. */
    public static boolean isKnown(FSEditLogOpCodes kind) {
        switch (kind) {
            // With events.
            case OP_ADD:
            case OP_CLOSE:
            case OP_APPEND:
            case OP_TRUNCATE:
            case OP_CONCAT_DELETE:
            case OP_MKDIR:
            case OP_SYMLINK:
            case OP_DELETE:
            case OP_RENAME_OLD:
            case OP_RENAME:
            case OP_SET_REPLICATION:
            case OP_SET_PERMISSIONS:
            case OP_SET_OWNER:
            case OP_SET_ACL:
            case OP_SET_XATTR:
            case OP_REMOVE_XATTR:
            case OP_TIMES:
            // Below.
            case OP_SET_QUOTA:
            case OP_SET_QUOTA_BY_STORAGETYPE:
            case OP_SET_NS_QUOTA:
            case OP_CLEAR_NS_QUOTA:
            case OP_SET_STORAGE_POLICY:
            // Of open files, which end with OP_CLOSE.
            case OP_ADD_BLOCK:
            case OP_UPDATE_BLOCKS:
            case OP_ALLOCATE_BLOCK_ID:
            case OP_SET_GENSTAMP_V1:
            case OP_SET_GENSTAMP_V2:
            case OP_REASSIGN_LEASE:
            // Nothing of a tree changes.
            case OP_ALLOW_SNAPSHOT:
            case OP_DISALLOW_SNAPSHOT:
            case OP_CREATE_SNAPSHOT:
            case OP_DELETE_SNAPSHOT:
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
                return true;
            default:
                return false;
        }
    }

    /** The path of such an edit, as given in the call; empty for all others. */
    public static Optional<String> pathOf(FSEditLogOp edit) {
        switch (edit.opCode) {
            case OP_SET_QUOTA:
                return Optional.of(((SetQuotaOp) edit).src);
            case OP_SET_QUOTA_BY_STORAGETYPE:
                return Optional.of(((SetQuotaByStorageTypeOp) edit).src);
            case OP_SET_NS_QUOTA:
                return Optional.of(((SetNSQuotaOp) edit).src);
            case OP_CLEAR_NS_QUOTA:
                return Optional.of(((ClearNSQuotaOp) edit).src);
            case OP_SET_STORAGE_POLICY:
                return Optional.of(((SetStoragePolicyOp) edit).path);
            default:
                return Optional.empty();
        }
    }
}
