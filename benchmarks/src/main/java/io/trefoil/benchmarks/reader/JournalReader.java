/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.reader;

import java.io.Closeable;
import java.io.IOException;

/** Reads the edits of a journal whose newest segment is being written, and the previous one is finalized. For one thread. */
interface JournalReader extends Closeable {
    /** The segment to read. */
    enum Segment {
        FINALIZED,
        IN_PROGRESS
    }

    /**
     * Reads and decodes the edits of a segment, as many as are visible.
     *
     * @param firstTxId of the segment
     * @param records how many were written; a reader of a segment in progress may see fewer
     * @return how many were read
     */
    long read(Segment segment, long firstTxId, long records) throws IOException;
}
