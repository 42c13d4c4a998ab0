/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.reads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.client.hdfs.SmartObserverReadProxyProvider;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.host.NeedsRoot;
import io.trefoil.it.cluster.host.PortAllocator;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.history.Linearizability;
import io.trefoil.it.history.Operation;
import io.trefoil.it.history.RandomRequests;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.faults.SlowLink;
import io.trefoil.it.scenario.LinkCut;
import io.trefoil.it.scenario.RejoinTimes;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.NameNodeProxiesClient;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * An observer behind a slow link answers reads at once and misses nothing that any client was told, while its process
 * is frozen, its link is too slow for a lease, and the active is killed. Without leases the same clients are told what
 * no order explains.
 *
 * <p>{@code -Dtrefoil.it.near.strict=true} also compares the median of near reads with the delay of the link, which holds
 * on a machine that has its CPUs all the time.
 */
class NearReadsIT {
    private static final boolean STRICT = Boolean.getBoolean("trefoil.it.near.strict");
    private static final Duration ONE_WAY = Duration.ofMillis(50);
    /** Less than a node may be late and have a lease. */
    private static final Duration FAR_SITE_DELAY = Duration.ofMillis(200);

    private static final String FAR_HOST = "127.0.0.4";
    private static final String METRICS = "Hadoop:service=NameNode,name=NearReads";
    private static final int CLIENTS = 24;
    private static final int HISTORIES = 25;
    private static final int CALLS = 800;
    private static final int TIMES = 60;
    private static final int WRITES_AT_A_PORT = 6;
    private static final FsPermission WORLD_WRITABLE = FsPermission.getDirDefault();
    private static final int TURNS = 20;
    /** How long a stock client's read takes at most, whichever host is cut off; retries included. */
    private static final Duration PROMPTLY = Duration.ofSeconds(15);

    /** Until the ends of a link have noticed. */
    private static final Duration SHORT = Duration.ofSeconds(4);

    private static final Duration LONG = Duration.ofSeconds(10);
    /** Of a client, so that histories of a long silence stay short. */
    private static final Duration CALL_INTERVAL = Duration.ofMillis(50);

    private static final Path TOLD_MEANWHILE = new Path("/told-meanwhile");

    @Test
    void nearReadsAreQuickAndLinearizable() throws Exception {
        run(nearReads("near-reads", "true"), (cluster, link) -> {
            NameNodeServer remoteNameNode = cluster.nameNode(3);
            awaitLease(remoteNameNode);
            assertReadsTakeNoRoundTripAndWritesTakeOne(cluster, remoteNameNode);
            try (HistoryClients clients = start(cluster)) {
                awaitMore(clients, CALLS);
                long answered = metricValue(remoteNameNode, "Answered");

                remoteNameNode.pause();
                awaitMore(clients, CALLS);
                remoteNameNode.resume();
                awaitLease(remoteNameNode);
                awaitMore(clients, CALLS);

                link.delay(Duration.ofMillis(1_500));
                awaitMore(clients, CALLS);
                link.delay(ONE_WAY);
                awaitLease(remoteNameNode);
                awaitMore(clients, CALLS);

                cluster.awaitActive().kill9();
                awaitMore(clients, CALLS);
                awaitLease(remoteNameNode);
                awaitMore(clients, CALLS);

                assertThat(metricValue(remoteNameNode, "Answered")).isGreaterThan(answered + CALLS / 4);
                assertLinearizable(clients, remoteNameNode);
            }
        });
    }

