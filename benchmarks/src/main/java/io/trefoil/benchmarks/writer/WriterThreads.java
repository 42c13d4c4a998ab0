/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.writer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp;

/** Threads that each keep writing edits for some time, and wait until each edit is durable before the next. */
final class WriterThreads implements AutoCloseable {
    private final SharedLog log;
    private final long batchesBefore;
    private final long start = System.nanoTime();
    private final ExecutorService threads;
    private final List<CompletableFuture<Histogram>> writers;

    /** The way in which a thread writes an edit. */
    interface DurableWrite {
        /** Writes an edit; returns when it is durable. */
        void write(FSEditLogOp edit) throws IOException, InterruptedException;
    }

    private WriterThreads(SharedLog log, int threadCount, int editBytes, long nanos, DurableWrite way) {
        this.log = log;
        this.batchesBefore = log.flushCount();
        this.threads = Executors.newFixedThreadPool(threadCount);
        this.writers = IntStream.range(0, threadCount)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> write(editBytes, nanos, way), threads))
                .toList();
    }

    /** Starts the threads. */
    static WriterThreads start(SharedLog log, int threadCount, int editBytes, long nanos, DurableWrite way) {
        return new WriterThreads(log, threadCount, editBytes, nanos, way);
    }

    /** Runs a task when the last thread has ended. */
    void onEnd(Runnable task) {
        CompletableFuture.allOf(writers.toArray(CompletableFuture[]::new)).whenComplete((done, failure) -> task.run());
    }

    /** The result of all threads, once they have ended. */
    LoadResult result() {
        Histogram delays = LoadResult.newHistogram();
        writers.forEach(writer -> delays.add(writer.join()));
        long took = System.nanoTime() - start;
        return new LoadResult(delays.getTotalCount(), log.flushCount() - batchesBefore, took, delays);
    }

    private Histogram write(int editBytes, long nanos, DurableWrite way) {
        Histogram delays = LoadResult.newHistogram();
        try {
            FSEditLogOp edit = BenchmarkEdits.ofSize(editBytes);
            long now = System.nanoTime();
            while (now - start < nanos) {
                long begun = now;
                way.write(edit);
                now = System.nanoTime();
                delays.recordValue(now - begun);
            }
            return delays;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw SharedLog.interruptedException(e);
        }
    }

    /** Interrupts threads that are still waiting, because another one failed. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
