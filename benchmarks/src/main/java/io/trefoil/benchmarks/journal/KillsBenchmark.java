/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.journal;

import io.trefoil.benchmarks.BenchmarkFiles;
import io.trefoil.benchmarks.BenchmarkResults;
import io.trefoil.benchmarks.HostCpuPlan;
import io.trefoil.benchmarks.Sample;
import io.trefoil.benchmarks.journal.candidate.Candidate;
import io.trefoil.benchmarks.journal.candidate.JvmLauncher;
import io.trefoil.benchmarks.journal.candidate.RunningCandidate;
import io.trefoil.benchmarks.journal.candidate.Security;
import io.trefoil.benchmarks.pictures.Panels;
import io.trefoil.benchmarks.pictures.PictureFile;
import java.awt.Color;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Measures how writers are affected when a replica is killed and restarted (the papers' Figure 8f): each time, a third of a load without a
 * fault, a third without the replica, and a third after it is back. Between two loads the segment ends, as HDFS does every two minutes,
 * since a JournalNode that failed takes part again in the next one. One journal runs at a time.
 */
final class KillsBenchmark {
    private static final Color KILLED = new Color(0xc0392b);
    private static final Color STARTED = new Color(0x2a7f3f);
    private static final List<String> FIGURES = List.of("recordsPerSecond", "p50", "p99", "max");

    private final Options options;
    private final HostCpuPlan cpus;
    private final BenchmarkResults results = new BenchmarkResults();
    private final Map<String, Curve> curves = new LinkedHashMap<>();

    /** The figures of one journal, over all kills; in seconds. */
    private static final class Curve {
        private final List<double[]> throughput = new ArrayList<>();
        private final List<double[]> delays = new ArrayList<>();
        private final List<Double> killed = new ArrayList<>();
        private final List<Double> started = new ArrayList<>();
    }

    KillsBenchmark(Options options, HostCpuPlan cpus) {
        this.options = options;
        this.cpus = cpus;
    }

    void run(Path directory, JvmLauncher jvms, Security security) throws IOException, InterruptedException {
        for (int replicas : options.replicas()) {
            for (String name : options.candidates()) {
                Path own = Files.createDirectories(directory.resolve(name + "-of-" + replicas));
                Candidate plan = Candidate.byName(name, replicas, own, security);
                try (RunningCandidate journal = RunningCandidate.start(plan, jvms, cpus)) {
                    System.out.println(name + " is up with " + replicas + " replicas");
                    journal.measure(options.load(), Duration.ofSeconds(options.warmUpSeconds()));
                    journal.rollSegment();
                    journal.limitCpus(cpus);
                    cpus.awaitQuiescence();
                    measure(journal, jvms, series(name, replicas), own.resolve("trace"));
                }
            }
        }
    }

    private static String series(String name, int replicas) {
        return name + " of " + replicas;
    }

    private void measure(RunningCandidate journal, JvmLauncher jvms, String series, Path trace)
            throws IOException, InterruptedException {
        Curve curve = new Curve();
        curves.put(series, curve);
        // Always the same, on a host without the writer.
        int victim = journal.nodeCount() - 1;
        for (int kill = 0; kill < options.rounds(); kill++) {
            Duration length = Duration.ofSeconds(3L * options.seconds());
            CompletableFuture<Void> loading = CompletableFuture.runAsync(() -> runLoad(journal, trace, length));
            TimeUnit.SECONDS.sleep(options.seconds());
            long killedNanos = System.nanoTime();
            journal.killNode(victim);
            TimeUnit.SECONDS.sleep(options.seconds());
            long startedNanos = System.nanoTime();
            journal.startNode(victim, jvms);
            loading.join();
            journal.rollSegment();
            CommitCurve commits = CommitCurve.read(trace);
            addPart(series, "before", commits.partBetween(commits.startNanos(), killedNanos));
            addPart(series, "without it", commits.partBetween(killedNanos, startedNanos));
            addPart(series, "it is back", commits.partBetween(startedNanos, commits.endNanos()));
            double from = kill * 3.0 * options.seconds();
            commits.throughput().forEach(point -> curve.throughput.add(new double[] {from + point[0], point[1]}));
            commits.p99().forEach(point -> curve.delays.add(new double[] {from + point[0], point[1]}));
            curve.killed.add(from + commits.seconds(killedNanos));
            curve.started.add(from + commits.seconds(startedNanos));
            System.out.printf("%s: kill %d of %d%n", series, kill + 1, options.rounds());
        }
    }

    private void runLoad(RunningCandidate journal, Path trace, Duration length) {
        try {
            journal.runLoad("traced " + trace + " " + options.load(), length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void addPart(String series, String period, CommitCurve.Part part) {
        results.add(
                period,
                series,
                new Sample(Map.of(
                        "recordsPerSecond", part.recordsPerSecond(),
                        "p50", part.p50Micros(),
                        "p99", part.p99Micros(),
                        "max", part.maxMicros())));
    }

    void report(Path directory, Map<String, String> machine) throws IOException {
        System.out.printf(
                "%nmedians of %d kills, load '%s', %d s each; p50, p99 and the longest commit in us; %s%n%-24s%-14s",
                options.rounds(), options.load(), options.seconds(), cpus, "", "");
        List.of("records/s", "p50", "p99", "longest").forEach(head -> System.out.printf("%12s", head));
        System.out.println();
        for (String series : curves.keySet()) {
            for (String period : results.measurements()) {
                System.out.printf("%-24s%-14s", series, period);
                FIGURES.forEach(figure -> System.out.printf(
                        Locale.ROOT,
                        "%12.0f",
                        results.median(period, series, figure).orElseThrow()));
                System.out.println();
            }
        }
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("kills", options.rounds());
        all.put("load", options.load());
        Path file = directory.resolve("journal-kills.json");
        BenchmarkFiles.writeSamples(file, machine, all, results);
        System.out.println("all samples: " + file);
        for (int replicas : options.replicas()) {
            Path picture = directory.resolve("journal-kills-" + replicas + ".svg");
            draw(replicas, picture);
            System.out.println("picture: " + picture);
        }
    }

    private void draw(int replicas, Path picture) throws IOException {
        double seconds = 3.0 * options.seconds() * options.rounds();
        Panels panels = new Panels("One of " + replicas + " replicas is killed", "seconds", 0, seconds);
        Panels.Panel throughput = panels.add("records per second, each 100 ms");
        Panels.Panel delays = panels.add("p99 of commits, each 100 ms, in ms");
        for (String name : options.candidates()) {
            Curve curve = curves.get(series(name, replicas));
            throughput.addLine(name, curve.throughput);
            delays.addLine(name, curve.delays);
        }
        // Those of the first journal; the others' are the same but for the time that a process takes to end.
        Curve first = curves.get(series(options.candidates().get(0), replicas));
        panels.addMark("killed", first.killed, KILLED);
        panels.addMark("started", first.started, STARTED);
        PictureFile.write(panels, picture);
    }
}
