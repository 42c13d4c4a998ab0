/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NioFileTest {
    @TempDir
    Path directory;

    private int syncs;

    /** The disk says no, and NIO says only that the thread was interrupted; the system says it once. */
    @Test
    void interruptedSyncFailsWithoutRetry() throws IOException {
        try (NioFile file = new NioFile(
                directory.resolve("log"), this::open, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 0);

            assertThatThrownBy(file::force).isInstanceOf(IOException.class).hasMessageContaining("interrupted");

            assertThat(Thread.interrupted()).as("the caller is told").isTrue();
            assertThat(syncs).isEqualTo(1);
        }
    }

    @Test
    void earlierInterruptDoesNotBreakFile() throws IOException {
        try (NioFile file = new NioFile(
                directory.resolve("log"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            Thread.currentThread().interrupt();
            file.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 0);
            file.force();

            assertThat(Thread.interrupted()).isTrue();
            assertThat(file.size()).isEqualTo(3);
        }
    }

    private FileChannel open(Path path, OpenOption... options) throws IOException {
        return new InterruptedChannel(FileChannel.open(path, options));
    }

    /** Its first sync fails while the thread is interrupted; whatever is asked of it afterwards succeeds, as with a real file. */
    private final class InterruptedChannel extends FileChannel {
        private final FileChannel channel;

        InterruptedChannel(FileChannel channel) {
            this.channel = channel;
        }

        @Override
        public void force(boolean metaData) throws IOException {
            boolean done = false;
            try {
                begin();
                if (syncs++ == 0) {
                    interruptFromElsewhere(Thread.currentThread());
                    throw new IOException("Input/output error");
                }
                done = true;
            } finally {
                end(done);
            }
        }

        /** A channel is closed only under a thread that another one interrupts. */
        private void interruptFromElsewhere(Thread syncing) {
            Thread other = new Thread(syncing::interrupt);
            other.start();
            while (other.isAlive()) {
                Thread.onSpinWait();
            }
        }

        @Override
        public int write(ByteBuffer from, long position) throws IOException {
            return channel.write(from, position);
        }

        @Override
        protected void implCloseChannel() throws IOException {
            channel.close();
        }

        @Override
        public int read(ByteBuffer buffer) throws IOException {
            return channel.read(buffer);
        }

        @Override
        public long read(ByteBuffer[] into, int offset, int length) throws IOException {
            return channel.read(into, offset, length);
        }

        @Override
        public int write(ByteBuffer from) throws IOException {
            return channel.write(from);
        }

        @Override
        public long write(ByteBuffer[] from, int offset, int length) throws IOException {
            return channel.write(from, offset, length);
        }

        @Override
        public long position() throws IOException {
            return channel.position();
        }

        @Override
        public FileChannel position(long newPosition) throws IOException {
            return channel.position(newPosition);
        }

        @Override
        public long size() throws IOException {
            return channel.size();
        }

        @Override
        public FileChannel truncate(long size) throws IOException {
            return channel.truncate(size);
        }

        @Override
        public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
            return channel.transferTo(position, count, target);
        }

        @Override
        public long transferFrom(ReadableByteChannel source, long position, long count) throws IOException {
            return channel.transferFrom(source, position, count);
        }

        @Override
        public int read(ByteBuffer buffer, long position) throws IOException {
            return channel.read(buffer, position);
        }

        @Override
        public MappedByteBuffer map(MapMode mode, long position, long size) throws IOException {
            return channel.map(mode, position, size);
        }

        @Override
        public FileLock lock(long position, long size, boolean shared) throws IOException {
            return channel.lock(position, size, shared);
        }

        @Override
        public FileLock tryLock(long position, long size, boolean shared) throws IOException {
            return channel.tryLock(position, size, shared);
        }
    }
}
