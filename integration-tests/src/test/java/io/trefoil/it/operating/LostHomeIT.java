/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.operating;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.RoleProbe;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.ToolResult;
import io.trefoil.it.scenario.FinalChecks;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The home site is lost with its ZooKeeper, and elections are automatic. Two far NameNodes survive, with learners in their
 * processes, and one of these goes on, as the operator's page says. NameNodes 1 and 2 are the home; they come back.
 */
@Tag("long")
class LostHomeIT {
    private static final int READS = 20;
    /** Its operator starts it again each time. */
    private static final int ENOUGH_ENDS = 2;

    private static final String SHARED_EDITS = "dfs.namenode.shared.edits.dir.trefoil.";
    private static final String ELECTABLE = "trefoil.ha.electable.trefoil.";
    private static final String MIN_REPLICAS = "trefoil.journal.replicas.min";
    private static final String WRITES = "Writing journal=ssp journal";
    private static final String BIDS = "-> BIDDING";
    private static final Path LOST = new Path("/acknowledged-and-lost");

    @Test
    void farNameNodeTakesOverAndOthersRejoin() throws Exception {
        HaCluster.builder("lost-home")
                .nameNodes(4)
                .dataNodes(1)
                .withAutomaticFailover()
                .property("dfs.namenode.state.context.enabled", "true")
                .property("dfs.ha.tail-edits.in-progress", "true")
                .property(ELECTABLE + "nn3", "false")
                .property(ELECTABLE + "nn4", "false")
                .run(LostHomeIT::runScenario);
    }

    private static void runScenario(HaCluster cluster) throws Exception {
        List<NameNodeServer> home = cluster.nameNodes().subList(0, 2);
        NameNodeServer remoteNameNode = cluster.nameNode(3);
        NameNodeServer otherNameNode = cluster.nameNode(4);
        // Their own URIs name them, so they joined as voters.
        LostSites.demoteToLearner(cluster, address(remoteNameNode));
        LostSites.demoteToLearner(cluster, address(otherNameNode));
        DistributedFileSystem fileSystem = cluster.newFileSystem();
        LostSites.AcknowledgedChanges kept = LostSites.makeChanges(fileSystem, otherNameNode::kill9ForGood);
        LostSites.awaitLearnersCaughtUp(cluster, 3);
        remoteNameNode.kill9ForGood();
        fileSystem.mkdirs(LOST);
        loseHome(cluster, home);

        configureSurvivors(cluster, remoteNameNode, otherNameNode);
        promoteMostRecentNode(cluster, remoteNameNode, otherNameNode, home);
        try (RolePoller watch = new RolePoller(List.of(home.get(0), home.get(1), otherNameNode))) {
            long since = otherNameNode.log().end();
            int ends = otherNameNode.exits().size();
            remoteNameNode.start();
            remoteNameNode.awaitState(HAServiceState.ACTIVE);
            kept.assertPresent(fileSystem);
            assertThat(fileSystem.exists(LOST)).isFalse();
            assertWritesContinue(fileSystem, "/alone");
            assertReadsMissNothing(cluster, fileSystem);
            otherNameNode.awaitExit(ends + ENOUGH_ENDS, Await.TIMEOUT);
            assertWritesContinue(fileSystem, "/alone-still");
            otherNameNode.stop();
            assertThat(otherNameNode.log().textSince(since))
                    .contains(LostSites.VOID)
                    .doesNotContain(WRITES, BIDS);
            assertThat(remoteNameNode
                            .trefoil("journal", "status", "--journal=" + uri(remoteNameNode))
                            .output())
                    .as("a NameNode that ends again and again takes no pool node into the journal with it")
                    .contains("1 of 1 voters in reach");

            remoteNameNode.kill9();
            remoteNameNode.awaitState(HAServiceState.ACTIVE);
            assertOldHomeIsRefused(remoteNameNode, home);
            assertWritesContinue(fileSystem, "/refused");
            watch.expectNoActive();
        }

        rejoin(cluster, remoteNameNode, otherNameNode);
        cluster.failOverTo(otherNameNode);
        assertWritesContinue(fileSystem, "/other");
        for (NameNodeServer old : home) {
            rejoin(cluster, remoteNameNode, old);
        }
        cluster.unsetProperty(MIN_REPLICAS);
        for (NameNodeServer each : cluster.nameNodes()) {
            each.restart();
            each.awaitUp();
            cluster.awaitActive();
        }
        assertWritesContinue(fileSystem, "/together");
        kept.assertPresent(fileSystem);
        FinalChecks.assertAllAgree(cluster);
    }

