/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks;

import io.trefoil.benchmarks.writer.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * What {@code dfs.ssp.ack} and {@code dfs.ssp.fsync} cost with few and with many replicas, at a rate below saturation.
 * One pool after the other is up: all replicas share the cores of one machine.
 *
 * <p>Options: {@code --replicas 3,5,10 --acks one,quorum,all --fsyncs true,false --floor true|false --rate 1000 --seconds 5 --warm-up 8 --rounds 1}.
 */
public final class PolicyBenchmark {
    private static final int RECORD_BYTES = 512;
    private static final double BOUND = 1.3;
    private static final String FLOOR = "bare quorum";

    private final ValueOptions options = new ValueOptions(Map.of(
            "--replicas", "3,5,10",
            "--acks", "one,quorum,all",
            "--fsyncs", "true,false",
            "--floor", "false",
            "--rate", "1000",
            "--seconds", "5",
            "--warm-up", "8",
            "--rounds", "1"));
    private final Results results = new Results();

    private PolicyBenchmark() {}

    public static void main(String[] arguments) throws IOException {
        PolicyBenchmark benchmark = new PolicyBenchmark();
        int code = benchmark.options.understands(arguments) ? 0 : 2;
        if (code == 0) {
            benchmark.run();
        }
        System.exit(code);
    }

    private void run() throws IOException {
        Path work = Files.createDirectories(Path.of("benchmarks", "target").toAbsolutePath());
        Machine.facts(work).forEach((fact, value) -> System.out.println(fact + ": " + value));
        System.out.printf(
                "medians of %s rounds of %s s, %s records of %d B per second; times in us, from when a record was due;"
                        + " cpu of the writer's process, and of all nodes beside it, in us per batch%n%n",
                options.get("--rounds"), options.get("--seconds"), options.get("--rate"), RECORD_BYTES);
        int[] replicas = Arrays.stream(options.get("--replicas").split(","))
                .mapToInt(Integer::parseInt)
                .toArray();
        for (int round = 1; round <= options.number("--rounds"); round++) {
            for (String fsync : options.get("--fsyncs").split(",")) {
                for (String ack : options.get("--acks").split(",")) {
                    for (int count : replicas) {
                        measure(work, fsync, ack, count);
                        if (ack.equals("quorum") && options.get("--floor").equals("true")) {
                            measureFloor(work, fsync, count);
                        }
                    }
                }
            }
        }
        print(replicas);
    }

    private void measure(Path work, String fsync, String ack, int replicas) throws IOException {
        Path directory = Files.createTempDirectory(work, "policies-");
        Map<String, String> policy = Map.of("dfs.ssp.ack", ack, "dfs.ssp.fsync", fsync);
        measure(Candidate.ssp("ssp", replicas, policy, directory), row(fsync, ack), replicas, directory);
    }

    /** What a majority of so many processes costs on this machine, whatever the protocol. */
    private void measureFloor(Path work, String fsync, int replicas) throws IOException {
        Path directory = Files.createTempDirectory(work, "policies-");
        Durability durability = fsync.equals("true") ? Durability.SYNCED : Durability.WRITTEN;
        measure(Candidate.direct("direct", replicas, durability, directory), row(fsync, FLOOR), replicas, directory);
    }

    private void measure(Candidate plan, String row, int replicas, Path directory) throws IOException {
        String load = "rate " + options.number("--rate") + " " + RECORD_BYTES;
        try (RunningCandidate candidate = RunningCandidate.start(plan, new Jvms(directory))) {
            candidate.measure(load, Duration.ofSeconds(options.number("--warm-up")));
            results.add(
                    row,
                    String.valueOf(replicas),
                    candidate.measure(load, Duration.ofSeconds(options.number("--seconds"))));
        }
        JournalBenchmark.delete(directory);
    }

    private static String row(String fsync, String ack) {
        return (fsync.equals("true") ? "sync" : "nosync") + " " + ack;
    }

    private void print(int[] replicas) {
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
        String least = String.valueOf(replicas[0]);
        String most = String.valueOf(replicas[replicas.length - 1]);
        results.ratio(row("false", FLOOR), most, least, "p50")
                .ifPresent(ratio -> System.out.printf(
                        "%np50 without a protocol, nosync, with %s replicas: %.2f of that with %s%n",
                        most, ratio, least));
        results.ratio(row("false", "quorum"), most, least, "p50")
                .ifPresent(ratio -> System.out.printf(
                        "%np50 of nosync quorum with %s replicas: %.2f of that with %s, wanted at most %.1f: %s%n",
                        most, ratio, least, BOUND, ratio <= BOUND ? "kept" : "MISSED"));
    }
}
