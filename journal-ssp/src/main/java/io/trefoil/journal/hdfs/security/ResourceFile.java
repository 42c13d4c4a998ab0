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
 * A file of Hadoop's configuration, which may be written anew while this process runs. Thread-safe.
 *
 * <p>Uses {@code Configuration.getResource}.
 */
final class ResourceFile {
    private static final Logger LOG = LoggerFactory.getLogger(ResourceFile.class);

    /** Who calls again and again must not make it look at the disk each time. */
    private static final long SOONEST_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** No file has such a stamp. */
    private static final String UNREAD = "unread";

    private final Configuration conf;
    private final String name;
    private final LongSupplier nanoTime;
    private String stamp;
    private long lookedNanos;

    /** As it is now, it is taken for read. */
    ResourceFile(Configuration conf, String name, LongSupplier nanoTime) {
        this.conf = conf;
        this.name = name;
        this.nanoTime = nanoTime;
        this.stamp = stamp();
        this.lookedNanos = nanoTime.getAsLong();
    }

    /**
     * Has the file read again if it has changed, and logs that. If reading fails, this is logged, and what was read before
     * stays. Looks at most once a second; may wait for the disk.
     *
     * @param kept for the log: what is as before if reading fails
     * @param read reads it, and returns what it says, for the log; throws before it changes anything
     */
    void readAgainIfChanged(String kept, Supplier<String> read) {
        if (hasChanged()) {
            try {
                LOG.info("{} was read again: {}", name, read.get());
            } catch (RuntimeException e) {
                unread();
                LOG.error("{} cannot be read; {} as before", name, kept, e);
            }
        }
    }

    /**
     * Whether it is another one than when this was asked last; looks at most once a second. One that is gone is as it was: it may be
     * about to be replaced, and without it everybody would be let in. May wait for the disk.
     */
    private synchronized boolean hasChanged() {
        long now = nanoTime.getAsLong();
        if (now - lookedNanos < SOONEST_NANOS) {
            return false;
        }
        lookedNanos = now;
        String present = stamp();
        if (present.isEmpty() || present.equals(stamp)) {
            return false;
        }
        stamp = present;
        return true;
    }

    /** It could not be read as it is: it counts as changed until it can, since what is wrong may be mended beside it, as by its mode. */
    private synchronized void unread() {
        stamp = UNREAD;
    }

    /** What changes with the file. One that is not there, or not a file, stays as it is. */
    private String stamp() {
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
