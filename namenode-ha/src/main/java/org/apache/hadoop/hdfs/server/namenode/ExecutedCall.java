/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.AddErasureCodingPolicyResponse;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LastBlockWithStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory.DirOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.AddCacheDirectiveInfoOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.AddCloseOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.AddErasureCodingPolicyOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.AppendOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.ConcatDeleteOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.CreateSnapshotOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.DeleteOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.MkdirOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.RenameOldOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.RenameOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.TruncateOp;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.apache.hadoop.ipc.RetryCache;

/**
 * A call that was executed according to an edit, with the answer that its retry must get. It is in HDFS's package
 * because the ids and fields of edits are visible only there; it decides nothing.
 *
 * <p>Uses {@code FSEditLogOp.rpcClientId}, {@code rpcCallId}, {@code opCode}, {@code hasRpcIds} and the fields of the
 * edits whose calls return something; {@code FSDirStatAndListingOp.createFileStatusForEditLog}, as the replay of edits
 * does; {@code BlockManager.createLocatedBlocks}; {@code RetryCache.addCacheEntry}, {@code addCacheEntryWithPayload}.
 */
public final class ExecutedCall {
    private final byte[] clientId;
    private final int callId;
    private final Optional<Object> answer;

    private ExecutedCall(FSEditLogOp edit, Optional<Object> answer) {
        this.clientId = edit.rpcClientId;
        this.callId = edit.rpcCallId;
        this.answer = answer;
    }

    /**
     * Returns the call that caused the edit. Empty if HDFS keeps no ids for it, or if its answer can no longer be
     * built, as for an append to a file that is gone. The caller holds the namesystem's lock for reading.
     */
    public static Optional<ExecutedCall> of(FSEditLogOp edit, FSNamesystem namesystem) throws IOException {
        if (!edit.hasRpcIds()) {
            return Optional.empty();
        }
        FSDirectory directory = namesystem.getFSDirectory();
        directory.readLock();
        try {
            return of(edit, namesystem, directory);
        } finally {
            directory.readUnlock();
        }
    }

    /** The time at which the edit was made, by the clock of the NameNode that made it; 0 if it is not recorded. */
    public static long millisOf(FSEditLogOp edit) {
        switch (edit.opCode) {
            case OP_ADD:
                return ((AddCloseOp) edit).mtime;
            case OP_MKDIR:
                return ((MkdirOp) edit).timestamp;
            case OP_DELETE:
                return ((DeleteOp) edit).timestamp;
            case OP_RENAME:
                return ((RenameOp) edit).timestamp;
            case OP_RENAME_OLD:
                return ((RenameOldOp) edit).timestamp;
            case OP_TRUNCATE:
                return ((TruncateOp) edit).timestamp;
            case OP_CONCAT_DELETE:
                return ((ConcatDeleteOp) edit).timestamp;
            default:
                return 0;
        }
    }

    private static Optional<ExecutedCall> of(FSEditLogOp edit, FSNamesystem namesystem, FSDirectory directory)
            throws IOException {
        switch (edit.opCode) {
            case OP_ADD:
                return withAnswer(edit, createdStatus((AddCloseOp) edit, directory));
            case OP_APPEND:
                return appendResult((AppendOp) edit, namesystem, directory).flatMap(answer -> withAnswer(edit, answer));
            case OP_CREATE_SNAPSHOT:
                CreateSnapshotOp snapshot = (CreateSnapshotOp) edit;
                return withAnswer(edit, Snapshot.getSnapshotPath(snapshot.snapshotRoot, snapshot.snapshotName));
            case OP_ADD_CACHE_DIRECTIVE:
                return withAnswer(edit, ((AddCacheDirectiveInfoOp) edit).directive.getId());
            case OP_ADD_ERASURE_CODING_POLICY:
                return withAnswer(edit, new AddErasureCodingPolicyResponse[] {
                    new AddErasureCodingPolicyResponse(((AddErasureCodingPolicyOp) edit).getEcPolicy())
                });
            default:
                return Optional.of(new ExecutedCall(edit, Optional.empty()));
        }
    }

