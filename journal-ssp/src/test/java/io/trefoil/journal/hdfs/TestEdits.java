/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs;

import io.trefoil.journal.model.Bytes;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogLoader;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOpCodes;

/** Real edits for tests, mostly of the only kind without fields: the end of a log segment. */
public final class TestEdits {
    public static final int LAYOUT_VERSION = HdfsServerConstants.NAMENODE_LAYOUT_VERSION;
    public static final int SIZE = 17;

    private static final byte OP_END_LOG_SEGMENT = FSEditLogOpCodes.OP_END_LOG_SEGMENT.getOpCode();

    private TestEdits() {}

    public static byte[] frames(long firstTxId, long lastTxId) {
        ByteBuffer frames = ByteBuffer.allocate((int) (lastTxId - firstTxId + 1) * SIZE);
        for (long txId = firstTxId; txId <= lastTxId; txId++) {
            frames.put(frame(OP_END_LOG_SEGMENT, txId, new byte[0]));
        }
        return frames.array();
    }

    /** The mark that begins a rolling upgrade; its only field is a time. */
    public static Bytes rollingUpgradeStart(long txId) {
        return Bytes.wrap(frame(FSEditLogOpCodes.OP_ROLLING_UPGRADE_START.getOpCode(), txId, new byte[8]));
    }

    private static byte[] frame(byte opcode, long txId, byte[] fields) {
        ByteBuffer frame = ByteBuffer.allocate(SIZE + fields.length);
        frame.put(opcode).putInt(4 + 8 + fields.length).putLong(txId).put(fields);
        CRC32 checksum = new CRC32();
        checksum.update(frame.array(), 0, frame.position());
        return frame.putInt((int) checksum.getValue()).array();
    }

    public static Bytes bytes(long firstTxId, long lastTxId) {
        return Bytes.wrap(frames(firstTxId, lastTxId));
    }

    public static FSEditLogOp op(long txId) throws IOException {
        FSEditLogLoader.PositionTrackingInputStream in =
                new FSEditLogLoader.PositionTrackingInputStream(new ByteArrayInputStream(frames(txId, txId)));
        return FSEditLogOp.Reader.create(new DataInputStream(in), in, LAYOUT_VERSION)
                .readOp(false);
    }
}
