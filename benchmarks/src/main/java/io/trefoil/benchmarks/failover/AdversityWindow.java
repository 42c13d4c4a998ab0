/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.failover;

import io.trefoil.it.load.ledger.ChangeAnswer;
import io.trefoil.it.load.ledger.ChangeLedger.Recorded;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What clients felt between two times.
 *
 * @param beganNanos by {@link System#nanoTime}
 */
record AdversityWindow(List<Recorded> entries, long beganNanos, long endedNanos) {
    static final String PER_SECOND = "changesPerSecond";
    static final String P50 = "p50Millis";
    static final String P99 = "p99Millis";
    /** The longest wait of a client within the window. */
    static final String LONGEST = "longestMillis";
    /** Changes that were answered with an exception. */
    static final String ERRORS = "errors";

    /** The time after which a system should have got used to what happens to it. */
    static final Duration SETTLING = Duration.ofSeconds(5);

    private static final double NANOS_PER_MILLI = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;
    /** A second, so that the number of answers in a step is the rate. */
    private static final long STEP_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final double HALF = 0.5;
    private static final double MOST = 0.99;

    /** A point of the curves over time. */
    record Point(double seconds, double perSecond, double p99Millis) {}

    double seconds() {
        return (endedNanos - beganNanos) / NANOS_PER_SECOND;
    }

    /** The figures: rate and percentiles after {@link #SETTLING}, all others from the beginning. */
    Map<String, Double> figures() {
        long settled = beganNanos + SETTLING.toNanos();
        double[] waits = waits(settled, endedNanos);
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put(PER_SECOND, waits.length * NANOS_PER_SECOND / (endedNanos - settled));
        if (waits.length > 0) {
            figures.put(P50, percentile(waits, HALF));
            figures.put(P99, percentile(waits, MOST));
        }
        figures.put(LONGEST, longestMillis());
        figures.put(ERRORS, (double) entries.stream()
                .filter(entry -> entry.answer() == ChangeAnswer.UNKNOWN && isWithin(entry, beganNanos, endedNanos))
                .count());
        return figures;
    }

    /** Rate and p99 of each whole second; one without an answer is a second worse than the one before. */
    List<Point> curve() {
        List<Point> points = new ArrayList<>();
        // The last step is incomplete.
        for (int step = 0; step < (endedNanos - beganNanos) / STEP_NANOS; step++) {
            long from = beganNanos + step * STEP_NANOS;
            double[] waits = waits(from, from + STEP_NANOS);
            double before = points.isEmpty() ? 0 : points.get(points.size() - 1).p99Millis;
            points.add(new Point(
                    step + HALF,
                    waits.length,
                    waits.length == 0 ? before + STEP_NANOS / NANOS_PER_MILLI : percentile(waits, MOST)));
        }
        return points;
    }

    private double[] waits(long fromNanos, long toNanos) {
        return entries.stream()
                .filter(entry -> entry.answer() == ChangeAnswer.ACKNOWLEDGED && isWithin(entry, fromNanos, toNanos))
                .mapToDouble(entry -> entry.took().toNanos() / NANOS_PER_MILLI)
                .sorted()
                .toArray();
    }

    private static boolean isWithin(Recorded entry, long fromNanos, long toNanos) {
        return entry.answeredNanos() - fromNanos >= 0 && entry.answeredNanos() - toNanos < 0;
    }

    /** A wait that goes on after the window counts up to its end, because the disturbance is over then. */
    private double longestMillis() {
        return entries.stream()
                        .filter(entry -> entry.answeredNanos() - beganNanos >= 0
                                && entry.answeredNanos() - entry.took().toNanos() - endedNanos < 0)
                        .mapToLong(entry -> entry.took().toNanos() - Math.max(0, entry.answeredNanos() - endedNanos))
                        .max()
                        .orElse(0)
                / NANOS_PER_MILLI;
    }

    /** @param sortedValues at least one value, ascending */
    private static double percentile(double[] sortedValues, double part) {
        return sortedValues[(int) Math.ceil(part * sortedValues.length) - 1];
    }
}
