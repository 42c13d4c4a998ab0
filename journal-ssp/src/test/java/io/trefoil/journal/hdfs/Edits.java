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

/** Real edits for tests, of the only kind without fields: the end of a log segment. */
final class Edits {
    static final int LAYOUT_VERSION = HdfsServerConstants.NAMENODE_LAYOUT_VERSION;
    static final int SIZE = 17;

    private static final byte OP_END_LOG_SEGMENT = 23;

    private Edits() {}

    static byte[] frames(long firstTxId, long lastTxId) {
        ByteBuffer frames = ByteBuffer.allocate((int) (lastTxId - firstTxId + 1) * SIZE);
        for (long txId = firstTxId; txId <= lastTxId; txId++) {
            int start = frames.position();
            frames.put(OP_END_LOG_SEGMENT).putInt(4 + 8).putLong(txId);
            CRC32 checksum = new CRC32();
            checksum.update(frames.array(), start, frames.position() - start);
            frames.putInt((int) checksum.getValue());
        }
        return frames.array();
    }

    static Bytes bytes(long firstTxId, long lastTxId) {
        return Bytes.wrap(frames(firstTxId, lastTxId));
    }

    static FSEditLogOp op(long txId) throws IOException {
        FSEditLogLoader.PositionTrackingInputStream in =
                new FSEditLogLoader.PositionTrackingInputStream(new ByteArrayInputStream(frames(txId, txId)));
        return FSEditLogOp.Reader.create(new DataInputStream(in), in, LAYOUT_VERSION)
                .readOp(false);
    }
}