    /** HDFS's own answers stand behind another chain at each of these ports. */
    @Test
    void writesAreAnsweredOnlyOnceReadableAtFarSite() throws Exception {
        String servicePort = "127.0.0.1:" + PortAllocator.free();
        HaClusterBuilder builder = nearReads("near-ports", "true")
                .serverProperty("nn1", "dfs.namenode.servicerpc-address.trefoil.nn1", servicePort);
        run(builder, (cluster, link) -> {
            // Before there is a writer, for which a site that moves away looks like one that became slow.
            link.delay(FAR_SITE_DELAY);
            NameNodeServer active = cluster.failOverTo(cluster.nameNode(1));
            ClientProtocol atClients = client(cluster, active.rpcAddress());
            ClientProtocol atServices = client(cluster, NetUtils.createSocketAddr(servicePort));
            try (FileSystem web = FileSystem.newInstance(active.webHdfs(), cluster.clientConfiguration())) {
                assertWriteWaitsForFarSite(
                        cluster, "clients", directory -> atClients.mkdirs(directory, WORLD_WRITABLE, true));
                assertWriteWaitsForFarSite(
                        cluster, "services", directory -> atServices.mkdirs(directory, WORLD_WRITABLE, true));
                assertWriteWaitsForFarSite(cluster, "web", directory -> web.mkdirs(new Path(directory)));
            }
        });
    }

    private interface Write {
        boolean perform(String directory) throws IOException;
    }

    private static void assertWriteWaitsForFarSite(HaCluster cluster, String port, Write write) throws IOException {
        NameNodeServer remoteNameNode = cluster.nameNode(3);
        List<Duration> taken = new ArrayList<>();
        for (int i = 0; i < WRITES_AT_A_PORT; i++) {
            awaitLease(remoteNameNode);
            long begun = System.nanoTime();
            assertThat(write.perform("/written-by-" + port + "/" + i)).isTrue();
            Duration took = Duration.ofNanos(System.nanoTime() - begun);
            // No commit waits for a site that has lost its lease, as on a machine that was busy for too long.
            if (metricValue(remoteNameNode, "Leased") == 1) {
                taken.add(took);
            }
        }
        System.out.printf("writes at the port for %s took %s%n", port, taken);
        assertThat(taken)
                .as("writes at the port for %s", port)
                .isNotEmpty()
                .allMatch(took -> took.compareTo(FAR_SITE_DELAY) >= 0);
    }

    private static ClientProtocol client(HaCluster cluster, InetSocketAddress port) throws IOException {
        return NameNodeProxiesClient.createNonHAProxyWithClientProtocol(
                port, cluster.clientConfiguration(), UserGroupInformation.getCurrentUser(), false, null);
    }

    /**
     * Its clients reach it all the time, and it reaches no node that could say what it lacks, or to whom it could
     * forward a call.
     */
    @Test
    @Tag("long")
    @NeedsRoot
    void isolatedReaderNeverGivesStaleAnswers() throws Exception {
        HaClusterBuilder builder = nearReads("near-cut", "true")
                .property("trefoil.ha.forward-calls", "true")
                .withNetworkNamespaces();
        builder.run(cluster -> {
            NameNodeServer remoteNameNode = cluster.nameNode(3);
            remoteNameNode.awaitState(HAServiceState.OBSERVER);
            awaitLease(remoteNameNode);
            DistributedFileSystem reader = stockClient(cluster, remoteNameNode);
            try (HistoryClients clients = start(cluster)) {
                awaitMore(clients, CALLS);
                long answered = metricValue(remoteNameNode, "Answered");

                isolate(cluster, remoteNameNode, () -> {
                    remoteNameNode.await(
                            "has lost its lease", Await.TIMEOUT, () -> metricValue(remoteNameNode, "Leased") == 0);
                    long askedNanos = System.nanoTime();
                    reader.mkdirs(TOLD_MEANWHILE);
                    assertThat(reader.exists(TOLD_MEANWHILE)).isTrue();
                    assertThat(Duration.ofNanos(System.nanoTime() - askedNanos)).isLessThan(PROMPTLY);
                    awaitMore(clients, CALLS);
                });
                awaitLease(remoteNameNode);
                awaitMore(clients, CALLS);

                NameNodeServer old = cluster.awaitActive();
                isolate(cluster, old, () -> {
                    awaitLease(remoteNameNode);
                    awaitMore(clients, CALLS);
                });
                awaitMore(clients, CALLS);

                assertThat(metricValue(remoteNameNode, "Answered")).isGreaterThan(answered + CALLS / 4);
                assertLinearizable(clients, remoteNameNode);
            }
        });
    }

