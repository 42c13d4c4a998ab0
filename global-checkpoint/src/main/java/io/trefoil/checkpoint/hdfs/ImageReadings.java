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
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * Reads images from end to end to find out whether they are intact: one after the other, each for as long as the disk
 * takes, while the caller polls. No call lasts as long as reading an image of many gigabytes, and no reading goes on
 * without a caller: an image that nobody has asked about for a while is given up, and the next one is begun beside it.
 * Thread-safe.
 */
final class ImageReadings implements Closeable {

    /** Of those who asked and did not come back for the answer, so many are remembered. */
    private static final int MAX_READINGS = 64;
    /** Threads that hang in a disk stay until it answers; with so many of them nothing is read any more. */
    private static final int MAX_THREADS = 4;

    private final Reading reading;
    private final Duration patience;
    private final Duration silence;
    private final LongSupplier nanoClock;
    /** One more than hang. */
    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            MAX_THREADS,
            MAX_THREADS,
            1,
            TimeUnit.MINUTES,
            new LinkedBlockingQueue<>(),
            DaemonThreads.named("checkpoint-image-reading"));

    private final Map<String, Asked> readings = new LinkedHashMap<>();
    private int hanging;

    /** Reads the image of a checkpoint; gives its transaction. */
    interface Reading {
        /**
         * @param progress told whenever something more was read
         * @throws IOException if there is none, or it is damaged
         */
        long read(CheckpointId id, Runnable progress) throws IOException;
    }

    /**
     * @param patience how long who asks waits for the end before he is told to ask again
     * @param silence for how long nothing more may be read of an image before it is given up
     */
    ImageReadings(Reading reading, Duration patience, Duration silence) {
        this(reading, patience, silence, System::nanoTime);
    }

    ImageReadings(Reading reading, Duration patience, Duration silence, LongSupplier nanoClock) {
        this.reading = reading;
        this.patience = patience;
        this.silence = silence;
        this.nanoClock = nanoClock;
        setThreads();
    }

    /**
     * The transaction of the image; empty if it is still being read.
     *
     * @param asking names this question, and not the same one of tomorrow: it wants to be answered anew
     * @throws IOException if there is no image, it is damaged, or its disk does not answer
     */
    Optional<Long> ask(CheckpointId id, String asking) throws IOException {
        giveUpSilentOnes();
        Asked asked = begun(id, asking);
        try {
            long txId = asked.result.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            forget(asking);
            return Optional.of(txId);
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (ExecutionException e) {
            forget(asking);
            if (e.getCause() instanceof IOException) {
                throw (IOException) e.getCause();
            }
            throw new IOException("The image of checkpoint " + id + " cannot be read", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted", e);
        }
    }

    private synchronized Asked begun(CheckpointId id, String asking) throws OrderRefusedException {
        Asked begun = readings.get(asking);
        if (hanging >= MAX_THREADS && (begun == null || !begun.result.isDone())) {
            throw new OrderRefusedException(
                    hanging + " images whose reading has stalled are open on this host: check its disks");
        }
        if (begun == null) {
            readings.values().removeIf(one -> readings.size() >= MAX_READINGS && one.result.isDone());
            if (readings.size() >= MAX_READINGS) {
                throw new OrderRefusedException(MAX_READINGS + " images are already waiting to be read");
            }
            begun = new Asked(id);
            readings.put(asking, begun);
            threads.execute(begun);
        }
        return begun;
    }

    private synchronized void giveUpSilentOnes() {
        for (Asked one : readings.values()) {
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

    private synchronized void ended(Asked asked) {
        if (asked.hangs) {
            hanging--;
            setThreads();
        }
    }

    private void setThreads() {
        threads.setCorePoolSize(Math.min(1 + hanging, MAX_THREADS));
    }

    private synchronized void forget(String asking) {
        readings.remove(asking);
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    private final class Asked implements Runnable {

        private final CheckpointId id;
        private final CompletableFuture<Long> result = new CompletableFuture<>();
        /** When something was read last; empty before it is begun. */
        private volatile Optional<Long> heardNanos = Optional.empty();
        /** Guarded by the outer object. */
        private boolean hangs;

        Asked(CheckpointId id) {
            this.id = id;
        }

        @Override
        public void run() {
            try {
                heard();
                result.complete(reading.read(id, this::heard));
            } catch (IOException | RuntimeException | Error e) {
                // An error too is an answer: without one the caller would ask again and again, as for a long image.
                result.completeExceptionally(e);
            } finally {
                ended(this);
            }
        }

        private void heard() {
            heardNanos = Optional.of(nanoClock.getAsLong());
        }

        boolean isSilent() {
            Optional<Long> heard = heardNanos;
            return heard.isPresent() && !result.isDone() && nanoClock.getAsLong() - heard.get() > silence.toNanos();
        }
    }
}
