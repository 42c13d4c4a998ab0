/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.writer.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Makes batches durable. For one thread at a time. */
public interface BatchSink extends Closeable {
    /** Writes a batch; returns when it is as durable as this sink makes it. */
    void makeDurable(ByteBuffer batch) throws IOException;

    /** Allows the sink to delete everything written so far. */
    default void roll() throws IOException {
        // A circular file never keeps more than its size.
    }
}
