/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.file;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file in this machine's file system. Interrupts of the calling thread do no harm, except to a sync in progress, which fails. */
final class NioFile implements OpenFile {

    /** NIO keeps an off-heap buffer per thread as large as the largest read, so reads are kept small. */
    private static final int READ_SIZE = 256 << 10;

    private final Path path;
    private final Channels channels;
    private FileChannel channel;

    NioFile(Path path, OpenOption... options) throws IOException {
        this(path, FileChannel::open, options);
    }

    NioFile(Path path, Channels channels, OpenOption... options) throws IOException {
        this.path = path;
        this.channels = channels;
        UninterruptibleIo.perform(() -> channel = channels.open(path, options));
    }

    @Override
    public long size() throws IOException {
        long[] size = new long[1];
        perform(open -> size[0] = open.size());
        return size[0];
    }

    @Override
    public void read(ByteBuffer buffer, long position) throws IOException {
        int start = buffer.position();
        int limit = buffer.limit();
        perform(open -> {
            while (buffer.position() < limit) {
                buffer.limit(Math.min(limit, buffer.position() + READ_SIZE));
                int count = open.read(buffer, position + buffer.position() - start);
                buffer.limit(limit);
                if (count < 0) {
                    throw new EOFException(path + " ends before byte " + (position + limit - start));
                }
            }
        });
    }

    @Override
    public void write(ByteBuffer from, long position) throws IOException {
        int start = from.position();
        perform(open -> {
            while (from.hasRemaining()) {
                open.write(from, position + from.position() - start);
            }
        });
    }

    @Override
    public void force() throws IOException {
        UninterruptibleIo.sync(() -> channel.force(false));
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    private void perform(Operation operation) throws IOException {
        boolean[] again = new boolean[1];
        UninterruptibleIo.perform(() -> {
            if (again[0]) {
                channel = channels.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
            }
            again[0] = true;
            operation.perform(channel);
        });
    }

    /** Opens files. */
    interface Channels {
        FileChannel open(Path path, OpenOption... options) throws IOException;
    }

    private interface Operation {
        void perform(FileChannel open) throws IOException;
    }
}
