/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.checkpoint.hdfs.HdfsCheckpoints;
import io.trefoil.foundation.Progress;
import io.trefoil.journal.pool.PoolProcess;
import io.trefoil.tools.TrefoilCommand;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.BlockReportOptions;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockIdManager;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.util.ExitUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** After a restore, no DataNode's replica of the void timeline is ever taken for one of a file that was written since. */
class RestoredBlocksTest {
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final int FILES = 20;
    private static final int DATA_NODES = 3;
    private static final int STRIPED_BYTES = 1_500_000;

    @TempDir
    private java.nio.file.Path directory;

    private final StringWriter out = new StringWriter();
    private final Map<Integer, DataNode> dataNodes = new TreeMap<>();
    private TestNameservice nameservice;
    private DistributedFileSystem fileSystem;

    @BeforeEach
    void start() throws Exception {
        DefaultMetricsSystem.setMiniClusterMode(true);
        ExitUtil.disableSystemExit();
        ExitUtil.resetFirstExitException();
        nameservice = new TestNameservice("one", directory);
        nameservice.start(List.of(nameservice));
        for (int number = 1; number <= DATA_NODES; number++) {
            startDataNode(number);
        }
        Configuration client = TestNameservice.clientConfiguration(List.of(nameservice));
        client.set(
                "dfs.client.failover.proxy.provider.one",
                "org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider");
        client.setInt("dfs.replication", 1);
        client.setInt("dfs.client.retry.window.base", 10);
        client.setBoolean("dfs.client.block.write.replace-datanode-on-failure.enable", false);
        fileSystem = (DistributedFileSystem) DistributedFileSystem.newInstance(URI.create("hdfs://one"), client);
        awaitDataNodes(DATA_NODES);
    }

    @AfterEach
    void stop() throws IOException {
        fileSystem.close();
        List.copyOf(dataNodes.keySet()).forEach(this::stopDataNode);
        nameservice.close();
        PoolProcess.closeAll();
    }

    @Test
    void filesReadAsWrittenAfterRestore() throws Exception {
        fileSystem.enableErasureCodingPolicy("XOR-2-1-1024k");
        fileSystem.mkdirs(new Path("/striped"));
        fileSystem.setErasureCodingPolicy(new Path("/striped"), "XOR-2-1-1024k");
        write("/grown", "grown", 3);
        write("/cut", "cut here", 3);
        fileSystem.mkdirs(new Path("/since"));
        run("nn1", "create", "--name", "c");
        await().atMost(LIMIT).until(() -> tryRunOn("nn1", "verify", "c") == 0);

        // The void timeline; one DataNode is down, and has of the files of the checkpoint what these had then.
        stopDataNode(3);
        writeAfterCheckpoint("old");
        change("old");
        restoreCheckpoint();

        assertImagesPreserveGenerationStamps();
        startDataNode(3);
        awaitOutOfSafeMode(1);
        change("new");
        startDataNode(1);
        awaitDataNodes(2);
        writeAfterCheckpoint("new");
        // Its reports come after a change of the active, and after images that the first edits are not replayed on.
        for (String nameNode : List.of("nn1", "nn2")) {
            nameservice.saveNamespace(nameNode);
        }
        nameservice.stop("nn1");
        nameservice.makeActive("nn2");
        nameservice.restart(List.of(nameservice), "nn1");
        startDataNode(2);
        awaitDataNodes(DATA_NODES);
        reportBlocks();
        assertAllFilesAreNew();
        awaitVoidReplicasRemoved();
        assertAllFilesAreNew();
        assertThat(ExitUtil.terminateCalled()).isFalse();
    }

    private void restoreCheckpoint() throws Exception {
        List.copyOf(dataNodes.keySet()).forEach(this::stopDataNode);
        nameservice.close();
        for (String nameNode : List.of("nn1", "nn2")) {
            run(nameNode, "restore", "c", "--execute");
        }
        for (String nameNode : List.of("nn1", "nn2")) {
            nameservice.restart(List.of(nameservice), nameNode);
        }
        nameservice.activate("nn1");
    }

    /** A standby that read a generation stamp in an edit does not save it, until a block has it. */
    private void assertImagesPreserveGenerationStamps() throws IOException {
        for (String nameNode : List.of("nn2", "nn1")) {
            BlockIdManager ids = nameservice
                    .nameNode(nameNode)
                    .getNamesystem()
                    .getBlockManager()
                    .getBlockIdManager();
            await().atMost(LIMIT).until(() -> ids.getGenerationStamp() > 1L << 40);
            nameservice.saveNamespace(nameNode);
        }
        for (String nameNode : List.of("nn2", "nn1")) {
            nameservice.stop(nameNode);
            nameservice.restart(List.of(nameservice), nameNode);
        }
        nameservice.activate("nn1");
    }

