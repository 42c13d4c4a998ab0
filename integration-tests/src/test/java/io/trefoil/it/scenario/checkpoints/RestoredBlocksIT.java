/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.checkpoints;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.FederatedClusters;
import io.trefoil.it.cluster.FederationOperations;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.process.Await;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * DataNodes keep replicas of the timeline that a restore made void. None of them is ever read in place of
 * what was written since: not for new files, not for files that were appended to or truncated on both timelines, not for
 * erasure-coded files, and not from a DataNode that reports only after the NameNodes were restarted once more.
 */
@Tag("long")
class RestoredBlocksIT {
    private static final int DATA_NODES = 3;
    private static final int FILES = 40;
    private static final int STRIPED_FILES = 4;
    private static final int STRIPED_BYTES = 1_500_000;

    private HaCluster cluster;
    private DistributedFileSystem fileSystem;
    private FederationOperations operations;

    @Test
    void voidReplicaIsNeverReadAfterRestore() throws Exception {
        try (HaCluster planned = HaCluster.builder("restored-blocks")
                .nameservice("sales")
                .nameNodes(2)
                .dataNodes(DATA_NODES)
                .withoutSupervision()
                .property("dfs.replication", "1")
                // With one of three DataNodes down, a busy one would count as overloaded, and a striped file would get
                // two.
                .property("dfs.namenode.redundancy.considerLoad", "false")
                .property("trefoil.journal.lease", "1s")
                .property("trefoil.journal.ack.timeout", "500ms")
                .nameNodePlugin("io.trefoil.checkpoint.hdfs.CheckpointPlugin")
                // However busy the machine is, no checkpoint fails.
                .property("trefoil.checkpoint.freeze.timeout", "30s")
                .create()) {
            cluster = planned;
            FederatedClusters.join(cluster);
            operations = new FederationOperations(List.of(cluster));
            operations.setUp();
            Configuration configuration = cluster.clientConfiguration();
            configuration.setBoolean("dfs.client.block.write.replace-datanode-on-failure.enable", false);
            fileSystem = cluster.newFileSystem(configuration);
            checkpoint();
            writeVoidTimeline();
            operations.stopNameNodes();
            cluster.dataNodes().stream().filter(Server::isAlive).forEach(Server::stop);
            operations.restore("c");
            operations.startNameNodes();
            writeNewTimeline();
            restartDataNodeOfVoidTimeline();
            assertEverythingReadsAsWritten();
            awaitVoidReplicasDeleted();
            assertEverythingReadsAsWritten();
            cluster.markSucceeded();
        }
    }

    private void checkpoint() throws IOException {
        fileSystem.enableErasureCodingPolicy("XOR-2-1-1024k");
        fileSystem.mkdirs(new Path("/striped"));
        fileSystem.setErasureCodingPolicy(new Path("/striped"), "XOR-2-1-1024k");
        write("/grown", "grown", DATA_NODES);
        write("/cut", "cut here", DATA_NODES);
        operations.checkpoint("create", "--name", "c").expectSuccess();
        Await.until(
                "every NameNode has its image",
                Await.TIMEOUT,
                () -> operations.checkpoint("verify", "c").exitCode() == 0,
                () -> "");
    }

    /** The third DataNode is down meanwhile, and has the earlier contents of the files. */
    private void writeVoidTimeline() throws IOException {
        cluster.dataNode(3).stop();
        writeNew("old");
        change("old");
    }

    private void writeNewTimeline() throws IOException {
        cluster.dataNode(3).start();
        awaitDataNodes(1);
        // HDFS leaves safe mode by itself: no block is newer than the namespace.
        cluster.awaitActive().await("is out of safe mode", Await.TIMEOUT, () -> cluster.awaitActive()
                .jmx()
                .readText("Hadoop:service=NameNode,name=NameNodeInfo", "Safemode")
                .isEmpty());
        change("new");
        cluster.dataNode(1).start();
        awaitDataNodes(2);
        writeNew("new");
        reportBlocks();
        assertEverythingReadsAsWritten();
    }

