/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.client.hdfs.SmartFailoverProxyProvider;
import io.trefoil.it.clients.ClientProject;
import io.trefoil.it.clients.SteppingClient;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.host.StockHadoop;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.ClientProgram.SmartClientJar;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.process.jvm.Jdk;
import io.trefoil.it.scenario.FinalChecks;
import io.trefoil.it.scenario.UpgradeLoad;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An earlier version and this one in one cluster, under clients of both: NameNode after NameNode is restarted with the other version, and leads
 * at once, so that each version reads what the other one writes; an active is killed while the versions are mixed; and all of it goes back.
 * No call fails, and every history is linearizable. So it is with stand-alone pool nodes and a DataNode. {@code bin/check-upgrades} does it in all orders.
 */
@Tag("long")
class MixedVersionsIT {
    private static final String PROVIDER = "dfs.client.failover.proxy.provider.trefoil";
    private static final String SMART = SmartFailoverProxyProvider.class.getName();

    private final List<Path> current = StockHadoop.fromSystemProperties().ownJars();
    private EarlierVersion earlier;

    @BeforeEach
    void buildEarlierVersion() throws Exception {
        earlier = EarlierVersion.ofThisRun();
    }

    static Stream<List<Integer>> orders() {
        return Boolean.getBoolean("trefoil.it.upgrades.all")
                ? Stream.of(
                        List.of(1, 2, 3),
                        List.of(1, 3, 2),
                        List.of(2, 1, 3),
                        List.of(2, 3, 1),
                        List.of(3, 1, 2),
                        List.of(3, 2, 1))
                : Stream.of(List.of(3, 1, 2));
    }

    @ParameterizedTest
    @MethodSource("orders")
    void answersAreLinearizableWhenNameNodesAreExchanged(List<Integer> order) throws Exception {
        HaCluster.builder("mixed-versions")
                .journal(JournalKind.ssp().withoutTraces())
                .hadoop(StockHadoop.fromSystemProperties().withOwnJars(earlier.serverJars()))
                .withAutomaticFailover()
                .dataNodes(1)
                .property(PROVIDER, SMART)
                .run(cluster -> thereAndBack(
                        order, cluster, order.stream().map(cluster::nameNode).toList()));
    }

    /** With stand-alone pool nodes and a DataNode: they are of a newer version than the NameNodes on the way there, and of an older one on the way back. */
    @ParameterizedTest
    @MethodSource("orders")
    void answersAreLinearizableWhenPoolNodesAreExchanged(List<Integer> order) throws Exception {
        HaCluster.builder("mixed-pool")
                .journal(JournalKind.ssp().standAlone().withoutTraces())
                .hadoop(StockHadoop.fromSystemProperties().withOwnJars(earlier.serverJars()))
                .withAutomaticFailover()
                .dataNodes(1)
                .property(PROVIDER, SMART)
                .run(cluster -> {
                    try (UpgradeLoad load = UpgradeLoad.start(cluster)) {
                        for (List<Path> jars : List.of(current, earlier.serverJars())) {
                            exchangeServers(cluster, order, jars);
                            exchangeAll(
                                    cluster,
                                    order.stream().map(cluster::nameNode).toList(),
                                    jars);
                        }
                        load.stopAndCheck("pool nodes, the DataNode, NameNodes " + order + ", there and back");
                    }
                    FinalChecks.assertAllAgree(cluster);
                });
    }

    /** The pool nodes one by one, with the active killed in the middle, and the DataNode at the end. */
    private static void exchangeServers(HaCluster cluster, List<Integer> order, List<Path> jars) throws IOException {
        for (int i = 0; i < order.size(); i++) {
            exchangeServer(cluster, cluster.journalServer(order.get(i)), jars);
            if (i == order.size() / 2) {
                cluster.awaitActive().kill9();
                UpgradeLoad.settle(cluster);
            }
        }
        exchangeServer(cluster, cluster.dataNode(1), jars);
    }

    private static void exchangeServer(HaCluster cluster, Server server, List<Path> jars) throws IOException {
        server.stop();
        cluster.install(server, StockHadoop.fromSystemProperties().withOwnJars(jars));
        server.start();
        UpgradeLoad.settle(cluster);
        assertThat(runs(server, jars.get(0))).as("%s runs %s", server, jars).isTrue();
    }

    private void thereAndBack(List<Integer> order, HaCluster cluster, List<NameNodeServer> nameNodes) throws Exception {
        try (UpgradeLoad load = UpgradeLoad.start(cluster)) {
            exchangeAll(cluster, nameNodes, current);
            List<NameNodeServer> back = new ArrayList<>(nameNodes);
            Collections.reverse(back);
            exchangeAll(cluster, back, earlier.serverJars());
            load.stopAndCheck("NameNodes " + order + ", there and back");
        }
        FinalChecks.assertAllAgree(cluster);
    }

    /** In the middle, the active is killed under a client of the earlier version, too. */
    private void exchangeAll(HaCluster cluster, List<NameNodeServer> nameNodes, List<Path> jars) throws Exception {
        for (int i = 0; i < nameNodes.size(); i++) {
            exchange(cluster, nameNodes.get(i), jars);
            if (i == nameNodes.size() / 2) {
                SteppingClient.assertAllSurviveKill(cluster, SmartClientJar.MISSING, List.of(client(jars)));
                UpgradeLoad.settle(cluster);
            }
        }
    }

    private static void exchange(HaCluster cluster, NameNodeServer nameNode, List<Path> jars) throws IOException {
        nameNode.stop();
        cluster.install(nameNode, StockHadoop.fromSystemProperties().withOwnJars(jars));
        nameNode.start();
        UpgradeLoad.settle(cluster);
        // What it writes, the others have to read.
        cluster.failOverTo(nameNode);
        UpgradeLoad.settle(cluster);
        assertThat(runs(nameNode, jars.get(0))).as("%s runs %s", nameNode, jars).isTrue();
    }

    /** {@link ProcessHandle} tells only the beginning of a long command line. */
    private static boolean runs(Server server, Path jar) throws IOException {
        return Files.readString(Path.of("/proc", String.valueOf(server.pid()), "cmdline"))
                .contains(jar.toString());
    }

    /** @param jars those that the NameNodes get, as two clients need two names */
    private SteppingClient client(List<Path> jars) throws Exception {
        String name = jars.equals(current) ? "earlier-client-there" : "earlier-client-back";
        List<Path> libraries = new ArrayList<>();
        libraries.add(ClientProject.of("shaded").classes());
        libraries.addAll(ClientProject.of("hadoop")
                .withHadoopRelease(StockHadoop.fromSystemProperties().version())
                .classPath());
        libraries.add(earlier.clientJar());
        return new SteppingClient(
                name,
                Jdk.ofThisJvm(),
                libraries,
                "io.trefoil.clients.FileSteps",
                Map.of(PROVIDER, SMART),
                "-Dfolder=/" + name);
    }
}
