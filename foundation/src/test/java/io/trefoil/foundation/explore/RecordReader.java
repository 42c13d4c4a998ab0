/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.explore;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Reads records of one length from a file, in order; one that does not exist has none. */
final class RecordReader implements Closeable {

    private static final int BLOCK = 1 << 16;

    private final FileChannel channel;
    private final ByteBuffer block;
    private final int length;

    RecordReader(Path file, int length) throws IOException {
        this.length = length;
        channel = Files.exists(file) ? FileChannel.open(file, StandardOpenOption.READ) : null;
        block = ByteBuffer.allocate(BLOCK / length * length).limit(0);
    }

    /** Whether there is one more; it stands at the buffer's position, and is to be read whole. */
    boolean next() throws IOException {
        if (block.hasRemaining()) {
            return true;
        }
        if (channel == null) {
            return false;
        }
        block.clear();
        while (block.position() % length != 0 || block.position() == 0) {
            if (channel.read(block) < 0) {
                if (block.position() > 0) {
                    throw new EOFException("a record is not whole");
                }
                block.flip();
                return false;
            }
        }
        block.flip();
        return true;
    }

    ByteBuffer record() {
        return block;
    }

    @Override
    public void close() throws IOException {
        if (channel != null) {
            channel.close();
        }
    }
}
