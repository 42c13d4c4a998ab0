/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.trefoil.checkpoint.CheckpointJson;
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
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.SafeModeAction;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.util.ExitUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files that a dry run names are those that HDFS finds damaged after the restore, with a DataNode that deletes blocks. */
class LostFilesTest {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    @TempDir
    private java.nio.file.Path directory;

    private final StringWriter out = new StringWriter();
    private TestNameservice nameservice;
    private FileSystem fileSystem;
    private DataNode dataNode;

    @BeforeEach
    void start() throws Exception {
        DefaultMetricsSystem.setMiniClusterMode(true);
        ExitUtil.disableSystemExit();
        ExitUtil.resetFirstExitException();
        nameservice = new TestNameservice("one", directory);
        nameservice.start(List.of(nameservice));
        startDataNode();
        Configuration client = TestNameservice.clientConfiguration(List.of(nameservice));
        client.set(
                "dfs.client.failover.proxy.provider.one",
                "org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider");
        client.setInt("dfs.replication", 1);
        // How long a client waits before it asks again for a block that no DataNode has.
        client.setInt("dfs.client.retry.window.base", 10);
        fileSystem = FileSystem.newInstance(URI.create("hdfs://one"), client);
        await().atMost(LIMIT).until(() -> nameservice.active().getNamesystem().getNumLiveDataNodes() == 1);
    }

    private void startDataNode() throws IOException {
        Configuration conf = nameservice.conf(List.of(nameservice), "nn1");
        conf.set("dfs.datanode.data.dir", directory.resolve("blocks").toUri().toString());
        for (String service : List.of("address", "http.address", "ipc.address")) {
            conf.set("dfs.datanode." + service, "localhost:0");
        }
        conf.setInt("dfs.heartbeat.interval", 1);
        dataNode = DataNode.createDataNode(new String[0], conf);
    }

    @AfterEach
    void stop() throws IOException {
        fileSystem.close();
        dataNode.shutdown();
        nameservice.close();
        PoolProcess.closeAll();
    }

    @Test
    void dryRunListsExactlyFilesDamagedByRestore() throws Exception {
        write("/kept", "/deleted", "/changed");
        nameservice.active().getRpcServer().allowSnapshot("/");
        run("create", "--name", "plain");
        run("create", "--name", "safe", "--protect-data");
        await().atMost(LIMIT).until(() -> tryRunOn("nn1", "verify", "safe") == 0);
        delete("/deleted");
        try (OutputStream out = fileSystem.append(new Path("/changed"))) {
            out.write(1);
        }
        write("/new");
        assertThat(lostFiles("safe")).containsExactly("/changed");
        restoreTo("safe", 2);
        awaitCorruptFiles("/changed");
        assertThat(read("/kept")).isEqualTo("/kept");
        assertThat(read("/deleted")).isEqualTo("/deleted");
        assertThat(fileSystem.exists(new Path("/new"))).isFalse();

        // Connections of this JVM to the NameNodes of before end when they are used.
        assertThat(tryRunOn("nn1", "delete", "safe")).isEqualTo(1);
        assertThat(out.toString()).contains("were restored to checkpoint safe", "--force");
        await().atMost(LIMIT).until(() -> tryRunOn("nn1", "delete", "safe", "--force") == 0);
        long before = replicaCount();
        delete("/deleted", "/changed");
        // The replica that was appended to stays: HDFS wants the one of the time before deleted.
        await().atMost(LIMIT).until(() -> replicaCount() < before);
        assertThat(lostFiles("plain")).containsExactly("/changed", "/deleted");
        restoreTo("plain", 1);
        awaitCorruptFiles("/changed", "/deleted");
        assertThat(read("/kept")).isEqualTo("/kept");
        assertThatThrownBy(() -> read("/deleted")).isInstanceOf(IOException.class);
        assertThat(ExitUtil.terminateCalled()).isFalse();
    }

    /** @param blocks how many the DataNode will have of the checkpoint's */
    private void restoreTo(String name, int blocks) throws Exception {
        dataNode.shutdown();
        nameservice.close();
        for (String nameNode : List.of("nn1", "nn2")) {
            assertThat(tryRunOn(nameNode, "restore", name, "--execute")).isZero();
        }
        for (String nameNode : List.of("nn1", "nn2")) {
            nameservice.restart(List.of(nameservice), nameNode);
        }
        nameservice.activate("nn1");
        startDataNode();
        // It may leave safe mode before it hears of a block that is newer than the namespace.
        await().atMost(LIMIT)
                .until(
                        () -> nameservice.active().getNamesystem().getSafemode(),
                        tip -> tip.isEmpty() || tip.contains("reported blocks " + blocks + " "));
        for (String nameNode : List.of("nn1", "nn2")) {
            nameservice.nameNode(nameNode).getRpcServer().setSafeMode(SafeModeAction.SAFEMODE_LEAVE, false);
        }
    }

    /** A NameNode that has left safe mode looks through all blocks in the background. */
    private void awaitCorruptFiles(String... files) {
        await().atMost(LIMIT)
                .ignoreExceptionsInstanceOf(IOException.class)
                .untilAsserted(() -> assertThat(corruptFiles()).containsExactly(files));
    }

    /** What {@code hdfs fsck -list-corruptfileblocks} prints. */
    private Set<String> corruptFiles() throws IOException {
        Set<String> damaged = new TreeSet<>();
        RemoteIterator<Path> files = fileSystem.listCorruptFileBlocks(new Path("/"));
        while (files.hasNext()) {
            damaged.add(files.next().toUri().getPath());
        }
        return damaged;
    }

    private Set<String> lostFiles(String name) throws IOException {
        Set<String> lost = new TreeSet<>();
        JsonNode plan = CheckpointJson.parse(run("restore", name, "--json"));
        assertThat(plan.path("refusals")).isEmpty();
        plan.path("lost").forEach(file -> lost.add(file.path("path").asText()));
        return lost;
    }

    private long replicaCount() {
        try {
            return BlockFiles.listFiles(directory.resolve("blocks")).size();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void write(String... files) throws IOException {
        for (String file : files) {
            try (OutputStream out = fileSystem.create(new Path(file))) {
                out.write(file.getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    private void delete(String... files) throws IOException {
        for (String file : files) {
            assertThat(fileSystem.delete(new Path(file), false)).isTrue();
        }
    }

    private String read(String file) throws IOException {
        try (FSDataInputStream in = fileSystem.open(new Path(file))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
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

    private String run(String... arguments) {
        int code = tryRunOn("nn1", arguments);
        assertThat(code).as(List.of(arguments) + ": " + out).isZero();
        return out.toString();
    }
}
