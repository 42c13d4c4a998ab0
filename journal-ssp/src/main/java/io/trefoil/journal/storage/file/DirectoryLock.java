/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.file;

import java.io.Closeable;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps a second process from using a directory. The lock ends with the process, however that ends; the file stays and
 * names the owner.
 */
final class DirectoryLock implements Closeable {

    /**
     * The locks of this process. They must be checked first: with POSIX locks, closing a second channel on a file that
     * this process has locked releases the lock.
     */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private static final int OWNER_SIZE = 256;

    private final Path key;
    private final FileChannel channel;

    private DirectoryLock(Path key, FileChannel channel) {
        this.key = key;
        this.channel = channel;
    }

    static DirectoryLock acquire(Path file) throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        Path key = directory.toRealPath().resolve(file.getFileName());
        if (!HELD.add(key)) {
            throw new IOException("Storage " + directory + " is open in this process already (" + describeSelf() + ")");
        }
        FileChannel channel = null;
        try {
            channel = FileChannel.open(
                    file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
            FileLock lock = channel.tryLock();
            if (lock == null) {
                throw new IOException("Storage " + directory + " is in use by another process: " + readOwner(channel));
            }
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(describeSelf().getBytes(StandardCharsets.UTF_8)), 0);
            return new DirectoryLock(key, channel);
        } catch (IOException | RuntimeException | Error e) {
            HELD.remove(key);
            if (channel != null) {
                channel.close();
            }
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        try {
            channel.close();
        } finally {
            // A failed close has freed the file as well; the next owner in this process learns that from the file.
            HELD.remove(key);
        }
    }

    private static String describeSelf() {
        return ManagementFactory.getRuntimeMXBean().getName();
    }

    private static String readOwner(FileChannel channel) throws IOException {
        ByteBuffer text = ByteBuffer.allocate(OWNER_SIZE);
        channel.read(text, 0);
        text.flip();
        return StandardCharsets.UTF_8.decode(text).toString();
    }
}