    @Test
    @NeedsRoot
    void readerAnswersPromptlyWhenItsLinksAreHealed() throws Exception {
        nearReads("near-silence", "true").withNetworkNamespaces().run(cluster -> {
            NameNodeServer remoteNameNode = cluster.nameNode(3);
            NameNodeServer active = cluster.awaitActive();
            readWhileSilent(
                    cluster,
                    SHORT,
                    List.of(LinkCut.oneWay(remoteNameNode, active), LinkCut.oneWay(active, remoteNameNode)));
        });
    }

    @Test
    @Tag("long")
    @NeedsRoot
    void readerAnswersPromptlyWhenAnyLinkIsHealed() throws Exception {
        nearReads("near-links", "true")
                .property("trefoil.ha.forward-calls", "true")
                .withNetworkNamespaces()
                .run(cluster -> readWhileSilent(cluster, LONG, LinkCut.cutsOfEachPair(cluster.nameNodes())));
    }

    private static void readWhileSilent(HaCluster cluster, Duration silence, List<LinkCut> cuts) throws Exception {
        NameNodeServer remoteNameNode = cluster.nameNode(3);
        remoteNameNode.awaitState(HAServiceState.OBSERVER);
        RejoinTimes times = new RejoinTimes();
        for (LinkCut cut : cuts) {
            cluster.awaitFullJournal();
            awaitLease(remoteNameNode);
            HistoryClients.Group readers =
                    new HistoryClients.Group(observerConfiguration(cluster), CLIENTS, RandomRequests::next);
            try (HistoryClients clients = HistoryClients.start(
                    cluster,
                    "/histories-" + cuts.indexOf(cut),
                    List.of(readers),
                    HISTORIES,
                    CALL_INTERVAL,
                    HistoryClients.Sending.ONCE)) {
                awaitMore(clients, CALLS / 8);
                cut.strike(cluster.faults());
                long struckNanos = System.nanoTime();
                awaitMore(clients, CALLS / 8);
                RejoinTimes.awaitElapsed(silence, struckNanos);
                cut.heal(cluster.faults());
                long healedNanos = System.nanoTime();
                awaitLease(remoteNameNode);
                times.add(cut, silence, RejoinTimes.elapsedSince(healedNanos));
                awaitMore(clients, CALLS / 8);
                assertLinearizable(clients, remoteNameNode);
            }
        }
        times.assertPrompt();
    }

    /** The observer or the active is struck, turn by turn, in an order that a seed decides; each turn has its own histories. */
    @Test
    @Tag("long")
    @NeedsRoot
    void nearReadsAreNeverStaleUnderRandomFaults() throws Exception {
        nearReads("near-soak", "true").withNetworkNamespaces().run(cluster -> {
            NameNodeServer remoteNameNode = cluster.nameNode(3);
            remoteNameNode.awaitState(HAServiceState.OBSERVER);
            long seed = Long.getLong("seed", System.nanoTime());
            System.out.println("-Dseed=" + seed + " repeats the order of the faults");
            Random random = new Random(seed);
            for (int turn = 1; turn <= TURNS; turn++) {
                awaitLease(remoteNameNode);
                try (HistoryClients clients = start(cluster, "/histories-" + turn)) {
                    awaitMore(clients, CALLS / 4);
                    Fault fault = Fault.values()[random.nextInt(Fault.values().length)];
                    NameNodeServer victim = random.nextBoolean() ? remoteNameNode : cluster.awaitActive();
                    System.out.printf("turn %d: %s strikes %s%n", turn, fault, victim);
                    fault.inject(cluster, victim, () -> awaitMore(clients, CALLS / 2));
                    awaitMore(clients, CALLS / 4);
                    awaitLease(remoteNameNode);
                    awaitMore(clients, CALLS / 4);
                    assertLinearizable(clients, remoteNameNode);
                }
            }
        });
    }

