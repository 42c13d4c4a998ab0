/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.reads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.it.cluster.ClusterFaults;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.host.NeedsRoot;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.Shell;
import io.trefoil.it.scenario.LinkCut;
import io.trefoil.it.scenario.RejoinTimes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.NameNodeProxiesClient;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An active that has been replaced without knowing it gives no stale answers. The system property
 * {@code trefoil.it.stale.rounds} says how often that is tried.
 */
class StaleAnswersIT {
    private static final int ROUNDS = Integer.getInteger("trefoil.it.stale.rounds", 2);
    private static final int READERS = 16;
    /** Until the ends of a link have noticed. */
    private static final Duration SHORT = Duration.ofSeconds(4);

    private static final Duration LONG = Duration.ofSeconds(10);
    private static final long ANSWER_MILLIS = 5_000;
    private static final String MADE_LATER = "/made-by-the-other";
    private static final String NOT_THERE = "No such file or directory";
    /** Hadoop shares connections between clients with the same settings. */
    private static final AtomicInteger IDLE_MILLIS = new AtomicInteger(60_000);

    private final ExecutorService threads = Executors.newCachedThreadPool();

    /** The outcome of one question. */
    private enum Answer {
        THERE,
        NOT_THERE,
        NONE
    }

    @Test
    void stalledActiveNeverGivesStaleAnswers() throws Exception {
        HaClusterBuilder builder = HaCluster.builder("stale-answers").withAutomaticFailover();
        if (Shell.isRoot()) {
            builder.withNetworkNamespaces();
        }
        builder.run(cluster -> {
            for (int round = 1; round <= ROUNDS; round++) {
                freezeActive(cluster, "/made-in-round-" + round);
            }
            if (Shell.isRoot()) {
                NameNodeServer active = cluster.awaitActiveAndStandbys();
                List<NameNodeServer> others = cluster.nameNodesExcept(active);
                queryDuringCut(
                        cluster,
                        SHORT,
                        List.of(LinkCut.oneWay(active, others.get(0)), LinkCut.oneWay(others.get(1), active)));
            }
        });
    }

    /** And each link between two hosts in each direction, all of a host's in one, and what hosts say to ZooKeeper. */
    @Test
    @Tag("long")
    @NeedsRoot
    void nameNodesGiveNoStaleAnswersWhenLinksAreUnresponsive() throws Exception {
        HaCluster.builder("stale-links")
                .withAutomaticFailover()
                .withNetworkNamespaces()
                .run(cluster -> {
                    List<LinkCut> cuts = new ArrayList<>(LinkCut.cutsOfEachPair(cluster.nameNodes()));
                    for (NameNodeServer nameNode : cluster.nameNodes()) {
                        cuts.add(LinkCut.muteHost(nameNode, cluster.nameNodesExcept(nameNode)));
                        cuts.add(LinkCut.deafenHost(nameNode, cluster.nameNodesExcept(nameNode)));
                        cuts.add(LinkCut.oneWay(nameNode, cluster.zooKeeper()));
                    }
                    queryDuringCut(cluster, LONG, cuts);
                });
    }

    private void queryDuringCut(HaCluster cluster, Duration silence, List<LinkCut> cuts) throws Exception {
        DistributedFileSystem fileSystem = cluster.newFileSystem();
        RejoinTimes times = new RejoinTimes();
        for (LinkCut cut : cuts) {
            cluster.awaitActiveAndStandbys();
            cluster.awaitFullJournal();
            int exits = exitCount(cluster);
            cut.strike(cluster.faults());
            long struckNanos = System.nanoTime();
            do {
                String path = "/made-later-" + System.nanoTime();
                fileSystem.mkdirs(new org.apache.hadoop.fs.Path(path));
                queryAll(cluster, path);
            } while (RejoinTimes.elapsedSince(struckNanos).compareTo(silence) < 0);
            cut.heal(cluster.faults());
            long healedNanos = System.nanoTime();
            cluster.awaitActiveAndStandbys();
            cluster.awaitFullJournal();
            if (exitCount(cluster) == exits) {
                times.add(cut, silence, RejoinTimes.elapsedSince(healedNanos));
            } else {
                // The NameNode that was replaced has to start.
                System.out.printf("%s: a process ended, whole after %s%n", cut, RejoinTimes.elapsedSince(healedNanos));
            }
        }
        times.assertPrompt();
    }

