/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Workload;
import io.trefoil.it.operating.OperatorsPage;
import io.trefoil.it.operating.OperatorsPage.Command;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.ToolResult;
import io.trefoil.it.scenario.FinalChecks;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.server.namenode.PoisonEdit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The active logs an edit that no standby can apply: all standbys end, again and again, and the active goes on, because
 * their pool nodes run in their places. They come back in the ways of the operator's page.
 */
class PoisonEditIT {
    private static final int CHANGES = 200;
    private static final Duration MAX_WAIT = Duration.ofSeconds(5);
    private static final String NAMENODE_ENDED = "the NameNode ended with exit code";

    @TempDir
    Path directory;

    @Test
    @Tag("alone")
    void activeServesWhileNoStandbyCanApplyEdit() throws Exception {
        Path poison = directory.resolve("poison");
        HaCluster.builder("poison-edit")
                .withAutomaticFailover()
                .withKeepers()
                .nameNodeInstrumentation(
                        PoisonEdit.class.getName(),
                        List.of(Path.of("target/test-classes").toAbsolutePath()))
                .nameNodeJvmOption("-D" + PoisonEdit.FILE + "=" + poison)
                .run(cluster -> {
                    // The one on the page.
                    NameNodeServer active = cluster.nameNode(1);
                    active.awaitState(HAServiceState.ACTIVE);
                    FileSystem fileSystem = cluster.newFileSystem();
                    OperatorsPage page = OperatorsPage.read("poison-edit.md");
                    try (RunningLoad load = Workload.on(fileSystem).threads(4).start()) {
                        load.awaitMore(CHANGES, Await.TIMEOUT);
                        long poisoned = System.nanoTime();
                        Files.createFile(poison);
                        for (NameNodeServer standby : cluster.nameNodesExcept(active)) {
                            // In its role, and at its next start.
                            awaitExits(standby, 2);
                        }
                        load.awaitMore(CHANGES, Await.TIMEOUT);
                        assertThat(cluster.trefoil("journal", "status").output())
                                .contains("3 of 3 voters in reach", "its NameNode cannot apply transaction");
                        assertThat(cluster.trefoil("status").output())
                                .containsPattern("cannot apply transaction \\d+, SetPermissionsOp \\[src="
                                        + PoisonEdit.MISSING + ".*: FileNotFoundException: cannot find "
                                        + PoisonEdit.MISSING);
                        Duration longest = load.ledger().longestWaitSince(poisoned);
                        Duration limit = longestWait(cluster);
                        System.out.printf(
                                "an edit that no standby can apply: longest wait of a client %d ms, may be %d%n",
                                longest.toMillis(), limit.toMillis());
                        assertThat(longest).as("longest wait of a client").isLessThan(limit);

                        for (Command command : page.section("Skipping the edit")) {
                            runCommand(cluster, command);
                        }
                        // Clients are refused meanwhile.
                        load.stop(Await.TIMEOUT);
                    }
                    for (Command command : page.section("The way out that loses nothing")) {
                        runCommand(cluster, command);
                    }
                    FinalChecks.assertAllAgree(cluster);
                    Await.until(
                            "no edit is reported any more",
                            Await.TIMEOUT,
                            () -> !cluster.trefoil("status").output().contains("cannot apply"),
                            cluster::describe);
                    assertThat(active.console().textSince(0)).doesNotContain(NAMENODE_ENDED);
                });
    }

    /** The pool has no majority while both JVMs start, at worst; on a machine that is short of CPUs that may take long. */
    private static Duration longestWait(HaCluster cluster) {
        long before = System.nanoTime();
        cluster.trefoil("journal", "status");
        Duration startOfOne = Duration.ofNanos(System.nanoTime() - before);
        Duration two = startOfOne.multipliedBy(2);
        return two.compareTo(MAX_WAIT) > 0 ? two : MAX_WAIT;
    }

    private static void awaitExits(NameNodeServer standby, int times) {
        standby.await(
                "has ended " + times + " times",
                Await.TIMEOUT,
                () -> standby.console().textSince(0).split(NAMENODE_ENDED, -1).length > times);
    }

    private static void runCommand(HaCluster cluster, Command command) throws Exception {
        NameNodeServer host = cluster.nameNode(command.host());
        Path name = host.dataDirectory().resolve("name");
        String text = command.text()
                .replace("sudo -u hdfs ", "")
                .replace("hdfs://host1:8020", cluster.nameNode(1).uri().toString())
                .replace("/data/1/nn", name.toString());
        List<String> words = Arrays.asList(text.split(" "));
        String[] arguments = words.subList(2, words.size()).toArray(String[]::new);
        switch (words.get(0) + " " + words.get(1)) {
            case "hdfs dfsadmin" ->
                host.tool("org.apache.hadoop.hdfs.tools.DFSAdmin", arguments).expectSuccess();
            case "hdfs namenode" -> {
                // Begin; skip that edit.
                ToolResult result = host.toolWithAnswer("Y\nc", NameNodeServer.MAIN_CLASS, arguments)
                        .expectSuccess();
                assertThat(result.output()).containsOnlyOnce("Enter 'c' to continue");
            }
            case "hdfs trefoil" ->
                Await.until(
                        text + " succeeds",
                        Await.TIMEOUT,
                        () -> host.trefoil(arguments).exitCode() == 0,
                        () -> host.trefoil(arguments).output());
            case "systemctl restart" -> {
                host.restart();
                host.awaitState(HAServiceState.STANDBY);
            }
            default -> {
                Process process = new ProcessBuilder(words).inheritIO().start();
                assertThat(process.waitFor()).as(text).isZero();
            }
        }
    }
}
