/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.explore;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Writes records behind a file, which it opens when it has the first ones to write. */
final class RecordWriter implements Closeable {

    private final Path file;
    private final ByteBuffer block;
    private final int length;
    private FileChannel channel;

    RecordWriter(Path file, int length, int records) {
        this.file = file;
        this.length = length;
        block = ByteBuffer.allocate(length * records);
    }

    /** Where the next record is put. */
    ByteBuffer next() {
        if (block.remaining() < length) {
            flush();
        }
        return block;
    }

    private void flush() {
        block.flip();
        try {
            if (channel == null) {
                channel = FileChannel.open(
                        file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
            }
            while (block.hasRemaining()) {
                channel.write(block);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        block.clear();
    }

    @Override
    public void close() {
        if (block.position() > 0) {
            flush();
        }
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
