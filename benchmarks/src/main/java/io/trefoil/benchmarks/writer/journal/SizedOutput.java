/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.writer.journal;

import java.io.OutputStream;
import java.nio.ByteBuffer;

/** Collects a known number of bytes in memory outside the heap, from which the operating system can write them. */
final class SizedOutput extends OutputStream {
    private static final int USUAL_BYTES = 1 << 20;
    private static final ThreadLocal<ByteBuffer> REUSED =
            ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(USUAL_BYTES));

    private final ByteBuffer bytes;

    SizedOutput(int size) {
        bytes = size <= USUAL_BYTES ? REUSED.get() : ByteBuffer.allocateDirect(size);
        bytes.clear();
    }

    @Override
    public void write(int value) {
        bytes.put((byte) value);
    }

    @Override
    public void write(byte[] source, int offset, int length) {
        bytes.put(source, offset, length);
    }

    /** The bytes written; valid until this thread creates the next output. */
    ByteBuffer toBuffer() {
        return bytes.flip();
    }
}
