/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A file open for reading and writing, for one thread. */
public interface OpenFile extends Closeable {

    long size() throws IOException;

    /**
     * Fills the rest of {@code buffer} from a position in the file.
     *
     * @throws java.io.EOFException if the file ends before that
     */
    void read(ByteBuffer buffer, long position) throws IOException;

    /** Writes the rest of {@code from} to a position in the file. */
    void write(ByteBuffer from, long position) throws IOException;

    /** Makes everything written to it durable. */
    void force() throws IOException;
}
