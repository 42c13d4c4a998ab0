/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.ToolResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code hdfs trefoil} on a real cluster, with the jar as shipped and the cluster's own configuration. */
@Tag("long")
class TrefoilCommandIT {

    @Test
    void commandReportsAndRepairsJournal() throws Exception {
        HaCluster.builder("command").nameNodes(3).journal(JournalKind.ssp()).run(cluster -> {
            write(cluster, "/first");
            cluster.dfsadmin("-rollEdits").expectSuccess();
            write(cluster, "/second");
            assertThreeVotersAgree(cluster);
            assertEverythingVerifies(cluster);
            assertStockViewerReadsExportedEdits(cluster);
            evictFromMemory(cluster);
            assertDamagedEntryIsReported(cluster);
            assertNodeRefetchesDamagedEntry(cluster);
            assertDifferingReplicaIsRepaired(cluster);
            assertNodeWithBrokenReplicaIsReadmitted(cluster);
            assertKilledNodeIsMarked(cluster);
            assertNothingIsKnownWithoutNodes(cluster);
        });
    }

    private static void write(HaCluster cluster, String directory) throws IOException {
        try (FileSystem fileSystem = cluster.newFileSystem()) {
            for (int i = 0; i < 100; i++) {
                fileSystem.mkdirs(new org.apache.hadoop.fs.Path(directory, "d" + i));
            }
        }
    }

    private static void assertThreeVotersAgree(HaCluster cluster) {
        // A node that was just a learner becomes a voter by itself.
        awaitThreeVoters(cluster);
        ToolResult status = journal(cluster, "status").expectSuccess();

        assertThat(status.output()).contains("3 of 3 voters in reach, all in agreement; committed up to entry");
        assertThat(journal(cluster, "status", "--json").expectSuccess().output())
                .contains("\"fine\": true", "\"votersInReach\": 3");
    }

    private static void awaitThreeVoters(HaCluster cluster) {
        Await.until(
                "all three nodes are voters",
                Await.TIMEOUT,
                () -> journal(cluster, "status").output().contains("3 of 3 voters"),
                cluster::describe);
    }

    private static void assertEverythingVerifies(HaCluster cluster) {
        ToolResult verified = journal(cluster, "verify").expectSuccess();

        assertThat(verified.output()).contains("3 of 3 nodes checked, nothing wrong found");
    }

    private static void assertStockViewerReadsExportedEdits(HaCluster cluster) throws IOException {
        Path exports = cluster.layout().dataDirectory("exports").resolve("edits");
        ToolResult exported =
                journal(cluster, "export", "--to", exports.toString()).expectSuccess();
        assertThat(exported.output()).contains("in progress", "transactions 1 to ");

        List<Path> files;
        try (Stream<Path> listed = Files.list(exports)) {
            files = listed.sorted().toList();
        }
        assertThat(files).hasSizeGreaterThanOrEqualTo(2);
        StringBuilder edits = new StringBuilder();
        for (Path file : files) {
            Path xml = exports.resolveSibling(file.getFileName() + ".xml");
            cluster.oev("-i", file.toString(), "-o", xml.toString()).expectSuccess();
            edits.append(Files.readString(xml));
        }
        assertThat(edits).contains("<PATH>/first/d99</PATH>", "<PATH>/second/d99</PATH>");

        ToolResult again = journal(cluster, "export", "--to", exports.toString());
        assertThat(again.exitCode()).isEqualTo(1);
        assertThat(again.output()).contains("exists already");
    }

    private static void assertDamagedEntryIsReported(HaCluster cluster) throws IOException {
        Server damaged = cluster.nameNode(2);
        DamagedLog.changeByte(damaged.journalDirectory(), "/first/d50");

        ToolResult verified = journal(cluster, "verify");

        assertThat(verified.exitCode()).as(verified.output()).isEqualTo(1);
        assertThat(verified.output())
                .contains(damaged.address("pool") + " cannot be read from entry ", "3 of 3 nodes checked, see above");
    }

