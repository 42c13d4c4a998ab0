/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks;

import io.trefoil.it.process.Pause;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.NodeAnswer;
import io.trefoil.journal.pool.PoolInquiry;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.journal.protocol.StatusRequest;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A pool node of three is away while a lot is written, and comes back under load: how soon it has everything, and what
 * that costs those who write. One pool, one writer with a node in its own process, two nodes beside it.
 *
 * <p>Options: {@code --away stopped|killed --fill 400 --load "rate 1000 1024" --bandwidth 64m --warm-up 15 --seconds 40};
 * {@code --fill} in megabytes. Leaves {@code benchmarks/target/catch-up.svg}.
 */
public final class CatchUpBenchmark {
    private static final Path WORK = Path.of("benchmarks", "target").toAbsolutePath();
    private static final JournalId JOURNAL = JournalId.of("benchmark");
    private static final Duration BEFORE = Duration.ofSeconds(8);
    private static final int FILL_BYTES = 16_000;
    private static final long ABREAST_ENTRIES = 32;

    private final ValueOptions options = new ValueOptions(Map.of(
            "--away", "stopped",
            "--fill", "400",
            "--load", "rate 1000 1024",
            "--bandwidth", "64m",
            "--warm-up", "15",
            "--seconds", "40",
            "--picture", "catch-up.svg"));
    private final List<CatchUpCurve.Lag> lags = new ArrayList<>();

    private CatchUpBenchmark() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        CatchUpBenchmark benchmark = new CatchUpBenchmark();
        int code = benchmark.options.understands(arguments) ? 0 : 2;
        if (code == 0) {
            benchmark.run();
        }
        System.exit(code);
    }

    private void run() throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory(Files.createDirectories(WORK), "catch-up-");
        Machine.facts(directory).forEach((fact, value) -> System.out.println(fact + ": " + value));
        Jvms jvms = new Jvms(directory);
        Candidate plan =
                Candidate.ssp("ssp", 3, Map.of("dfs.ssp.catchup.bandwidth", options.get("--bandwidth")), directory);
        try (RunningCandidate candidate = RunningCandidate.start(plan, jvms);
                PoolInquiry inquiry = PoolInquiry.of(JOURNAL, Duration.ofSeconds(1))) {
            measure(candidate, jvms, inquiry, plan, directory);
        }
        JournalBenchmark.delete(directory);
    }

    private void measure(RunningCandidate candidate, Jvms jvms, PoolInquiry inquiry, Candidate plan, Path directory)
            throws IOException, InterruptedException {
        NodeAddress steady = NodeAddress.of("127.0.0.1", plan.nodes().get(0).port());
        NodeAddress away = NodeAddress.of("127.0.0.1", plan.nodes().get(1).port());
        boolean killed = options.get("--away").equals("killed");
        candidate.measure(options.get("--load"), Duration.ofSeconds(options.number("--warm-up")));
        Pause pause = killed ? null : Pause.of(candidate.node(1));
        if (killed) {
            candidate.killNode(1);
        }
        double megabytes = fill(candidate);
        System.out.printf(Locale.ROOT, "away (%s) while %.0f MB were written%n", options.get("--away"), megabytes);
        Path trace = directory.resolve("trace");
        CompletableFuture<Sample> load = CompletableFuture.supplyAsync(() -> load(candidate, trace));
        TimeUnit.NANOSECONDS.sleep(BEFORE.toNanos());
        long backNanos = System.nanoTime();
        if (killed) {
            candidate.startNode(1, jvms);
        } else {
            pause.end();
        }
        long inSyncNanos = watch(inquiry, steady, away, load);
        load.join();
        report(CatchUpCurve.read(trace), backNanos, inSyncNanos, megabytes);
    }

    private double fill(RunningCandidate candidate) throws IOException {
        double bytes = 0;
        while (bytes < options.number("--fill") * 1e6) {
            Sample sample = candidate.measure("writers 32 " + FILL_BYTES, Duration.ofMillis(500));
            bytes += sample.get("records").orElseThrow() * FILL_BYTES;
        }
        return bytes / 1e6;
    }

    private Sample load(RunningCandidate candidate, Path trace) {
        try {
            return candidate.measure(
                    "traced " + trace + " " + options.get("--load"), Duration.ofSeconds(options.number("--seconds")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Looks how far behind the node is until the load ends; returns when it had everything first. */
    private long watch(PoolInquiry inquiry, NodeAddress steady, NodeAddress away, CompletableFuture<Sample> load)
            throws IOException, InterruptedException {
        long inSyncNanos = 0;
        while (!load.isDone()) {
            Map<NodeAddress, NodeAnswer> answers = inquiry.ask(List.of(away, steady), StatusRequest.create());
            OptionalLong has = lastSn(answers.get(away));
            OptionalLong newest = lastSn(answers.get(steady));
            if (has.isPresent() && newest.isPresent()) {
                long behind = Math.max(0, newest.getAsLong() - has.getAsLong());
                lags.add(new CatchUpCurve.Lag(System.nanoTime(), behind));
                if (behind <= ABREAST_ENTRIES && inSyncNanos == 0) {
                    inSyncNanos = System.nanoTime();
                }
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
        if (inSyncNanos == 0) {
            throw new IllegalStateException(
                    "The node is still behind after " + options.get("--seconds") + " s, give it more --seconds");
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

    private void report(CatchUpCurve curve, long backNanos, long inSyncNanos, double megabytes) throws IOException {
        double seconds = (inSyncNanos - backNanos) / 1e9;
        System.out.printf(
                Locale.ROOT,
                "in sync %.2f s after it was back with %d entries to fetch; load: %s; dfs.ssp.catchup.bandwidth %s%n",
                seconds,
                lags.stream().mapToLong(CatchUpCurve.Lag::entries).max().orElse(0),
                options.get("--load"),
                options.get("--bandwidth"));
        System.out.printf("%-8s%14s%18s%12s%12s%12s%n", "", "records/s", "lowest 100 ms", "p50 us", "p99 us", "max us");
        // The first second belongs to the load's own beginning.
        print("before", curve.part(curve.begunNanos() + 1_000_000_000L, backNanos));
        print("during", curve.part(backNanos, inSyncNanos));
        print("after", curve.part(inSyncNanos, curve.endedNanos()));
        String title = String.format(
                Locale.ROOT, "A node comes back after %.0f MB, load %s", megabytes, options.get("--load"));
        Path picture = WORK.resolve(options.get("--picture"));
        Files.writeString(picture, curve.svg(title, backNanos, inSyncNanos, lags));
        System.out.println("picture: " + picture);
    }

    private static void print(String name, CatchUpCurve.Part part) {
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
