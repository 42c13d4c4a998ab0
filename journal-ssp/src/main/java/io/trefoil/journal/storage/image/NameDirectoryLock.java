/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.image;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * HDFS's own lock of a name directory: while it is held, no NameNode starts from the directory, and no other Trefoil
 * command changes it. It ends with the process; the file stays.
 */
public final class NameDirectoryLock implements Closeable {

    private static final String FILE = "in_use.lock";

    private final Path file;
    private final FileChannel channel;

    private NameDirectoryLock(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /** @return empty if a NameNode or another command holds it */
    public static Optional<NameDirectoryLock> tryAcquire(Path directory) throws IOException {
        Path file = directory.resolve(FILE);
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        boolean acquired = false;
        try {
            acquired = channel.tryLock() != null;
            return acquired ? Optional.of(new NameDirectoryLock(file, channel)) : Optional.<NameDirectoryLock>empty();
        } catch (OverlappingFileLockException e) {
            // Held by this very process.
            return Optional.empty();
        } finally {
            if (!acquired) {
                channel.close();
            }
        }
    }

    /** Whether a NameNode or another command holds it at present; creates no file. */
    public static boolean isHeld(Path directory) throws IOException {
        Path file = directory.resolve(FILE);
        if (!Files.exists(file)) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            return lock == null;
        } catch (OverlappingFileLockException e) {
            return true;
        }
    }

    /** The lock file and the NameNode that locked it last, for a message. */
    static String lastHolder(Path directory) throws IOException {
        return FILE + " is locked by "
                + new String(Files.readAllBytes(directory.resolve(FILE)), StandardCharsets.UTF_8).trim();
    }

    /** The locked file. */
    public Path file() {
        return file;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
