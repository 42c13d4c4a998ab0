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
        NameNodeServer far = cluster.nameNode(3);
        NameNodeServer other = cluster.nameNode(4);
        // Their own URIs name them, so they joined as voters.
        LostSites.demoteToLearner(cluster, address(far));
        LostSites.demoteToLearner(cluster, address(other));
        DistributedFileSystem fileSystem = cluster.newFileSystem();
        LostSites.AcknowledgedChanges kept = LostSites.makeChanges(fileSystem, other::kill9ForGood);
        LostSites.awaitLearnersCaughtUp(cluster, 3);
        far.kill9ForGood();
        fileSystem.mkdirs(LOST);
        loseHome(cluster, home);

        configureSurvivors(cluster, far, other);
        promoteMostRecentNode(cluster, far, other, home);
        try (RolePoller watch = new RolePoller(List.of(home.get(0), home.get(1), other))) {
            long since = other.log().end();
            int ends = other.exits().size();
            far.start();
            far.awaitState(HAServiceState.ACTIVE);
            kept.assertPresent(fileSystem);
            assertThat(fileSystem.exists(LOST)).isFalse();
            assertWritesContinue(fileSystem, "/alone");
            assertReadsMissNothing(cluster, fileSystem);
            other.awaitExit(ends + ENOUGH_ENDS, Await.TIMEOUT);
            assertWritesContinue(fileSystem, "/alone-still");
            other.stop();
            assertThat(other.log().textSince(since)).contains(LostSites.VOID).doesNotContain(WRITES, BIDS);
            assertThat(far.trefoil("journal", "status", "--journal=" + uri(far)).output())
                    .as("a NameNode that ends again and again takes no pool node into the journal with it")
                    .contains("1 of 1 voters in reach");

            far.kill9();
            far.awaitState(HAServiceState.ACTIVE);
            assertOldHomeIsRefused(far, home);
            assertWritesContinue(fileSystem, "/refused");
            watch.expectNoActive();
        }

        rejoin(cluster, far, other);
        cluster.failOverTo(other);
        assertWritesContinue(fileSystem, "/other");
        for (NameNodeServer old : home) {
            rejoin(cluster, far, old);
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

    private static void configureSurvivors(HaCluster cluster, NameNodeServer far, NameNodeServer other) {
        cluster.setProperty(SHARED_EDITS + far.name(), uri(far));
        cluster.setProperty(SHARED_EDITS + other.name(), uri(far, other));
        cluster.setProperty(ELECTABLE + far.name(), "true");
        cluster.setProperty(ELECTABLE + other.name(), "true");
        cluster.setProperty(MIN_REPLICAS, "1");
    }

    private static void promoteMostRecentNode(
            HaCluster cluster, NameNodeServer far, NameNodeServer other, List<NameNodeServer> home) {
        String lost = "--lost=" + home.stream().map(LostHomeIT::address).collect(Collectors.joining(","));
        far.start();
        far.awaitUp();
        assertThat(promote(other, lost).output())
                .contains("Refused: " + address(far) + " has a log up to")
                .contains("promote that one");
        other.start();
        other.awaitUp();
        far.stop();
        String lastTx = "--last-tx=" + printedLastTxId(far, lost);
        assertThat(promote(far, lost, lastTx, "--execute").expectSuccess().output())
                .contains("is now the only voter", "-bootstrapStandby -force");
        assertThat(cluster.active()).isEmpty();
    }

    /** While a node believes in the writer of the old home, the command refuses. */
    private static String printedLastTxId(NameNodeServer far, String lost) {
        ToolResult[] seen = new ToolResult[1];
        Await.until(
                "the lease of the lost writer is over",
                Await.TIMEOUT,
                () -> {
                    seen[0] = promote(far, lost);
                    return !seen[0].output().contains("believes in a writer");
                },
                () -> seen[0].output());
        return String.valueOf(LostSites.lastTxId(seen[0]));
    }

    /** Both voters come back, a majority, with their disks and configuration, and with what was lost. */
    private static void assertOldHomeIsRefused(NameNodeServer far, List<NameNodeServer> home) {
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
        far.awaitState(HAServiceState.ACTIVE);
    }

    /**
     * The steps for another NameNode. The pool node of a survivor has moved its data aside, and joins by itself; one that was
     * named as lost waits for an operator.
     */
    private static void rejoin(HaCluster cluster, NameNodeServer far, NameNodeServer joining) {
        cluster.setProperty(SHARED_EDITS + joining.name(), uri(far, joining));
        joining.stop();
        joining.namenode("-bootstrapStandby", "-force", "-nonInteractive").expectSuccess();
        joining.start();
        joining.awaitState(HAServiceState.STANDBY);
        String everywhere = "--journal=" + uri(far, joining);
        Matcher inForce = Pattern.compile(Pattern.quote(address(joining)) + ".* in whose place (\\S+) was promoted")
                .matcher(far.trefoil("journal", "status", everywhere).output());
        if (inForce.find()) {
            far.trefoil("journal", "repair", everywhere, "--wait=1", "--incarnation=" + inForce.group(1), "--execute");
        }
        far.trefoil("journal", "add", everywhere, address(joining)).expectSuccess();
        String[] seen = new String[1];
        Await.until(
                joining + " votes",
                Await.TIMEOUT,
                () -> {
                    seen[0] = far.trefoil("journal", "status", everywhere).output();
                    return Pattern.compile(Pattern.quote(address(joining)) + " +voter +serves ")
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
    private static void assertWritesContinue(DistributedFileSystem fileSystem, String under) throws Exception {
        try (RunningLoad load = LostSites.load(fileSystem, under)) {
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
        private static final long BETWEEN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

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
                    LockSupport.parkNanos(BETWEEN_NANOS);
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
