/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.checkpoint.CheckpointJson;
import io.trefoil.checkpoint.hdfs.HdfsCheckpoints;
import io.trefoil.checkpoint.hdfs.RemoteParticipants;
import io.trefoil.checkpoint.model.Checkpoint;
import io.trefoil.checkpoint.model.Manifest;
import io.trefoil.foundation.Progress;
import io.trefoil.journal.pool.PoolProcess;
import io.trefoil.tools.TrefoilCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.util.ExitUtil;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The hosts of nameservices on which the command restores checkpoints: stock NameNodes in this JVM, whose pool nodes
 * outlive them. What names no nameservice is of the first, {@link #one}.
 */
final class RestoreHosts implements BeforeEachCallback, AfterEachCallback {
    static final Duration LIMIT = Duration.ofMinutes(1);
    static final List<String> BOTH = List.of("nn1", "nn2");

    private final List<String> names;
    List<TestNameservice> nameservices;
    TestNameservice one;
    Path directory;

    RestoreHosts(String... nameservices) {
        names = List.of(nameservices);
    }

    @Override
    public void beforeEach(ExtensionContext context) throws Exception {
        DefaultMetricsSystem.setMiniClusterMode(true);
        ExitUtil.disableSystemExit();
        ExitUtil.resetFirstExitException();
        directory = Files.createTempDirectory("restore");
        nameservices = new ArrayList<>();
        for (String name : names) {
            nameservices.add(new TestNameservice(name, directory));
        }
        one = nameservices.get(0);
        for (TestNameservice nameservice : nameservices) {
            nameservice.start(nameservices);
        }
    }

    @Override
    public void afterEach(ExtensionContext context) throws IOException {
        nameservices.forEach(TestNameservice::close);
        PoolProcess.closeAll();
        FileUtil.fullyDelete(directory.toFile());
    }

    Configuration conf(String nameNode) {
        return one.conf(nameservices, nameNode);
    }

    /** Runs a command about checkpoints on the host of a NameNode; gives what it prints. */
    String run(int exitCode, TestNameservice nameservice, String nameNode, String... arguments) {
        Configuration conf = nameservice.conf(nameservices, nameNode);
        StringWriter out = new StringWriter();
        int code = TrefoilCommand.execute(
                CheckpointCommand.newCommandLine(
                        () -> new HdfsCheckpoints(conf, Progress.SILENT), new FakeMoveHistory()),
                new PrintWriter(out),
                new PrintWriter(out),
                arguments);
        assertThat(code).as(List.of(arguments) + ": " + out).isEqualTo(exitCode);
        return out.toString();
    }

    String run(int exitCode, String nameNode, String... arguments) {
        return run(exitCode, one, nameNode, arguments);
    }

    /** Of this nameservice alone, when its active can be reached: this JVM has connections to NameNodes that were stopped. */
    String create(String name) throws IOException {
        try (RemoteParticipants participants =
                new RemoteParticipants(TestNameservice.clientConfiguration(nameservices), Duration.ofMinutes(1))) {
            await().atMost(LIMIT).ignoreExceptions().until(() -> participants
                    .callActive("one", "status", CheckpointJson.object())
                    .path("active")
                    .asBoolean());
        }
        return CheckpointJson.parse(run(0, "nn1", "create", "--name", name, "--nameservices", "one", "--json"))
                .path("id")
                .asText();
    }

    void awaitComplete(String name) {
        await().atMost(LIMIT).untilAsserted(() -> run(0, "nn1", "verify", name));
    }

    /** A checkpoint of an empty root, and {@code /first} behind it; both hosts know of which timeline they are, and nothing runs. */
    String checkpointAndWrite() throws IOException {
        String id = create("c");
        for (String nameNode : BOTH) {
            Path mark = timelineMark(nameNode);
            await().atMost(LIMIT).until(() -> Files.exists(mark));
        }
        awaitComplete("c");
        one.makeDirectory("/first");
        one.close();
        return id;
    }

    /** Where a NameNode notes of which timeline its directory is. */
    Path timelineMark(String nameNode) {
        return one.nameDirectory(nameNode).resolve("current/trefoil-lineage");
    }

    void restoreBoth(String id) {
        for (String nameNode : BOTH) {
            run(0, nameNode, "restore", id, "--execute");
        }
    }

    void start(String nameNode) throws IOException {
        one.restart(nameservices, nameNode);
    }

    void startActive(String nameNode) throws IOException {
        start(nameNode);
        one.makeActive(nameNode);
    }

    /** Starts both, of which one becomes active. */
    void startBoth(String active) throws IOException {
        for (String nameNode : BOTH) {
            start(nameNode);
        }
        one.makeActive(active);
    }

    /** Starts all, makes a directory, and stops all. */
    void writeAndStop(String path) throws IOException {
        startBoth("nn1");
        one.makeDirectory(path);
        one.close();
    }

    /** One of the NameNodes in this JVM ends its process, or would. */
    void awaitEnd(String reason) {
        await().atMost(LIMIT).until(ExitUtil::terminateCalled);
        assertThat(ExitUtil.getFirstExitException()).hasMessageContaining(reason);
    }

    Checkpoint checkpoint(String id) throws IOException {
        return Checkpoint.assemble(new HdfsCheckpoints(conf("nn1"), Progress.SILENT).manifests()).stream()
                .filter(any -> any.agreement().id().toString().equals(id))
                .findFirst()
                .orElseThrow();
    }

    Manifest manifest(String id) throws IOException {
        return checkpoint(id).manifests().get("one");
    }
}
