/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.writer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp;

/**
 * Edits that are due at fixed times, whether the journal keeps up or not, and one thread that flushes, as in
 * {@code FSEditLogAsync}. A delay counts from the time at which an edit was due.
 */
final class SteadyRate implements WriterLoad {
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final double nanosPerEdit;
    private final FSEditLogOp edit;

    SteadyRate(int perSecond, int editBytes) throws IOException {
        nanosPerEdit = (double) TimeUnit.SECONDS.toNanos(1) / perSecond;
        edit = BenchmarkEdits.ofSize(editBytes);
    }

    @Override
    public LoadResult run(SharedLog log, long nanos) throws IOException {
        long firstTxId = log.lastTxId() + 1;
        long batchesBefore = log.flushCount();
        long start = System.nanoTime();
        CompletableFuture<Histogram> flusher =
                CompletableFuture.supplyAsync(() -> flush(log, firstTxId, start, nanos), SteadyRate::onOwnThread);
        write(log, start, nanos);
        Histogram delays = flusher.join();
        return new LoadResult(
                delays.getTotalCount(), log.flushCount() - batchesBefore, System.nanoTime() - start, delays);
    }

    private void write(SharedLog log, long start, long nanos) throws IOException {
        long count = 0;
        long elapsed = 0;
        while (elapsed < nanos) {
            long due = (long) (count * nanosPerEdit);
            if (elapsed < due) {
                LockSupport.parkNanos(due - elapsed);
            } else {
                log.write(edit);
                count++;
            }
            elapsed = System.nanoTime() - start;
        }
    }

    private Histogram flush(SharedLog log, long firstTxId, long start, long nanos) {
        Histogram delays = LoadResult.newHistogram();
        long synced = firstTxId - 1;
        try {
            long last = log.awaitWriteAfter(synced, LOOK_NANOS);
            while (last > synced || System.nanoTime() - start < nanos) {
                if (last > synced) {
                    long durable = log.sync(last);
                    long elapsed = System.nanoTime() - start;
                    for (long txId = synced + 1; txId <= durable; txId++) {
                        long due = (long) ((txId - firstTxId) * nanosPerEdit);
                        delays.recordValue(Math.max(0, elapsed - due));
                    }
                    synced = durable;
                }
                last = log.awaitWriteAfter(synced, LOOK_NANOS);
            }
            return delays;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void onOwnThread(Runnable task) {
        new Thread(task, "flusher").start();
    }
}
