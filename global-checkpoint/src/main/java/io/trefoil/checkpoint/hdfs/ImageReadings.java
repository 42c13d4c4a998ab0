/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs;

import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.run.RefusedException;
import io.trefoil.journal.pool.DaemonThreads;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Images that are read from end to end because somebody wants to know whether they are intact: one after the other, for as
 * long as a disk takes, while the one who asked asks again and again. No call lasts as long as an image of many gigabytes.
 * Thread-safe.
 */
final class ImageReadings implements Closeable {

    /** Of those who asked and did not come back for the answer, so many are remembered. */
    private static final int MAX_READINGS = 64;

    private final Reading reading;
    private final Duration patience;
    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(DaemonThreads.named("checkpoint-image-reading"));
    private final Map<String, Future<Long>> readings = new LinkedHashMap<>();

    /** Reads the image of a checkpoint; gives its transaction. */
    interface Reading {
        /** @throws IOException if there is none, or it is damaged */
        long read(CheckpointId id) throws IOException;
    }

    /** @param patience how long who asks waits for the end before he is told to ask again */
    ImageReadings(Reading reading, Duration patience) {
        this.reading = reading;
        this.patience = patience;
    }

    /**
     * The transaction of the image; empty if it is still being read.
     *
     * @param asking names this question, and not the same one of tomorrow: it wants to be answered anew
     * @throws IOException if there is no image, or it is damaged
     */
    Optional<Long> ask(CheckpointId id, String asking) throws IOException {
        Future<Long> result = begun(id, asking);
        try {
            long txId = result.get(patience.toMillis(), TimeUnit.MILLISECONDS);
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

    private synchronized Future<Long> begun(CheckpointId id, String asking) throws RefusedException {
        Future<Long> begun = readings.get(asking);
        if (begun == null) {
            readings.values().removeIf(one -> readings.size() >= MAX_READINGS && one.isDone());
            if (readings.size() >= MAX_READINGS) {
                throw new RefusedException(MAX_READINGS + " images are waiting to be read already");
            }
            begun = thread.submit(() -> reading.read(id));
            readings.put(asking, begun);
        }
        return begun;
    }

    private synchronized void forget(String asking) {
        readings.remove(asking);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
