/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.journal;

import io.trefoil.benchmarks.BenchmarkFiles;
import io.trefoil.benchmarks.BenchmarkResults;
import io.trefoil.benchmarks.Commands;
import io.trefoil.benchmarks.Commands.PositiveNumber;
import io.trefoil.benchmarks.Machine;
import io.trefoil.benchmarks.MeasurementOptions;
import io.trefoil.benchmarks.journal.candidate.Candidate;
import io.trefoil.benchmarks.journal.candidate.JvmLauncher;
import io.trefoil.benchmarks.journal.candidate.RunningCandidate;
import io.trefoil.benchmarks.pictures.Bars;
import io.trefoil.benchmarks.pictures.PictureFile;
import io.trefoil.benchmarks.writer.journal.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures what {@code trefoil.journal.ack.policy} and {@code trefoil.journal.fsync} cost with few and with many replicas, at a
 * rate below saturation. One pool runs at a time: all replicas share the cores of one machine.
 */
@Command(
        name = "benchmark-policies",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description =
                "Measures what trefoil.journal.ack.policy and trefoil.journal.fsync cost with few and with many replicas, at a rate below saturation.")
public final class PolicyBenchmark implements Callable<Integer> {
    private static final int RECORD_BYTES = 512;
    private static final double BOUND = 1.3;
    private static final String FLOOR = "bare quorum";

    @Option(names = "--replicas", defaultValue = "3,5,10", split = ",", description = "Numbers of replicas.")
    private List<Integer> replicas;

    @Option(
            names = "--acks",
            defaultValue = "one,quorum,all",
            split = ",",
            description = "Values of trefoil.journal.ack.policy.")
    private List<String> acks;

    @Option(
            names = "--fsyncs",
            defaultValue = "true,false",
            split = ",",
            description = "Values of trefoil.journal.fsync.")
    private List<Boolean> fsyncs;

    @Option(
            names = "--floor",
            defaultValue = "false",
            arity = "0..1",
            description = "Whether a quorum without any protocol is measured, too.")
    private boolean floor;

    @Option(
            names = "--rate",
            defaultValue = "1000",
            converter = PositiveNumber.class,
            description = "Records a second.")
    private int rate;

    @Mixin
    private final MeasurementOptions options =
            new MeasurementOptions().withDefaultRounds(1).withDefaultSeconds(5).withDefaultWarmUp(8);

    private final BenchmarkResults results = new BenchmarkResults();

    private PolicyBenchmark() {}

    public static void main(String[] arguments) {
        Commands.run(new PolicyBenchmark(), arguments);
    }

    @Override
    public Integer call() throws IOException {
        Path work = Files.createDirectories(BenchmarkFiles.DIRECTORY);
        Machine.print(work);
        System.out.printf(
                "medians of %d rounds of %d s, %d records of %d B per second; times in us, from when a record was due;"
                        + " cpu of the writer's process, and of all nodes beside it, in us per batch%n%n",
                options.rounds(), options.seconds(), rate, RECORD_BYTES);
        for (int round = 1; round <= options.rounds(); round++) {
            for (boolean fsync : fsyncs) {
                for (String ack : acks) {
                    for (int count : replicas) {
                        measure(work, fsync, ack, count);
                        if (ack.equals("quorum") && floor) {
                            measureFloor(work, fsync, count);
                        }
                    }
                }
            }
        }
        print();
        Path picture = work.resolve("policies.svg");
        draw(picture);
        System.out.println("picture: " + picture);
        return 0;
    }

    private void draw(Path file) throws IOException {
        Bars bars = new Bars(rate + " records a second");
        Map<String, String> charts = new LinkedHashMap<>();
        charts.put("p50", "p50, µs");
        charts.put("writerCpuPerBatch", "CPU of the writer for a batch, µs");
        charts.forEach((figure, chart) -> results.measurements()
                .forEach(row -> replicas.forEach(count -> results.median(row, String.valueOf(count), figure)
                        .ifPresent(value -> bars.add(chart, row, count + " replicas", value)))));
        PictureFile.write(bars, file);
    }

    private void measure(Path work, boolean fsync, String ack, int replicas) throws IOException {
        Path directory = Files.createTempDirectory(work, "policies-");
        Map<String, String> policy =
                Map.of("trefoil.journal.ack.policy", ack, "trefoil.journal.fsync", String.valueOf(fsync));
        measure(Candidate.newSsp("ssp", replicas, policy, directory), row(fsync, ack), replicas, directory);
    }

    /** Measures what a majority of this many processes costs on this machine, whatever the protocol. */
    private void measureFloor(Path work, boolean fsync, int replicas) throws IOException {
        Path directory = Files.createTempDirectory(work, "policies-");
        Durability durability = fsync ? Durability.SYNCED : Durability.WRITTEN;
        measure(Candidate.newDirect("direct", replicas, durability, directory), row(fsync, FLOOR), replicas, directory);
    }

    private void measure(Candidate plan, String row, int replicas, Path directory) throws IOException {
        String load = "rate " + rate + " " + RECORD_BYTES;
        try (RunningCandidate candidate = RunningCandidate.start(plan, new JvmLauncher(directory))) {
            candidate.measure(load, Duration.ofSeconds(options.warmUpSeconds()));
            results.add(row, String.valueOf(replicas), candidate.measure(load, Duration.ofSeconds(options.seconds())));
        }
        JournalBenchmark.delete(directory);
    }

    private static String row(boolean fsync, String ack) {
        return (fsync ? "sync" : "nosync") + " " + ack;
    }

    private void print() {
        System.out.printf("%-16s", "policy");
        for (int count : replicas) {
            System.out.printf("%10s%10s%10s%10s", count + ": p50", "p99", "cpu", "nodes");
        }
        System.out.println();
        for (String row : results.measurements()) {
            System.out.printf("%-16s", row);
            for (int count : replicas) {
                for (String figure : List.of("p50", "p99", "writerCpuPerBatch", "nodesCpuPerBatch")) {
                    System.out.printf(
                            "%10.0f",
                            results.median(row, String.valueOf(count), figure).orElse(Double.NaN));
                }
            }
            System.out.println();
        }
        String least = String.valueOf(replicas.get(0));
        String most = String.valueOf(replicas.get(replicas.size() - 1));
        results.ratio(row(false, FLOOR), most, least, "p50")
                .ifPresent(ratio -> System.out.printf(
                        "%np50 without a protocol, nosync, with %s replicas: %.2f of that with %s%n",
                        most, ratio, least));
        results.ratio(row(false, "quorum"), most, least, "p50")
                .ifPresent(ratio -> System.out.printf(
                        "%np50 of nosync quorum with %s replicas: %.2f of that with %s, wanted at most %.1f: %s%n",
                        most, ratio, least, BOUND, ratio <= BOUND ? "kept" : "MISSED"));
    }
}
