/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.client.hdfs.SmartFailoverProxyProvider;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.process.jvm.Jdk;
import io.trefoil.it.scenario.FinalChecks;
import io.trefoil.it.scenario.UpgradeLoad;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * NameNode after NameNode, then the DataNode, is restarted on the Java whose home {@code trefoil.it.java.exchanged} names, and back on that of
 * the build, under clients: each new one leads at once, and an active is killed while the versions are mixed. {@code bin/check-upgrades java} gets
 * another version first.
 */
@Tag("long")
class ExchangedJavaIT {
    @Test
    void answersAreLinearizableWhenJavaIsExchanged() throws Exception {
        Jdk other = Jdk.fromSystemProperty("trefoil.it.java.exchanged");
        HaCluster.builder("exchanged-java")
                .journal(JournalKind.ssp().withoutTraces())
                .withAutomaticFailover()
                .dataNodes(1)
                .property("dfs.client.failover.proxy.provider.trefoil", SmartFailoverProxyProvider.class.getName())
                .run(cluster -> {
                    try (UpgradeLoad load = UpgradeLoad.start(cluster)) {
                        exchangeAll(cluster, other);
                        exchangeAll(cluster, Jdk.ofThisJvm());
                        load.stopAndCheck("Java " + other.feature() + ", there and back");
                    }
                    FinalChecks.assertAllAgree(cluster);
                });
    }

    private static void exchangeAll(HaCluster cluster, Jdk java) {
        List<NameNodeServer> nameNodes =
                Stream.of(3, 1, 2).map(cluster::nameNode).toList();
        for (int i = 0; i < nameNodes.size(); i++) {
            exchange(cluster, nameNodes.get(i), java);
            if (i == nameNodes.size() / 2) {
                cluster.awaitActive().kill9();
                UpgradeLoad.settle(cluster);
            }
        }
        cluster.dataNode(1).stop();
        cluster.install(cluster.dataNode(1), java);
        cluster.dataNode(1).start();
    }

    private static void exchange(HaCluster cluster, NameNodeServer nameNode, Jdk java) {
        nameNode.stop();
        cluster.install(nameNode, java);
        nameNode.start();
        UpgradeLoad.settle(cluster);
        cluster.failOverTo(nameNode);
        UpgradeLoad.settle(cluster);
        assertThat(nameNode.jmx().readText("java.lang:type=Runtime", "SpecVersion"))
                .as("the Java of %s", nameNode)
                .isIn(String.valueOf(java.feature()), "1." + java.feature());
    }
}
