/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.federation.moves;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * Makes, renames, reads and deletes files of its own directory; each of these calls would fail if it were executed twice, or not at all.
 * What a file has in it is the name that it was made with.
 */
final class LogWriter implements Callable<Void> {
    /** Leaves the cores to the servers. */
    private static final long FILE_INTERVAL_NANOS = 50_000_000;

    private final FileSystem files;
    private final Path directory;
    private final Map<String, String> acknowledged = new TreeMap<>();
    private final AtomicInteger done = new AtomicInteger();
    private volatile boolean isOver;

    LogWriter(FileSystem files, Path directory) {
        this.files = files;
        this.directory = directory;
    }

    int completedRounds() {
        return done.get();
    }

    void end() {
        isOver = true;
    }

    /** What was acknowledged, by path; after its end. */
    Map<String, String> acknowledgedContents() {
        return acknowledged;
    }

    @Override
    public Void call() throws IOException {
        for (int i = 0; !isOver; i++) {
            Path file = new Path(directory, String.valueOf(i));
            write(files, file);
            assertThat(read(files, file)).isEqualTo(file.getName());
            if (i % 3 == 0) {
                assertThat(files.delete(file, false)).as("deleted " + file).isTrue();
            } else if (i % 3 == 1) {
                Path renamed = new Path(directory, "renamed-" + i);
                assertThat(files.rename(file, renamed)).as("renamed " + file).isTrue();
                acknowledged.put(renamed.toString(), file.getName());
            } else {
                acknowledged.put(file.toString(), file.getName());
            }
            done.incrementAndGet();
            LockSupport.parkNanos(FILE_INTERVAL_NANOS);
        }
        return null;
    }

    static void write(FileSystem files, Path path) throws IOException {
        try (OutputStream out = files.create(path, false)) {
            out.write(path.getName().getBytes(UTF_8));
        }
    }

    static String read(FileSystem files, Path path) throws IOException {
        try (InputStream in = files.open(path)) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    /** All files below a directory by their paths, and what is in them; none if there is no such directory. */
    static Map<String, String> contents(FileSystem files, Path directory) throws IOException {
        Map<String, String> contents = new TreeMap<>();
        try {
            RemoteIterator<LocatedFileStatus> all = files.listFiles(directory, true);
            while (all.hasNext()) {
                Path one = all.next().getPath();
                contents.put(one.toUri().getPath(), read(files, one));
            }
        } catch (FileNotFoundException e) {
            assertThat(files.exists(directory)).as(directory + ": " + e).isFalse();
        }
        return contents;
    }
}
