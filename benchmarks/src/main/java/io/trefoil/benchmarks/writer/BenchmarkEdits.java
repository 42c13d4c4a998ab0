/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.writer;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.zip.CRC32;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogLoader.PositionTrackingInputStream;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOpCodes;

/**
 * Real edits of any size: master keys, because HDFS writes them with a single copy of their bytes, so that the benchmark
 * measures the journal and not the encoding of names.
 */
public final class BenchmarkEdits {
    /** The size of code, length, transaction id and checksum, and of key id, expiry and the key's length. */
    private static final int OVERHEAD = 1 + 4 + 8 + 4 + 1 + 1 + 3;

    private BenchmarkEdits() {}

    /**
     * An edit without a transaction id, which can be written repeatedly with new ids.
     *
     * @param size of its frame in the log, in bytes; from 300 to 60 000
     */
    public static FSEditLogOp ofSize(int size) throws IOException {
        PositionTrackingInputStream in = new PositionTrackingInputStream(new ByteArrayInputStream(newFrame(size)));
        return FSEditLogOp.Reader.create(new DataInputStream(in), in, HdfsServerConstants.NAMENODE_LAYOUT_VERSION)
                .readOp(false);
    }

    private static byte[] newFrame(int size) throws IOException {
        int keySize = size - OVERHEAD;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeByte(FSEditLogOpCodes.OP_UPDATE_MASTER_KEY.getOpCode());
        out.writeInt(size - 1 - 4);
        out.writeLong(1);
        out.writeByte(0);
        out.writeByte(0);
        // Hadoop's variable-length integer of two bytes.
        out.writeByte(-114);
        out.writeShort(keySize);
        out.write(new byte[keySize]);
        CRC32 checksum = new CRC32();
        checksum.update(bytes.toByteArray());
        out.writeInt((int) checksum.getValue());
        return bytes.toByteArray();
    }
}
