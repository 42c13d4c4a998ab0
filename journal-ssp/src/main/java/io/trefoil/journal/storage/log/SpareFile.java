/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.log;

import io.trefoil.journal.storage.file.OpenFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The next log file, prepared before it is needed.
 *
 * <p>A data sync takes half the time in a file that has its blocks and its size, with blocks that were written once,
 * compared to a growing file (commit path, measured); neither a sparse file nor fallocate achieves that. So the next
 * file is a reused purged one or, if there is none, a new one that is filled with zeros in the background: that writes
 * everything twice, and at a high load costs a sixth of the throughput. For one thread, which shares the work with one
 * in the background.
 */
public final class SpareFile implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(SpareFile.class);

    /** The number of purged files that are kept for reuse: as many as a checkpoint frees after a million edits of 1 KiB. */
    private static final int MAX_RECYCLED = 16;

    /** The limit on a disk without room for as many more files, as others may need the space. */
    private static final int MAX_RECYCLED_WHEN_TIGHT = 4;

    /** The size of a chunk, each of which is synced: small, as a large burst would delay the syncs of the log. */
    private static final int CHUNK_SIZE = 256 << 10;

    /** The pause between two chunks; a file of 64 MiB is ready after about two seconds. */
    private static final long PAUSE_NANOS = 4_000_000;

    private final LogDirectory directory;
    private final long size;
    private final Executor background;
    private final Deque<Path> recycled = new ArrayDeque<>();
    private Optional<FutureTask<Path>> task = Optional.empty();
    /** Whether a caller waits for the file. */
    private volatile boolean hurried;

    private volatile boolean closed;

    public SpareFile(LogDirectory directory, long size, Executor background) {
        this.directory = directory;
        this.size = size;
        this.background = background;
    }

    /** Finds the files kept for reuse, and deletes those of a size no longer wanted. */
    public void findRecycledFiles() throws IOException {
        for (int i = 1; i <= MAX_RECYCLED; i++) {
            Path path = directory.recycledPath(i);
            if (directory.files().exists(path)) {
                if (hasExpectedSize(path)) {
                    recycled.add(path);
                } else {
                    directory.files().delete(path);
                }
            }
        }
    }

    /**
     * Keeps a purged log file if it can be reused, and deletes surplus ones if the disk has become full; the caller
     * makes the new names durable.
     *
     * @return whether the file was renamed for reuse
     */
    boolean recycle(Path purgedFile) throws IOException {
        int target = targetRecycledCount();
        while (recycled.size() > target) {
            directory.files().delete(recycled.removeLast());
        }
        if (recycled.size() == target || !hasExpectedSize(purgedFile)) {
            return false;
        }
        int number = 1;
        while (recycled.contains(directory.recycledPath(number))) {
            number++;
        }
        Path path = directory.recycledPath(number);
        directory.files().rename(purgedFile, path);
        recycled.add(path);
        return true;
    }

    private int targetRecycledCount() {
        boolean tight = directory.files().usableBytes(directory.path()) < MAX_RECYCLED * size;
        return tight ? MAX_RECYCLED_WHEN_TIGHT : MAX_RECYCLED;
    }

    private boolean hasExpectedSize(Path path) throws IOException {
        return sizeOf(path) == size;
    }

    /**
     * Checks whether a file could be created or reused now; changes nothing.
     *
     * @throws IOException if there is no room
     */
    public void requireCreatable() throws IOException {
        for (int i = 1; i <= MAX_RECYCLED; i++) {
            Path path = directory.recycledPath(i);
            if (hasExpectedSize(path)) {
                return;
            }
        }
        // A file prepared ahead is created anew in its own room.
        requireSpace(size - sizeOf(directory.sparePath()));
    }

    private long sizeOf(Path path) throws IOException {
        if (!directory.files().exists(path)) {
            return 0;
        }
        try (OpenFile file = directory.files().open(path)) {
            return file.size();
        }
    }

    /** Begins to prepare a file, unless that has begun or one is ready. Never fails: {@link #take} does. */
    void prepare() {
        if (recycled.isEmpty() && !task.isPresent()) {
            hurried = false;
            FutureTask<Path> next = new FutureTask<>(this::createAhead);
            task = Optional.of(next);
            background.execute(next);
        }
    }

    /**
     * Waits until a file is ready.
     *
     * @throws IOException if there is no room for it, or the device failed
     */
    void awaitReady() throws IOException {
        if (!recycled.isEmpty()) {
            return;
        }
        prepare();
        FutureTask<Path> current = task.get();
        try {
            awaitResult(current);
        } catch (IOException e) {
            task = Optional.empty();
            throw e;
        }
    }

    /**
     * A file of at least {@code neededSize} bytes, durable except for its name, and without old frames that its new head would make valid. Waits until it is ready.
     *
     * @throws IOException if there is no room for it, or the device failed
     */
    public Path take(long neededSize) throws IOException {
        if (neededSize > size) {
            hurried = true;
            Path large = directory.oversizedLogPath();
            fill(large, neededSize);
            return large;
        }
        if (!recycled.isEmpty()) {
            return recycled.remove();
        }
        prepare();
        FutureTask<Path> current = task.get();
        task = Optional.empty();
        try {
            return awaitResult(current);
        } catch (IOException e) {
            LOG.debug("Retrying to create the next log file: dir={}", directory.path(), e);
            // The cause may be gone, above all if the disk was full.
            return create();
        }
    }

    /** Ends the background work and waits until it has ended. */
    @Override
    public void close() {
        closed = true;
        if (task.isPresent()) {
            try {
                awaitResult(task.get());
            } catch (IOException e) {
                LOG.debug("The next log file was not preallocated: dir={}", directory.path(), e);
            }
        }
    }

    private Path awaitResult(FutureTask<Path> task) throws IOException {
        hurried = true;
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw new IOException(
                            "Could not make the next log file: " + e.getCause().getMessage(), e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private Path createAhead() throws IOException {
        try {
            return create();
        } catch (IOException e) {
            if (!closed) {
                LOG.warn(
                        "Cannot preallocate the next log file: dir={}; do: check the free space on that disk",
                        directory.path(),
                        e);
            }
            throw e;
        }
    }

    private Path create() throws IOException {
        // Created anew even if it exists: a crash may have left part of a head in it.
        fill(directory.sparePath(), size);
        return directory.sparePath();
    }

    private void fill(Path path, long targetSize) throws IOException {
        try (OpenFile file = directory.files().create(path)) {
            requireSpace(targetSize);
            ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(CHUNK_SIZE, targetSize));
            for (long at = 0; at < targetSize; at += zeros.limit()) {
                if (closed) {
                    throw new IOException("The storage " + directory.path() + " was closed");
                }
                zeros.clear();
                zeros.limit((int) Math.min(zeros.capacity(), targetSize - at));
                file.write(zeros, at);
                file.force();
                yieldToSyncs(at + zeros.limit() < targetSize);
            }
        } catch (IOException e) {
            deleteUnfinished(path);
            throw new IOException("Could not make " + path + ", " + targetSize + " bytes: " + e.getMessage(), e);
        }
    }

    /**
     * Checks first that there is room for the file: filling up the disk and then freeing it takes a long time, and a writer may be waiting.
     */
    private void requireSpace(long targetSize) throws IOException {
        long usable = directory.files().usableBytes(directory.path());
        if (usable < targetSize) {
            throw new IOException("No space left on device, " + usable + " bytes are free");
        }
    }

    /** Lets syncs of entries go first between two chunks, unless a caller waits for this file. */
    private void yieldToSyncs(boolean hasMore) {
        if (hasMore && !hurried && !closed) {
            LockSupport.parkNanos(this, PAUSE_NANOS);
        }
    }

    /** Deletes an unfinished file: on a full disk, even its space is needed elsewhere. */
    private void deleteUnfinished(Path path) {
        try {
            directory.files().delete(path);
        } catch (IOException e) {
            LOG.warn("Cannot delete an unused file: path={}; do: check that disk", path, e);
        }
    }
}
