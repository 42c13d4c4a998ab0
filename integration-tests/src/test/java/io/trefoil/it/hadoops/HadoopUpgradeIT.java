/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.hadoops;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.client.hdfs.SmartFailoverProxyProvider;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.host.StockHadoop;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.jvm.Jdk;
import io.trefoil.it.scenario.FinalChecks;
import io.trefoil.it.scenario.UpgradeLoad;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * HDFS's rolling upgrade from release to release, under clients: each NameNode leads as soon as it has the new release, the active is killed
 * while the releases are mixed, and the first upgrade is taken back by a downgrade before it is made again and finalized. {@code bin/check-upgrades
 * hadoop} begins on Java 11, since Hadoop 3.3 supports no newer one; a server gets the Java of the build with the last release.
 */
@Tag("long")
class HadoopUpgradeIT {
    private static final List<String> RELEASES = List.of("3.3.6", "3.4.3", "3.5.0");

    @Test
    void answersAreLinearizableWhenHadoopIsUpgraded() throws Exception {
        HaCluster.builder("hadoop-upgrade")
                .hadoop(HadoopRelease.of(RELEASES.get(0)).stockServers())
                .journal(JournalKind.ssp().withoutTraces())
                .withAutomaticFailover()
                .dataNodes(1)
                .property("dfs.client.failover.proxy.provider.trefoil", SmartFailoverProxyProvider.class.getName())
                .run(cluster -> {
                    try (UpgradeLoad load = UpgradeLoad.start(cluster)) {
                        downgradeFrom(RELEASES.get(1), RELEASES.get(0), cluster);
                        for (String release : RELEASES.subList(1, RELEASES.size())) {
                            prepare(cluster);
                            exchangeAll(cluster, release, "-rollingUpgrade", "started");
                            cluster.dfsadmin("-rollingUpgrade", "finalize").expectSuccess();
                        }
                        load.stopAndCheck("Hadoop " + String.join(" to ", RELEASES) + ", with a downgrade");
                    }
                    FinalChecks.assertAllAgree(cluster);
                });
    }

    private static void downgradeFrom(String later, String earlier, HaCluster cluster) throws Exception {
        prepare(cluster);
        exchangeAll(cluster, later, "-rollingUpgrade", "started");
        exchangeAll(cluster, earlier);
        cluster.dfsadmin("-rollingUpgrade", "finalize").expectSuccess();
    }

    private static void prepare(HaCluster cluster) {
        cluster.dfsadmin("-rollingUpgrade", "prepare").expectSuccess();
        // A standby makes the image that a rollback returns to.
        Await.until(
                "the rolling upgrade may begin",
                Await.TIMEOUT,
                () -> cluster.dfsadmin("-rollingUpgrade", "query")
                        .expectSuccess()
                        .output()
                        .contains("Proceed with rolling upgrade"),
                cluster::describe);
    }

    /** @param arguments of each NameNode's first start with the release */
    private static void exchangeAll(HaCluster cluster, String release, String... arguments) throws Exception {
        StockHadoop hadoop = HadoopRelease.of(release).stockServers();
        List<NameNodeServer> nameNodes =
                Stream.of(3, 1, 2).map(cluster::nameNode).toList();
        for (int i = 0; i < nameNodes.size(); i++) {
            exchange(cluster, nameNodes.get(i), hadoop, arguments);
            if (i == nameNodes.size() / 2) {
                // It has the release; until the upgrade is finalized, HDFS wants the arguments at each of its starts.
                NameNodeServer active = cluster.awaitActive();
                active.kill9ForGood();
                cluster.awaitActiveOtherThan(active);
                active.startWith(arguments);
                UpgradeLoad.settle(cluster);
            }
        }
        cluster.dataNode(1).stop();
        cluster.install(cluster.dataNode(1), hadoop);
        cluster.dataNode(1).start();
    }

    private static void exchange(HaCluster cluster, NameNodeServer nameNode, StockHadoop hadoop, String... arguments) {
        nameNode.stop();
        cluster.install(nameNode, hadoop);
        if (hadoop.version().startsWith("3.5.")) {
            cluster.install(nameNode, Jdk.ofThisJvm());
        }
        nameNode.startWith(arguments);
        UpgradeLoad.settle(cluster);
        cluster.failOverTo(nameNode);
        UpgradeLoad.settle(cluster);
        assertThat(nameNode.jmx().readText("Hadoop:service=NameNode,name=NameNodeInfo", "SoftwareVersion"))
                .as("the Hadoop of %s", nameNode)
                .isEqualTo(hadoop.version());
    }
}
