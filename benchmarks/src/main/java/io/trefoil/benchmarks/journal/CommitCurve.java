/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.journal;

import io.trefoil.benchmarks.pictures.Panels;
import io.trefoil.benchmarks.pictures.PictureFile;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import org.HdrHistogram.Histogram;

/** The activity of a journal in each tenth of a second of a load: records made durable, and the delays of commits. */
final class CommitCurve {
    private static final long STEP_NANOS = 100_000_000L;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final Color BACK = new Color(0xc0392b);
    private static final Color SYNC_COLOR = new Color(0x2a7f3f);

    /** The lag of the node at one time. */
    record Lag(long atNanos, long entries) {}

    /** One period: before, during or after. */
    record Part(
            double recordsPerSecond, double lowestPerSecond, double p50Micros, double p99Micros, double maxMicros) {}

    private final long begunNanos;
    private final long[] records;
    private final Histogram[] commits;

    private CommitCurve(long begunNanos, int steps) {
        this.begunNanos = begunNanos;
        this.records = new long[steps];
        this.commits = new Histogram[steps];
        for (int i = 0; i < steps; i++) {
            commits[i] = new Histogram(3);
        }
    }

    /** Reads the flushes that the writer recorded during a load. */
    static CommitCurve read(Path trace) throws IOException {
        List<long[]> flushes = new ArrayList<>();
        for (String line : Files.readAllLines(trace)) {
            String[] words = line.split(" ");
            flushes.add(new long[] {Long.parseLong(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2])});
        }
        long begun = flushes.get(0)[0];
        long ended = flushes.get(flushes.size() - 1)[1];
        // The last step is incomplete.
        CommitCurve curve = new CommitCurve(begun, (int) ((ended - begun) / STEP_NANOS));
        for (long[] flush : flushes) {
            int step = curve.stepAt(flush[1]);
            if (step < curve.records.length) {
                curve.records[step] += flush[2];
                curve.commits[step].recordValue((flush[1] - flush[0]) / 1_000);
            }
        }
        return curve;
    }

    private int stepAt(long nanos) {
        return (int) Math.max(0, (nanos - begunNanos) / STEP_NANOS);
    }

    long startNanos() {
        return begunNanos;
    }

    long endNanos() {
        return begunNanos + records.length * STEP_NANOS;
    }

    /** The steps between two times. */
    Part partBetween(long fromNanos, long toNanos) {
        int first = Math.min(stepAt(fromNanos), records.length - 1);
        int last = Math.min(Math.max(stepAt(toNanos), first + 1), records.length);
        Histogram all = new Histogram(3);
        long sum = 0;
        long lowest = Long.MAX_VALUE;
        for (int i = first; i < last; i++) {
            all.add(commits[i]);
            sum += records[i];
            lowest = Math.min(lowest, records[i]);
        }
        double perStep = NANOS_PER_SECOND / STEP_NANOS;
        return new Part(
                sum * perStep / (last - first),
                lowest * perStep,
                all.getValueAtPercentile(50),
                all.getValueAtPercentile(99),
                all.getMaxValue());
    }

    /** Records per second over the seconds since the beginning. */
    List<double[]> throughput() {
        return points(step -> records[step] * NANOS_PER_SECOND / STEP_NANOS);
    }

    /** The 99th percentile of commits, in milliseconds, over the seconds since the beginning. */
    List<double[]> p99() {
        return points(step -> commits[step].getValueAtPercentile(99) / 1_000.0);
    }

    private List<double[]> points(IntToDoubleFunction value) {
        List<double[]> points = new ArrayList<>();
        for (int i = 0; i < records.length; i++) {
            points.add(new double[] {(i + 0.5) * STEP_NANOS / NANOS_PER_SECOND, value.applyAsDouble(i)});
        }
        return points;
    }

    /**
     * Draws three curves, one below the other: records per second, the 99th percentile of commits, and the lag of the node.
     */
    void writeSvg(String title, long backNanos, long inSyncNanos, List<Lag> lags, Path file) throws IOException {
        List<double[]> behind = new ArrayList<>();
        lags.forEach(lag -> behind.add(new double[] {seconds(lag.atNanos()), lag.entries()}));
        Panels panels = new Panels(title, "seconds", 0, seconds(endNanos()));
        panels.add("records per second, each 100 ms").addCurve(throughput());
        panels.add("p99 of commits, each 100 ms, in ms").addCurve(p99());
        panels.add("entries that the node lacks").addCurve(behind);
        panels.addMark("the node is back", List.of(seconds(backNanos)), BACK);
        panels.addMark("it is in sync", List.of(seconds(inSyncNanos)), SYNC_COLOR);
        PictureFile.write(panels, file);
    }

    /** The time since the beginning, for a time by {@link System#nanoTime}. */
    double seconds(long nanos) {
        return (double) (nanos - begunNanos) / NANOS_PER_SECOND;
    }
}
