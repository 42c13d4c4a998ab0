/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.operating;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Workload;
import io.trefoil.it.load.ledger.Verifier;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.ToolResult;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The home site is lost with all voters and the active; a learner's site becomes the new home, as the operator's page
 * says. Pool node 1, NameNode 2 and DataNode 2 are the far site, DataNode 3 is a third one, everything else is the home.
 */
@Tag("long")
class LostSiteIT {
    private static final org.apache.hadoop.fs.Path LOST = new org.apache.hadoop.fs.Path("/acknowledged-and-lost");
    private static final org.apache.hadoop.fs.Path NEW = new org.apache.hadoop.fs.Path("/after-the-promotion");

    @Test
    void learnerSiteTakesOverAndOldHomeIsRefused() throws Exception {
        HaClusterBuilder plan = HaCluster.builder("lost-site")
                .nameNodes(2)
                .dataNodes(3)
                .journal(JournalKind.ssp().standAlone(4, 1))
                .property("trefoil.journal.replicas.min", "1")
                // No standby saves an image, because an active accepts any newer one.
                .property("dfs.namenode.checkpoint.check.period", "100000")
                .property("dfs.namenode.checkpoint.txns", "1");
        try (HaCluster cluster = plan.create()) {
            setUpScenario(cluster);
            DistributedFileSystem fileSystem = cluster.newFileSystem();
            LostSites.AcknowledgedChanges kept = LostSites.makeChanges(fileSystem, () -> {});
            cluster.awaitStandbysCaughtUp(Await.TIMEOUT);
            LostSites.awaitLearnersCaughtUp(cluster, 4);

            cluster.journalServer(1).pause();
            write(fileSystem, LOST, "lost");
            long lostBlock = blockId(fileSystem, LOST);
            cluster.nameNode(1).saveNamespace();
            Path lostImage = cluster.nameNode(1).newestImage();
            loseHome(cluster);

            NameNodeServer remoteNameNode = cluster.nameNode(2);
            String lostSite = address(cluster, 2) + "," + address(cluster, 3) + "," + address(cluster, 4);
            assertRefusals(cluster, remoteNameNode, lostSite);
            long lastTxId = inspectBeforePromotion(remoteNameNode, cluster, lostSite);
            assertThat(promote(remoteNameNode, cluster, "--lost=" + lostSite, "--last-tx=" + lastTxId, "--execute")
                            .expectSuccess()
                            .output())
                    .contains("is now the only voter", "May be missing", "The old storage is at");
            assertThat(promote(remoteNameNode, cluster, "--lost=" + lostSite, "--last-tx=" + lastTxId, "--execute")
                            .expectSuccess()
                            .output())
                    .contains("was promoted", "Nothing is left to do");

            cluster.journalServer(1).start();
            cluster.journalServer(1).awaitListening("pool");
            assertUpgradeIsNotRolledBack(remoteNameNode, lastTxId);
            remoteNameNode.start();
            remoteNameNode.awaitUp();
            cluster.makeActive(remoteNameNode);
            awaitDataNodesOfOtherSites(remoteNameNode);
            kept.assertPresent(fileSystem);
            assertThat(fileSystem.exists(LOST)).isFalse();
            write(fileSystem, NEW, "something else");
            assertThat(blockId(fileSystem, NEW))
                    .as("no number of a lost block is given out again")
                    .isGreaterThan(lostBlock + (1L << 39));
            assertThat(read(fileSystem, NEW)).isEqualTo("something else");
            assertWritesContinue(fileSystem);
            assertImageOfLostTimelineIsRejected(remoteNameNode, lostImage);

            cluster.dfsadmin("-fs", remoteNameNode.uri().toString(), "-finalizeUpgrade")
                    .expectSuccess();
            assertOldHomeIsRefused(cluster);
            assertOldActiveIsRefused(cluster);
            rejoinOldVoter(cluster, fileSystem);
            kept.assertPresent(fileSystem);
            cluster.markSucceeded();
        }
    }

    private static void setUpScenario(HaCluster cluster) {
        cluster.journalServer(1).start();
        cluster.journalServer(1).awaitListening("pool");
        cluster.nameNode(1).format("lost-site");
        // HDFS is being upgraded all the time.
        cluster.nameNode(1).startWith("-upgrade");
        cluster.nameNode(1).awaitState(HAServiceState.ACTIVE);
        cluster.nameNode(2).bootstrapStandby();
        cluster.dataNodes().forEach(Server::start);
        cluster.startNameNodes();
        cluster.makeActive(cluster.nameNode(1));
        cluster.awaitDataNodes();
        for (int number = 2; number <= 4; number++) {
            cluster.journalServer(number).start();
            cluster.journalServer(number).awaitListening("pool");
            journal(cluster, "add", address(cluster, number)).expectSuccess();
        }
        LostSites.demoteToLearner(cluster, address(cluster, 1));
    }