    private void writeAfterCheckpoint(String line) throws IOException {
        for (int i = 0; i < FILES; i++) {
            write("/since/" + i, line + i, 1);
        }
        for (int i = 0; i < FILES / 4; i++) {
            write("/striped/" + i, writeStriped(line, i), 1);
        }
    }

    private static String writeStriped(String line, int number) {
        String part = line + number + " ";
        return part.repeat(STRIPED_BYTES / part.length());
    }

    /** What there was at the checkpoint, by an append and by a truncation. */
    private void change(String line) throws Exception {
        try (OutputStream appending = fileSystem.append(new Path("/grown"))) {
            appending.write(line.getBytes(StandardCharsets.UTF_8));
        }
        fileSystem.truncate(new Path("/cut"), 3);
        await().atMost(LIMIT).until(() -> fileSystem.isFileClosed(new Path("/cut")));
        try (OutputStream appending = fileSystem.append(new Path("/cut"))) {
            appending.write(line.getBytes(StandardCharsets.UTF_8));
        }
    }

    private void assertAllFilesAreNew() throws IOException {
        for (int i = 0; i < FILES; i++) {
            assertReads("/since/" + i, "new" + i);
        }
        for (int i = 0; i < FILES / 4; i++) {
            assertReads("/striped/" + i, writeStriped("new", i));
        }
        assertReads("/grown", "grownnew");
        assertReads("/cut", "cutnew");
    }

    /** From every DataNode that the NameNode believes to have it. */
    private void assertReads(String file, String content) throws IOException {
        for (int more = DATA_NODES * 2; more > 0; more--) {
            try (FSDataInputStream in = fileSystem.open(new Path(file))) {
                assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8).equals(content))
                        .as(file + " reads as it was written")
                        .isTrue();
            }
        }
    }

    private void reportBlocks() throws IOException {
        for (DataNode dataNode : dataNodes.values()) {
            dataNode.triggerBlockReport(
                    new BlockReportOptions.Factory().setIncremental(false).build());
        }
    }

    /** Only the reports after the first one have NameNodes delete what they do not know. */
    private void awaitVoidReplicasRemoved() {
        await().atMost(LIMIT).pollInterval(Duration.ofSeconds(1)).until(() -> {
            reportBlocks();
            return replicasContaining("old") == 0;
        });
    }

    private long replicasContaining(String line) {
        try {
            return BlockFiles.listFiles(directory).stream()
                    .filter(file -> contains(file, line))
                    .count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean contains(java.nio.file.Path file, String text) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(text);
        } catch (IOException e) {
            // It is being deleted.
            return true;
        }
    }

    private void startDataNode(int number) throws IOException {
        Configuration conf = nameservice.conf(List.of(nameservice), "nn1");
        conf.set(
                "dfs.datanode.data.dir",
                directory.resolve("blocks" + number).toUri().toString());
        for (String service : List.of("address", "http.address", "ipc.address")) {
            conf.set("dfs.datanode." + service, "localhost:0");
        }
        conf.setInt("dfs.heartbeat.interval", 1);
        dataNodes.put(number, DataNode.createDataNode(new String[0], conf));
    }

    private void stopDataNode(int number) {
        dataNodes.remove(number).shutdown();
    }

    private void awaitDataNodes(int count) {
        await().atMost(LIMIT).until(() -> nameservice.active().getNamesystem().getNumLiveDataNodes() == count);
    }

    private void awaitOutOfSafeMode(int count) throws IOException {
        awaitDataNodes(count);
        await().atMost(LIMIT)
                .until(() -> nameservice.active().getNamesystem().getSafemode().isEmpty());
    }

    private void write(String file, String content, int replication) throws IOException {
        try (OutputStream writing = fileSystem.create(new Path(file), (short) replication)) {
            writing.write(content.getBytes(StandardCharsets.UTF_8));
        }
    }

    private int tryRunOn(String nameNode, String... arguments) {
        out.getBuffer().setLength(0);
        Configuration conf = nameservice.conf(List.of(nameservice), nameNode);
        return TrefoilCommand.execute(
                CheckpointCommand.newCommandLine(
                        () -> new HdfsCheckpoints(conf, Progress.SILENT), new FakeMoveHistory()),
                new PrintWriter(out),
                new PrintWriter(out),
                arguments);
    }

    private String run(String nameNode, String... arguments) {
        int code = tryRunOn(nameNode, arguments);
        assertThat(code).as(List.of(arguments) + ": " + out).isZero();
        return out.toString();
    }
}
