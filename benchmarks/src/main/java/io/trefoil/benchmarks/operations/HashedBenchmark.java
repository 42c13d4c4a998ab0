/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.operations;

import io.trefoil.benchmarks.BenchmarkResults;
import io.trefoil.benchmarks.ClusterUsage;
import io.trefoil.benchmarks.Commands;
import io.trefoil.benchmarks.Commands.OneOf;
import io.trefoil.benchmarks.Commands.PositiveNumber;
import io.trefoil.benchmarks.Sample;
import io.trefoil.benchmarks.TurnOptions;
import io.trefoil.federation.client.hashed.HashedLayout;
import io.trefoil.federation.client.hdfs.hashed.HashedFileSystem;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.layout.Settings;
import io.trefoil.it.cluster.server.NameNodeServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.function.IntFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures the gain from one more nameservice for a hashed directory (main paper, §3), and for a directory that Routers spread by {@code
 * HASH_ALL}: with the same NameNodes in turn, each alone in its nameservice and with its own share of a CPU, as otherwise nothing could
 * scale on one machine.
 */
@Command(
        name = "benchmark-hashed",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description =
                "Measures operations in directories over several nameservices: hashed ones, and HASH_ALL of Routers.")
public final class HashedBenchmark implements Callable<Integer> {
    private static final List<MeasuredOperation> OPERATIONS = List.of(
            MeasuredOperation.MKDIRS,
            MeasuredOperation.CREATE,
            MeasuredOperation.OPEN,
            MeasuredOperation.STATUS,
            MeasuredOperation.RENAME,
            MeasuredOperation.DELETE);
    private static final String OURS = "trefoil";
    private static final String HASH_ALL = "hash-all";
    private static final String PER_SECOND = "per second";
    private static final double MIN_GROWTH = 0.9;

    @Option(
            names = "--groups",
            split = ",",
            defaultValue = "1,2,3",
            converter = PositiveNumber.class,
            description = "Over how many nameservices.")
    private List<Integer> groups;

    @Option(
            names = "--contenders",
            split = ",",
            defaultValue = OURS + "," + HASH_ALL,
            converter = Contender.class,
            description = "What is measured: hashed directories, and HASH_ALL through Routers.")
    private List<String> contenders;

    @Option(
            names = "--routers",
            defaultValue = "1",
            converter = PositiveNumber.class,
            description = "How many Routers for each nameservice, each a host of its own.")
    private int routersOfEach;

    @Option(
            names = "--clients",
            defaultValue = "32",
            converter = PositiveNumber.class,
            description = "How many at once.")
    private int clients;

    @Mixin
    private final TurnOptions turns =
            new TurnOptions().withDefaultCpus(0.12).withSeparateCores().withDefaultWarmUp(15);

    private final BenchmarkResults results = new BenchmarkResults();
    private final List<HaCluster> clusters = new ArrayList<>();
    /** The number of files that clients need, estimated from their deletions since hosts were limited to their CPUs. */
    private final Map<Turn, ClientLoad.FilesToDelete> filesToDelete = new HashMap<>();

    private HashAllRouters routers;

    /** A contender's name on a command line. */
    static final class Contender extends OneOf {
        Contender() {
            super(OURS, HASH_ALL);
        }
    }

    /** A group that is measured without a break. */
    private record Turn(String contender, int nameservices) {
        /** It does not depend on the contender, whose directories are elsewhere in the nameservices. */
        String directory() {
            return "/over-" + nameservices;
        }

        @Override
        public String toString() {
            return contender + " over " + nameservices;
        }
    }

    private HashedBenchmark() {}

    public static void main(String[] arguments) {
        Commands.run(new HashedBenchmark(), arguments);
    }

    @Override
    public Integer call() throws Exception {
        TreeSet<Integer> counts = new TreeSet<>(groups);
        turns.requireCoresFor(counts.last() * (contenders.contains(HASH_ALL) ? 1 + routersOfEach : 1));
        TurnOptions.printMachine();
        List<Turn> all = counts.stream()
                .flatMap(count -> contenders.stream().map(contender -> new Turn(contender, count)))
                .toList();
        try {
            for (int number = 1; number <= counts.last(); number++) {
                start("ns" + number);
            }
            for (int count : counts) {
                makeParts(new Turn(OURS, count));
            }
            if (contenders.contains(HASH_ALL)) {
                startRouters(counts);
            }
            for (String contender : contenders) {
                warmUp(new Turn(contender, counts.last()));
            }
            clusters.forEach(turns.hosts()::limit);
            turns.hosts().awaitQuiescence();
            turns.measureInTurns(all, Turn::toString, this::measure);
            clusters.forEach(HaCluster::markSucceeded);
        } finally {
            clusters.forEach(HaCluster::close);
        }
        print(all);
        printComparison(counts);
        return turns.exitCode(isCreateBoundMet(counts));
    }

