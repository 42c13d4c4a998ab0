/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.DoubleStream;

/** All samples, by measurement and candidate, and their medians over the rounds. */
public final class BenchmarkResults {
    private final Map<String, Map<String, List<Sample>>> samples = new LinkedHashMap<>();

    public void add(String measurement, String candidate, Sample sample) {
        samples.computeIfAbsent(measurement, unused -> new LinkedHashMap<>())
                .computeIfAbsent(candidate, unused -> new ArrayList<>())
                .add(sample);
    }

    public Set<String> measurements() {
        return samples.keySet();
    }

    /** The median of a figure; empty if it was not measured. */
    public Optional<Double> median(String measurement, String candidate, String figure) {
        List<Sample> rounds = samples.getOrDefault(measurement, Map.of()).getOrDefault(candidate, List.of());
        return median(rounds.stream().flatMapToDouble(sample -> sample.get(figure).stream()));
    }

    /** Returns the number of times that a figure was measured. */
    public long count(String measurement, String candidate, String figure) {
        return samples.getOrDefault(measurement, Map.of()).getOrDefault(candidate, List.of()).stream()
                .filter(sample -> sample.get(figure).isPresent())
                .count();
    }

    /** The largest value of a figure; empty if it was not measured. */
    public OptionalDouble max(String measurement, String candidate, String figure) {
        return samples.getOrDefault(measurement, Map.of()).getOrDefault(candidate, List.of()).stream()
                .flatMapToDouble(sample -> sample.get(figure).stream())
                .max();
    }

    /** The smallest value of a figure; empty if it was not measured. */
    public OptionalDouble min(String measurement, String candidate, String figure) {
        return samples.getOrDefault(measurement, Map.of()).getOrDefault(candidate, List.of()).stream()
                .flatMapToDouble(sample -> sample.get(figure).stream())
                .min();
    }

    /** The median of values; empty if there are none. */
    public static Optional<Double> median(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        if (sorted.length == 0) {
            return Optional.empty();
        }
        int middle = sorted.length / 2;
        return Optional.of(sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2);
    }

    /**
     * The median of the rounds' ratios: a noisy neighbour affects both sides of a round alike. Empty if one of the two
     * was not measured.
     */
    public Optional<Double> ratio(String measurement, String candidate, String to, String figure) {
        Map<String, List<Sample>> measured = samples.getOrDefault(measurement, Map.of());
        List<Sample> ours = measured.getOrDefault(candidate, List.of());
        List<Sample> theirs = measured.getOrDefault(to, List.of());
        int rounds = Math.min(ours.size(), theirs.size());
        BenchmarkResults ratios = new BenchmarkResults();
        for (int i = 0; i < rounds; i++) {
            OptionalDouble our = ours.get(i).get(figure);
            OptionalDouble their = theirs.get(i).get(figure);
            if (our.isPresent() && their.isPresent()) {
                ratios.add(measurement, candidate, new Sample(Map.of(figure, our.getAsDouble() / their.getAsDouble())));
            }
        }
        return ratios.median(measurement, candidate, figure);
    }

    /** All samples, in a form to be written to a file. */
    public Map<String, Map<String, List<Map<String, Double>>>> toMaps() {
        Map<String, Map<String, List<Map<String, Double>>>> maps = new LinkedHashMap<>();
        samples.forEach((measurement, byCandidate) -> byCandidate.forEach(
                (candidate, rounds) -> maps.computeIfAbsent(measurement, unused -> new LinkedHashMap<>())
                        .put(candidate, rounds.stream().map(Sample::figures).toList())));
        return maps;
    }
}
