/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.checkpoints;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trefoil.benchmarks.BenchmarkFiles;
import io.trefoil.benchmarks.Commands;
import io.trefoil.benchmarks.Commands.PositiveNumber;
import io.trefoil.benchmarks.Machine;
import io.trefoil.checkpoint.CheckpointJson;
import io.trefoil.checkpoint.hdfs.RemoteParticipants;
import io.trefoil.it.cluster.FederatedClusters;
import io.trefoil.it.cluster.FederationOperations;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.load.CausalPairs;
import io.trefoil.it.process.Await;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.fs.FileSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures how long checkpoints freeze nameservices to which clients keep writing pairs, and how that time is spent. The exit code
 * is 1 if the freezes' p99 is above the bound.
 */
@Command(
        name = "benchmark-freeze",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description =
                "Takes checkpoints of nameservices under load, and says for how long each was frozen. Each checkpoint freezes every nameservice once, and the active of each leads in turn.")
public final class FreezeBenchmark implements Callable<Integer> {
    /**
     * The number of pairs that are written between two checkpoints, so that clients have continued and nothing of the previous checkpoint
     * is in progress.
     */
    private static final int PAIRS = 200;

    private static final double MICROS_PER_MILLI = 1e3;

    @Option(names = "--groups", defaultValue = "3", converter = PositiveNumber.class, description = "Nameservices.")
    private int groups;

    @Option(
            names = "--namenodes",
            defaultValue = "3",
            converter = PositiveNumber.class,
            description = "NameNodes of each.")
    private int nameNodes;

    @Option(
            names = "--writers",
            defaultValue = "16",
            converter = PositiveNumber.class,
            description = "Clients that write pairs across nameservices.")
    private int writers;

    @Option(
            names = "--checkpoints",
            defaultValue = "40",
            converter = PositiveNumber.class,
            description = "How many are taken.")
    private int checkpoints;

    @Option(names = "--protect-data", defaultValue = "true", arity = "1", description = "Whether blocks are kept, too.")
    private boolean protectData;

    @Option(
            names = "--local-edits",
            defaultValue = "false",
            arity = "0..1",
            description = "Whether NameNodes write a second copy of the edits to their own directory.")
    private boolean localEdits;

    @Option(
            names = "--bound",
            defaultValue = "200",
            converter = PositiveNumber.class,
            description = "In milliseconds; ends with 1 if the p99 of the freezes is above it.")
    private int boundMillis;
    /** Durations in microseconds, by step. */
    private final Map<String, Histogram> times = new LinkedHashMap<>();

    /** The longest freeze of each checkpoint, in milliseconds; the first ones run on cold JVMs. */
    private final List<Long> longestInOrder = new ArrayList<>();

    private final List<HaCluster> clusters = new ArrayList<>();

    private FreezeBenchmark() {}

    public static void main(String[] arguments) {
        Commands.run(new FreezeBenchmark(), arguments);
    }

    /** Returns 1 if the bound is missed. */
    @Override
    public Integer call() throws IOException {
        Machine.print(BenchmarkFiles.DIRECTORY);
        try {
            measure();
            clusters.forEach(HaCluster::markSucceeded);
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
        return times.get("frozen").getValueAtPercentile(99) <= boundMillis * MICROS_PER_MILLI ? 0 : 1;
    }

    private void measure() throws IOException {
        for (int i = 1; i <= groups; i++) {
            clusters.add(HaCluster.builder("freeze-benchmark-" + i)
                    .nameservice("ns" + i)
                    .nameNodes(nameNodes)
                    .journal(JournalKind.ssp().localEdits(localEdits))
                    .withoutSupervision()
                    .nameNodePlugin("io.trefoil.checkpoint.hdfs.CheckpointPlugin")
                    .create());
        }
        FederatedClusters.join(clusters.toArray(HaCluster[]::new));
        new FederationOperations(clusters).setUp();
        List<FileSystem> fileSystems = new ArrayList<>();
        for (HaCluster cluster : clusters) {
            fileSystems.add(cluster.newFileSystem());
            cluster.dfsadmin("-allowSnapshot", "/").expectSuccess();
        }
        long begun = System.nanoTime();
        try (RemoteParticipants participants =
                        new RemoteParticipants(clusters.get(0).clientConfiguration(), Await.TIMEOUT);
                CausalPairs pairs = new CausalPairs(fileSystems, writers)) {
            for (int i = 0; i < checkpoints; i++) {
                long before = pairs.count();
                Await.until("pairs are written", Await.TIMEOUT, () -> pairs.count() > before + PAIRS, () -> "");
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
        ObjectNode order = CheckpointJson.object().put("id", id);
        order.put("protectData", protectData);
        clusters.forEach(cluster -> order.withArray("nameservices").add(nameservice(cluster)));
        JsonNode made = participants.callActive(nameservice(clusters.get(number % clusters.size())), "create", order);
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
        // A journal has room for few checkpoints, and a namespace with many snapshots behaves differently.
        for (HaCluster cluster : clusters) {
            participants.callActive(
                    nameservice(cluster), "abandon", CheckpointJson.object().put("id", id));
        }
    }

    private static String nameservice(HaCluster cluster) {
        return cluster.layout().nameservice();
    }

    private void record(String metric, long micros) {
        times.computeIfAbsent(metric, unused -> new Histogram(3)).recordValue(Math.max(0, micros));
    }
}