    /** It began before the promotion: the images of what comes after that could not be told from those of what is lost. */
    private static void assertUpgradeIsNotRolledBack(NameNodeServer remoteNameNode, long lastTxId) {
        Path previous = remoteNameNode.imageDirectory().resolveSibling("previous");
        assertThat(previous).exists();

        ToolResult refused = remoteNameNode.namenodeConfirmed("-rollback");

        assertThat(refused.exitCode()).as(refused.output()).isEqualTo(1);
        assertThat(refused.output())
                .contains("Cannot roll back to transaction")
                .contains("was promoted after transaction " + lastTxId)
                .contains("Nothing was changed");
        assertThat(previous).exists();
    }

    private static void awaitDataNodesOfOtherSites(NameNodeServer remoteNameNode) {
        remoteNameNode.await(
                "sees the DataNodes of two sites",
                Await.TIMEOUT,
                () -> remoteNameNode
                                .jmx()
                                .readNumber("Hadoop:service=NameNode,name=FSNamesystemState", "NumLiveDataNodes")
                        == 2);
    }

    /** One voter's disk is gone for good; two are only out of reach, and come back. */
    private static void loseHome(HaCluster cluster) throws IOException {
        cluster.dataNode(1).kill9ForGood();
        cluster.nameNode(1).kill9ForGood();
        cluster.nameNode(2).kill9ForGood();
        for (Server server : cluster.journalServers()) {
            server.kill9ForGood();
        }
        Files.move(journalDirectory(cluster, 2), journalDirectory(cluster, 2).resolveSibling("wiped"));
    }

    private static void assertRefusals(HaCluster cluster, NameNodeServer remoteNameNode, String lostSite) {
        String some = lostSite.substring(0, lostSite.lastIndexOf(','));
        assertThat(promote(remoteNameNode, cluster, "--lost=" + some, "--last-tx=1", "--execute"))
                .satisfies(result -> assertThat(result.exitCode()).isEqualTo(1))
                .satisfies(result -> assertThat(result.output())
                        .contains(address(cluster, 4) + " does not answer with the storage of a member")
                        .contains("Nothing was changed."));
        cluster.journalServer(3).start();
        cluster.journalServer(4).start();
        cluster.journalServer(3).awaitListening("pool");
        cluster.journalServer(4).awaitListening("pool");
        assertThat(promote(remoteNameNode, cluster, "--lost=" + address(cluster, 2), "--last-tx=1", "--execute")
                        .output())
                .contains("2 of 3 voters are there, which is a majority")
                .contains("further than");
        cluster.journalServer(3).kill9ForGood();
        cluster.journalServer(4).kill9ForGood();
        assertThat(promote(remoteNameNode, cluster, "--lost=" + lostSite, "--last-tx=1", "--execute")
                        .output())
                .contains(", not 1: look again without --execute");
    }

    private static long inspectBeforePromotion(NameNodeServer remoteNameNode, HaCluster cluster, String lostSite) {
        ToolResult shown = promote(remoteNameNode, cluster, "--lost=" + lostSite);
        long lastTxId = LostSites.lastTxId(shown);
        assertThat(shown.output()).contains("all transactions up to " + lastTxId, "Nothing was changed.");
        return lastTxId;
    }

    private static void assertWritesContinue(FileSystem fileSystem) throws Exception {
        try (RunningLoad load =
                Workload.on(fileSystem).under("/after").threads(4).start()) {
            load.awaitMore(LostSites.SOME, Await.TIMEOUT);
            new Verifier(fileSystem)
                    .verify(load.root(), load.stop(Await.TIMEOUT))
                    .expectClean();
        }
    }

