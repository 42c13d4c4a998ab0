/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.journal;

import io.trefoil.benchmarks.BenchmarkFiles;
import io.trefoil.benchmarks.BenchmarkResults;
import io.trefoil.benchmarks.journal.candidate.Candidate;
import io.trefoil.benchmarks.pictures.Bars;
import io.trefoil.benchmarks.pictures.Curves;
import io.trefoil.benchmarks.pictures.PictureFile;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Prints the results and writes them to a file. */
final class Report {
    private static final List<String> COLUMNS = List.of(
            "p50",
            "p99",
            "mean",
            "recordsPerSecond",
            "recordsPerBatch",
            "writerCpuPerBatch",
            "nodesCpuPerBatch",
            "writerSleepsPerBatch",
            "nodesSleepsPerBatch",
            "otherCores");
    private static final List<String> HEADS = List.of(
            "p50 us",
            "p99 us",
            "mean us",
            "records/s",
            "rec/batch",
            "cpu writer",
            "cpu nodes",
            "slp writer",
            "slp nodes",
            "others");

    private final Options options;
    private final Map<String, String> machine;
    private final BenchmarkResults results;

    Report(Options options, Map<String, String> machine, BenchmarkResults results) {
        this.options = options;
        this.machine = machine;
        this.results = results;
    }

    void print(PrintStream out) {
        out.println();
        machine.forEach((fact, value) -> out.println(fact + ": " + value));
        out.printf(
                "medians of %d rounds of %d s; cpu: us per batch; slp: sleeps of threads per batch;"
                        + " others: cores that other processes used%n",
                options.rounds(), options.seconds());
        for (String measurement : results.measurements()) {
            out.printf("%n%-36s", measurement);
            HEADS.forEach(head -> out.printf("%11s", head));
            out.println();
            for (String candidate : options.candidates()) {
                out.printf("  %-34s", candidate);
                COLUMNS.forEach(column -> out.print(cell(results.median(measurement, candidate, column))));
                out.println();
            }
            for (String other : List.of(Candidate.QJM, Candidate.DIRECT, Candidate.BOOKKEEPER_TUNED)) {
                if (options.candidates().containsAll(List.of(Candidate.SSP, other))) {
                    out.printf("  %-34s", "ssp : " + other);
                    COLUMNS.subList(0, COLUMNS.size() - 1)
                            .forEach(column ->
                                    out.print(cell(results.ratio(measurement, Candidate.SSP, other, column))));
                    out.println();
                }
            }
        }
        out.println();
        List<Bound> judged = Bound.ALL.stream()
                .filter(bound -> bound.ratio(results).isPresent())
                .toList();
        judged.forEach(bound -> {
            double ratio = bound.ratio(results).orElseThrow();
            out.printf(
                    "%s: %.2f of that of %s, wanted at %s %.2f: %s%n",
                    bound.what(),
                    ratio,
                    bound.beside(),
                    bound.atMost() ? "most" : "least",
                    bound.limit(),
                    bound.isMet(ratio) ? "kept" : "MISSED");
        });
        out.printf("%d of %d bounds judged%n", judged.size(), Bound.ALL.size());
        Bound.ALL.stream()
                .filter(bound -> !judged.contains(bound))
                .forEach(bound ->
                        out.printf("not measured, so not judged: %s, beside %s%n", bound.what(), bound.beside()));
    }

    void write(Path file) throws IOException {
        Map<String, Double> ratios = new LinkedHashMap<>();
        for (Bound bound : Bound.ALL) {
            bound.ratio(results).ifPresent(ratio -> ratios.put(bound.what() + ", beside " + bound.beside(), ratio));
        }
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("rounds", options.rounds());
        all.put("seconds", options.seconds());
        all.put("warmUpSeconds", options.warmUpSeconds());
        all.put("ratios", ratios);
        BenchmarkFiles.writeSamples(file, machine, all, results);
    }

    /** Draws the measurements that {@code --quick} also makes, as bars. */
    void draw(Path file) throws IOException {
        Bars bars = new Bars("The journal beside others");
        Map<String, String> charts = new LinkedHashMap<>();
        charts.put("p50", "p50, µs");
        charts.put("p99", "p99, µs");
        charts.put("recordsPerSecond", "records per second");
        charts.put("cpuPerBatch", "CPU for a batch, writer and nodes, µs");
        charts.forEach((figure, chart) -> Measurement.quickMeasurements().forEach(measurement -> options.candidates()
                .forEach(candidate -> results.median(measurement.name(), candidate, figure)
                        .ifPresent(value -> bars.add(chart, candidate, measurement.name(), value)))));
        PictureFile.write(bars, file);
    }

    /** Draws the results of {@code --sweep}. */
    void draw(Path sizes, Path rates) throws IOException {
        Curves bySize = new Curves("One outstanding batch", "size of the batch, bytes", "p50, µs");
        Curves byRate = new Curves("Records of 1 KiB at a rate", "records per second, wanted", "mean delay, µs");
        for (String candidate : options.candidates()) {
            for (int bytes : Measurement.SIZES) {
                results.median(Measurement.ofSize(bytes).name(), candidate, "p50")
                        .ifPresent(micros -> bySize.add(candidate, bytes, micros));
            }
            for (int rate : Measurement.RATES) {
                results.median(Measurement.ofRate(rate).name(), candidate, "mean")
                        .ifPresent(micros -> byRate.add(candidate, rate, micros));
            }
        }
        PictureFile.write(bySize, sizes);
        PictureFile.write(byRate, rates);
    }

    /** Whether all requested bounds were measured and kept, and there was at least one. */
    boolean areBoundsMet() {
        List<Bound> bounds = Bound.ALL.stream()
                .filter(bound -> options.candidates().containsAll(List.of(Candidate.SSP, bound.beside()))
                        && options.measurements().contains(bound.measurement()))
                .toList();
        return !bounds.isEmpty()
                && bounds.stream()
                        .allMatch(
                                bound -> bound.ratio(results).map(bound::isMet).orElse(false));
    }

    private static String cell(Optional<Double> value) {
        return value.map(number -> (number < 100 ? "%11.2f" : "%11.0f").formatted(number))
                .orElse("%11s".formatted("-"));
    }
}