    private static Optional<ExecutedCall> withAnswer(FSEditLogOp edit, Object answer) {
        return Optional.of(new ExecutedCall(edit, Optional.of(answer)));
    }

    /** The status that {@code create} returned; if the file is gone, the data in the edit. */
    private static HdfsFileStatus createdStatus(AddCloseOp edit, FSDirectory directory) throws IOException {
        INode inode = directory.getInode(edit.inodeId);
        if (inode != null && inode.isFile()) {
            return FSDirStatAndListingOp.createFileStatusForEditLog(directory, INodesInPath.fromINode(inode));
        }
        return new HdfsFileStatus.Builder()
                .replication(edit.replication)
                .blocksize(edit.blockSize)
                .mtime(edit.mtime)
                .atime(edit.atime)
                .perm(edit.permissions.getPermission())
                .owner(edit.permissions.getUserName())
                .group(edit.permissions.getGroupName())
                .fileId(edit.inodeId)
                .storagePolicy(edit.storagePolicyId)
                .build();
    }

    /** The result that {@code append} returned; empty if the caller no longer has the file open. */
    private static Optional<Object> appendResult(AppendOp edit, FSNamesystem namesystem, FSDirectory directory)
            throws IOException {
        INodesInPath path = directory.getINodesInPath(edit.path, DirOp.READ);
        INode inode = path.getLastINode();
        if (inode == null || !inode.isFile() || !inode.asFile().isUnderConstruction()) {
            return Optional.empty();
        }
        INodeFile file = inode.asFile();
        if (!file.getFileUnderConstructionFeature().getClientName().equals(edit.clientName)) {
            return Optional.empty();
        }
        HdfsFileStatus status = FSDirStatAndListingOp.createFileStatusForEditLog(directory, path);
        return Optional.of(new LastBlockWithStatus(unfinishedBlock(file, edit, namesystem), status));
    }

    /** The block that the append continues; null, as in HDFS, if it begins a new one. */
    private static LocatedBlock unfinishedBlock(INodeFile file, AppendOp edit, FSNamesystem namesystem)
            throws IOException {
        if (edit.newBlock || file.getLastBlock() == null || file.getLastBlock().isComplete()) {
            return null;
        }
        LocatedBlocks blocks = namesystem
                .getBlockManager()
                .createLocatedBlocks(
                        file.getBlocks(),
                        file.computeFileSizeNotIncludingLastUcBlock(),
                        true,
                        0,
                        Long.MAX_VALUE,
                        false,
                        false,
                        null,
                        null);
        return blocks.getLastLocatedBlock();
    }

    /**
     * A combination of this call with the other, if both are the same call, which may cause several edits; empty if
     * they are different calls.
     */
    public Optional<ExecutedCall> mergeWith(ExecutedCall other) {
        if (callId != other.callId || !Arrays.equals(clientId, other.clientId)) {
            return Optional.empty();
        }
        if (!isPolicyList(answer) || !isPolicyList(other.answer)) {
            return Optional.of(this);
        }
        AddErasureCodingPolicyResponse[] first = (AddErasureCodingPolicyResponse[]) other.answer.get();
        AddErasureCodingPolicyResponse[] second = (AddErasureCodingPolicyResponse[]) answer.get();
        AddErasureCodingPolicyResponse[] all = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return Optional.of(new ExecutedCall(clientId, callId, all));
    }

    private static boolean isPolicyList(Optional<Object> answer) {
        return answer.isPresent() && answer.get() instanceof AddErasureCodingPolicyResponse[];
    }

    private ExecutedCall(byte[] clientId, int callId, Object answer) {
        this.clientId = clientId;
        this.callId = callId;
        this.answer = Optional.of(answer);
    }

    /** Puts the call into the cache, so that a retry of it is recognized. */
    public void putInto(RetryCache cache) {
        if (answer.isPresent()) {
            cache.addCacheEntryWithPayload(clientId, callId, answer.get());
        } else {
            cache.addCacheEntry(clientId, callId);
        }
    }
}
