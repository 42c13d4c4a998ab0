/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.checkpoints;

import com.fasterxml.jackson.databind.JsonNode;
import io.trefoil.benchmarks.BenchmarkFiles;
import io.trefoil.benchmarks.BenchmarkResults;
import io.trefoil.benchmarks.Commands;
import io.trefoil.benchmarks.Commands.PositiveNumber;
import io.trefoil.benchmarks.DirectoryFiller;
import io.trefoil.benchmarks.Machine;
import io.trefoil.it.cluster.FederatedClusters;
import io.trefoil.it.cluster.FederationOperations;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.ParallelActions;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.process.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.FileSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures how long a checkpoint takes, and the restore to it, over the size of the namespaces, compared to a stock NameNode that saves
 * its image and starts from it: Figure 13 of the paper. It runs federations of several numbers of nameservices, one after
 * the other, and next to each the stock NameNode with as many directories as all of them have; each grows from size to size.
 *
 * <p>Writes {@code checkpoint.svg} and {@code checkpoint.csv} to {@code benchmarks/target}.
 */
@Command(
        name = "benchmark-checkpoint",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description =
                "Measures how long a checkpoint, and the restore to it, take over the size of the namespace, beside a stock NameNode's image and start: the paper's Figure 13.")
public final class CheckpointBenchmark implements Callable<Integer> {
    /** The number of edits written after each checkpoint, and made void by the restore. */
    private static final int EDITS_AFTER_CHECKPOINT = 1_000;

    @Option(
            names = "--groups",
            defaultValue = "1,3",
            split = ",",
            description = "Numbers of nameservices, one after the other.")
    private List<Integer> groupCounts;

    @Option(
            names = "--sizes",
            defaultValue = "1000,100000,300000",
            split = ",",
            description = "Directories in each nameservice.")
    private List<Integer> sizes;

    @Option(
            names = "--namenodes",
            defaultValue = "2",
            converter = PositiveNumber.class,
            description = "NameNodes of each.")
    private int nameNodes;

    @Option(
            names = "--rounds",
            defaultValue = "5",
            converter = PositiveNumber.class,
            description = "Checkpoints of each size.")
    private int rounds;

    @Option(names = "--heap", defaultValue = "1g", description = "Of each NameNode.")
    private String heap;

    @Option(
            names = "--with",
            defaultValue = "",
            description = "Points of an earlier run, which the picture shows, too.")
    private String with;

    @Option(
            names = "--points",
            defaultValue = "checkpoint.csv",
            description = "Where the points are written, under benchmarks/target.")
    private String pointsFile;

    @Option(
            names = "--picture",
            defaultValue = "checkpoint.svg",
            description = "Where the picture is written, under benchmarks/target.")
    private String picture;

    private final List<CheckpointPoint> points = new ArrayList<>();

    private CheckpointBenchmark() {}

    public static void main(String[] arguments) {
        Commands.run(new CheckpointBenchmark(), arguments);
    }

    @Override
    public Integer call() throws IOException {
        Machine.print(BenchmarkFiles.DIRECTORY);
        System.out.println(CheckpointPoint.HEADING);
        if (!with.isEmpty()) {
            Files.readAllLines(Path.of(with)).forEach(line -> points.add(CheckpointPoint.ofCsv(line)));
        }
        for (int groups : groupCounts) {
            measure(groups);
        }
        Files.write(
                BenchmarkFiles.DIRECTORY.resolve(pointsFile),
                points.stream().map(CheckpointPoint::csv).toList());
        Path drawn = BenchmarkFiles.DIRECTORY.resolve(picture);
        CheckpointPoint.writeSvg(points, drawn);
        System.out.println("picture: " + drawn);
        return 0;
    }