    /** Writes more than the eighth of the heap that holds the newest entries, so that earlier ones are read from disk. */
    private static void evictFromMemory(HaCluster cluster) throws IOException {
        byte[] value = new byte[16_000];
        try (FileSystem fileSystem = cluster.newFileSystem()) {
            for (int i = 0; i < 2_500; i++) {
                fileSystem.setXAttr(new org.apache.hadoop.fs.Path("/first"), "user.filler", value);
            }
        }
        awaitThreeVoters(cluster);
    }

    private static void assertNodeRefetchesDamagedEntry(HaCluster cluster) {
        awaitThreeVoters(cluster);
        assertEverythingVerifies(cluster);
    }

    private static void assertDifferingReplicaIsRepaired(HaCluster cluster) throws IOException {
        Server wrong = cluster.nameNode(3);
        DamagedLog.changeEntry(wrong.journalDirectory(), "/second/d50", "/second/d5x");
        ToolResult verified = journal(cluster, "verify");
        assertThat(verified.exitCode()).as(verified.output()).isEqualTo(1);
        assertThat(verified.output()).contains(wrong.address("pool") + " disagrees on entry ");

        ToolResult planned = journal(cluster, "repair");
        assertThat(planned.exitCode()).as(planned.output()).isEqualTo(1);
        assertThat(planned.output())
                .containsPattern(wrong.address("pool") + " +serves +refetch")
                .contains("1 to repair; nothing was changed");
        assertThat(journal(cluster, "verify").exitCode()).isEqualTo(1);

        ToolResult repaired = journal(cluster, "repair", "--execute").expectSuccess();
        assertThat(repaired.output()).contains("1 of 1 nodes repaired");
        Matcher moved =
                Pattern.compile("old storage moved to (\\S+), whole again").matcher(repaired.output());
        assertThat(moved.find()).as(repaired.output()).isTrue();
        assertThat(Path.of(moved.group(1))).isDirectory();
        assertThreeVotersAgree(cluster);
        assertEverythingVerifies(cluster);
    }

    private static void assertNodeWithBrokenReplicaIsReadmitted(HaCluster cluster) throws IOException {
        NameNodeServer wrong = cluster.nameNode(2);
        wrong.stop();
        Path promise =
                wrong.journalDirectory().resolve(cluster.layout().nameservice()).resolve("promise");
        Files.writeString(promise, "epoch=1\n");
        wrong.start();
        wrong.awaitUp();

        ToolResult repaired = journal(cluster, "repair", "--execute");

        assertThat(repaired.exitCode()).as(repaired.output()).isZero();
        assertThat(repaired.output())
                .containsPattern(wrong.address("pool") + " +failed +refetch")
                .containsPattern("old storage moved to \\S+, whole again");
        assertThreeVotersAgree(cluster);
    }

    private static void assertKilledNodeIsMarked(HaCluster cluster) {
        Server killed = cluster.nameNode(3);
        killed.kill9ForGood();

        ToolResult status = journal(cluster, "status");

        assertThat(status.exitCode()).as(status.output()).isEqualTo(1);
        assertThat(status.output())
                .containsPattern(killed.address("pool") + " +voter +down ")
                .contains("2 of 3 voters in reach, a majority, but see above");
    }

    private static void assertNothingIsKnownWithoutNodes(HaCluster cluster) {
        cluster.nameNodes().forEach(Server::kill9ForGood);

        ToolResult status = journal(cluster, "status");

        assertThat(status.exitCode()).as(status.output()).isEqualTo(3);
        assertThat(status.output()).contains("no pool node answers");
    }

    private static ToolResult journal(HaCluster cluster, String command, String... options) {
        String[] arguments = new String[options.length + 3];
        arguments[0] = "journal";
        arguments[1] = command;
        // A JVM on a busy machine is slow to make its first connection.
        arguments[2] = "--timeout=20";
        System.arraycopy(options, 0, arguments, 3, options.length);
        return cluster.trefoil(arguments);
    }
}
