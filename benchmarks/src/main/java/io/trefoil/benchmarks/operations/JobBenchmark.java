/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.operations;

import io.trefoil.benchmarks.BenchmarkResults;
import io.trefoil.benchmarks.Commands;
import io.trefoil.benchmarks.Commands.PositiveNumber;
import io.trefoil.benchmarks.ContenderOptions;
import io.trefoil.benchmarks.HostOptions;
import io.trefoil.benchmarks.Sample;
import io.trefoil.benchmarks.TurnOptions;
import io.trefoil.benchmarks.Usage;
import io.trefoil.benchmarks.threads.ClusterThreads;
import io.trefoil.benchmarks.threads.ThreadTable;
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
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures how long a job that counts words takes when the active is killed during its map phase, compared to a run without a fault (the
 * main paper's Figure 14), with our failover, and with QJM and ZKFC, in turn. Each turn starts a cluster of its own: an idle one with its
 * YARN would take the cores from the one that is measured.
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
    /** A killed active compared to no fault, in the same turn. */
    private static final String COST = "cost";

    private static final String SECONDS = "seconds";
    /** The time from the kill until another NameNode reports to be active. */
    private static final String ACTIVE_MILLIS = "active after, ms";
    /** The CPU time of NameNodes, the journal's servers and failover controllers during the job. */
    private static final String HDFS_CPU = "metadata's CPU, s";
    /** The CPU time of all processes of the machine during the job. */
    private static final String ALL_CPU = "all CPU, s";

    private static final String MORE_SECONDS = "more seconds";
    private static final String RATIO = "ratio";
    private static final Duration LIMIT = Duration.ofMinutes(10);

    @Mixin
    private final ContenderOptions contenders = new ContenderOptions();

    @Option(
            names = "--maps",
            defaultValue = "6",
            converter = PositiveNumber.class,
            description = "Files to be counted.")
    private int maps;

    @Option(names = "--lines", defaultValue = "20000", converter = PositiveNumber.class, description = "Of each file.")
    private int lines;

    @Option(
            names = "--warm-up",
            defaultValue = "1",
            converter = PositiveNumber.class,
            description =
                    "Jobs before those that are measured. NameNodes still compile a good part of what they run in the first ones.")
    private int warmUpJobs;

    @Mixin
    private final HostOptions hosts = new HostOptions();

    @Option(
            names = "--threads",
            description =
                    "Also print what each thread of NameNodes, the journal's servers and failover controllers uses in the job without a"
                            + " fault. Needs Linux.")
    private boolean threads;

    private final BenchmarkResults results = new BenchmarkResults();
    private final ThreadTable table = ThreadTable.perJob();

    /** A column of a table: the median of a figure for each cluster. */
    private record Column(String title, String format, String measurement, String figure) {}

    private JobBenchmark() {}

    public static void main(String[] arguments) {
        Commands.run(new JobBenchmark(), arguments);
    }

    @Override
    public Integer call() throws Exception {
        hosts.requireCoresFor(OperationsContender.NAME_NODES);
        TurnOptions.printMachine();
        System.out.println("hosts: " + hosts.plan());
        contenders.measureInTurns(this::measure);
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
            for (int job = 1; job <= warmUpJobs; job++) {
                run(contender, WARM_UP + " " + job);
            }
            contender.limitCpus(hosts.plan());
            hosts.plan().awaitQuiescence();
            for (String measurement : order) {
                figures.put(measurement, run(contender, measurement));
                System.out.printf(
                        Locale.ROOT, "round %d, %s, %s: %s%n", round, name, measurement, figures.get(measurement));
            }
            contender.markSucceeded();
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

    private Map<String, Double> run(OperationsContender contender, String measurement) throws IOException {
        HaCluster cluster = contender.cluster();
        String name = measurement.replace(' ', '-');
        Map<String, Double> figures = new HashMap<>();
        Usage machine = Usage.ofMachine();
        Map<Long, Usage> earlierUsage = usages(cluster);
        boolean byThread = threads && measurement.equals(QUIET);
        Optional<ClusterThreads> threadsBefore =
                byThread ? Optional.of(threadsOf(cluster)) : Optional.<ClusterThreads>empty();
        double endedCpuSeconds = 0;
        long begun = System.nanoTime();
        RunningJob job = cluster.startJob(name, WORD_COUNT, WORDS.toString(), "/counts-" + name);
        if (measurement.equals(KILLED)) {
            job.awaitMapPhase();
            NameNodeServer active = cluster.awaitActive();
            endedCpuSeconds = Usage.of(List.of(active.pid()))
                    .minus(earlierUsage.get(active.pid()))
                    .cpuSeconds();
            long killed = System.nanoTime();
            active.kill9();
            cluster.awaitActive();
            figures.put(ACTIVE_MILLIS, (System.nanoTime() - killed) / 1e6);
        }
        job.awaitSuccess(LIMIT);
        figures.put(SECONDS, (System.nanoTime() - begun) / 1e9);
        figures.put(HDFS_CPU, endedCpuSeconds + cpuSecondsSince(earlierUsage, usages(cluster)));
        if (threadsBefore.isPresent()) {
            table.add(contender.name(), threadsBefore.get(), threadsOf(cluster), 1);
        }
        figures.put(ALL_CPU, Usage.ofMachine().minus(machine).cpuSeconds());
        cluster.awaitActiveAndStandbys();
        return figures;
    }

    private static ClusterThreads threadsOf(HaCluster cluster) throws IOException {
        return ClusterThreads.read(cluster, cluster.awaitActive());
    }

    /** Returns the usage of the processes that hold metadata, by pid. */
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

    /** The usage of processes since an earlier moment; that of a process which did not exist then counts in full. */
    private static double cpuSecondsSince(Map<Long, Usage> earlierUsage, Map<Long, Usage> currentUsage) {
        return currentUsage.entrySet().stream()
                .mapToDouble(entry -> entry.getValue()
                        .minus(earlierUsage.getOrDefault(entry.getKey(), new Usage(0, 0)))
                        .cpuSeconds())
                .sum();
    }

    private void print() {
        System.out.printf("%nmedians of %d rounds; %s%n", contenders.rounds(), hosts.plan());
        printTable(
                "seconds",
                new Column(QUIET, "%20.1f", QUIET, SECONDS),
                new Column(KILLED, "%20.1f", KILLED, SECONDS),
                new Column("more", "%20.1f", COST, MORE_SECONDS),
                new Column("ratio", "%20.2f", COST, RATIO));
        printTable(
                "CPU s",
                new Column("metadata, quiet", "%20.1f", QUIET, HDFS_CPU),
                new Column("metadata, killed", "%20.1f", KILLED, HDFS_CPU),
                new Column("all, quiet", "%20.1f", QUIET, ALL_CPU),
                new Column("all, killed", "%20.1f", KILLED, ALL_CPU),
                new Column(ACTIVE_MILLIS, "%20.0f", KILLED, ACTIVE_MILLIS));
        table.print(System.out);
        List<String> clusters = contenders.names();
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

    private void printTable(String unit, Column... columns) {
        System.out.printf("%n%-12s", unit);
        for (Column column : columns) {
            System.out.printf("%20s", column.title());
        }
        System.out.println();
        for (String name : contenders.names()) {
            System.out.printf("%-12s", name);
            for (Column column : columns) {
                System.out.printf(Locale.ROOT, column.format(), median(column.measurement(), name, column.figure()));
            }
            System.out.println();
        }
    }

    private double median(String measurement, String name, String figure) {
        return results.median(measurement, name, figure).orElseThrow();
    }

    /** The median of the rounds' ratios of the first cluster to another one. */
    private double ratio(String measurement, String name) {
        return results.ratio(measurement, contenders.names().get(0), name, SECONDS)
                .orElseThrow();
    }
}