    private void start(String nameservice) {
        HaClusterBuilder builder = HaCluster.builder("hashed-" + nameservice)
                .nameservice(nameservice)
                .nameNodes(1)
                .journal(JournalKind.local())
                .property("dfs.permissions.enabled", "false");
        turns.hosts().applyUnlimited(builder);
        HaCluster cluster = builder.create();
        clusters.add(cluster);
        NameNodeServer nameNode = cluster.nameNode(1);
        nameNode.format("trefoil-test");
        nameNode.start();
        nameNode.awaitUp();
        System.out.println(nameservice + " is up, " + turns.hosts());
    }

    /** Starts Routers in proportion to the nameservices, so that Routers are not the bottleneck. */
    private void startRouters(SortedSet<Integer> counts) throws IOException {
        int most = counts.last();
        Map<String, List<String>> mounted = new LinkedHashMap<>();
        counts.forEach(count -> mounted.put(new Turn(HASH_ALL, count).directory(), nameservices(count)));
        routers = new HashAllRouters(clusters.get(0), turns.hosts(), nameserviceAddresses(most), nameservices(most));
        routers.start(most * routersOfEach, mounted);
        for (int count : counts) {
            requireInAll(new Turn(HASH_ALL, count));
        }
        System.out.println(most * routersOfEach + " Routers are up, " + turns.hosts());
    }

    /** Has Routers make the directory: in all its nameservices if they spread it, otherwise in one. */
    private void requireInAll(Turn turn) throws IOException {
        for (HaCluster cluster : clusters.subList(0, turn.nameservices())) {
            try (DistributedFileSystem fileSystem = cluster.newFileSystem()) {
                if (!fileSystem.exists(new org.apache.hadoop.fs.Path(turn.directory()))) {
                    throw new IllegalStateException(cluster.layout().nameservice() + " has no " + turn.directory()
                            + ", so the Routers do not spread it over " + turn.nameservices());
                }
            }
        }
    }

    private List<String> nameservices(int count) {
        return clusters.stream()
                .limit(count)
                .map(cluster -> cluster.layout().nameservice())
                .toList();
    }

    /** Makes the parts like {@code hdfs trefoil table hash}; the table, which needs DataNodes, plays no role in the measurement. */
    private void makeParts(Turn turn) throws IOException {
        for (HaCluster cluster : clusters.subList(0, turn.nameservices())) {
            try (DistributedFileSystem fileSystem = cluster.newFileSystem()) {
                fileSystem.mkdirs(new org.apache.hadoop.fs.Path(HashedLayout.rootOf(turn.directory())));
            }
        }
    }

    /** Returns the configuration with which a process finds the first nameservices. */
    private Map<String, String> nameserviceAddresses(int count) {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("dfs.nameservices", String.join(",", nameservices(count)));
        for (HaCluster cluster : clusters.subList(0, count)) {
            properties.putAll(Settings.addresses(cluster.layout()));
            properties.put(
                    "dfs.client.failover.proxy.provider." + cluster.layout().nameservice(),
                    ConfiguredFailoverProxyProvider.class.getName());
        }
        return properties;
    }

    private Configuration tableClientConfiguration(Turn turn) {
        Configuration conf = clusters.get(0).clientConfiguration();
        nameserviceAddresses(turn.nameservices()).forEach(conf::set);
        conf.set("fs." + HashedFileSystem.SCHEME + ".impl", HashedFileSystem.class.getName());
        conf.set("fs.defaultFS", HashedFileSystem.SCHEME + "://benchmark");
        conf.set(HashedFileSystem.HASHED + turn.directory(), String.join(",", nameservices(turn.nameservices())));
        return conf;
    }

    private IntFunction<Configuration> clientsOf(Turn turn) {
        if (turn.contender().equals(HASH_ALL)) {
            return client -> routers.conf(client, turn.nameservices() * routersOfEach);
        }
        Configuration conf = tableClientConfiguration(turn);
        return unused -> conf;
    }

    private ClientLoad load(Turn turn, String name) throws IOException, InterruptedException {
        return new ClientLoad(clientsOf(turn), clients, new org.apache.hadoop.fs.Path(turn.directory(), name));
    }