    private enum Fault {
        KILLED {
            @Override
            void inject(HaCluster cluster, NameNodeServer victim, FaultAction concurrentAction) throws IOException {
                victim.kill9();
                concurrentAction.run();
            }
        },
        FROZEN {
            @Override
            void inject(HaCluster cluster, NameNodeServer victim, FaultAction concurrentAction) throws IOException {
                victim.pause();
                concurrentAction.run();
                victim.resume();
            }
        },
        CUT_OFF {
            @Override
            void inject(HaCluster cluster, NameNodeServer victim, FaultAction concurrentAction) throws IOException {
                isolate(cluster, victim, concurrentAction);
            }
        };

        abstract void inject(HaCluster cluster, NameNodeServer victim, FaultAction concurrentAction) throws IOException;
    }

    /** A client of Hadoop alone, which the observer has answered. */
    private static DistributedFileSystem stockClient(HaCluster cluster, NameNodeServer remoteNameNode)
            throws IOException {
        Configuration conf = cluster.clientConfiguration();
        conf.set(
                "dfs.client.failover.proxy.provider." + cluster.layout().nameservice(),
                "org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProvider");
        DistributedFileSystem reader = cluster.newFileSystem(conf);
        long before = metricValue(remoteNameNode, "Answered");
        remoteNameNode.await("answers the reader", Await.TIMEOUT, () -> {
            reader.getFileStatus(new Path("/"));
            return metricValue(remoteNameNode, "Answered") > before;
        });
        return reader;
    }

    private interface FaultAction {
        void run() throws IOException;
    }

    private static void isolate(HaCluster cluster, NameNodeServer nameNode, FaultAction concurrentAction)
            throws IOException {
        cluster.nameNodesExcept(nameNode).forEach(other -> cluster.faults().cutLink(nameNode, other));
        concurrentAction.run();
        cluster.nameNodesExcept(nameNode).forEach(other -> cluster.faults().healLink(nameNode, other));
    }

    private static void assertLinearizable(HistoryClients clients, NameNodeServer remoteNameNode) throws Exception {
        List<List<Operation>> histories = clients.stop();
        System.out.printf(
                Locale.ROOT,
                "%d near reads, %d sent to the active, in %d histories of %d calls, without an answer %s%n",
                metricValue(remoteNameNode, "Answered"),
                metricValue(remoteNameNode, "Refused"),
                histories.size(),
                histories.stream().mapToInt(List::size).sum(),
                clients.unknownOutcomes());
        assertThat(clients.unexpectedErrors()).as("errors").isEmpty();
        for (List<Operation> history : histories) {
            assertThat(Linearizability.findContradiction(history)).isEmpty();
        }
    }

    @Test
    @Tag("long")
    void readsWithoutLeasesMissAcknowledgedChanges() throws Exception {
        run(nearReads("far-reads", "false"), (cluster, link) -> {
            try (HistoryClients clients = start(cluster)) {
                awaitMore(clients, 3 * CALLS);
                assertThat(clients.stop().stream()
                                .filter(history -> Linearizability.findContradiction(history)
                                        .isPresent())
                                .count())
                        .as("histories that no order explains")
                        .isPositive();
            }
        });
    }

    private interface Scenario {
        void run(HaCluster cluster, SlowLink link) throws Exception;
    }

    /** The third NameNode is an observer, and everything sent to its pool node is delayed. */
    private static void run(HaClusterBuilder builder, Scenario scenario) throws Exception {
        builder.serverProperty("nn3", "trefoil.journal.bind-host", FAR_HOST);
        try (HaCluster cluster = builder.create()) {
            String front = cluster.nameNode(3).address("pool");
            String target = FAR_HOST + front.substring(front.lastIndexOf(':'));
            try (SlowLink link = SlowLink.between(front, target)) {
                cluster.setUp();
                NameNodeServer active = cluster.awaitActive();
                cluster.nameNodesExcept(active).stream()
                        .filter(other -> other != cluster.nameNode(3))
                        .forEach(other -> other.awaitState(HAServiceState.STANDBY));
                cluster.nameNode(3).awaitState(HAServiceState.OBSERVER);
                cluster.awaitFullJournal();
                link.delay(ONE_WAY);
                scenario.run(cluster, link);
            }
            cluster.markSucceeded();
        }
    }