    private void queryAll(HaCluster cluster, String path) throws Exception {
        List<Future<Answer>> answers = new ArrayList<>();
        for (NameNodeServer nameNode : cluster.nameNodes()) {
            answers.add(threads.submit(() -> query(cluster, nameNode, path, ANSWER_MILLIS)));
        }
        assertNoneStale(answers);
    }

    private static int exitCount(HaCluster cluster) {
        return cluster.nameNodes().stream()
                .mapToInt(nameNode -> nameNode.exits().size())
                .sum();
    }

    private void freezeActive(HaCluster cluster, String path) throws Exception {
        cluster.awaitActiveAndStandbys();
        cluster.awaitFullJournal();

        NameNodeServer old = cluster.awaitActive();
        old.pause();
        createDirectory(path, cluster.awaitActiveOtherThan(old));
        List<Future<Answer>> answers = new ArrayList<>();
        for (int i = 0; i < READERS; i++) {
            answers.add(threads.submit(() -> query(cluster, old, path, Await.TIMEOUT.toMillis())));
        }
        await("all questions lie at the one that stands still")
                .atMost(Await.TIMEOUT)
                .until(() -> unreadConnections(old) >= READERS);
        int exits = old.exits().size();
        old.resume();

        assertNoneStale(answers);
        old.awaitExit(exits, Await.TIMEOUT);
        old.awaitState(HAServiceState.STANDBY);
    }

    /** How a firewall keeps packets back. */
    enum Firewall {
        REFUSES {
            @Override
            void block(ClusterFaults faults, NameNodeServer server, Server otherServer) {
                faults.refuseLinkOneWay(server, otherServer);
            }

            @Override
            void unblock(ClusterFaults faults, NameNodeServer server, Server otherServer) {
                faults.acceptLinkOneWay(server, otherServer);
            }

            /** The others are down, as far as it knows, so that no other is active. */
            @Override
            void assertOutcome(NameNodeServer old) {
                assertThat(old.tool("org.apache.hadoop.hdfs.tools.DFSHAAdmin", "-getServiceState", old.name())
                                .expectSuccess()
                                .output())
                        .as("what tells nothing of the namespace")
                        .contains("active");
                assertThat(old.exits()).isEmpty();
            }
        },
        DROPS {
            @Override
            void block(ClusterFaults faults, NameNodeServer server, Server otherServer) {
                faults.cutLinkOneWay(server, otherServer);
            }

            @Override
            void unblock(ClusterFaults faults, NameNodeServer server, Server otherServer) {
                faults.healLinkOneWay(server, otherServer);
            }

            /** Another one may be active. */
            @Override
            void assertOutcome(NameNodeServer old) {
                old.awaitExit(0, Await.TIMEOUT);
            }
        };

        abstract void block(ClusterFaults faults, NameNodeServer server, Server otherServer);

        /** What becomes of the active that is cut off. */
        abstract void assertOutcome(NameNodeServer old);

        abstract void unblock(ClusterFaults faults, NameNodeServer server, Server otherServer);
    }

