/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.writer.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Where a batch goes to become durable. For one thread at a time. */
public interface BatchSink extends Closeable {
    /** Returns when the batch is as durable as it gets here. */
    void makeDurable(ByteBuffer batch) throws IOException;

    /** What was written until now may go from the disk. */
    default void roll() throws IOException {
        // A file that is written round and round keeps no more than it has.
    }
}
