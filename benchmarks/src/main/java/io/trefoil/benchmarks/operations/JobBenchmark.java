/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.operations;

import io.trefoil.benchmarks.BenchmarkResults;
import io.trefoil.benchmarks.Commands;
import io.trefoil.benchmarks.Commands.AboveZero;
import io.trefoil.benchmarks.HostOptions;
import io.trefoil.benchmarks.Sample;
import io.trefoil.benchmarks.TurnOptions;
import io.trefoil.benchmarks.Usage;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.RunningJob;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.load.WordFiles;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * How long a job that counts words takes when the active is killed while it maps, beside how long it takes without
 * (the main paper's Figure 14): our failover, and QJM with ZKFC, in turns. Each turn starts a cluster of its own: an idle one
 * with its YARN would take the cores from the one that is measured.
 */
@Command(
        name = "benchmark-job",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description =
                "Times a MapReduce job with and without the active killed, with our failover and with QJM and ZKFC.")
public final class JobBenchmark implements Callable<Integer> {
    private static final String WORD_COUNT = "org.apache.hadoop.examples.WordCount";
    private static final Path WORDS = new Path("/words");
    private static final String WARM_UP = "warm-up";
    private static final String QUIET = "without a fault";
    private static final String KILLED = "the active killed";
    /** A killed active beside no fault, in the same turn. */
    private static final String COST = "cost";

    private static final String SECONDS = "seconds";
    /** From the kill until another NameNode says that it is active. */
    private static final String ACTIVE_MILLIS = "active after, ms";
    /** Of NameNodes, the journal's servers and failover controllers during the job. */
    private static final String HDFS_CPU = "metadata's CPU, s";
    /** Of all processes of the machine during the job. */
    private static final String ALL_CPU = "all CPU, s";

    private static final String MORE_SECONDS = "more seconds";
    private static final String RATIO = "ratio";
    private static final Duration LIMIT = Duration.ofMinutes(10);

    @Option(
            names = "--clusters",
            split = ",",
            defaultValue = OperationsContender.OURS + "," + OperationsContender.QJM,
            converter = OperationsContender.Name.class,
            description = "What is compared.")
    private List<String> clusters;

    @Option(names = "--maps", defaultValue = "6", converter = AboveZero.class, description = "Files to be counted.")
    private int maps;

    @Option(names = "--lines", defaultValue = "20000", converter = AboveZero.class, description = "Of each file.")
    private int lines;

    @Option(names = "--rounds", defaultValue = "3", converter = AboveZero.class, description = "How often.")
    private int rounds;

    @Mixin
    private final HostOptions hosts = new HostOptions();

    private final BenchmarkResults results = new BenchmarkResults();

    private JobBenchmark() {}

    public static void main(String[] arguments) {
        Commands.run(new JobBenchmark(), arguments);
    }

    @Override
    public Integer call() throws Exception {
        hosts.requireRoomFor(OperationsContender.NAME_NODES);
        TurnOptions.printMachine();
        System.out.println("hosts: " + hosts.plan());
        TurnOptions.inTurns(rounds, clusters, name -> name, this::measure);
        print();
        return 0;
    }

    private void measure(String name, int round) throws IOException, InterruptedException {
        // Later jobs profit from earlier ones.
        List<String> order = new ArrayList<>(List.of(QUIET, KILLED));
        Collections.rotate(order, round - 1);
        Map<String, Map<String, Double>> figures = new HashMap<>();
        try (OperationsContender contender = OperationsContender.startWithYarn(name, hosts.plan())) {
            writeWords(contender.cluster());
            run(contender, WARM_UP);
            contender.limit(hosts.plan());
            hosts.plan().settle();
            for (String measurement : order) {
                figures.put(measurement, run(contender, measurement));
                System.out.printf(
                        Locale.ROOT, "round %d, %s, %s: %s%n", round, name, measurement, figures.get(measurement));
            }
            contender.succeeded();
        }
        figures.forEach((measurement, each) -> results.add(measurement, name, new Sample(each)));
        double quiet = figures.get(QUIET).get(SECONDS);
        double killed = figures.get(KILLED).get(SECONDS);
        results.add(COST, name, new Sample(Map.of(MORE_SECONDS, killed - quiet, RATIO, killed / quiet)));
    }

    private void writeWords(HaCluster cluster) throws IOException {
        try (FileSystem fileSystem = FileSystem.newInstance(cluster.clientConfiguration())) {
            WordFiles.write(fileSystem, WORDS, maps, lines);
        }
    }

    private static Map<String, Double> run(OperationsContender contender, String measurement) throws IOException {
        HaCluster cluster = contender.cluster();
        String name = measurement.replace(' ', '-');
        Map<String, Double> figures = new HashMap<>();
        Usage machine = Usage.ofMachine();
        Map<Long, Usage> before = usages(cluster);
        double endedCpuSeconds = 0;
        long begun = System.nanoTime();
        RunningJob job = cluster.startJob(name, WORD_COUNT, WORDS.toString(), "/counts-" + name);
        if (measurement.equals(KILLED)) {
            job.awaitMapPhase();
            NameNodeServer active = cluster.awaitActive();
            endedCpuSeconds = Usage.of(List.of(active.pid()))
                    .minus(before.get(active.pid()))
                    .cpuSeconds();
            long killed = System.nanoTime();
            active.kill9();
            cluster.awaitActive();
            figures.put(ACTIVE_MILLIS, (System.nanoTime() - killed) / 1e6);
        }
        job.awaitSuccess(LIMIT);
        figures.put(SECONDS, (System.nanoTime() - begun) / 1e9);
        figures.put(HDFS_CPU, endedCpuSeconds + cpuSecondsSince(before, usages(cluster)));
        figures.put(ALL_CPU, Usage.ofMachine().minus(machine).cpuSeconds());
        cluster.awaitActiveAndStandbys();
        return figures;
    }

    /** Of the processes that hold metadata, by their pids. */
    private static Map<Long, Usage> usages(HaCluster cluster) throws IOException {
        Map<Long, Usage> usages = new HashMap<>();
        for (List<? extends Server> servers :
                List.of(cluster.nameNodes(), cluster.journalServers(), cluster.failoverServers())) {
            for (Server server : servers) {
                if (server.isAlive()) {
                    usages.put(server.pid(), Usage.of(List.of(server.pid())));
                }
            }
        }
        return usages;
    }

    /** A process that was not there before has used all that it has used since. */
    private static double cpuSecondsSince(Map<Long, Usage> before, Map<Long, Usage> now) {
        return now.entrySet().stream()
                .mapToDouble(entry -> entry.getValue()
                        .minus(before.getOrDefault(entry.getKey(), new Usage(0, 0)))
                        .cpuSeconds())
                .sum();
    }

    private void print() {
        System.out.printf(
                "%nmedians of %d rounds, in seconds; %s%n%-12s%18s%20s%10s%10s%n",
                rounds, hosts.plan(), "cluster", QUIET, KILLED, "more", "ratio");
        for (String name : clusters) {
            System.out.printf(
                    Locale.ROOT,
                    "%-12s%18.1f%20.1f%10.1f%10.2f%n",
                    name,
                    median(QUIET, name, SECONDS),
                    median(KILLED, name, SECONDS),
                    median(COST, name, MORE_SECONDS),
                    median(COST, name, RATIO));
        }
        System.out.printf(
                "%n%-12s%18s%20s%18s%20s%18s%n",
                "CPU s", "metadata, quiet", "metadata, killed", "all, quiet", "all, killed", ACTIVE_MILLIS);
        for (String name : clusters) {
            System.out.printf(
                    Locale.ROOT,
                    "%-12s%18.1f%20.1f%18.1f%20.1f%18.0f%n",
                    name,
                    median(QUIET, name, HDFS_CPU),
                    median(KILLED, name, HDFS_CPU),
                    median(QUIET, name, ALL_CPU),
                    median(KILLED, name, ALL_CPU),
                    median(KILLED, name, ACTIVE_MILLIS));
        }
        for (String name : clusters.subList(1, clusters.size())) {
            System.out.printf(
                    Locale.ROOT,
                    "%s of %s: %s %.2f, %s %.2f%n",
                    clusters.get(0),
                    name,
                    QUIET,
                    ratio(QUIET, name),
                    KILLED,
                    ratio(KILLED, name));
        }
    }

    private double median(String measurement, String name, String figure) {
        return results.median(measurement, name, figure).orElseThrow();
    }

    /** The median of the rounds' ratios of the first cluster to another one. */
    private double ratio(String measurement, String name) {
        return results.ratio(measurement, clusters.get(0), name, SECONDS).orElseThrow();
    }
}
