/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import io.trefoil.it.cluster.FailoverKind;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.JournalKind;
import io.trefoil.it.cluster.NameNodeServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.fs.FileSystem;

/**
 * How far standbys are behind the active, by their own metric, while it writes so many edits per second.
 *
 * <p>Options: {@code --edits 5000 --levels 10 --threads 4 --warm-up 60 --seconds 135 --bound 20}; a call makes a path of so
 * many new levels, an edit each. The metric counts by the minute: {@code --seconds} must hold one that is all load. Ends with 1
 * if a standby's p99 is above the bound, in milliseconds.
 */
public final class LagBenchmark {
    private static final Path WORK = Path.of("benchmarks", "target").toAbsolutePath();
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MICROS_PER_MILLI = 1e3;
    private static final int LONGEST_TO_BE_SHOWN_SECONDS = 130;

    private final ValueOptions options = new ValueOptions(Map.of(
            "--edits", "5000",
            "--levels", "10",
            "--threads", "4",
            "--warm-up", "60",
            "--seconds", "135",
            "--bound", "20"));
    private final AtomicReference<Throwable> trouble = new AtomicReference<>();
    private volatile boolean ending;

    private LagBenchmark() {}

    public static void main(String[] arguments) throws Exception {
        LagBenchmark benchmark = new LagBenchmark();
        int code = benchmark.options.understands(arguments) ? 0 : 2;
        if (code == 0 && benchmark.options.number("--seconds") < LONGEST_TO_BE_SHOWN_SECONDS) {
            System.err.println("wanted --seconds of at least " + LONGEST_TO_BE_SHOWN_SECONDS
                    + ", so that the metric's last minute is all load");
            code = 2;
        }
        if (code == 0) {
            code = benchmark.run() ? 0 : 1;
        }
        System.exit(code);
    }

    /** Returns whether the bound is kept. */
    private boolean run() throws Exception {
        Files.createDirectories(WORK);
        Machine.facts(WORK).forEach((fact, value) -> System.out.println(fact + ": " + value));
        AtomicReference<Boolean> kept = new AtomicReference<>();
        HaCluster.builder("lag")
                .journal(JournalKind.ssp())
                .failover(FailoverKind.mams())
                // A million directories and no collection of all of them while time is taken.
                .nameNodeHeap("1500m")
                .run(cluster -> kept.set(measure(cluster)));
        return kept.get();
    }

    private boolean measure(HaCluster cluster) throws IOException, InterruptedException {
        NameNodeServer active = cluster.awaitActive();
        FileSystem fileSystem = cluster.newFileSystem();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < options.number("--threads"); i++) {
            String directory = "/lag-" + i;
            Thread thread = new Thread(() -> load(fileSystem, directory), "load-" + i);
            thread.setDaemon(true);
            threads.add(thread);
        }
        threads.forEach(Thread::start);
        TimeUnit.SECONDS.sleep(options.number("--warm-up"));
        long begun = System.nanoTime();
        long from = active.appliedTxId();
        TimeUnit.SECONDS.sleep(options.number("--seconds"));
        double edits = (active.appliedTxId() - from) / ((System.nanoTime() - begun) / NANOS_PER_SECOND);
        boolean kept = report(cluster, active, edits);
        ending = true;
        for (Thread thread : threads) {
            thread.join();
        }
        if (trouble.get() != null) {
            throw new IOException("the load did not go on", trouble.get());
        }
        return kept;
    }

    private void load(FileSystem fileSystem, String directory) {
        StringBuilder below = new StringBuilder();
        for (int level = 1; level < options.number("--levels"); level++) {
            below.append("/d");
        }
        double perSecond =
                options.number("--edits") / (double) options.number("--levels") / options.number("--threads");
        Pace pace = new Pace(perSecond);
        try {
            for (long i = 0; !ending; i++) {
                pace.awaitNext();
                // In the order of their names, so that the directory above has nothing to move.
                fileSystem.mkdirs(new org.apache.hadoop.fs.Path("%s/%09d%s".formatted(directory, i, below)));
            }
        } catch (IOException | RuntimeException e) {
            trouble.set(e);
        }
    }

    private boolean report(HaCluster cluster, NameNodeServer active, double edits) {
        System.out.printf(Locale.ROOT, "%.0f edits/s%n", edits);
        System.out.printf("%-8s%10s%12s%12s%12s%12s%n", "", "commits", "p50 ms", "p90 ms", "p95 ms", "p99 ms");
        boolean kept = true;
        for (NameNodeServer standby : cluster.nameNodesBut(active)) {
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
            kept &= counted && millis(lag, 99) <= options.number("--bound");
        }
        System.out.println(kept ? "bound kept" : "bound MISSED");
        return kept;
    }

    private static double millis(JsonNode lag, int percentile) {
        return lag.path("Lags60s" + percentile + "thPercentileLatencyMicros").asLong() / MICROS_PER_MILLI;
    }
}
