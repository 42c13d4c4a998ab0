/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.subtrees;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A history of when each call of clients began and was answered, by subtree. */
final class CallHistory {
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final double NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final Map<String, List<Call>> calls = new TreeMap<>();

    /** A call that was answered; times are those of {@link System#nanoTime}. */
    record Call(long beganNanos, long answeredNanos) {}

    /** A stretch of time, by {@link System#nanoTime}. */
    record Window(long fromNanos, long toNanos) {
        double seconds() {
            return (toNanos - fromNanos) / NANOS_PER_SECOND;
        }

        private boolean hasAnswer(Call call) {
            return call.answeredNanos - fromNanos >= 0 && call.answeredNanos - toNanos < 0;
        }

        private boolean overlaps(Call call) {
            return call.answeredNanos - fromNanos >= 0 && call.beganNanos - toNanos < 0;
        }
    }

    /** Adds the answers of one client. */
    void add(String subtree, List<Call> completedCalls) {
        calls.computeIfAbsent(subtree, unused -> new ArrayList<>()).addAll(completedCalls);
    }

    private Stream<Call> callsIn(Set<String> subtrees) {
        return subtrees.stream().flatMap(subtree -> calls.getOrDefault(subtree, List.of()).stream());
    }

    /** The number of answers per second. */
    double answersPerSecond(Set<String> subtrees, Window window) {
        return callsIn(subtrees).filter(window::hasAnswer).count() / window.seconds();
    }

    /** The longest duration of a call in progress during the window, in ms; 0 if there was none. */
    double longestMillis(Set<String> subtrees, Window window) {
        return callsIn(subtrees)
                .filter(window::overlaps)
                .mapToDouble(call -> (call.answeredNanos - call.beganNanos) / NANOS_PER_MILLI)
                .max()
                .orElse(0);
    }

    /** The number of answers per second over the seconds since the window began, one for each step. */
    List<double[]> curve(Set<String> subtrees, Window window, double stepSeconds) {
        int[] counts = new int[(int) (window.seconds() / stepSeconds)];
        callsIn(subtrees).filter(window::hasAnswer).forEach(call -> {
            int step = (int) ((call.answeredNanos - window.fromNanos) / NANOS_PER_SECOND / stepSeconds);
            if (step < counts.length) {
                counts[step]++;
            }
        });
        List<double[]> points = new ArrayList<>();
        for (int i = 0; i < counts.length; i++) {
            points.add(new double[] {(i + 0.5) * stepSeconds, counts[i] / stepSeconds});
        }
        return points;
    }
}
