/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.writer.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A preallocated circular file, filled with zeros: the best that a disk can do. */
public final class CircularFile implements BatchSink {
    private static final int SIZE = 64 << 20;
    private static final int CHUNK = 1 << 20;

    private final FileChannel channel;
    private final Durability durability;
    private long position;

    private CircularFile(FileChannel channel, Durability durability) {
        this.channel = channel;
        this.durability = durability;
    }

    /** Creates the file, which takes as long as writing 64 MB. */
    public static CircularFile create(Path path, Durability durability) throws IOException {
        FileChannel channel = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        ByteBuffer zeros = ByteBuffer.allocateDirect(CHUNK);
        for (long offset = 0; offset < SIZE; offset += CHUNK) {
            zeros.clear();
            writeFully(channel, zeros, offset);
        }
        channel.force(true);
        return new CircularFile(channel, durability);
    }

    @Override
    public void makeDurable(ByteBuffer batch) throws IOException {
        int size = batch.remaining();
        if (position + size > SIZE) {
            position = 0;
        }
        writeFully(channel, batch, position);
        if (durability == Durability.SYNCED) {
            channel.force(false);
        }
        position += size;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    private static void writeFully(FileChannel channel, ByteBuffer bytes, long offset) throws IOException {
        long next = offset;
        while (bytes.hasRemaining()) {
            next += channel.write(bytes, next);
        }
    }
}
