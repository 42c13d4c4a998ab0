/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.journal;

import io.trefoil.benchmarks.BenchmarkResults;
import io.trefoil.benchmarks.journal.candidate.Candidate;
import java.util.List;
import java.util.Optional;

/**
 * A bound of the journal relative to another one, on the same machine in the same run.
 *
 * @param what in words
 * @param beside the candidate that ours is compared with
 * @param figure of the measurement
 * @param atMost whether the limit is an upper bound of the ratio; otherwise it is a lower bound
 * @param limit of our figure divided by the other's
 */
record Bound(String what, String beside, Measurement measurement, String figure, boolean atMost, double limit) {
    private static final String DELAY = "p50 of one outstanding batch of 512 B";
    private static final String THROUGHPUT = "records/s of 32 writers of 1 KiB";
    private static final String MEAN_DELAY = "mean delay at 25 000 records/s";

    static final List<Bound> ALL = List.of(
            new Bound(DELAY, Candidate.QJM, Measurement.ONE_512, "p50", true, 0.6),
            new Bound(THROUGHPUT, Candidate.QJM, Measurement.WRITERS_32, "recordsPerSecond", false, 2),
            new Bound(MEAN_DELAY, Candidate.QJM, Measurement.RATE_25000, "mean", true, 0.15),
            new Bound(DELAY, Candidate.DIRECT, Measurement.ONE_512, "p50", true, 1.25),
            new Bound(THROUGHPUT, Candidate.DIRECT, Measurement.WRITERS_32, "recordsPerSecond", false, 0.9),
            new Bound(MEAN_DELAY, Candidate.BOOKKEEPER_TUNED, Measurement.RATE_25000, "mean", true, 0.15));

    /** The ratio; empty if one of the two was not measured. */
    Optional<Double> ratio(BenchmarkResults results) {
        return results.ratio(measurement.name(), Candidate.SSP, beside, figure);
    }

    boolean isMet(double ratio) {
        return atMost ? ratio <= limit : ratio >= limit;
    }
}
