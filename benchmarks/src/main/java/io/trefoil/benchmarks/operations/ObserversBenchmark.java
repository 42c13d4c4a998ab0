/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.operations;

import io.trefoil.benchmarks.BenchmarkResults;
import io.trefoil.benchmarks.ClusterUsage;
import io.trefoil.benchmarks.Commands;
import io.trefoil.benchmarks.Commands.PositiveNumber;
import io.trefoil.benchmarks.Sample;
import io.trefoil.benchmarks.TurnOptions;
import io.trefoil.client.hdfs.SmartObserverReadProxyProvider;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.layout.FailoverKind;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.NameNodeServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures the gain for readers, and the cost for writers, of one more NameNode (paper 2, Figures 9 to 11; paper 4, Figure 10). A cluster
 * of an active, a standby and so many observers for each number, one cluster at a time; each host has its own share of a CPU, or reads
 * could not grow on one machine.
 */
@Command(
        name = "benchmark-observers",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = "Measures reads and writes by the number of observers.")
public final class ObserversBenchmark implements Callable<Integer> {
    private static final String READS = "reads";
    private static final String PER_SECOND = "per second";
    private static final String ACTIVE_CPUS = "CPUs of the active";
    private static final String OTHER_CPUS = "CPUs of each other NameNode";
    private static final double MIN_GROWTH = 0.9;

    /** The active and its standby. */
    private static final int ELECTABLE = 2;

    @Option(
            names = "--observers",
            split = ",",
            defaultValue = "0,1,2,4",
            description = "How many; each NameNode has a pool node that votes.")
    private List<Integer> observers;

    /**
     * The number of clients: a host that has used up its part of a CPU pauses for up to 10 ms, so that few clients would all be waiting,
     * and no host be busy.
     */
    @Option(
            names = "--readers",
            defaultValue = "128",
            converter = PositiveNumber.class,
            description = "Clients that read.")
    private int readers;

    @Option(
            names = "--writers",
            split = ",",
            defaultValue = "1,32",
            converter = PositiveNumber.class,
            description = "Clients that write, at other times.")
    private List<Integer> writers;

    @Mixin
    private final TurnOptions turns =
            new TurnOptions().withDefaultCpus(0.15).withSeparateCores().withDefaultWarmUp(40);

    private final BenchmarkResults results = new BenchmarkResults();

    private ObserversBenchmark() {}

    public static void main(String[] arguments) {
        Commands.run(new ObserversBenchmark(), arguments);
    }

    @Override
    public Integer call() throws Exception {
        TreeSet<Integer> counts = new TreeSet<>(observers);
        turns.requireCoresFor(ELECTABLE + counts.last());
        TurnOptions.printMachine();
        turns.measureInTurns(new ArrayList<>(counts), count -> count + " observers", this::measure);
        print(counts);
        boolean readsKept = isReadBoundMet(counts);
        boolean writesKept = isWriteBoundMet(counts);
        return turns.exitCode(readsKept && writesKept);
    }

    /** Starts a cluster for each turn: even idle NameNodes would take CPU time from the cluster being measured. */
    private void measure(int count, int round) throws Exception {
        try (Group group = new Group(count)) {
            try (ClientLoad load = group.readers("/reads")) {
                // Each observer has the calls of a whole warm-up, or more observers would have code that is less
                // compiled.
                load.run(MeasuredOperation.STATUS, (long) turns.warmUpSeconds() * Math.max(1, count));
                turns.hosts().limit(group.cluster);
                turns.hosts().awaitQuiescence();
                add(READS, group, load, MeasuredOperation.STATUS);
                turns.hosts().liftLimits(group.cluster);
            }
            for (int clients : writers) {
                // A directory that is there already would be no write.
                try (ClientLoad warmUp = group.writers("/warm-up-of-" + clients, clients)) {
                    warmUp.run(MeasuredOperation.MKDIRS, turns.warmUpSeconds() / 2);
                }
                try (ClientLoad measured = group.writers("/writes-of-" + clients, clients)) {
                    turns.hosts().limit(group.cluster);
                    turns.hosts().awaitQuiescence();
                    add(writesLabel(clients), group, measured, MeasuredOperation.MKDIRS);
                    turns.hosts().liftLimits(group.cluster);
                }
            }
            group.cluster.markSucceeded();
        }
    }

    private void add(String measurement, Group group, ClientLoad load, MeasuredOperation operation) throws Exception {
        List<Long> others = group.otherProcesses();
        ClusterUsage.Meter meter = ClusterUsage.meter(group.activeProcess(), others);
        long begun = System.nanoTime();
        ClusterUsage before = meter.read();
        double perSecond = load.run(operation, turns.seconds()).perSecond();
        double seconds = (System.nanoTime() - begun) / 1e9;
        ClusterUsage used = meter.read().minus(before);
        results.add(
                measurement,
                String.valueOf(group.observers),
                new Sample(Map.of(
                        PER_SECOND,
                        perSecond,
                        ACTIVE_CPUS,
                        used.active().cpuSeconds() / seconds,
                        OTHER_CPUS,
                        used.otherUsage().cpuSeconds() / seconds / others.size())));
    }

    private static String writesLabel(int clients) {
        return "mkdirs by " + clients;
    }