    /** The active reaches no other: the others appear to be down to it, as it does to them. Its clients are on its own host. */
    @ParameterizedTest
    @EnumSource
    @Tag("long")
    @NeedsRoot
    void firewalledActiveNeverGivesStaleAnswersWhenReplaced(Firewall firewall) throws Exception {
        HaCluster.builder("firewall-" + firewall.name().toLowerCase(Locale.ROOT))
                .withAutomaticFailover()
                .withNetworkNamespaces()
                .run(cluster -> {
                    NameNodeServer old = cluster.awaitActive();
                    cluster.nameNodesExcept(old).forEach(other -> other.awaitState(HAServiceState.STANDBY));
                    cluster.awaitFullJournal();
                    assertThat(queryFromHost(MADE_LATER, old)).contains(NOT_THERE);

                    for (NameNodeServer other : cluster.nameNodesExcept(old)) {
                        firewall.block(cluster.faults(), old, other);
                        firewall.block(cluster.faults(), other, old);
                    }
                    firewall.block(cluster.faults(), old, cluster.zooKeeper());
                    createDirectory(MADE_LATER, cluster.awaitActiveOtherThan(old));
                    assertThat(queryFromHost(MADE_LATER, old)).doesNotContain(NOT_THERE);
                    firewall.assertOutcome(old);

                    for (NameNodeServer other : cluster.nameNodesExcept(old)) {
                        firewall.unblock(cluster.faults(), old, other);
                        firewall.unblock(cluster.faults(), other, old);
                    }
                    firewall.unblock(cluster.faults(), old, cluster.zooKeeper());
                    old.awaitExit(0, Await.TIMEOUT);
                    old.awaitState(HAServiceState.STANDBY);
                });
    }

    /** The answer of a client on a NameNode's own host that asks this NameNode. */
    private static String queryFromHost(String path, NameNodeServer server) {
        return server.tool(
                        "org.apache.hadoop.fs.FsShell",
                        "-Dipc.client.rpc-timeout.ms=5000",
                        "-Dipc.client.ping=false",
                        "-stat",
                        server.uri() + path)
                .output();
    }

    private static void assertNoneStale(List<Future<Answer>> answers) throws Exception {
        List<Answer> given = new ArrayList<>();
        for (Future<Answer> answer : answers) {
            given.add(answer.get(Await.TIMEOUT.toSeconds(), TimeUnit.SECONDS));
        }
        assertThat(given).doesNotContain(Answer.NOT_THERE);
    }

    private static void createDirectory(String path, NameNodeServer active) throws IOException {
        ClientProtocol nameNode = connect(active, new Configuration(false));
        try {
            assertThat(nameNode.mkdirs(path, FsPermission.getDirDefault(), true))
                    .isTrue();
        } finally {
            RPC.stopProxy(nameNode);
        }
    }

    /** Asks one NameNode once, whatever its role, over a new connection. */
    private static Answer query(HaCluster cluster, NameNodeServer server, String path, long timeoutMillis)
            throws IOException {
        Configuration conf = cluster.clientConfiguration();
        conf.setLong("ipc.client.rpc-timeout.ms", timeoutMillis);
        conf.setBoolean("ipc.client.ping", false);
        ClientProtocol nameNode = connect(server, conf);
        try {
            return nameNode.getFileInfo(path) == null ? Answer.NOT_THERE : Answer.THERE;
        } catch (IOException notAnswered) {
            return Answer.NONE;
        } finally {
            RPC.stopProxy(nameNode);
        }
    }

    private static ClientProtocol connect(NameNodeServer server, Configuration conf) throws IOException {
        conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECTION_MAXIDLETIME_KEY, IDLE_MILLIS.incrementAndGet());
        return NameNodeProxiesClient.createNonHAProxyWithClientProtocol(
                server.rpcAddress(), conf, UserGroupInformation.getCurrentUser(), false, null);
    }

    /** How many connections to a NameNode have bytes that it has not read, according to the kernel of its host. */
    private static long unreadConnections(NameNodeServer server) throws IOException {
        String port = ":%04X".formatted(server.rpcAddress().getPort());
        long count = 0;
        for (String table : List.of("tcp", "tcp6")) {
            try (Stream<String> lines = Files.lines(Path.of("/proc/" + server.pid() + "/net/" + table))) {
                count += lines.map(line -> line.trim().split("\\s+"))
                        .filter(fields -> fields[1].endsWith(port) && !fields[4].endsWith(":00000000"))
                        .count();
            }
        }
        return count;
    }
}