    private void measure(int groups) throws IOException {
        List<HaCluster> clusters = new ArrayList<>();
        try (SingleNameNode singleNameNode = SingleNameNode.start(heap)) {
            for (int i = 1; i <= groups; i++) {
                clusters.add(HaCluster.builder("checkpoint-benchmark-" + i)
                        .nameservice("ns" + i)
                        .nameNodes(nameNodes)
                        .nameNodeHeap(heap)
                        .withoutSupervision()
                        .nameNodePlugin("io.trefoil.checkpoint.hdfs.CheckpointPlugin")
                        .create());
            }
            FederatedClusters.join(clusters.toArray(HaCluster[]::new));
            FederationOperations operations = new FederationOperations(clusters);
            operations.setUp();
            List<FileSystem> fileSystems = new ArrayList<>();
            clusters.forEach(cluster -> fileSystems.add(cluster.newFileSystem()));
            int size = 0;
            for (int wanted : sizes) {
                DirectoryFiller.fill(fileSystems, "at", size, wanted);
                DirectoryFiller.fill(List.of(singleNameNode.newFileSystem()), "at", groups * size, groups * wanted);
                size = wanted;
                measure(clusters, operations, fileSystems, singleNameNode, wanted);
            }
            clusters.forEach(HaCluster::markSucceeded);
            singleNameNode.markSucceeded();
        } finally {
            clusters.forEach(HaCluster::close);
        }
    }

    private void measure(
            List<HaCluster> clusters,
            FederationOperations operations,
            List<FileSystem> fileSystems,
            SingleNameNode singleNameNode,
            int size) {
        CheckpointPoint.Images images = measureImages(clusters, singleNameNode);
        // As after the hourly image of a real cluster: a restore loads an image and few edits.
        ParallelActions.forEach(clusters, cluster -> {
            NameNodeServer active = cluster.awaitActive();
            active.saveNamespace();
            // A standby keeps an image for a checkpoint only if it is not older than the active's.
            cluster.awaitStandbysCaughtUp(Await.TIMEOUT);
            cluster.nameNodesExcept(active).forEach(NameNodeServer::saveNamespace);
        });
        List<Double> taken = new ArrayList<>();
        List<Double> frozen = new ArrayList<>();
        String last = "";
        for (int i = 0; i < rounds; i++) {
            JsonNode checkpoint = operations.checkpointJson("create", "--name", "size-" + size + "-" + i);
            if (!checkpoint.path("outcome").asText().equals("COMPLETE")) {
                throw new IllegalStateException("no checkpoint: " + checkpoint);
            }
            taken.add(checkpoint.path("millis").asDouble());
            frozen.add(longestFreezeMillis(checkpoint));
            last = checkpoint.path("id").asText();
        }
        DirectoryFiller.fill(fileSystems, "behind-" + size, 0, EDITS_AFTER_CHECKPOINT);
        String id = last;
        // Standbys keep their images a moment later.
        Await.until(
                "everything is there for " + id,
                Await.TIMEOUT,
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
                (active - restored) / 1e9,
                images);
        points.add(point);
        System.out.println(point.line());
    }

    private CheckpointPoint.Images measureImages(List<HaCluster> clusters, SingleNameNode singleNameNode) {
        List<NameNodeServer> actives =
                clusters.stream().map(HaCluster::awaitActive).toList();
        List<Double> saved = new ArrayList<>();
        List<Double> savedAlone = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            saved.add(measureSaveMillis(actives));
            savedAlone.add(measureSaveMillis(List.of(singleNameNode.nameNode())));
        }
        return new CheckpointPoint.Images(median(saved), median(savedAlone), singleNameNode.measureRestartSeconds());
    }

    /**
     * Measures what the paper calls a snapshot: all nameservices save their namespaces at the same time, while clients are refused.
     */
    private static double measureSaveMillis(List<NameNodeServer> nameNodes) {
        long begun = System.nanoTime();
        ParallelActions.forEach(nameNodes, NameNodeServer::saveNamespace);
        return (System.nanoTime() - begun) / 1e6;
    }

    private static double longestFreezeMillis(JsonNode checkpoint) {
        double longest = 0;
        for (JsonNode manifest : checkpoint.path("manifests")) {
            longest =
                    Math.max(longest, manifest.path("cut").path("frozenMicros").asDouble() / 1_000);
        }
        return longest;
    }

    private static double median(List<Double> values) {
        return BenchmarkResults.median(values.stream().mapToDouble(Double::doubleValue))
                .orElseThrow();
    }

    private static long imageBytes(HaCluster cluster) {
        try {
            return Files.size(cluster.nameNode(1).newestImage());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
