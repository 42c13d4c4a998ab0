/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import io.trefoil.it.cluster.Federation;
import io.trefoil.it.cluster.FederationOperations;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.NameNodeServer;
import io.trefoil.it.cluster.Together;
import io.trefoil.it.process.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FileSystem;

/**
 * How long a checkpoint takes, and the way back to it, over the size of the namespaces: Figure 13 of the paper. Federations of
 * so many nameservices one after the other, each of which grows from size to size.
 *
 * <p>Options: {@code --groups 1,3 --sizes 1000,100000,300000 --namenodes 2 --rounds 5 --heap 512m}; sizes are directories in each nameservice,
 * rounds are checkpoints of each size. Leaves {@code checkpoint.svg} and {@code checkpoint.csv} in {@code benchmarks/target}; with
 * {@code --with FILE}, the points of an earlier run's file are in both, too.
 */
public final class CheckpointBenchmark {
    private static final Path WORK = Path.of("benchmarks", "target").toAbsolutePath();
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int WRITERS = 16;
    /** What is written behind each checkpoint, and becomes void by the way back. */
    private static final int BEHIND = 1_000;
    /** Sizes are multiples of it. */
    private static final int LEVELS = 100;

    private final ValueOptions options = new ValueOptions(Map.of(
            "--groups", "1,3",
            "--sizes", "1000,100000,300000",
            "--namenodes", "2",
            "--rounds", "5",
            "--heap", "512m",
            "--with", "",
            "--points", "checkpoint.csv",
            "--picture", "checkpoint.svg"));
    private final List<CheckpointPoint> points = new ArrayList<>();

    private CheckpointBenchmark() {}

    public static void main(String[] arguments) throws IOException {
        CheckpointBenchmark benchmark = new CheckpointBenchmark();
        int code = benchmark.options.understands(arguments) ? 0 : 2;
        if (code == 0) {
            benchmark.run();
        }
        System.exit(code);
    }

    private void run() throws IOException {
        Files.createDirectories(WORK);
        Machine.facts(WORK).forEach((fact, value) -> System.out.println(fact + ": " + value));
        System.out.println(CheckpointPoint.HEADING);
        if (!options.get("--with").isEmpty()) {
            Files.readAllLines(Path.of(options.get("--with"))).forEach(line -> points.add(CheckpointPoint.ofCsv(line)));
        }
        for (int groups : numbers("--groups")) {
            measure(groups);
        }
        Files.write(
                WORK.resolve(options.get("--points")),
                points.stream().map(CheckpointPoint::csv).toList());
        Path picture = WORK.resolve(options.get("--picture"));
        Files.writeString(picture, CheckpointPoint.svg(points));
        System.out.println("picture: " + picture);
    }

    private int[] numbers(String option) {
        return Arrays.stream(options.get(option).split(","))
                .mapToInt(Integer::parseInt)
                .toArray();
    }

    private void measure(int groups) throws IOException {
        List<HaCluster> clusters = new ArrayList<>();
        try {
            for (int i = 1; i <= groups; i++) {
                clusters.add(HaCluster.builder("checkpoint-benchmark-" + i)
                        .nameservice("ns" + i)
                        .nameNodes(options.number("--namenodes"))
                        .nameNodeHeap(options.get("--heap"))
                        .unsupervised()
                        .nameNodePlugin("io.trefoil.checkpoint.hdfs.CheckpointPlugin")
                        .create());
            }
            Federation.join(clusters.toArray(HaCluster[]::new));
            FederationOperations operations = new FederationOperations(clusters);
            operations.setUp();
            List<FileSystem> fileSystems = new ArrayList<>();
            clusters.forEach(cluster -> fileSystems.add(cluster.newFileSystem()));
            int size = 0;
            for (int wanted : numbers("--sizes")) {
                fill(fileSystems, "at", size, wanted);
                size = wanted;
                measure(clusters, operations, fileSystems, wanted);
            }
            clusters.forEach(HaCluster::succeeded);
        } finally {
            clusters.forEach(HaCluster::close);
        }
    }

    private void measure(
            List<HaCluster> clusters, FederationOperations operations, List<FileSystem> fileSystems, int size) {
        // As after the hourly image of a real cluster: a way back loads an image, and few edits.
        Together.forEach(clusters, cluster -> {
            NameNodeServer active = cluster.awaitActive();
            active.saveNamespace();
            // A standby keeps an image for a checkpoint if it is not older than the active's.
            cluster.awaitStandbysCaughtUp(PATIENCE);
            cluster.nameNodesBut(active).forEach(NameNodeServer::saveNamespace);
        });
        List<Double> taken = new ArrayList<>();
        List<Double> frozen = new ArrayList<>();
        String last = "";
        for (int i = 0; i < options.number("--rounds"); i++) {
            JsonNode made = operations.checkpointJson("create", "--name", "size-" + size + "-" + i);
            if (!made.path("outcome").asText().equals("COMPLETE")) {
                throw new IllegalStateException("no checkpoint: " + made);
            }
            taken.add(made.path("millis").asDouble());
            frozen.add(longestFreezeMillis(made));
            last = made.path("id").asText();
        }
        fill(fileSystems, "behind-" + size, 0, BEHIND);
        String id = last;
        // Standbys keep their images a moment later.
        Await.until(
                "everything is there for " + id,
                PATIENCE,
                () -> operations.checkpoint("verify", id).exitCode() == 0,
                () -> operations.checkpoint("verify", id).output());
        operations.stopNameNodes();
        long begun = System.nanoTime();
        operations.restore(id);
        long restored = System.nanoTime();
        operations.startNameNodes();
        long active = System.nanoTime();
        CheckpointPoint point = new CheckpointPoint(
                clusters.size(),
                size,
                imageBytes(clusters.get(0)),
                median(taken),
                median(frozen),
                (restored - begun) / 1e9,
                (active - restored) / 1e9);
        points.add(point);
        System.out.println(point.line());
    }

    private static double longestFreezeMillis(JsonNode made) {
        double longest = 0;
        for (JsonNode manifest : made.path("manifests")) {
            longest =
                    Math.max(longest, manifest.path("cut").path("frozenMicros").asDouble() / 1_000);
        }
        return longest;
    }

    private static double median(List<Double> values) {
        return Results.median(values.stream().mapToDouble(Double::doubleValue)).orElseThrow();
    }

    private static long imageBytes(HaCluster cluster) {
        try {
            return Files.size(cluster.nameNode(1).newestImage());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Makes directories, a hundred levels with each call, until there are so many; by several clients of each nameservice. */
    private static void fill(List<FileSystem> fileSystems, String root, int from, int to) {
        Together.forEach(fileSystems, fileSystem -> {
            AtomicInteger next = new AtomicInteger(from / LEVELS);
            Together.forEach(IntStream.range(0, WRITERS).boxed().toList(), writer -> {
                try {
                    for (int i = next.getAndIncrement(); i < to / LEVELS; i = next.getAndIncrement()) {
                        fileSystem.mkdirs(
                                new org.apache.hadoop.fs.Path("/" + root + "/" + i + "/level".repeat(LEVELS - 1)));
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        });
    }
}
