/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.namenode;

import io.trefoil.benchmarks.BenchmarkFiles;
import io.trefoil.benchmarks.BenchmarkResults;
import io.trefoil.benchmarks.Commands;
import io.trefoil.benchmarks.Commands.PositiveNumber;
import io.trefoil.benchmarks.Machine;
import io.trefoil.benchmarks.MeasurementOptions;
import io.trefoil.benchmarks.Sample;
import io.trefoil.benchmarks.pictures.Bars;
import io.trefoil.benchmarks.pictures.PictureFile;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.load.FixedRate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.fs.FileSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures the cost for readers of seeing only committed state ({@code trefoil.ha.read-committed}) while others write. Two
 * NameNodes of one cluster, one with that setting and one without, are active in turns. A delay counts from the time at
 * which a call was due.
 */
@Command(
        name = "benchmark-reads",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = "Measures what trefoil.ha.read-committed costs readers during writes.")
public final class ReadBenchmark implements Callable<Integer> {
    private static final String READ = "getFileStatus";
    private static final String WRITE = "mkdirs";
    private static final List<String> FIGURES = List.of("p50", "p90", "p99", "mean");
    private static final double NANOS_PER_MICRO = 1e3;

    @Mixin
    private final MeasurementOptions options =
            new MeasurementOptions().withDefaultRounds(5).withDefaultSeconds(10).withDefaultWarmUp(60);

    @Option(names = "--reads", defaultValue = "1000", converter = PositiveNumber.class, description = "A second.")
    private int reads;

    @Option(names = "--writes", defaultValue = "500", converter = PositiveNumber.class, description = "A second.")
    private int writes;

    @Option(
            names = "--threads",
            defaultValue = "4",
            converter = PositiveNumber.class,
            description = "That read, and as many that write.")
    private int threads;

    private final BenchmarkResults results = new BenchmarkResults();

    private ReadBenchmark() {}

    public static void main(String[] arguments) {
        Commands.run(new ReadBenchmark(), arguments);
    }

    @Override
    public Integer call() throws Exception {
        Machine.print(BenchmarkFiles.DIRECTORY);
        ReadCommittedComparison.builder("reads").run(this::measure);
        report();
        Path picture = BenchmarkFiles.DIRECTORY.resolve("reads.svg");
        draw(picture);
        System.out.println("picture: " + picture);
        return 0;
    }

    private void measure(HaCluster cluster) throws Exception {
        FileSystem fileSystem = cluster.newFileSystem();
        ReadCommittedComparison kinds = new ReadCommittedComparison(cluster);
        kinds.warmUp(root -> load(fileSystem, root, options.warmUpSeconds()));
        kinds.measureInTurns(options.rounds(), (kind, round, root) -> {
            Map<String, Histogram> delays = load(fileSystem, root, options.seconds());
            delays.forEach((call, histogram) -> results.add(call, kind, sample(histogram)));
            System.out.printf(
                    Locale.ROOT,
                    "round %d, %s: p50 of getFileStatus %.0f us%n",
                    round,
                    kind,
                    delays.get(READ).getValueAtPercentile(50) / NANOS_PER_MICRO);
        });
    }

    private static Sample sample(Histogram delays) {
        return new Sample(Map.of(
                "p50", delays.getValueAtPercentile(50) / NANOS_PER_MICRO,
                "p90", delays.getValueAtPercentile(90) / NANOS_PER_MICRO,
                "p99", delays.getValueAtPercentile(99) / NANOS_PER_MICRO,
                "mean", delays.getMean() / NANOS_PER_MICRO));
    }

    private interface Calls {
        void call(long number) throws IOException;
    }

    private Map<String, Histogram> load(FileSystem fileSystem, String root, int seconds)
            throws IOException, InterruptedException, ExecutionException {
        org.apache.hadoop.fs.Path directory = new org.apache.hadoop.fs.Path(root);
        fileSystem.mkdirs(directory);
        ExecutorService pool = Executors.newFixedThreadPool(2 * threads);
        try {
            List<Future<Histogram>> reading = new ArrayList<>();
            List<Future<Histogram>> writing = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                String own = root + "/" + i + "-";
                reading.add(pool.submit(
                        () -> runAtFixedRate(reads, seconds, number -> fileSystem.getFileStatus(directory))));
                writing.add(pool.submit(() -> runAtFixedRate(
                        writes, seconds, number -> fileSystem.mkdirs(new org.apache.hadoop.fs.Path(own + number)))));
            }
            return Map.of(READ, sum(reading), WRITE, sum(writing));
        } finally {
            pool.shutdownNow();
        }
    }

    private Histogram runAtFixedRate(int rate, int seconds, Calls calls) throws IOException {
        Histogram delays = new Histogram(3);
        FixedRate fixedRate = new FixedRate(rate / (double) threads);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        long number = 0;
        for (long due = fixedRate.awaitNext(); due < end; due = fixedRate.awaitNext()) {
            calls.call(number++);
            delays.recordValue(System.nanoTime() - due);
        }
        return delays;
    }

    private static Histogram sum(List<Future<Histogram>> parts) throws InterruptedException, ExecutionException {
        Histogram sum = new Histogram(3);
        for (Future<Histogram> part : parts) {
            sum.add(part.get());
        }
        return sum;
    }

    private void draw(Path file) throws IOException {
        Bars bars = new Bars(reads + " reads and " + writes + " writes a second");
        for (String call : List.of(READ, WRITE)) {
            for (String kind : List.of(ReadCommittedComparison.COMMITTED, ReadCommittedComparison.IMMEDIATE)) {
                for (String figure : FIGURES) {
                    bars.add(
                            call + ", µs",
                            kind,
                            figure,
                            results.median(call, kind, figure).orElseThrow());
                }
            }
        }
        PictureFile.write(bars, file);
    }

    private void report() {
        System.out.printf(
                "%nmedians of %d rounds, %d reads and %d writes a second%n%-16s%-8s%12s%12s%8s%n",
                options.rounds(),
                reads,
                writes,
                "us",
                "",
                ReadCommittedComparison.IMMEDIATE,
                ReadCommittedComparison.COMMITTED,
                "ratio");
        for (String call : List.of(READ, WRITE)) {
            for (String figure : FIGURES) {
                System.out.printf(
                        Locale.ROOT,
                        "%-16s%-8s%12.0f%12.0f%8.2f%n",
                        call,
                        figure,
                        results.median(call, ReadCommittedComparison.IMMEDIATE, figure)
                                .orElseThrow(),
                        results.median(call, ReadCommittedComparison.COMMITTED, figure)
                                .orElseThrow(),
                        results.ratio(
                                        call,
                                        ReadCommittedComparison.COMMITTED,
                                        ReadCommittedComparison.IMMEDIATE,
                                        figure)
                                .orElseThrow());
            }
        }
    }
}
