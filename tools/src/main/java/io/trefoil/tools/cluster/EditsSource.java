/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.cluster;

import io.trefoil.journal.model.SegmentInfo;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/** The committed edits of a journal, as files that HDFS's own tools can read. */
public interface EditsSource extends Closeable {

    /**
     * The segments, starting with the one that contains {@code fromTxId}, or the next one.
     *
     * @throws IOException if no majority of the pool can tell
     */
    List<SegmentInfo> segments(long fromTxId) throws IOException;

    /** The file name that HDFS would give a segment. */
    String fileName(SegmentInfo segment);

    /**
     * Writes a segment in the format of its file; the target stays open.
     *
     * @throws IOException if the segment lacks transactions, or cannot be read or written
     */
    void write(SegmentInfo segment, OutputStream target) throws IOException;
}