    private void warmUp(Turn turn) throws IOException, InterruptedException, ExecutionException {
        try (ClientLoad load = load(turn, "warm-up")) {
            for (MeasuredOperation operation : OPERATIONS) {
                // The files that are deleted in a quarter of a minute take longer to make.
                boolean isShort = operation == MeasuredOperation.DELETE;
                load.run(operation, isShort ? turns.seconds() : turns.warmUpSeconds());
            }
        }
    }

    private void measure(Turn turn, int round) throws IOException, InterruptedException, ExecutionException {
        ClientLoad.FilesToDelete needed = filesToDelete.computeIfAbsent(turn, unused -> new ClientLoad.FilesToDelete());
        try (ClientLoad load = load(turn, "round-" + round)) {
            for (MeasuredOperation operation : OPERATIONS) {
                ClientLoad.Outcome outcome = operation == MeasuredOperation.DELETE
                        ? load.delete(turns.seconds(), ClusterUsage.NOBODYS, needed, this::makeFilesWithAllCpus)
                        : load.run(operation, turns.seconds());
                results.add(
                        operation.name().toLowerCase(Locale.ROOT),
                        turn.toString(),
                        new Sample(Map.of(PER_SECOND, outcome.perSecond())));
            }
        }
    }

    /**
     * Whether files are made with all CPUs: a deletion is one call, but making a file takes two, so that hosts this small would take longer
     * to make files than to delete them.
     */
    private void makeFilesWithAllCpus(ClientLoad.Creation.Files files) throws InterruptedException, ExecutionException {
        clusters.forEach(turns.hosts()::liftLimits);
        files.make();
        clusters.forEach(turns.hosts()::limit);
        turns.hosts().awaitQuiescence();
    }

    /** Prints all medians, and in brackets their ratio to those with one nameservice. */
    private void print(List<Turn> all) {
        System.out.printf(
                Locale.ROOT,
                "%nmedians of %d rounds of %d s, a second, %d clients, %s%n%-20s",
                turns.rounds(),
                turns.seconds(),
                clients,
                turns.hosts(),
                "nameservices");
        results.measurements().forEach(measurement -> System.out.printf("%16s", measurement));
        System.out.println();
        for (Turn turn : all) {
            System.out.printf("%-20s", turn);
            Turn one = new Turn(turn.contender(), 1);
            for (String measurement : results.measurements()) {
                double median =
                        results.median(measurement, turn.toString(), PER_SECOND).orElseThrow();
                String growth = ratio(measurement, turn, one)
                        .map(ratio -> String.format(Locale.ROOT, " (%.2f)", ratio))
                        .orElse("");
                System.out.printf("%16s", String.format(Locale.ROOT, "%.0f%s", median, growth));
            }
            System.out.println();
        }
    }

    private void printComparison(SortedSet<Integer> counts) {
        if (!contenders.containsAll(List.of(OURS, HASH_ALL))) {
            return;
        }
        System.out.printf("%n%-20s", OURS + " of " + HASH_ALL);
        results.measurements().forEach(measurement -> System.out.printf("%16s", measurement));
        System.out.println();
        for (int count : counts) {
            System.out.printf("%-20s", "over " + count);
            for (String measurement : results.measurements()) {
                System.out.printf(
                        Locale.ROOT,
                        "%16.2f",
                        ratio(measurement, new Turn(OURS, count), new Turn(HASH_ALL, count))
                                .orElseThrow());
            }
            System.out.println();
        }
    }

    private Optional<Double> ratio(String measurement, Turn turn, Turn to) {
        return results.ratio(measurement, turn.toString(), to.toString(), PER_SECOND);
    }

    /** Whether our bounds are kept, which are relative to one nameservice, if that is measured. */
    private boolean isCreateBoundMet(SortedSet<Integer> counts) {
        boolean kept = true;
        if (!contenders.contains(OURS) || !counts.contains(1)) {
            return kept;
        }
        System.out.println();
        for (int count : counts.tailSet(2)) {
            double growth =
                    ratio("create", new Turn(OURS, count), new Turn(OURS, 1)).orElseThrow();
            boolean isKept = growth >= MIN_GROWTH * count;
            kept &= isKept;
            System.out.printf(
                    Locale.ROOT,
                    "%s: creates over %d nameservices at least %.1f of those over one, %.2f: %s%n",
                    OURS,
                    count,
                    MIN_GROWTH * count,
                    growth,
                    isKept ? "kept" : "MISSED");
        }
        return kept;
    }
}
