/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.restore;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.hdfs.edits.EditFrames;
import io.trefoil.journal.hdfs.edits.NamespaceCounters;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.TxRange;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.fs.permission.PermissionStatus;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOpCodes;
import org.apache.hadoop.hdfs.server.namenode.FSImageSerialization;
import org.apache.hadoop.hdfs.server.namenode.NameNodeLayoutVersion;
import org.apache.hadoop.ipc.RpcConstants;

/**
 * The segment that begins a new timeline. It only advances block ids, generation stamps and inode ids, by
 * edits like those that HDFS writes with each block. No such edit exists for inode ids, so it creates a directory with
 * the highest id and deletes it again; the times of both edits are 0, so that the root's times stay the same.
 * Immutable.
 *
 * <p>Uses {@code FSEditLogOpCodes}, {@code FSImageSerialization}, {@code NameNodeLayoutVersion.supports}.
 */
@AutoValue
public abstract class TimelineStartEdits {

    /** The beginning of a directory's name, before an id that no inode ever had, so no user's directory has the name. */
    private static final String DIRECTORY = "/.trefoil-restore-";

    private static final PermissionStatus PERMISSIONS =
            new PermissionStatus("hdfs", "supergroup", FsPermission.createImmutable((short) 0700));

    /** @param layoutVersion of the preceding edits, not of the running HDFS, which may be newer in a rolling upgrade */
    public static TimelineStartEdits of(long firstTxId, NamespaceCounters counters, int layoutVersion) {
        Frames frames = new Frames(firstTxId);
        frames.add(EditFrames.newFrame(FSEditLogOpCodes.OP_START_LOG_SEGMENT, frames.next));
        frames.add(EditFrames.newFrame(FSEditLogOpCodes.OP_SET_GENSTAMP_V2, frames.next, counters.generationStamp()));
        frames.add(EditFrames.newFrame(FSEditLogOpCodes.OP_ALLOCATE_BLOCK_ID, frames.next, counters.contiguousId()));
        if (NameNodeLayoutVersion.supports(NameNodeLayoutVersion.Feature.ERASURE_CODING, layoutVersion)) {
            // An older HDFS takes it for a plain block id that is too low, and terminates.
            frames.add(EditFrames.newFrame(FSEditLogOpCodes.OP_ALLOCATE_BLOCK_ID, frames.next, counters.stripedId()));
        }
        if (counters.legacyStamp() < counters.legacyStampLimit()) {
            frames.add(EditFrames.newFrame(FSEditLogOpCodes.OP_SET_GENSTAMP_V1, frames.next, counters.legacyStamp()));
        }
        String directory = DIRECTORY + counters.inodeId();
        frames.add(EditFrames.newFrame(
                FSEditLogOpCodes.OP_MKDIR, frames.next, mkdirFields(directory, counters.inodeId(), layoutVersion)));
        frames.add(EditFrames.newFrame(FSEditLogOpCodes.OP_DELETE, frames.next, deleteFields(directory)));
        frames.add(EditFrames.newFrame(FSEditLogOpCodes.OP_END_LOG_SEGMENT, frames.next));
        return new AutoValue_TimelineStartEdits(
                TxRange.of(firstTxId, frames.next - 1), layoutVersion, Bytes.wrap(frames.bytes.toByteArray()));
    }

    /** The fields of {@code MkdirOp}. */
    private static byte[] mkdirFields(String directory, long inodeId, int layoutVersion) {
        return toBytes(out -> {
            out.writeLong(inodeId);
            FSImageSerialization.writeString(directory, out);
            // Modification and access time.
            out.writeLong(0);
            out.writeLong(0);
            PERMISSIONS.write(out);
            // The number of ACL entries.
            out.writeInt(0);
            if (NameNodeLayoutVersion.supports(NameNodeLayoutVersion.Feature.XATTRS, layoutVersion)) {
                // An empty protobuf message.
                out.writeByte(0);
            }
        });
    }

    /** The fields of {@code DeleteOp}, without a client. */
    private static byte[] deleteFields(String directory) {
        return toBytes(out -> {
            FSImageSerialization.writeString(directory, out);
            out.writeLong(0);
            FSImageSerialization.writeBytes(RpcConstants.DUMMY_CLIENT_ID, out);
            out.writeInt(RpcConstants.INVALID_CALL_ID);
        });
    }

    private static byte[] toBytes(Fields fields) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            fields.write(new DataOutputStream(bytes));
        } catch (IOException e) {
            throw new UncheckedIOException("Memory cannot be written to", e);
        }
        return bytes.toByteArray();
    }

    private interface Fields {
        void write(DataOutputStream out) throws IOException;
    }

    public abstract TxRange txIds();

    public abstract int layoutVersion();

    public abstract Bytes edits();

    /** Frames with consecutive transactions. */
    private static final class Frames {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private long next;

        Frames(long firstTxId) {
            next = firstTxId;
        }

        void add(Bytes frame) {
            bytes.write(frame.sharedArray(), frame.sharedOffset(), frame.size());
            next++;
        }
    }
}
