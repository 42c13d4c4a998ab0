/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trefoil.checkpoint.hdfs.RemoteParticipants;
import io.trefoil.checkpoint.json.Documents;
import io.trefoil.it.cluster.Federation;
import io.trefoil.it.cluster.FederationOperations;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.JournalKind;
import io.trefoil.it.load.CausalPairs;
import io.trefoil.it.process.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.fs.FileSystem;

/**
 * For how long checkpoints freeze nameservices to which clients write pairs without pause, and where that time goes.
 *
 * <p>Options: {@code --groups 3 --namenodes 3 --writers 16 --checkpoints 40 --protect-data true --local-edits false --bound 200}; each checkpoint
 * freezes every nameservice once, and the active of each leads in turn. Ends with 1 if the freezes' p99 is above the bound, in
 * milliseconds.
 */
public final class FreezeBenchmark {
    private static final Path WORK = Path.of("benchmarks", "target").toAbsolutePath();
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    /** Written between two checkpoints: clients have gone on, and nothing of the last one is under way any more. */
    private static final int PAIRS = 200;

    private static final double MICROS_PER_MILLI = 1e3;

    private final ValueOptions options = new ValueOptions(Map.of(
            "--groups", "3",
            "--namenodes", "3",
            "--writers", "16",
            "--checkpoints", "40",
            "--protect-data", "true",
            "--local-edits", "false",
            "--bound", "200"));
    /** In microseconds, by what took so long. */
    private final Map<String, Histogram> times = new LinkedHashMap<>();

    /** The first ones meet young processes. */
    private final List<Long> longestInOrder = new ArrayList<>();

    private final List<HaCluster> clusters = new ArrayList<>();

    private FreezeBenchmark() {}

    public static void main(String[] arguments) throws IOException {
        FreezeBenchmark benchmark = new FreezeBenchmark();
        int code = benchmark.options.understands(arguments) ? 0 : 2;
        if (code == 0) {
            code = benchmark.run() ? 0 : 1;
        }
        System.exit(code);
    }

    /** Returns whether the bound is kept. */
    private boolean run() throws IOException {
        Files.createDirectories(WORK);
        Machine.facts(WORK).forEach((fact, value) -> System.out.println(fact + ": " + value));
        try {
            measure();
            clusters.forEach(HaCluster::succeeded);
        } finally {
            clusters.forEach(HaCluster::close);
        }
        System.out.println("longest freeze of each checkpoint, in order, in ms: " + longestInOrder);
        System.out.printf("%-44s%8s%10s%10s%10s%10s%n", "milliseconds", "count", "p50", "p90", "p99", "longest");
        times.forEach((what, all) -> System.out.printf(
                Locale.ROOT,
                "%-44s%8d%10.1f%10.1f%10.1f%10.1f%n",
                what,
                all.getTotalCount(),
                all.getValueAtPercentile(50) / MICROS_PER_MILLI,
                all.getValueAtPercentile(90) / MICROS_PER_MILLI,
                all.getValueAtPercentile(99) / MICROS_PER_MILLI,
                all.getMaxValue() / MICROS_PER_MILLI));
        return times.get("frozen").getValueAtPercentile(99) <= options.number("--bound") * MICROS_PER_MILLI;
    }

    private void measure() throws IOException {
        for (int i = 1; i <= options.number("--groups"); i++) {
            clusters.add(HaCluster.builder("freeze-benchmark-" + i)
                    .nameservice("ns" + i)
                    .nameNodes(options.number("--namenodes"))
                    .journal(
                            flag("--local-edits")
                                    ? JournalKind.ssp()
                                    : JournalKind.ssp().journalOnly())
                    .unsupervised()
                    .nameNodePlugin("io.trefoil.checkpoint.hdfs.CheckpointPlugin")
                    .create());
        }
        Federation.join(clusters.toArray(HaCluster[]::new));
        new FederationOperations(clusters).setUp();
        List<FileSystem> fileSystems = new ArrayList<>();
        for (HaCluster cluster : clusters) {
            fileSystems.add(cluster.newFileSystem());
            cluster.dfsadmin("-allowSnapshot", "/").expectSuccess();
        }
        long begun = System.nanoTime();
        try (RemoteParticipants participants =
                        new RemoteParticipants(clusters.get(0).clientConfiguration(), PATIENCE);
                CausalPairs pairs = new CausalPairs(fileSystems, options.number("--writers"))) {
            for (int i = 0; i < options.number("--checkpoints"); i++) {
                long before = pairs.count();
                Await.until("pairs are written", PATIENCE, () -> pairs.count() > before + PAIRS, () -> "");
                checkpoint(participants, i);
            }
            System.out.printf(
                    Locale.ROOT,
                    "pairs of changes per second, with the checkpoints: %.0f%n",
                    pairs.count() * 1e9 / (System.nanoTime() - begun));
        }
    }

    private void checkpoint(RemoteParticipants participants, int number) throws IOException {
        String id = "freeze.%08x".formatted(number);
        ObjectNode order = Documents.object().put("id", id);
        order.put("protectData", flag("--protect-data"));
        clusters.forEach(cluster -> order.withArray("nameservices").add(nameservice(cluster)));
        JsonNode made = participants.askActive(nameservice(clusters.get(number % clusters.size())), "create", order);
        if (!made.path("outcome").asText().equals("COMPLETE")) {
            throw new IllegalStateException("no checkpoint: " + made);
        }
        record("whole checkpoint", made.path("millis").asLong() * 1_000);
        long longest = 0;
        for (JsonNode manifest : made.path("manifests")) {
            JsonNode cut = manifest.path("cut");
            long frozen = cut.path("frozenMicros").asLong();
            record(
                    "waited for the lock, before the freeze",
                    cut.path("waitedMicros").asLong());
            record("frozen", frozen);
            longest = Math.max(longest, frozen);
            record(
                    "of it until the order to cut",
                    frozen - cut.path("cutMicros").asLong());
            record("of it the cut", cut.path("cutMicros").asLong());
        }
        longestInOrder.add(longest / 1_000);
        // A journal has room for few, and a namespace with many snapshots is another one.
        for (HaCluster cluster : clusters) {
            participants.askActive(
                    nameservice(cluster), "abandon", Documents.object().put("id", id));
        }
    }

    private boolean flag(String option) {
        return Boolean.parseBoolean(options.get(option));
    }

    private static String nameservice(HaCluster cluster) {
        return cluster.layout().nameservice();
    }

    private void record(String what, long micros) {
        times.computeIfAbsent(what, unused -> new Histogram(3)).recordValue(Math.max(0, micros));
    }
}