    private static void loseHome(HaCluster cluster, List<NameNodeServer> home) throws IOException {
        home.forEach(NameNodeServer::kill9ForGood);
        cluster.zooKeeper().kill9ForGood();
        java.nio.file.Path ensemble = cluster.zooKeeper().dataDirectory();
        Files.move(ensemble, ensemble.resolveSibling("zk-lost"));
        cluster.startZooKeeper();
    }

    private static void configureSurvivors(
            HaCluster cluster, NameNodeServer remoteNameNode, NameNodeServer otherNameNode) {
        cluster.setProperty(SHARED_EDITS + remoteNameNode.name(), uri(remoteNameNode));
        cluster.setProperty(SHARED_EDITS + otherNameNode.name(), uri(remoteNameNode, otherNameNode));
        cluster.setProperty(ELECTABLE + remoteNameNode.name(), "true");
        cluster.setProperty(ELECTABLE + otherNameNode.name(), "true");
        cluster.setProperty(MIN_REPLICAS, "1");
    }

    private static void promoteMostRecentNode(
            HaCluster cluster, NameNodeServer remoteNameNode, NameNodeServer otherNameNode, List<NameNodeServer> home) {
        String lostSite = "--lost=" + home.stream().map(LostHomeIT::address).collect(Collectors.joining(","));
        remoteNameNode.start();
        remoteNameNode.awaitUp();
        assertThat(promote(otherNameNode, lostSite).output())
                .contains("Refused: " + address(remoteNameNode) + " has a log up to")
                .contains("promote that one");
        otherNameNode.start();
        otherNameNode.awaitUp();
        remoteNameNode.stop();
        String lastTx = "--last-tx=" + printedLastTxId(remoteNameNode, lostSite);
        assertThat(promote(remoteNameNode, lostSite, lastTx, "--execute")
                        .expectSuccess()
                        .output())
                .contains("is now the only voter", "-bootstrapStandby -force");
        assertThat(cluster.active()).isEmpty();
    }

    /** While a node believes in the writer of the old home, the command refuses. */
    private static String printedLastTxId(NameNodeServer remoteNameNode, String lostSite) {
        ToolResult[] seen = new ToolResult[1];
        Await.until(
                "the lease of the lost writer is over",
                Await.TIMEOUT,
                () -> {
                    seen[0] = promote(remoteNameNode, lostSite);
                    return !seen[0].output().contains("believes in a writer");
                },
                () -> seen[0].output());
        return String.valueOf(LostSites.lastTxId(seen[0]));
    }

    /** Both voters come back, a majority, with their disks and configuration, and with what was lost. */
    private static void assertOldHomeIsRefused(NameNodeServer remoteNameNode, List<NameNodeServer> home) {
        List<Long> since = home.stream().map(old -> old.log().end()).toList();
        List<Integer> exits = home.stream().map(old -> old.exits().size()).toList();
        home.forEach(NameNodeServer::start);
        for (int i = 0; i < home.size(); i++) {
            NameNodeServer old = home.get(i);
            old.awaitExit(exits.get(i), Await.TIMEOUT);
            old.stop();
            assertThat(old.log().textSince(since.get(i)))
                    .contains(LostSites.VOID)
                    .doesNotContain(WRITES);
        }
        remoteNameNode.awaitState(HAServiceState.ACTIVE);
    }

