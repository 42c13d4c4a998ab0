/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.writer;

import java.io.IOException;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp;

/** Writes one batch at a time, up to a limit; each begins when the previous one is durable. */
final class SequentialWriter implements WriterLoad {
    private static final int MAX_EDIT_BYTES = 1024;

    private final FSEditLogOp edit;
    private final int editCount;
    private final long mostBatches;

    SequentialWriter(int batchBytes, long mostBatches) throws IOException {
        this.mostBatches = mostBatches;
        int editBytes = Math.min(batchBytes, MAX_EDIT_BYTES);
        edit = BenchmarkEdits.ofSize(editBytes);
        editCount = batchBytes / editBytes;
    }

    @Override
    public LoadResult run(SharedLog log, long nanos) throws IOException {
        Histogram delays = LoadResult.newHistogram();
        long start = System.nanoTime();
        long now = start;
        long batches = 0;
        while (now - start < nanos && batches < mostBatches) {
            long begun = now;
            long txId = 0;
            for (int i = 0; i < editCount; i++) {
                txId = log.write(edit);
            }
            log.sync(txId);
            now = System.nanoTime();
            delays.recordValue(now - begun);
            batches++;
        }
        return new LoadResult(batches * editCount, batches, now - start, delays);
    }
}
