/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.writer.journal;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.hdfs.server.namenode.EditLogOutputStream;

/** A journal that can be written to, a segment at a time, as HDFS does. For one thread. */
public interface MeasuredJournal extends Closeable {
    /**
     * Begins the next segment.
     *
     * @param firstTxId of the segment; the one after the last transaction written
     */
    EditLogOutputStream start(long firstTxId) throws IOException;

    /**
     * Ends the segment that {@link #start} began; its stream is closed already. What lies before it may go from the
     * disk.
     */
    void end(long firstTxId, long lastTxId) throws IOException;
}
