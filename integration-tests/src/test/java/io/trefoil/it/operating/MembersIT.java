/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.operating;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.JournalKind;
import io.trefoil.it.cluster.Server;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Verifier;
import io.trefoil.it.load.Workload;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.ToolResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Test;

/** The members of a pool change while a client writes, and nobody's configuration does: the URI names the first node only. */
class MembersIT {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int FEW = 30;

    @Test
    void aPoolGrowsAndShrinksAndItsDisksAreLostAndPutBackUnderLoad() throws Exception {
        HaClusterBuilder plan = HaCluster.builder("members")
                .nameNodes(2)
                .journal(JournalKind.ssp().standAlone(5, 1))
                .property("dfs.ssp.replicas.min", "1");
        try (HaCluster cluster = plan.create()) {
            cluster.journalServer(1).start();
            cluster.nameNode(1)
                    .await(
                            "sees the first pool node",
                            LIMIT,
                            () -> journal(cluster, "status").exitCode() == 1);
            cluster.nameNode(1).format("members");
            cluster.nameNode(1).start();
            cluster.nameNode(1).awaitUp();
            cluster.nameNode(2).bootstrapStandby();
            cluster.startNameNodes();
            cluster.makeActive(cluster.nameNode(1));
            FileSystem fileSystem = cluster.newFileSystem();
            try (RunningLoad load = Workload.on(fileSystem).threads(4).start()) {
                load.awaitMore(FEW, LIMIT);
                fromOneToFive(cluster, load);
                fromFiveToThreeOfWhichTheUriNamesNone(cluster, load);
                aLostDiskIsReplacedByItself(cluster, load);
                anOldDiskIsMovedAside(cluster, load);
                aDeadNodeIsReplaced(cluster, load);
                new Verifier(fileSystem).verify(load.root(), load.stop(LIMIT)).expectClean();
            }
            theMembersOfTheLogAreFoundByTheOtherNameNode(cluster);
            cluster.succeeded();
        }
    }

    private static void fromOneToFive(HaCluster cluster, RunningLoad load) {
        for (int number = 2; number <= 5; number++) {
            cluster.journalServer(number).start();
            await(cluster, number);
            journal(cluster, "add", address(cluster, number)).expectSuccess();
            load.awaitMore(FEW, LIMIT);
        }
        assertVoters(cluster, 1, 2, 3, 4, 5);
    }

    private static void fromFiveToThreeOfWhichTheUriNamesNone(HaCluster cluster, RunningLoad load) {
        journal(cluster, "remove", address(cluster, 2)).expectSuccess();
        journal(cluster, "remove", address(cluster, 2)).expectSuccess();
        journal(cluster, "remove", address(cluster, 1)).expectSuccess();
        load.awaitMore(FEW, LIMIT);
        assertVoters(cluster, 3, 4, 5);
    }

    private static void aLostDiskIsReplacedByItself(HaCluster cluster, RunningLoad load) throws IOException {
        Server server = cluster.journalServer(3);
        String old = idOf(server);
        server.kill9ForGood();
        Files.move(server.journalDirectory(), oldDisk(server));
        load.awaitMore(FEW, LIMIT);
        server.start();
        awaitVoterUnderAnotherIdThan(cluster, server, old);
        load.awaitMore(FEW, LIMIT);
    }

    private static void anOldDiskIsMovedAside(HaCluster cluster, RunningLoad load) throws IOException {
        Server server = cluster.journalServer(3);
        String second = idOf(server);
        server.kill9ForGood();
        Files.move(server.journalDirectory(), oldDisk(server).resolveSibling("second-disk"));
        Files.move(oldDisk(server), server.journalDirectory());
        String old = idOf(server);
        server.start();
        awaitVoterUnderAnotherIdThan(cluster, server, second);
        assertThat(idOf(server)).isNotEqualTo(old);
        try (Stream<Path> kept = Files.list(server.journalDirectory())) {
            assertThat(kept.map(path -> path.getFileName().toString())).anyMatch(name -> name.endsWith(".moved-1"));
        }
        load.awaitMore(FEW, LIMIT);
    }

    private static void aDeadNodeIsReplaced(HaCluster cluster, RunningLoad load) {
        Server dead = cluster.journalServer(4);
        dead.kill9ForGood();
        assertThat(journal(cluster, "add", address(cluster, 4)).exitCode()).isEqualTo(1);
        journal(cluster, "replace", address(cluster, 4), address(cluster, 1)).expectSuccess();
        load.awaitMore(FEW, LIMIT);
        assertVoters(cluster, 1, 3, 5);
    }

    private static void theMembersOfTheLogAreFoundByTheOtherNameNode(HaCluster cluster) {
        cluster.nameNode(1).kill9ForGood();
        cluster.makeActive(cluster.nameNode(2));
        assertThat(cluster.nameNode(2).isActive()).isTrue();
    }

    private static void await(HaCluster cluster, int number) {
        Await.until(
                "pool node " + number + " listens",
                LIMIT,
                () -> journal(
                                        cluster,
                                        "status",
                                        "--journal=ssp://" + address(cluster, number) + "/"
                                                + cluster.layout().nameservice())
                                .exitCode()
                        == 1,
                cluster::describe);
    }

    private static void awaitVoterUnderAnotherIdThan(HaCluster cluster, Server server, String old) {
        Await.until(
                server.name() + " votes under a new id",
                LIMIT,
                () -> journal(cluster, "status")
                        .output()
                        .lines()
                        .anyMatch(line -> line.startsWith(server.address("pool") + " ")
                                && line.contains(" voter ")
                                && line.contains(" serves ")
                                && !line.contains(old)),
                cluster::describe);
        assertThat(journal(cluster, "status").output()).doesNotContain(old).contains("3 of 3 voters");
    }

    private static void assertVoters(HaCluster cluster, int... numbers) {
        ToolResult status = journal(cluster, "status");
        for (int number : numbers) {
            assertThat(status.output()).containsPattern(address(cluster, number) + " +voter +serves");
        }
        assertThat(status.output()).contains(numbers.length + " of " + numbers.length + " voters in reach");
    }

    private static String idOf(Server server) {
        try (Stream<Path> files = Files.walk(server.journalDirectory(), 2)) {
            Path version = files.filter(
                            path -> path.endsWith("VERSION") && !path.toString().contains(".moved-"))
                    .findFirst()
                    .orElseThrow();
            return Files.readAllLines(version).stream()
                    .filter(line -> line.startsWith("node="))
                    .map(line -> line.substring("node=".length()))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Path oldDisk(Server server) {
        return server.journalDirectory().resolveSibling("old-disk");
    }

    private static String address(HaCluster cluster, int number) {
        return cluster.journalServer(number).address("pool");
    }

    private static ToolResult journal(HaCluster cluster, String command, String... options) {
        List<String> arguments = Stream.concat(Stream.of("journal", command, "--timeout=5"), Stream.of(options))
                .toList();
        return cluster.tool("io.trefoil.journal.hdfs.TrefoilMain", arguments.toArray(new String[0]));
    }
}
