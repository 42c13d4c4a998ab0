/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.writer;

/** Threads that each write an edit and wait until it is durable; the first to wait flushes for all. */
final class ConcurrentWriters implements WriterLoad {
    private final int threadCount;
    private final int editBytes;

    ConcurrentWriters(int threadCount, int editBytes) {
        this.threadCount = threadCount;
        this.editBytes = editBytes;
    }

    @Override
    public LoadResult run(SharedLog log, long nanos) {
        try (WriterThreads threads =
                WriterThreads.start(log, threadCount, editBytes, nanos, edit -> log.sync(log.write(edit)))) {
            return threads.result();
        }
    }
}