    /** Starts the NameNodes from images, so that they do not replay the edits with which the new timeline began. */
    private void restartDataNodeOfVoidTimeline() throws IOException {
        cluster.nameNodes().forEach(NameNodeServer::saveNamespace);
        operations.stopNameNodes();
        operations.startNameNodes();
        cluster.dataNode(2).start();
        awaitDataNodes(DATA_NODES);
        reportBlocks();
    }

    private void writeNew(String line) throws IOException {
        for (int i = 0; i < FILES; i++) {
            write("/file-" + i, line + i, 1);
        }
        for (int i = 0; i < STRIPED_FILES; i++) {
            write("/striped/" + i, writeStriped(line, i), 1);
        }
    }

    private static String writeStriped(String line, int number) {
        String part = line + number + " ";
        return part.repeat(STRIPED_BYTES / part.length());
    }

    private void change(String line) throws IOException {
        append("/grown", line);
        fileSystem.truncate(new Path("/cut"), 3);
        Await.until("the truncated file is closed", Await.TIMEOUT, () -> isClosed("/cut"), cluster::describe);
        append("/cut", line);
    }

    private boolean isClosed(String file) {
        try {
            return fileSystem.isFileClosed(new Path(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void append(String file, String text) throws IOException {
        try (OutputStream out = fileSystem.append(new Path(file))) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private void write(String file, String text, int replication) throws IOException {
        try (OutputStream out = fileSystem.create(new Path(file), (short) replication)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private void assertEverythingReadsAsWritten() throws IOException {
        for (int i = 0; i < FILES; i++) {
            assertReads("/file-" + i, "new" + i);
        }
        for (int i = 0; i < STRIPED_FILES; i++) {
            assertReads("/striped/" + i, writeStriped("new", i));
        }
        assertReads("/grown", "grownnew");
        assertReads("/cut", "cutnew");
    }

    /** Reads several times, since a client picks one of the replicas. */
    private void assertReads(String file, String text) throws IOException {
        for (int more = DATA_NODES; more > 0; more--) {
            try (FSDataInputStream in = fileSystem.open(new Path(file))) {
                assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8).equals(text))
                        .as(file + " reads as it was written")
                        .isTrue();
            }
        }
    }

    private void awaitDataNodes(int count) {
        NameNodeServer active = cluster.awaitActive();
        active.await(
                "sees " + count + " DataNodes",
                Await.TIMEOUT,
                () -> active.jmx().readNumber("Hadoop:service=NameNode,name=FSNamesystemState", "NumLiveDataNodes")
                        == count);
    }

    private void reportBlocks() throws IOException {
        for (DatanodeInfo dataNode : fileSystem.getDataNodeStats()) {
            cluster.dfsadmin("-triggerBlockReport", dataNode.getIpcAddr(false)).expectSuccess();
        }
    }

    /** As the operator's page says: after the second report of each DataNode. */
    private void awaitVoidReplicasDeleted() throws IOException {
        reportBlocks();
        Await.until(
                "no replica of the void timeline is left",
                Await.TIMEOUT,
                () -> countReplicasWith("old") == 0,
                cluster::describe);
    }

    private long countReplicasWith(String text) {
        return cluster.dataNodes().stream()
                .mapToLong(dataNode -> countReplicasWith(dataNode, text))
                .sum();
    }

    private static long countReplicasWith(Server dataNode, String text) {
        try (Stream<java.nio.file.Path> files = Files.walk(dataNode.dataDirectory())) {
            return files.filter(file -> file.getFileName().toString().matches("blk_-?\\d+"))
                    .filter(file -> contains(file, text))
                    .count();
        } catch (IOException | UncheckedIOException e) {
            // A file was deleted while they were counted.
            return 1;
        }
    }

    private static boolean contains(java.nio.file.Path file, String text) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
