/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.namenode;

import com.fasterxml.jackson.databind.JsonNode;
import io.trefoil.benchmarks.BenchmarkFiles;
import io.trefoil.benchmarks.Commands;
import io.trefoil.benchmarks.Commands.PositiveNumber;
import io.trefoil.benchmarks.Machine;
import io.trefoil.benchmarks.Usage;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.layout.FailoverKind;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.load.FixedRate;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.fs.FileSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Measures how far standbys lag behind the active at a given rate of edits, by their own metric, which covers a minute.
 * The exit code is 1 if a standby's p99 is above the bound.
 */
@Command(
        name = "benchmark-lag",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description =
                "Measures how far standbys are behind the active while a fixed number of edits a second is written.")
public final class LagBenchmark implements Callable<Integer> {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MICROS_PER_MILLI = 1e3;
    private static final double MICROS_PER_SECOND = 1e6;
    private static final long NO_IMAGE_TXNS = 1_000_000_000;
    private static final int MIN_SECONDS = 130;

    @Option(names = "--edits", defaultValue = "5000", converter = PositiveNumber.class, description = "A second.")
    private int edits;

    @Option(
            names = "--levels",
            defaultValue = "10",
            converter = PositiveNumber.class,
            description = "Directories that one call makes, an edit each.")
    private int levels;

    @Option(names = "--threads", defaultValue = "4", converter = PositiveNumber.class, description = "That call.")
    private int threads;

    @Option(names = "--warm-up", defaultValue = "60", converter = PositiveNumber.class, description = "In seconds.")
    private int warmUpSeconds;

    @Option(
            names = "--seconds",
            defaultValue = "135",
            converter = PositiveNumber.class,
            description = "Of the measurement; 130 at least, so that the metric's last minute is all load.")
    private int seconds;

    @Option(
            names = "--bound",
            defaultValue = "20",
            converter = PositiveNumber.class,
            description = "In milliseconds; ends with 1 if a standby's p99 is above it.")
    private int boundMillis;

    @Spec
    private CommandSpec spec;

    private final AtomicReference<Throwable> trouble = new AtomicReference<>();
    private volatile boolean ending;

    private LagBenchmark() {}

    public static void main(String[] arguments) {
        Commands.run(new LagBenchmark(), arguments);
    }

    /** Returns 1 if the bound is missed. */
    @Override
    public Integer call() throws Exception {
        if (seconds < MIN_SECONDS) {
            throw new ParameterException(
                    spec.commandLine(),
                    "wanted --seconds of at least " + MIN_SECONDS + ", found " + seconds
                            + ": the metric's last minute must be all load");
        }
        Machine.print(BenchmarkFiles.DIRECTORY);
        AtomicReference<Boolean> kept = new AtomicReference<>();
        HaCluster.builder("lag")
                .journal(JournalKind.ssp())
                .failover(FailoverKind.mams())
                // Room for a million directories without a full collection during the measurement.
                .nameNodeHeap("1500m")
                // HDFS does not tail while it saves an image, which takes seconds with that many.
                .property("dfs.namenode.checkpoint.txns", String.valueOf(NO_IMAGE_TXNS))
                .run(cluster -> kept.set(measure(cluster)));
        return kept.get() ? 0 : 1;
    }

    /** Measures the lag under load; returns whether all standbys kept within the bound. */
    private boolean measure(HaCluster cluster) throws IOException, InterruptedException {
        NameNodeServer active = cluster.awaitActive();
        FileSystem fileSystem = cluster.newFileSystem();
        List<Thread> loading = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            String directory = "/lag-" + i;
            Thread thread = new Thread(() -> load(fileSystem, directory), "load-" + i);
            thread.setDaemon(true);
            loading.add(thread);
        }
        loading.forEach(Thread::start);
        TimeUnit.SECONDS.sleep(warmUpSeconds);
        long begun = System.nanoTime();
        long from = active.appliedTxId();
        Map<String, Usage> before = usages(cluster);
        TimeUnit.SECONDS.sleep(seconds);
        long written = active.appliedTxId() - from;
        double edits = written / ((System.nanoTime() - begun) / NANOS_PER_SECOND);
        Map<String, Usage> after = usages(cluster);
        boolean kept = report(cluster, active, edits);
        after.forEach((name, usage) -> System.out.printf(
                Locale.ROOT,
                "%-8s%10.1f us of CPU for each edit%n",
                name,
                usage.minus(before.get(name)).cpuSeconds() / written * MICROS_PER_SECOND));
        ending = true;
        for (Thread thread : loading) {
            thread.join();
        }
        if (trouble.get() != null) {
            throw new IOException("the load did not go on", trouble.get());
        }
        return kept;
    }

    private void load(FileSystem fileSystem, String directory) {
        StringBuilder below = new StringBuilder();
        for (int level = 1; level < levels; level++) {
            below.append("/d");
        }
        double perSecond = edits / (double) levels / threads;
        FixedRate fixedRate = new FixedRate(perSecond);
        try {
            for (long i = 0; !ending; i++) {
                fixedRate.awaitNext();
                // In the order of their names, so that the parent directory has no entries to move.
                fileSystem.mkdirs(new org.apache.hadoop.fs.Path("%s/%09d%s".formatted(directory, i, below)));
            }
        } catch (IOException | RuntimeException e) {
            trouble.set(e);
        }
    }

    /** Returns the usage of each NameNode, by name. */
    private static Map<String, Usage> usages(HaCluster cluster) throws IOException {
        Map<String, Usage> usages = new TreeMap<>();
        for (NameNodeServer nameNode : cluster.nameNodes()) {
            usages.put(nameNode.name(), Usage.of(Set.of(nameNode.pid())));
        }
        return usages;
    }

    /** Prints the lag of the standbys; returns whether all kept within the bound. */
    private boolean report(HaCluster cluster, NameNodeServer active, double edits) {
        System.out.printf(Locale.ROOT, "%.0f edits/s%n", edits);
        System.out.printf("%-8s%10s%12s%12s%12s%12s%n", "", "commits", "p50 ms", "p90 ms", "p95 ms", "p99 ms");
        boolean kept = true;
        for (NameNodeServer standby : cluster.nameNodesExcept(active)) {
            JsonNode lag = standby.jmx()
                    .bean("Hadoop:service=NameNode,name=SspTail-"
                            + cluster.layout().nameservice());
            System.out.printf(
                    Locale.ROOT,
                    "%-8s%10d%12.1f%12.1f%12.1f%12.1f%n",
                    standby.name(),
                    lag.path("Lags60sNumOps").asLong(),
                    millis(lag, 50),
                    millis(lag, 90),
                    millis(lag, 95),
                    millis(lag, 99));
            boolean counted = lag.path("Lags60sNumOps").asLong() > 0;
            kept &= counted && millis(lag, 99) <= boundMillis;
        }
        System.out.println(kept ? "bound kept" : "bound MISSED");
        return kept;
    }

    private static double millis(JsonNode lag, int percentile) {
        return lag.path("Lags60s" + percentile + "thPercentileLatencyMicros").asLong() / MICROS_PER_MILLI;
    }
}
