/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The figures of a single measurement of one load on one candidate.
 *
 * @param figures by name; times in microseconds unless the name says otherwise
 */
public record Sample(Map<String, Double> figures) {
    private static final double MICROS_PER_SECOND = 1e6;

    /**
     * @param line what the writer reported
     * @param machine what all processes on the machine used during the load, ours and others
     */
    public static Sample of(String line, Usage writer, Usage nodes, Usage machine) {
        Map<String, Double> figures = new LinkedHashMap<>();
        for (String part : line.split(" ")) {
            String[] nameAndValue = part.split("=");
            figures.put(nameAndValue[0], Double.valueOf(nameAndValue[1]));
        }
        double batches = Math.max(1, figures.get("batches"));
        double seconds = figures.get("seconds");
        figures.put("recordsPerSecond", figures.get("records") / seconds);
        figures.put("recordsPerBatch", figures.get("records") / batches);
        figures.put("writerCpuPerBatch", writer.cpuSeconds() * MICROS_PER_SECOND / batches);
        figures.put("nodesCpuPerBatch", nodes.cpuSeconds() * MICROS_PER_SECOND / batches);
        figures.put("cpuPerBatch", (writer.cpuSeconds() + nodes.cpuSeconds()) * MICROS_PER_SECOND / batches);
        figures.put("writerSleepsPerBatch", writer.sleeps() / batches);
        figures.put("nodesSleepsPerBatch", nodes.sleeps() / batches);
        double own = writer.cpuSeconds() + nodes.cpuSeconds();
        figures.put("otherCores", Math.max(0, machine.cpuSeconds() - own) / seconds);
        return new Sample(figures);
    }

    /** A figure; empty if it could not be measured this time. */
    public OptionalDouble get(String figure) {
        Double value = figures.get(figure);
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }
}