    /** An old standby that was never stopped may upload its next checkpoint to whichever NameNode is active. */
    private static void assertImageOfLostTimelineIsRejected(NameNodeServer active, Path image) throws IOException {
        assertThat(upload(active, image))
                .startsWith("410 ")
                .contains("it is from before the journal was restored, or another site promoted")
                .contains("Run hdfs namenode -bootstrapStandby on the host that sent it");
        try (Stream<Path> files = Files.list(active.imageDirectory())) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .noneMatch(
                            name -> name.endsWith(image.getFileName().toString().substring("fsimage".length())));
        }
    }

    /** Uploads as HDFS's {@code TransferFsImage} does; returns the answer. */
    private static String upload(NameNodeServer active, Path image) throws IOException {
        Properties version = new Properties();
        try (InputStream in = Files.newInputStream(image.resolveSibling("VERSION"))) {
            version.load(in);
        }
        String storage = String.join(
                ":",
                version.getProperty("layoutVersion"),
                version.getProperty("namespaceID"),
                version.getProperty("cTime"),
                version.getProperty("clusterID"));
        URI web = active.webHdfs();
        HttpURLConnection connection = (HttpURLConnection) new URL("http://" + web.getAuthority()
                        + "/imagetransfer?imageFile=IMAGE&txid="
                        + Long.parseLong(image.getFileName().toString().substring("fsimage_".length()))
                        + "&File-Length=" + Files.size(image) + "&storageInfo=" + storage)
                .openConnection();
        connection.setRequestMethod("PUT");
        connection.setDoOutput(true);
        connection.setFixedLengthStreamingMode(Files.size(image));
        try (OutputStream out = connection.getOutputStream()) {
            Files.copy(image, out);
        }
        return connection.getResponseCode() + " " + connection.getResponseMessage();
    }

    private static void assertOldHomeIsRefused(HaCluster cluster) {
        for (int number = 3; number <= 4; number++) {
            cluster.journalServer(number).start();
            cluster.journalServer(number).awaitListening("pool");
        }
        ToolResult status = journal(cluster, "status", "--journal=" + allNodesUri(cluster));
        assertThat(status.exitCode()).isEqualTo(1);
        assertThat(status.output()).contains("1 of 1 voters in reach");
        for (int number = 3; number <= 4; number++) {
            assertThat(status.output())
                    .containsPattern(Pattern.quote(address(cluster, number))
                            + ".*holds incarnation \\S+ of the journal, in whose place \\S+ was promoted");
        }
    }

    private static void assertOldActiveIsRefused(HaCluster cluster) throws IOException {
        NameNodeServer old = cluster.nameNode(1);
        awaitExitWith(old, LostSites.VOID);
        // As if it had been bootstrapped from another old NameNode.
        Files.delete(old.imageDirectory().resolve("trefoil-journal"));
        awaitExitWith(old, " is void");
        old.namenode("-bootstrapStandby", "-force", "-nonInteractive").expectSuccess();
        old.start();
        old.awaitUp();
        cluster.awaitStandbysCaughtUp(Await.TIMEOUT);
    }

    private static void awaitExitWith(NameNodeServer nameNode, String text) {
        long since = nameNode.log().end();
        int exits = nameNode.exits().size();
        nameNode.start();
        nameNode.awaitExit(exits, Await.TIMEOUT);
        assertThat(nameNode.log().textSince(since)).contains(text);
    }

    private static void rejoinOldVoter(HaCluster cluster, FileSystem fileSystem) throws Exception {
        String status =
                journal(cluster, "status", "--journal=" + allNodesUri(cluster)).output();
        Matcher inForce = Pattern.compile("in whose place (\\S+) was promoted").matcher(status);
        assertThat(inForce.find()).isTrue();
        // Such a node is not a member, so it stays empty: the command says that it is not filled up.
        journal(
                cluster,
                "repair",
                "--journal=" + allNodesUri(cluster),
                "--incarnation=" + inForce.group(1),
                "--wait=1",
                "--execute");
        journal(cluster, "add", address(cluster, 3)).expectSuccess();
        assertThat(journal(cluster, "status").output()).contains("2 of 2 voters in reach");
        try (Stream<Path> kept = Files.list(cluster.journalServer(3).journalDirectory())) {
            assertThat(kept.map(path -> path.getFileName().toString())).anyMatch(name -> name.endsWith(".moved-1"));
        }
        write(fileSystem, new org.apache.hadoop.fs.Path("/after-the-old-voter"), "more");
    }

    private static void write(FileSystem fileSystem, org.apache.hadoop.fs.Path path, String text) throws IOException {
        try (FSDataOutputStream out = fileSystem.create(path, false)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static String read(FileSystem fileSystem, org.apache.hadoop.fs.Path path) throws IOException {
        try (FSDataInputStream in = fileSystem.open(path)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static long blockId(DistributedFileSystem fileSystem, org.apache.hadoop.fs.Path path) throws IOException {
        return fileSystem
                .getClient()
                .getLocatedBlocks(path.toString(), 0)
                .get(0)
                .getBlock()
                .getBlockId();
    }

    private static Path journalDirectory(HaCluster cluster, int number) {
        return cluster.journalServer(number).journalDirectory();
    }

    private static String allNodesUri(HaCluster cluster) {
        return "ssp://" + address(cluster, 1) + ";" + address(cluster, 3) + ";" + address(cluster, 4) + "/"
                + cluster.layout().nameservice();
    }

    private static String address(HaCluster cluster, int number) {
        return cluster.journalServer(number).address("pool");
    }

    /** Runs on the far site's host, with its NameNode's configuration and the journal directory of its pool node. */
    private static ToolResult promote(NameNodeServer remoteNameNode, HaCluster cluster, String... options) {
        List<String> arguments = Stream.concat(
                        Stream.of(
                                "-D",
                                "trefoil.journal.dir=" + journalDirectory(cluster, 1),
                                "journal",
                                "promote",
                                "--timeout=3"),
                        Arrays.stream(options))
                .toList();
        return remoteNameNode.trefoil(arguments.toArray(new String[0]));
    }

    private static ToolResult journal(HaCluster cluster, String command, String... options) {
        List<String> arguments = Stream.concat(Stream.of("journal", command, "--timeout=3"), Stream.of(options))
                .toList();
        return cluster.trefoil(arguments.toArray(new String[0]));
    }
}
