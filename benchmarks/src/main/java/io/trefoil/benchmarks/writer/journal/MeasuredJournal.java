/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.writer.journal;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.hdfs.server.namenode.EditLogOutputStream;

/** A journal that is written one segment at a time, like HDFS does. Single-threaded. */
public interface MeasuredJournal extends Closeable {
    /**
     * Begins the next segment.
     *
     * @param firstTxId the transaction after the last one written
     */
    EditLogOutputStream start(long firstTxId) throws IOException;

    /** Ends the segment that {@link #start} began; its stream is already closed. The journal may delete what precedes it. */
    void end(long firstTxId, long lastTxId) throws IOException;
}