    private void print(Set<Integer> counts) {
        System.out.printf(
                Locale.ROOT,
                "%nmedians of %d rounds of %d s, a second, %s; in brackets the CPUs that the active used, and each other NameNode%n%-14s",
                turns.rounds(),
                turns.seconds(),
                turns.hosts(),
                "observers");
        results.measurements().forEach(measurement -> System.out.printf("%26s", measurement));
        System.out.println();
        for (int count : counts) {
            System.out.printf("%-14d", count);
            for (String measurement : results.measurements()) {
                System.out.printf(
                        Locale.ROOT,
                        "%26s",
                        String.format(
                                Locale.ROOT,
                                "%.0f (%.2f, %.2f)",
                                median(measurement, count, PER_SECOND),
                                median(measurement, count, ACTIVE_CPUS),
                                median(measurement, count, OTHER_CPUS)));
            }
            System.out.println();
        }
    }

    private double median(String measurement, int count, String figure) {
        return results.median(measurement, String.valueOf(count), figure).orElseThrow();
    }

    private boolean isReadBoundMet(SortedSet<Integer> counts) {
        boolean kept = true;
        for (int count : counts.tailSet(2)) {
            double growth =
                    results.ratio(READS, String.valueOf(count), "1", PER_SECOND).orElse(0.0);
            boolean isKept = growth >= MIN_GROWTH * count;
            kept &= isKept;
            System.out.printf(
                    Locale.ROOT,
                    "reads from %d observers at least %.1f of those from one, %.2f: %s%n",
                    count,
                    MIN_GROWTH * count,
                    growth,
                    isKept ? "kept" : "MISSED");
        }
        return kept;
    }

    /** Each number of observers is compared with the one before it. */
    private boolean isWriteBoundMet(SortedSet<Integer> counts) {
        boolean kept = true;
        for (int count : writers) {
            double atMost = count == 1 ? 0.20 : 0.05;
            Integer before = null;
            for (int number : counts) {
                if (before != null) {
                    int more = number - before;
                    double ratio = results.ratio(
                                    writesLabel(count), String.valueOf(number), String.valueOf(before), PER_SECOND)
                            .orElse(0.0);
                    boolean isKept = ratio >= Math.pow(1 - atMost, more);
                    kept &= isKept;
                    System.out.printf(
                            Locale.ROOT,
                            "mkdirs by %d with %d observers instead of %d at least %.2f, %.2f: %s%n",
                            count,
                            number,
                            before,
                            Math.pow(1 - atMost, more),
                            ratio,
                            isKept ? "kept" : "MISSED");
                }
                before = number;
            }
        }
        return kept;
    }

    /** A cluster with its clients. */
    private final class Group implements AutoCloseable {
        private final int observers;
        private final HaCluster cluster;

        Group(int observers) {
            this.observers = observers;
            HaClusterBuilder builder = HaCluster.builder("observers-" + observers)
                    .nameNodes(ELECTABLE + observers)
                    .journal(JournalKind.ssp().journalOnly())
                    .failover(FailoverKind.mams())
                    .property("dfs.permissions.enabled", "false")
                    .property("dfs.namenode.state.context.enabled", "true")
                    .property("dfs.ha.tail-edits.in-progress", "true");
            for (int number = ELECTABLE + 1; number <= ELECTABLE + observers; number++) {
                builder.serverProperty("nn" + number, "trefoil.ha.electable", "false");
            }
            turns.hosts().applyUnlimited(builder);
            cluster = builder.create();
            try {
                cluster.setUp();
                cluster.awaitActive();
                for (NameNodeServer nameNode : cluster.nameNodes().subList(ELECTABLE, ELECTABLE + observers)) {
                    nameNode.awaitState(HAServiceState.OBSERVER);
                }
                cluster.awaitFullJournal();
            } catch (RuntimeException | Error e) {
                cluster.close();
                throw e;
            }
            System.out.println(observers + " observers are up, " + turns.hosts());
        }

        long activeProcess() {
            return cluster.awaitActive().pid();
        }

        List<Long> otherProcesses() {
            return cluster.nameNodesExcept(cluster.awaitActive()).stream()
                    .map(NameNodeServer::pid)
                    .collect(Collectors.toList());
        }

        /** Returns the load of readers, with their files and connections. */
        ClientLoad readers(String home) throws IOException, InterruptedException, ExecutionException {
            Configuration conf = cluster.clientConfiguration();
            if (observers > 0) {
                conf.set(
                        "dfs.client.failover.proxy.provider." + cluster.layout().nameservice(),
                        SmartObserverReadProxyProvider.class.getName());
            }
            ClientLoad load = new ClientLoad(conf, readers, new org.apache.hadoop.fs.Path(home));
            try {
                load.run(MeasuredOperation.CREATE, 1);
                return load;
            } catch (InterruptedException | ExecutionException e) {
                load.close();
                throw e;
            }
        }

        ClientLoad writers(String home, int clients) throws IOException, InterruptedException {
            return new ClientLoad(cluster.clientConfiguration(), clients, new org.apache.hadoop.fs.Path(home));
        }

        @Override
        public void close() {
            cluster.close();
        }
    }
}
