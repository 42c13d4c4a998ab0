/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.journal;

import io.trefoil.benchmarks.BenchmarkFiles;
import io.trefoil.benchmarks.Commands;
import io.trefoil.benchmarks.Commands.PositiveNumber;
import io.trefoil.benchmarks.Machine;
import io.trefoil.benchmarks.Outage;
import io.trefoil.benchmarks.Sample;
import io.trefoil.benchmarks.journal.candidate.Candidate;
import io.trefoil.benchmarks.journal.candidate.JvmLauncher;
import io.trefoil.benchmarks.journal.candidate.RunningCandidate;
import io.trefoil.it.process.ProcessPause;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.client.NodeAnswer;
import io.trefoil.journal.pool.client.PoolAdminClient;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.transport.authentication.Authentication;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures how soon one of three pool nodes catches up under load after having been down during many writes, and what that costs writers.
 * One pool, one writer with a node in its own process, two other nodes.
 *
 * <p>Writes {@code benchmarks/target/catch-up.svg}.
 */
@Command(
        name = "benchmark-catchup",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = "Draws throughput and latency of commits while a pool node that was away catches up.")
public final class CatchUpBenchmark implements Callable<Integer> {
    private static final JournalId JOURNAL = JournalId.of("benchmark");
    private static final Duration LOAD_BEFORE_OUTAGE = Duration.ofSeconds(8);
    private static final int FILL_BYTES = 16_000;
    private static final long ABREAST_ENTRIES = 32;

    @Option(
            names = "--away",
            defaultValue = "stopped",
            description = "${COMPLETION-CANDIDATES}: by SIGSTOP, or its process ended.")
    private Outage how;

    @Option(
            names = "--fill",
            defaultValue = "400",
            converter = PositiveNumber.class,
            description = "What is written while it is away, in MB.")
    private int fillMegabytes;

    @Option(
            names = "--load",
            defaultValue = "rate 1000 1024",
            description = "While it comes back: 'rate <records a second> <bytes>' or 'writers <number> <bytes>'.")
    private String load;

    @Option(names = "--bandwidth", defaultValue = "64m", description = "trefoil.journal.catch-up.bandwidth.")
    private String bandwidth;

    @Option(names = "--warm-up", defaultValue = "15", converter = PositiveNumber.class, description = "In seconds.")
    private int warmUpSeconds;

    @Option(names = "--seconds", defaultValue = "40", converter = PositiveNumber.class, description = "Of the curve.")
    private int seconds;

    @Option(
            names = "--picture",
            defaultValue = "catch-up.svg",
            description = "Where the picture is written, under benchmarks/target.")
    private String picture;

    private final List<CommitCurve.Lag> lags = new ArrayList<>();

    private CatchUpBenchmark() {}

    public static void main(String[] arguments) {
        Commands.run(new CatchUpBenchmark(), arguments);
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory(Files.createDirectories(BenchmarkFiles.DIRECTORY), "catch-up-");
        Machine.print(directory);
        JvmLauncher jvms = new JvmLauncher(directory);
        Candidate plan = Candidate.newSsp("ssp", 3, Map.of("trefoil.journal.catch-up.bandwidth", bandwidth), directory);
        try (RunningCandidate candidate = RunningCandidate.start(plan, jvms);
                PoolAdminClient inquiry = PoolAdminClient.of(JOURNAL, Authentication.NONE, Duration.ofSeconds(1))) {
            measure(candidate, jvms, inquiry, plan, directory);
        }
        JournalBenchmark.delete(directory);
        return 0;
    }

    private void measure(
            RunningCandidate candidate, JvmLauncher jvms, PoolAdminClient inquiry, Candidate plan, Path directory)
            throws IOException, InterruptedException {
        NodeAddress steady = NodeAddress.of("127.0.0.1", plan.nodes().get(0).port());
        NodeAddress absentNode = NodeAddress.of("127.0.0.1", plan.nodes().get(1).port());
        boolean killed = how == Outage.KILLED;
        candidate.measure(load, Duration.ofSeconds(warmUpSeconds));
        ProcessPause pause = killed ? null : ProcessPause.of(candidate.node(1));
        if (killed) {
            candidate.killNode(1);
        }
        double megabytes = fill(candidate);
        System.out.printf(Locale.ROOT, "away (%s) while %.0f MB were written%n", how, megabytes);
        Path trace = directory.resolve("trace");
        CompletableFuture<Sample> loading = CompletableFuture.supplyAsync(() -> load(candidate, trace));
        TimeUnit.NANOSECONDS.sleep(LOAD_BEFORE_OUTAGE.toNanos());
        long backNanos = System.nanoTime();
        if (killed) {
            candidate.startNode(1, jvms);
        } else {
            pause.end();
        }
        long inSyncNanos = watch(inquiry, steady, absentNode, loading);
        loading.join();
        report(CommitCurve.read(trace), backNanos, inSyncNanos, megabytes);
    }

