/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.namenode;

import io.trefoil.benchmarks.BenchmarkFiles;
import io.trefoil.benchmarks.BenchmarkResults;
import io.trefoil.benchmarks.Commands;
import io.trefoil.benchmarks.Commands.PositiveNumber;
import io.trefoil.benchmarks.ContenderOptions;
import io.trefoil.benchmarks.Sample;
import io.trefoil.benchmarks.TurnOptions;
import io.trefoil.benchmarks.pictures.Panels;
import io.trefoil.benchmarks.pictures.PictureFile;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.layout.FailoverKind;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.process.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.fs.FileSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures how a stock client that writes one file of many small blocks is affected when the active is killed twice (the main paper's
 * Figure 10), with our failover, and with QJM and ZKFC, in turn.
 *
 * <p>Writes {@code benchmarks/target/file-writing.svg}.
 */
@Command(
        name = "benchmark-file-writing",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = "Has a client write a file of many blocks while the active is killed twice.")
public final class FileWritingBenchmark implements Callable<Integer> {
    private static final String WRITING = "writing";
    private static final String STALL_MILLIS = "stall";
    private static final String BLOCK_MILLIS = "block";

    private static final Path PICTURE = BenchmarkFiles.DIRECTORY.resolve("file-writing.svg");
    private static final int DATA_NODES = 3;
    private static final int KILLS = 2;
    private static final Duration LIMIT = Duration.ofMinutes(5);

    @Mixin
    private final ContenderOptions contenders = new ContenderOptions();

    @Option(names = "--blocks", defaultValue = "3000", converter = PositiveNumber.class, description = "Of the file.")
    private int blocks;

    private final BenchmarkResults results = new BenchmarkResults();
    private final Map<String, BlockWriter> firstOfEach = new TreeMap<>();

    private FileWritingBenchmark() {}

    public static void main(String[] arguments) {
        Commands.run(new FileWritingBenchmark(), arguments);
    }

    @Override
    public Integer call() throws Exception {
        TurnOptions.printMachine();
        contenders.measureInTurns((name, round) -> builder(name).run(cluster -> measure(name, cluster)));
        System.out.printf(
                "%nmedians of %d rounds, %d blocks of 64 KiB on %d DataNodes, the active killed at a third and at two thirds%n",
                contenders.rounds(), blocks, DATA_NODES);
        for (String name : contenders.names()) {
            System.out.printf(
                    Locale.ROOT,
                    "%-8s no block for %6.0f ms at most after a kill, %6.1f ms for a block before the first%n",
                    name,
                    results.median(WRITING, name, STALL_MILLIS).orElseThrow(),
                    results.median(WRITING, name, BLOCK_MILLIS).orElseThrow());
        }
        draw();
        System.out.println("picture: " + PICTURE);
        return 0;
    }

    private static HaClusterBuilder builder(String name) {
        HaClusterBuilder builder = HaCluster.builder("writing-" + name)
                .dataNodes(DATA_NODES)
                .property("dfs.namenode.fs-limits.min-block-size", String.valueOf(BlockWriter.BLOCK));
        FailoverKind.zkfc().clientProperties().forEach((key, value) -> builder.serverProperty("client", key, value));
        return name.equals(ContenderOptions.OURS)
                ? builder.journal(JournalKind.ssp().journalOnly()).failover(FailoverKind.mams())
                : builder.journal(JournalKind.qjm().journalOnly()).failover(FailoverKind.zkfc());
    }

    private void measure(String name, HaCluster cluster) throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try (FileSystem fileSystem = FileSystem.newInstance(cluster.clientConfiguration())) {
            new BlockWriter(fileSystem, new org.apache.hadoop.fs.Path("/warm-up"), blocks / 10).write();
            BlockWriter writer = new BlockWriter(fileSystem, new org.apache.hadoop.fs.Path("/file"), blocks);
            Future<?> writing = thread.submit(() -> {
                writer.write();
                return null;
            });
            List<Long> killed = new ArrayList<>();
            for (int kill = 1; kill <= KILLS; kill++) {
                int after = blocks * kill / (KILLS + 1);
                Await.until(
                        after + " blocks are written",
                        LIMIT,
                        () -> writing.isDone() || writer.writtenBlocks() >= after,
                        cluster::describe);
                NameNodeServer active = cluster.awaitActiveAndStandbys();
                killed.add(System.nanoTime());
                active.kill9();
            }
            writing.get();
            if (!writer.wroteAfter(killed.get(KILLS - 1))) {
                throw new IllegalStateException("the file was complete before the last kill: ask for more --blocks");
            }
            writer.verify();
            cluster.awaitActiveAndStandbys();
            results.add(
                    WRITING,
                    name,
                    new Sample(Map.of(
                            STALL_MILLIS, writer.longestStallAfter(killed.get(0)) / 1e6,
                            BLOCK_MILLIS, writer.meanBlockNanosUntil(killed.get(0)) / 1e6)));
            firstOfEach.putIfAbsent(name, writer);
        } finally {
            thread.shutdownNow();
        }
    }

    private void draw() throws IOException {
        double most = firstOfEach.values().stream()
                .mapToDouble(BlockWriter::seconds)
                .max()
                .orElseThrow();
        Panels picture = new Panels("One file of " + blocks + " blocks", "seconds", 0, most);
        Panels.Panel panel = picture.add("percent written");
        firstOfEach.forEach((name, writer) -> panel.addLine(name, writer.progressCurve()));
        PictureFile.write(picture, PICTURE);
    }
}
