/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.journal;

import io.trefoil.benchmarks.BenchmarkResults;
import java.util.List;
import java.util.Optional;

/**
 * What the journal promises in comparison with QJM, on the same machine in the same run.
 *
 * @param what in words
 * @param figure of the measurement
 * @param atMost whether the ratio may not be above the limit; otherwise it may not be below
 * @param limit of our figure divided by QJM's
 */
record Bound(String what, Measurement measurement, String figure, boolean atMost, double limit) {
    static final List<Bound> ALL = List.of(
            new Bound("p50 of one outstanding batch of 512 B", Measurement.ONE_512, "p50", true, 0.6),
            new Bound("records/s of 32 writers of 1 KiB", Measurement.WRITERS_32, "recordsPerSecond", false, 2));

    /** Empty if one of the two was not measured. */
    Optional<Double> ratio(BenchmarkResults results) {
        return results.ratio(measurement.name(), Candidate.SSP, Candidate.QJM, figure);
    }

    boolean isKept(double ratio) {
        return atMost ? ratio <= limit : ratio >= limit;
    }
}
