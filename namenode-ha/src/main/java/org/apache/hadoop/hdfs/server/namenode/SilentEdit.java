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
 * An edit that changes a file or folder, and of which HDFS tells no event. It is in HDFS's package because the fields of edits
 * are visible only there; it decides nothing.
 *
 * <p>Uses {@code FSEditLogOp.opCode}, and the paths of the edits that set quotas and storage policies.
 */
public final class SilentEdit {

    private SilentEdit() {}

    /** The path of such an edit, as it was in the call; empty for all others. */
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
