/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs;

import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.foundation.DaemonThreads;
import io.trefoil.foundation.OrderRefusedException;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * Reads images from end to end to find out whether they are intact: one after the other, each for as long as the disk
 * takes, while the caller polls. No call takes as long as reading an image of many gigabytes. A reading that has
 * stalled is given up when a caller asks next, and another one begins next to it: that helps those callers, and nothing
 * else could be had earlier, since its thread and its file stay until the disk answers. Thread-safe.
 */
final class ImageVerifier implements Closeable {

    /** The maximum number of remembered readings, including those whose callers never return for the answer. */
    private static final int MAX_READINGS = 64;
    /** The number of threads that may hang, each until its disk answers; if all do, nothing more is read. */
    private static final int MAX_THREADS = 4;

    private final ImageRead reading;
    private final Duration timeout;
    private final Duration silence;
    private final LongSupplier nanoClock;
    /** The reading threads: one more than hang. */
    private final ThreadPoolExecutor threads;

    private final Map<String, PendingVerification> readings = new LinkedHashMap<>();
    private int hanging;

    /** Reads the image of a checkpoint; returns its transaction. */
    interface ImageRead {
        /**
         * @param progress called whenever more was read
         * @throws IOException if there is no image, or it is damaged
         */
        long read(CheckpointId id, Runnable progress) throws IOException;
    }

    /**
     * @param timeout how long a caller waits for the end before it is told to ask again
     * @param silence how long a reading may make no progress before it is given up
     */
    ImageVerifier(ImageRead reading, Duration timeout, Duration silence) {
        this(reading, timeout, silence, System::nanoTime, DaemonThreads.newFactory("checkpoint-image-reading"));
    }

    ImageVerifier(
            ImageRead reading, Duration timeout, Duration silence, LongSupplier nanoClock, ThreadFactory threads) {
        this.reading = reading;
        this.timeout = timeout;
        this.silence = silence;
        this.nanoClock = nanoClock;
        this.threads = new ThreadPoolExecutor(
                MAX_THREADS, MAX_THREADS, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>(), threads);
        setThreads();
    }

    /**
     * The image's transaction; empty while it is being read.
     *
     * @param requester identifies this question: the same question asked tomorrow has another id, and is answered anew
     * @throws IOException if there is no image, it is damaged, or its disk does not answer
     */
    Optional<Long> poll(CheckpointId id, String requester) throws IOException {
        dropAbandoned();
        PendingVerification verification = startOrJoin(id, requester);
        try {
            long txId = verification.result.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            forget(requester);
            return Optional.of(txId);
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (ExecutionException e) {
            forget(requester);
            if (e.getCause() instanceof IOException) {
                throw (IOException) e.getCause();
            }
            throw new IOException("The image of checkpoint " + id + " cannot be read", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted", e);
        }
    }

    private synchronized PendingVerification startOrJoin(CheckpointId id, String requester) throws IOException {
        PendingVerification begun = readings.get(requester);
        if (hanging >= MAX_THREADS && (begun == null || !begun.result.isDone())) {
            throw new OrderRefusedException(
                    hanging + " images whose reading has stalled are open on this host: check its disks");
        }
        if (begun == null) {
            readings.values().removeIf(one -> readings.size() >= MAX_READINGS && one.result.isDone());
            if (readings.size() >= MAX_READINGS) {
                throw new OrderRefusedException(MAX_READINGS + " images are already waiting to be read");
            }
            begun = new PendingVerification(id);
            readings.put(requester, begun);
            try {
                threads.execute(begun);
            } catch (RejectedExecutionException | Error e) {
                // It is not in progress, and a caller that asks again must not wait for it.
                readings.remove(requester);
                throw new IOException("There is no thread to read the image of checkpoint " + id + " with: " + e, e);
            }
        }
        return begun;
    }

    private synchronized void dropAbandoned() {
        for (PendingVerification one : readings.values()) {
            if (one.isSilent()) {
                one.hangs = true;
                hanging++;
                one.result.completeExceptionally(new OrderRefusedException("Reading the image of checkpoint "
                        + one.id + " stalled for " + silence.toMillis()
                        + " ms and was given up: check the disk of the first name directory"));
            }
        }
        setThreads();
    }

    private synchronized void finish(PendingVerification verification) {
        if (verification.hangs) {
            hanging--;
            setThreads();
        }
    }

    private void setThreads() {
        threads.setCorePoolSize(Math.min(1 + hanging, MAX_THREADS));
    }

    private synchronized void forget(String requester) {
        readings.remove(requester);
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    private final class PendingVerification implements Runnable {

        private final CheckpointId id;
        private final CompletableFuture<Long> result = new CompletableFuture<>();
        /** The time at which the reading last made progress; empty before it begins. */
        private volatile Optional<Long> heardNanos = Optional.empty();
        /** The state of one reading; guarded by the outer object. */
        private boolean hangs;

        PendingVerification(CheckpointId id) {
            this.id = id;
        }

        @Override
        public void run() {
            try {
                markAwaited();
                result.complete(reading.read(id, this::markAwaited));
            } catch (IOException | RuntimeException | Error e) {
                // An error is an answer, too: without one the caller would ask again and again, as for a long image.
                result.completeExceptionally(e);
            } finally {
                finish(this);
            }
        }

        private void markAwaited() {
            heardNanos = Optional.of(nanoClock.getAsLong());
        }

        boolean isSilent() {
            Optional<Long> heard = heardNanos;
            return heard.isPresent() && !result.isDone() && nanoClock.getAsLong() - heard.get() > silence.toNanos();
        }
    }
}
