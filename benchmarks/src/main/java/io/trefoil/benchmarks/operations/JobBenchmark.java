/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.operations;

import io.trefoil.benchmarks.BenchmarkResults;
import io.trefoil.benchmarks.Commands;
import io.trefoil.benchmarks.Commands.AboveZero;
import io.trefoil.benchmarks.Machine;
import io.trefoil.benchmarks.Sample;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.server.RunningJob;
import io.trefoil.it.load.WordFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * How long a job that counts words takes when the active is killed while it maps, beside how long it takes without
 * (the main paper's Figure 14): our failover, and QJM with ZKFC, one cluster after the other, since each brings a YARN.
 */
@Command(
        name = "benchmark-job",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description =
                "Times a MapReduce job with and without the active killed, with our failover and with QJM and ZKFC.")
public final class JobBenchmark implements Callable<Integer> {
    private static final java.nio.file.Path WORK =
            java.nio.file.Path.of("benchmarks", "target").toAbsolutePath();
    private static final String WORD_COUNT = "org.apache.hadoop.examples.WordCount";
    private static final Path WORDS = new Path("/words");
    private static final String QUIET = "without a fault";
    private static final String KILLED = "the active killed";
    private static final String SECONDS = "seconds";
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

    private final BenchmarkResults results = new BenchmarkResults();

    private JobBenchmark() {}

    public static void main(String[] arguments) {
        Commands.run(new JobBenchmark(), arguments);
    }

    @Override
    public Integer call() throws Exception {
        Files.createDirectories(WORK);
        Machine.facts(WORK).forEach((fact, value) -> System.out.println(fact + ": " + value));
        for (String name : clusters) {
            try (OperationsContender contender = OperationsContender.startWithYarn(name)) {
                measure(contender);
                contender.succeeded();
            }
        }
        print();
        return 0;
    }

    private void measure(OperationsContender contender) throws IOException {
        HaCluster cluster = contender.cluster();
        try (FileSystem fileSystem = FileSystem.newInstance(cluster.clientConfiguration())) {
            WordFiles.write(fileSystem, WORDS, maps, lines);
        }
        // The first job warms up.
        for (int round = 0; round <= rounds; round++) {
            for (String measurement : List.of(QUIET, KILLED)) {
                double seconds = run(contender, measurement, round);
                System.out.printf(
                        Locale.ROOT, "round %d, %s, %s: %.1f s%n", round, contender.name(), measurement, seconds);
                if (round > 0) {
                    results.add(measurement, contender.name(), new Sample(Map.of(SECONDS, seconds)));
                }
            }
        }
    }

    private static double run(OperationsContender contender, String measurement, int round) {
        HaCluster cluster = contender.cluster();
        boolean kills = measurement.equals(KILLED);
        String name = (kills ? "killed-" : "quiet-") + round;
        long begun = System.nanoTime();
        RunningJob job = cluster.startJob(name, WORD_COUNT, WORDS.toString(), "/counts-" + name);
        if (kills) {
            job.awaitMapPhase();
            cluster.awaitActive().kill9();
        }
        job.awaitSuccess(LIMIT);
        double seconds = (System.nanoTime() - begun) / 1e9;
        contender.awaitWhole();
        return seconds;
    }

    private void print() {
        System.out.printf("%nmedians of %d rounds, in seconds%n", rounds);
        for (String name : clusters) {
            double quiet = results.median(QUIET, name, SECONDS).orElseThrow();
            double killed = results.median(KILLED, name, SECONDS).orElseThrow();
            System.out.printf(
                    Locale.ROOT,
                    "%-8s %s %.1f, %s %.1f: %.1f more%n",
                    name,
                    QUIET,
                    quiet,
                    KILLED,
                    killed,
                    killed - quiet);
        }
    }
}