    private static HaClusterBuilder nearReads(String name, String nearReads) {
        return HaCluster.builder(name)
                .withAutomaticFailover()
                .property("trefoil.ha.near-reads", nearReads)
                // A look at the metrics shows what happened before the look before it.
                .property("*.periodMillis", "20")
                .property("dfs.namenode.state.context.enabled", "true")
                .property("dfs.ha.tail-edits.in-progress", "true")
                .serverProperty("nn3", "trefoil.ha.electable", "false");
    }

    private static void awaitLease(NameNodeServer remoteNameNode) {
        remoteNameNode.await("may answer reads", Await.TIMEOUT, () -> metricValue(remoteNameNode, "Leased") == 1);
    }

    private static long metricValue(NameNodeServer nameNode, String metric) {
        return nameNode.jmx().readNumber(METRICS, metric);
    }

    private static Configuration observerConfiguration(HaCluster cluster) {
        Configuration conf = cluster.clientConfiguration();
        conf.set(
                "dfs.client.failover.proxy.provider." + cluster.layout().nameservice(),
                SmartObserverReadProxyProvider.class.getName());
        conf.set("dfs.client.failover.observer.probe.retry.period", "1s");
        return conf;
    }

    private static HistoryClients start(HaCluster cluster) throws Exception {
        return start(cluster, "/histories");
    }

    private static HistoryClients start(HaCluster cluster, String root) throws Exception {
        return HistoryClients.start(
                cluster, observerConfiguration(cluster), root, CLIENTS, HISTORIES, HistoryClients.Sending.ONCE);
    }

    private static void awaitMore(HistoryClients clients, long calls) {
        long goal = clients.finishedCalls() + calls;
        await().atMost(Await.TIMEOUT).until(() -> clients.finishedCalls() >= goal);
    }

    private static void assertReadsTakeNoRoundTripAndWritesTakeOne(HaCluster cluster, NameNodeServer remoteNameNode)
            throws IOException {
        DistributedFileSystem client = cluster.newFileSystem(observerConfiguration(cluster));
        List<Long> writes = new ArrayList<>();
        for (int i = 0; i < TIMES; i++) {
            Path path = new Path("/near/" + i);
            long begun = System.nanoTime();
            client.mkdirs(path);
            writes.add(System.nanoTime() - begun);
        }
        List<Long> reads = measureNearReads(client, remoteNameNode);
        System.out.printf(
                Locale.ROOT,
                "with %d ms one way: writes p50 %.1f ms, near reads p50 %.1f ms%n",
                ONE_WAY.toMillis(),
                median(writes) / 1e6,
                median(reads) / 1e6);
        assertThat(median(writes)).isGreaterThan(ONE_WAY.toNanos());
        // Whatever waits for the way takes as long as a write.
        assertThat(median(reads)).isLessThan(median(writes));
        if (STRICT) {
            assertThat(median(reads)).isLessThan(ONE_WAY.toNanos());
        }
    }

    /** A busy machine costs the far site its lease now and then, and the active answers instead: that is no near read. */
    private static List<Long> measureNearReads(DistributedFileSystem client, NameNodeServer remoteNameNode) {
        List<Long> near = new ArrayList<>();
        long[] answered = {metricValue(remoteNameNode, "Answered")};
        long[] took = new long[1];
        remoteNameNode.await("has answered " + TIMES + " times by a lease", Await.TIMEOUT, () -> {
            long now = metricValue(remoteNameNode, "Answered");
            if (now > answered[0]) {
                near.add(took[0]);
            }
            answered[0] = now;
            awaitLease(remoteNameNode);
            long begun = System.nanoTime();
            client.getFileStatus(new Path("/near/0"));
            took[0] = System.nanoTime() - begun;
            return near.size() >= TIMES;
        });
        return near;
    }

    private static long median(List<Long> times) {
        Collections.sort(times);
        return times.get(times.size() / 2);
    }
}
