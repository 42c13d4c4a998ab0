/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.security;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file of Hadoop's configuration, which may be rewritten while this process runs. Thread-safe.
 *
 * <p>Uses {@code Configuration.getResource}.
 */
final class ResourceFile {
    private static final Logger LOG = LoggerFactory.getLogger(ResourceFile.class);

    /** Limits how often callers can make it check the disk. */
    private static final long SOONEST_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A stamp that no file has. */
    private static final String UNREAD = "unread";

    private final Configuration conf;
    private final String name;
    private final LongSupplier nanoTime;
    private String stamp;
    private long lookedNanos;

    /** Treats the present content as already read. */
    ResourceFile(Configuration conf, String name, LongSupplier nanoTime) {
        this.conf = conf;
        this.name = name;
        this.nanoTime = nanoTime;
        this.stamp = fingerprint();
        this.lookedNanos = nanoTime.getAsLong();
    }

    /**
     * Reads the file again if it has changed, and logs that. A failure is logged, and what was read before stays. Looks
     * at most once a second; may wait for the disk.
     *
     * @param kept for the log: what stays as before if reading fails
     * @param read reads the file, and returns its content for the log; throws before it changes anything
     */
    void reloadIfChanged(String kept, Supplier<String> read) {
        if (hasChanged()) {
            try {
                LOG.info("Reloaded file={}: {}", name, read.get());
            } catch (RuntimeException e) {
                markChanged();
                LOG.error(
                        "file={} cannot be read; {} as before"
                                + "; do: correct that file, which is read again when it changes",
                        name,
                        kept,
                        e);
            }
        }
    }

    /**
     * Whether the file has changed since the last call; checks the disk at most once a second. A missing file counts as
     * unchanged: it may be about to be replaced, and without it every caller would be admitted. May wait for the disk.
     */
    private synchronized boolean hasChanged() {
        long now = nanoTime.getAsLong();
        if (now - lookedNanos < SOONEST_NANOS) {
            return false;
        }
        lookedNanos = now;
        String present = fingerprint();
        if (present.isEmpty() || present.equals(stamp)) {
            return false;
        }
        stamp = present;
        return true;
    }

    /**
     * Makes an unreadable file count as changed until it can be read: the fault may be repaired without changing its
     * content, for example by its mode.
     */
    private synchronized void markChanged() {
        stamp = UNREAD;
    }

    /** Changes whenever the file does; empty for a resource that is missing or not a file, which counts as unchanged. */
    private String fingerprint() {
        URL url = conf.getResource(name);
        if (url == null) {
            return "";
        }
        try {
            Path path = Paths.get(url.toURI());
            BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
            return path + " " + attributes.lastModifiedTime() + " " + attributes.size() + " " + attributes.fileKey();
        } catch (IOException | URISyntaxException | FileSystemNotFoundException e) {
            return "";
        }
    }
}
