/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** All samples, by measurement and candidate; asked for medians over the rounds. */
final class Results {
    private final Map<String, Map<String, List<Sample>>> samples = new LinkedHashMap<>();

    void add(String measurement, String candidate, Sample sample) {
        samples.computeIfAbsent(measurement, unused -> new LinkedHashMap<>())
                .computeIfAbsent(candidate, unused -> new ArrayList<>())
                .add(sample);
    }

    Set<String> measurements() {
        return samples.keySet();
    }

    /** The median of a figure; empty if this was not measured. */
    Optional<Double> median(String measurement, String candidate, String figure) {
        List<Sample> rounds = samples.getOrDefault(measurement, Map.of()).getOrDefault(candidate, List.of());
        if (rounds.isEmpty()) {
            return Optional.empty();
        }
        double[] sorted = rounds.stream()
                .mapToDouble(sample -> sample.get(figure))
                .sorted()
                .toArray();
        int middle = sorted.length / 2;
        return Optional.of(sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2);
    }

    /**
     * The median of the rounds' ratios: what a noisy neighbour does to one round he does to both of its sides. Empty if
     * one of the two was not measured.
     */
    Optional<Double> ratio(String measurement, String candidate, String to, String figure) {
        Map<String, List<Sample>> measured = samples.getOrDefault(measurement, Map.of());
        List<Sample> ours = measured.getOrDefault(candidate, List.of());
        List<Sample> theirs = measured.getOrDefault(to, List.of());
        int rounds = Math.min(ours.size(), theirs.size());
        Results ratios = new Results();
        for (int i = 0; i < rounds; i++) {
            double ratio = ours.get(i).get(figure) / theirs.get(i).get(figure);
            ratios.add(measurement, candidate, new Sample(Map.of(figure, ratio)));
        }
        return ratios.median(measurement, candidate, figure);
    }

    /** Everything, for a file. */
    Map<String, Map<String, List<Map<String, Double>>>> toMaps() {
        Map<String, Map<String, List<Map<String, Double>>>> maps = new LinkedHashMap<>();
        samples.forEach((measurement, byCandidate) -> byCandidate.forEach(
                (candidate, rounds) -> maps.computeIfAbsent(measurement, unused -> new LinkedHashMap<>())
                        .put(candidate, rounds.stream().map(Sample::figures).toList())));
        return maps;
    }
}
