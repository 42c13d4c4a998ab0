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

/** Threads that each write an edit and wait until it is durable; whoever comes first flushes for all. */
final class ManyWriters implements Load {
    private final int threadCount;
    private final int editBytes;

    ManyWriters(int threadCount, int editBytes) {
        this.threadCount = threadCount;
        this.editBytes = editBytes;
    }

    @Override
    public Outcome run(SharedLog log, long nanos) {
        ExecutorService threads = Executors.newFixedThreadPool(threadCount);
        try {
            long batchesBefore = log.flushCount();
            long start = System.nanoTime();
            List<CompletableFuture<Histogram>> writers = IntStream.range(0, threadCount)
                    .mapToObj(i -> CompletableFuture.supplyAsync(() -> write(log, start, nanos), threads))
                    .toList();
            Histogram delays = Outcome.newHistogram();
            writers.forEach(writer -> delays.add(writer.join()));
            long took = System.nanoTime() - start;
            return new Outcome(delays.getTotalCount(), log.flushCount() - batchesBefore, took, delays);
        } finally {
            threads.shutdown();
        }
    }

    private Histogram write(SharedLog log, long start, long nanos) {
        Histogram delays = Outcome.newHistogram();
        try {
            FSEditLogOp edit = Edits.ofSize(editBytes);
            long now = System.nanoTime();
            while (now - start < nanos) {
                long begun = now;
                log.sync(log.write(edit));
                now = System.nanoTime();
                delays.recordValue(now - begun);
            }
            return delays;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
