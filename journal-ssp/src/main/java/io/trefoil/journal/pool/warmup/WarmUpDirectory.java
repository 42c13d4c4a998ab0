/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.warmup;

import io.trefoil.journal.storage.file.NioFiles;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A temporary directory for a warm-up, deleted on close. A directory left by a killed process is deleted by the next warm-up:
 * a lock in the directory tells whether its process is alive. For one thread.
 */
final class WarmUpDirectory implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(WarmUpDirectory.class);

    private static final String PREFIX = "trefoil-warm-up-";
    private static final String LOCK = "in-use";
    private static final int MAX_TRIES = 10;

    private final NioFiles files;
    private final Path path;
    private final Closeable lock;

    private WarmUpDirectory(NioFiles files, Path path, Closeable lock) {
        this.files = files;
        this.path = path;
        this.lock = lock;
    }

    /**
     * Creates a directory, and deletes those that are no longer in use.
     *
     * @throws IOException if there is no room for it
     */
    static WarmUpDirectory createIn(Path temporary) throws IOException {
        WarmUpDirectory made = create(temporary);
        try {
            made.deleteOthers(temporary);
            return made;
        } catch (IOException | RuntimeException | Error e) {
            made.close();
            throw e;
        }
    }

    private static WarmUpDirectory create(Path temporary) throws IOException {
        NioFiles files = new NioFiles();
        for (int i = 1; ; i++) {
            Path path = Files.createTempDirectory(temporary, PREFIX);
            try {
                Closeable lock = files.lock(path.resolve(LOCK));
                if (Files.exists(path.resolve(LOCK))) {
                    return new WarmUpDirectory(files, path, lock);
                }
                lock.close();
                // Another process found and deleted the directory before it was locked.
            } catch (IOException e) {
                if (i == MAX_TRIES) {
                    throw e;
                }
            }
        }
    }

    Path path() {
        return path;
    }

    private void deleteOthers(Path temporary) throws IOException {
        // The parent directory is open to all users, so another user's directory may be a trap.
        UserPrincipal owner = Files.getOwner(path);
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(temporary, PREFIX + "*")) {
            for (Path otherPath : directories) {
                if (!otherPath.equals(path) && isDirectoryOf(otherPath, owner)) {
                    deleteIfUnused(otherPath);
                }
            }
        }
    }

    private static boolean isDirectoryOf(Path otherPath, UserPrincipal owner) {
        try {
            return Files.isDirectory(otherPath, LinkOption.NOFOLLOW_LINKS)
                    && Files.getOwner(otherPath, LinkOption.NOFOLLOW_LINKS).equals(owner);
        } catch (IOException e) {
            // The directory is gone.
            return false;
        }
    }

    private void deleteIfUnused(Path otherPath) {
        try (Closeable unused = files.lock(otherPath.resolve(LOCK))) {
            files.deleteTree(otherPath);
            LOG.info("Deleted dir={}, which a killed process left behind", otherPath);
        } catch (IOException e) {
            LOG.debug("Could not delete dir={}: {}", otherPath, e.toString());
        }
    }

    @Override
    public void close() throws IOException {
        try (Closeable last = lock) {
            files.deleteTree(path);
        }
    }
}