    /**
     * The steps for another NameNode. The pool node of a survivor has moved its data aside, and joins by itself; one that was
     * named as lost waits for an operator.
     */
    private static void rejoin(HaCluster cluster, NameNodeServer remoteNameNode, NameNodeServer joiningNameNode) {
        cluster.setProperty(SHARED_EDITS + joiningNameNode.name(), uri(remoteNameNode, joiningNameNode));
        joiningNameNode.stop();
        joiningNameNode
                .namenode("-bootstrapStandby", "-force", "-nonInteractive")
                .expectSuccess();
        joiningNameNode.start();
        joiningNameNode.awaitState(HAServiceState.STANDBY);
        String everywhere = "--journal=" + uri(remoteNameNode, joiningNameNode);
        Matcher inForce = Pattern.compile(
                        Pattern.quote(address(joiningNameNode)) + ".* in whose place (\\S+) was promoted")
                .matcher(remoteNameNode.trefoil("journal", "status", everywhere).output());
        if (inForce.find()) {
            remoteNameNode.trefoil(
                    "journal", "repair", everywhere, "--wait=1", "--incarnation=" + inForce.group(1), "--execute");
        }
        remoteNameNode
                .trefoil("journal", "add", everywhere, address(joiningNameNode))
                .expectSuccess();
        String[] seen = new String[1];
        Await.until(
                joiningNameNode + " votes",
                Await.TIMEOUT,
                () -> {
                    seen[0] = remoteNameNode
                            .trefoil("journal", "status", everywhere)
                            .output();
                    return Pattern.compile(Pattern.quote(address(joiningNameNode)) + " +voter +serves ")
                            .matcher(seen[0])
                            .find();
                },
                () -> seen[0]);
    }

    /** A client that asks what is newest reads from observers what another one has just written. */
    private static void assertReadsMissNothing(HaCluster cluster, DistributedFileSystem writer) throws IOException {
        Configuration configuration = cluster.clientConfiguration();
        configuration.set("dfs.client.failover.proxy.provider.trefoil", ObserverReadProxyProvider.class.getName());
        DistributedFileSystem reader = cluster.newFileSystem(configuration);
        for (int i = 0; i < READS; i++) {
            Path path = new Path("/just-written-" + i);
            writer.mkdirs(path);
            reader.msync();
            assertThat(reader.exists(path)).as("%s", path).isTrue();
        }
    }

    /** Blocks are written as well: only with one does a standby take over the generation stamp that the promotion raised. */
    private static void assertWritesContinue(DistributedFileSystem fileSystem, String directory) throws Exception {
        try (RunningLoad load = LostSites.load(fileSystem, directory)) {
            load.awaitMore(LostSites.SOME, Await.TIMEOUT);
            FinalChecks.assertNothingLost(fileSystem, load);
        }
    }

    private static ToolResult promote(NameNodeServer host, String... options) {
        return host.trefoil(Stream.concat(Stream.of("journal", "promote", "--timeout=3"), Stream.of(options))
                .toArray(String[]::new));
    }

    private static String address(NameNodeServer nameNode) {
        return nameNode.address("pool");
    }

    private static String uri(NameNodeServer... nameNodes) {
        return Stream.of(nameNodes)
                .map(LostHomeIT::address)
                .distinct()
                .collect(Collectors.joining(";", "ssp://", "/trefoil"));
    }

    /** Asks NameNodes that must not become active for their roles, all the time. */
    private static final class RolePoller implements AutoCloseable {
        private static final long POLL_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

        private final Queue<NameNodeServer> active = new ConcurrentLinkedQueue<>();
        private final List<Thread> threads;
        private volatile boolean ends;

        RolePoller(List<NameNodeServer> nameNodes) {
            threads = nameNodes.stream()
                    .map(nameNode -> new Thread(() -> watch(nameNode), "role-" + nameNode))
                    .toList();
            threads.forEach(thread -> thread.setDaemon(true));
            threads.forEach(Thread::start);
        }

        private void watch(NameNodeServer nameNode) {
            try (RoleProbe probe = nameNode.newRoleProbe()) {
                while (!ends) {
                    try {
                        if (probe.role() == HAServiceState.ACTIVE) {
                            active.add(nameNode);
                        }
                    } catch (IOException doesNotAnswer) {
                        // The loop asks it again.
                    }
                    LockSupport.parkNanos(POLL_INTERVAL_NANOS);
                }
            }
        }

        void expectNoActive() {
            assertThat(active).isEmpty();
        }

        @Override
        public void close() {
            ends = true;
        }
    }
}
