/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file of groups of records, each preceded by its length: the events that rules got, and the effects performed for them. A trace that
 * cannot be written ends, as what follows a gap would look like a fault. Thread-safe; never fails.
 */
public final class TraceFile {

    private static final Logger LOG = LoggerFactory.getLogger(TraceFile.class);

    /** The limit of queued bytes, which is reached only if the disk hangs. */
    private static final int MAX_QUEUED_BYTES = 64 << 20;

    /** The time within which added groups share one wake-up and one write. */
    private static final long SOON_NANOS = 5_000_000L;

    private final Path directory;
    private final String prefix;
    private final String suffix;
    private final LogThread thread;
    /** The lock held while waiting for the disk, so that groups keep their order. */
    private final Object disk = new Object();

    private Optional<OutputStream> file = Optional.empty();
    private ByteArrayOutputStream waiting = new ByteArrayOutputStream();
    private boolean flushing;
    private boolean broken;

    /** @param prefix of the name of the file, which is new for each of these: so it begins where the rules do */
    public TraceFile(Path directory, String prefix, String suffix) {
        this.directory = directory;
        this.prefix = prefix;
        this.suffix = suffix;
        this.thread = new LogThread("trace " + prefix);
    }

    /** Adds a group after all others, without waiting. */
    public synchronized void add(byte[] group) {
        if (broken) {
            return;
        }
        if (waiting.size() > MAX_QUEUED_BYTES) {
            end(new IOException(waiting.size() + " bytes wait for it"));
            return;
        }
        for (int shift = 24; shift >= 0; shift -= 8) {
            waiting.write(group.length >>> shift);
        }
        waiting.write(group, 0, group.length);
    }

    /** Passes all added groups to the operating system; returns when that is done. */
    public void flush() {
        synchronized (disk) {
            byte[] groups = drain();
            try {
                if (groups.length > 0) {
                    open().write(groups);
                }
            } catch (IOException e) {
                end(e);
            }
        }
    }

    /** Passes all added groups to the operating system soon, on a separate thread, without waiting. */
    public synchronized void flushSoon() {
        if (!flushing) {
            flushing = true;
            thread.write(() -> {
                LockSupport.parkNanos(SOON_NANOS);
                flush();
            });
        }
    }

    /** Closes the file after all added groups, on its own thread, without waiting. */
    public void close() {
        thread.write(() -> {
            flush();
            synchronized (disk) {
                file.ifPresent(TraceFile::close);
            }
        });
        thread.shutDown();
    }

    private static void close(OutputStream stream) {
        try {
            stream.close();
        } catch (IOException e) {
            LOG.debug("The trace file was not closed cleanly", e);
        }
    }

    private synchronized byte[] drain() {
        flushing = false;
        byte[] groups = broken ? new byte[0] : waiting.toByteArray();
        waiting.reset();
        return groups;
    }

    private OutputStream open() throws IOException {
        if (!file.isPresent()) {
            Files.createDirectories(directory);
            file = Optional.of(
                    Files.newOutputStream(Files.createTempFile(directory, prefix, suffix), StandardOpenOption.APPEND));
        }
        return file.get();
    }

    private synchronized void end(IOException cause) {
        broken = true;
        waiting = new ByteArrayOutputStream();
        LOG.warn(
                "Stopped writing a trace: dir={} cause={}; do: free disk space there, or unset "
                        + "trefoil.journal.trace.dir",
                directory,
                cause.toString());
    }
}
