/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.reader;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogLoader.PositionTrackingInputStream;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp;

/** Decodes edits like HDFS, for journals without HDFS's interface. */
final class EditDecoder {
    private EditDecoder() {}

    /** Returns the number of edits, at most {@code maximum}. */
    static long count(InputStream bytes, long maximum) throws IOException {
        PositionTrackingInputStream in = new PositionTrackingInputStream(new BufferedInputStream(bytes));
        FSEditLogOp.Reader reader =
                FSEditLogOp.Reader.create(new DataInputStream(in), in, HdfsServerConstants.NAMENODE_LAYOUT_VERSION);
        long count = 0;
        while (count < maximum && reader.readOp(false) != null) {
            count++;
        }
        return count;
    }
}
