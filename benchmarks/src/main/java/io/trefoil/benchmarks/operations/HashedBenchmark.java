/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.operations;

import io.trefoil.benchmarks.BenchmarkResults;
import io.trefoil.benchmarks.Commands;
import io.trefoil.benchmarks.Commands.AboveZero;
import io.trefoil.benchmarks.Sample;
import io.trefoil.benchmarks.TurnOptions;
import io.trefoil.client.hashed.HashedLayout;
import io.trefoil.client.hdfs.hashed.HashedFileSystem;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.layout.Settings;
import io.trefoil.it.cluster.server.NameNodeServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * What one nameservice more gives a hashed directory (main paper, §3): the same NameNodes in turns, each alone in its
 * nameservice and with its own share of a CPU, or nothing could grow on one machine.
 */
@Command(
        name = "benchmark-hashed",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = "Measures operations in hashed directories by the number of their nameservices.")
public final class HashedBenchmark implements Callable<Integer> {
    private static final List<MeasuredOperation> OPERATIONS = List.of(
            MeasuredOperation.MKDIRS, MeasuredOperation.CREATE, MeasuredOperation.OPEN, MeasuredOperation.STATUS);
    private static final String PER_SECOND = "per second";
    private static final double LEAST_GROWTH = 0.9;

    @Option(
            names = "--groups",
            split = ",",
            defaultValue = "1,2,3",
            converter = AboveZero.class,
            description = "Over how many nameservices.")
    private List<Integer> groups;

    @Option(names = "--clients", defaultValue = "32", converter = AboveZero.class, description = "How many at once.")
    private int clients;

    @Mixin
    private final TurnOptions turns = new TurnOptions().cpus(0.12).warmingUp(15);

    private final BenchmarkResults results = new BenchmarkResults();
    private final List<HaCluster> clusters = new ArrayList<>();

    private HashedBenchmark() {}

    public static void main(String[] arguments) {
        Commands.run(new HashedBenchmark(), arguments);
    }

    @Override
    public Integer call() throws Exception {
        TurnOptions.printMachine();
        TreeSet<Integer> counts = new TreeSet<>(groups);
        try {
            for (int number = 1; number <= counts.last(); number++) {
                start("ns" + number);
            }
            for (int count : counts) {
                makeParts(count);
            }
            run(counts.last(), "warm-up", turns.warmUpSeconds(), false);
            clusters.forEach(turns.hosts()::limit);
            turns.inTurns(
                    List.copyOf(counts),
                    count -> count + " nameservices",
                    (count, round) -> run(count, "round-" + round, turns.seconds(), true));
            clusters.forEach(HaCluster::succeeded);
        } finally {
            clusters.forEach(HaCluster::close);
        }
        return turns.exitCode(report());
    }

    private void start(String nameservice) {
        HaClusterBuilder builder = HaCluster.builder("hashed-" + nameservice)
                .nameservice(nameservice)
                .nameNodes(1)
                .journal(JournalKind.local())
                .property("dfs.permissions.enabled", "false");
        turns.hosts().applyLater(builder);
        HaCluster cluster = builder.create();
        clusters.add(cluster);
        NameNodeServer nameNode = cluster.nameNode(1);
        nameNode.format("trefoil-test");
        nameNode.start();
        nameNode.awaitUp();
        System.out.println(nameservice + " is up, " + turns.hosts());
    }

    private static String directory(int count) {
        return "/over-" + count;
    }

    private List<String> nameservices(int count) {
        return clusters.stream()
                .limit(count)
                .map(cluster -> cluster.layout().nameservice())
                .toList();
    }

    /** As {@code hdfs trefoil table hash} makes them; the table, which needs DataNodes, takes no part in what is measured. */
    private void makeParts(int count) throws IOException {
        for (HaCluster cluster : clusters.subList(0, count)) {
            try (DistributedFileSystem fileSystem = cluster.newFileSystem()) {
                fileSystem.mkdirs(new org.apache.hadoop.fs.Path(HashedLayout.rootOf(directory(count))));
            }
        }
    }

    private Configuration conf(int count) {
        Configuration conf = clusters.get(0).clientConfiguration();
        conf.set("dfs.nameservices", String.join(",", nameservices(count)));
        for (HaCluster cluster : clusters.subList(0, count)) {
            Settings.addresses(cluster.layout()).forEach(conf::set);
            conf.set(
                    "dfs.client.failover.proxy.provider." + cluster.layout().nameservice(),
                    ConfiguredFailoverProxyProvider.class.getName());
        }
        conf.set("fs." + HashedFileSystem.SCHEME + ".impl", HashedFileSystem.class.getName());
        conf.set("fs.defaultFS", HashedFileSystem.SCHEME + "://benchmark");
        conf.set(HashedFileSystem.HASHED + directory(count), String.join(",", nameservices(count)));
        return conf;
    }

    private void run(int count, String name, int duration, boolean isMeasured)
            throws IOException, InterruptedException, ExecutionException {
        org.apache.hadoop.fs.Path home = new org.apache.hadoop.fs.Path(directory(count), name);
        try (ClientLoad load = new ClientLoad(conf(count), clients, home)) {
            for (MeasuredOperation operation : OPERATIONS) {
                ClientLoad.Outcome outcome = load.run(operation, duration);
                if (isMeasured) {
                    results.add(
                            operation.name().toLowerCase(Locale.ROOT),
                            String.valueOf(count),
                            new Sample(Map.of(PER_SECOND, outcome.perSecond())));
                }
            }
        }
    }

    /** Prints all medians, and whether the bounds are kept. */
    private boolean report() {
        System.out.printf(
                Locale.ROOT,
                "%nmedians of %d rounds of %d s, a second, %d clients, %s%n%-14s",
                turns.rounds(),
                turns.seconds(),
                clients,
                turns.hosts(),
                "nameservices");
        results.measurements().forEach(measurement -> System.out.printf("%10s", measurement));
        System.out.println();
        TreeSet<Integer> counts = new TreeSet<>(groups);
        for (int count : counts) {
            System.out.printf("%-14d", count);
            for (String measurement : results.measurements()) {
                System.out.printf(
                        Locale.ROOT,
                        "%10.0f",
                        results.median(measurement, String.valueOf(count), PER_SECOND)
                                .orElseThrow());
            }
            System.out.println();
        }
        boolean kept = true;
        for (int count : counts.tailSet(2)) {
            double growth = results.ratio("create", String.valueOf(count), "1", PER_SECOND)
                    .orElse(0.0);
            boolean isKept = growth >= LEAST_GROWTH * count;
            kept &= isKept;
            System.out.printf(
                    Locale.ROOT,
                    "creates over %d nameservices at least %.1f of those over one, %.2f: %s%n",
                    count,
                    LEAST_GROWTH * count,
                    growth,
                    isKept ? "kept" : "MISSED");
        }
        return kept;
    }
}