    private double fill(RunningCandidate candidate) throws IOException {
        double bytes = 0;
        while (bytes < fillMegabytes * 1e6) {
            Sample sample = candidate.measure("writers 32 " + FILL_BYTES, Duration.ofMillis(500));
            bytes += sample.get("records").orElseThrow() * FILL_BYTES;
        }
        return bytes / 1e6;
    }

    private Sample load(RunningCandidate candidate, Path trace) {
        try {
            return candidate.measure("traced " + trace + " " + load, Duration.ofSeconds(seconds));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Samples the node's lag until the load ends; returns when the node first had caught up. */
    private long watch(
            PoolAdminClient inquiry, NodeAddress steady, NodeAddress absentNode, CompletableFuture<Sample> load)
            throws IOException, InterruptedException {
        long inSyncNanos = 0;
        while (!load.isDone()) {
            Map<NodeAddress, NodeAnswer> answers = inquiry.query(List.of(absentNode, steady), StatusRequest.create());
            OptionalLong has = lastSn(answers.get(absentNode));
            OptionalLong newest = lastSn(answers.get(steady));
            if (has.isPresent() && newest.isPresent()) {
                long behind = Math.max(0, newest.getAsLong() - has.getAsLong());
                lags.add(new CommitCurve.Lag(System.nanoTime(), behind));
                if (behind <= ABREAST_ENTRIES && inSyncNanos == 0) {
                    inSyncNanos = System.nanoTime();
                }
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
        if (inSyncNanos == 0) {
            throw new IllegalStateException("The node is still behind after " + seconds + " s, give it more --seconds");
        }
        return inSyncNanos;
    }

    private static OptionalLong lastSn(NodeAnswer answer) {
        return answer.reply()
                .filter(StatusReply.class::isInstance)
                .map(reply -> ((StatusReply) reply).end().position().sn())
                .map(OptionalLong::of)
                .orElse(OptionalLong.empty());
    }

    private void report(CommitCurve curve, long backNanos, long inSyncNanos, double megabytes) throws IOException {
        double seconds = (inSyncNanos - backNanos) / 1e9;
        System.out.printf(
                Locale.ROOT,
                "in sync %.2f s after it was back with %d entries to fetch; load: %s; trefoil.journal.catch-up.bandwidth %s%n",
                seconds,
                lags.stream().mapToLong(CommitCurve.Lag::entries).max().orElse(0),
                load,
                bandwidth);
        System.out.printf("%-8s%14s%18s%12s%12s%12s%n", "", "records/s", "lowest 100 ms", "p50 us", "p99 us", "max us");
        // The first second belongs to the start of the load.
        print("before", curve.partBetween(curve.startNanos() + 1_000_000_000L, backNanos));
        print("during", curve.partBetween(backNanos, inSyncNanos));
        print("after", curve.partBetween(inSyncNanos, curve.endNanos()));
        String title = String.format(
                Locale.ROOT, "A node comes back after %.0f MB, load: %s", megabytes, Measurement.writerArguments(load));
        Path drawn = BenchmarkFiles.DIRECTORY.resolve(picture);
        curve.writeSvg(title, backNanos, inSyncNanos, lags, drawn);
        System.out.println("picture: " + drawn);
    }

    private static void print(String name, CommitCurve.Part part) {
        System.out.printf(
                Locale.ROOT,
                "%-8s%14.0f%18.0f%12.0f%12.0f%12.0f%n",
                name,
                part.recordsPerSecond(),
                part.lowestPerSecond(),
                part.p50Micros(),
                part.p99Micros(),
                part.maxMicros());
    }
}
