/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.writer;

import org.HdrHistogram.Histogram;

/**
 * The result of a load.
 *
 * @param records edits that became durable
 * @param batches flushes that made them durable
 * @param nanos how long it took
 * @param delays of the records or batches, in nanoseconds
 */
record LoadResult(long records, long batches, long nanos, Histogram delays) {
    private static final double NANOS_PER_MICRO = 1e3;

    /** Creates a histogram from a microsecond to minutes. */
    static Histogram newHistogram() {
        return new Histogram(3);
    }

    /** One line of names and numbers; times in microseconds. */
    String toLine() {
        return "records=%d batches=%d seconds=%.4f mean=%.1f p50=%.1f p99=%.1f"
                .formatted(
                        records,
                        batches,
                        nanos / 1e9,
                        delays.getMean() / NANOS_PER_MICRO,
                        delays.getValueAtPercentile(50) / NANOS_PER_MICRO,
                        delays.getValueAtPercentile(99) / NANOS_PER_MICRO);
    }
}
