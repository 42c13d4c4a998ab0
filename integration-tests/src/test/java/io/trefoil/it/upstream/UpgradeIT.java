/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.NamespaceDigest;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.Server;
import java.util.List;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Upgrades as HDFS documents them for HA: one NameNode is started with {@code -upgrade} while the others are down, and
 * pool nodes run alone on their hosts, as JournalNodes would.
 */
@Tag("long")
class UpgradeIT {

    @Test
    void upgradeIsRolledBackAndNextFinalized() throws Exception {
        HaCluster.builder("upgrade").journal(JournalKind.ssp()).run(cluster -> {
            WriteLoad.makeSome(cluster, "/before");
            cluster.awaitStandbysCaughtUp(WriteLoad.LIMIT);
            NamespaceDigest before = NamespaceDigest.of(cluster.nameNode(1));

            upgrade(cluster);
            WriteLoad.makeSome(cluster, "/upgraded");
            rollBack(cluster);
            NamespaceDigest.of(cluster.nameNode(1)).expectSameAs(before);
            WriteLoad.makeSome(cluster, "/rolled-back");

            upgrade(cluster);
            WriteLoad.makeSome(cluster, "/upgraded-again");
            cluster.dfsadmin("-finalizeUpgrade").expectSuccess();
            assertThat(cluster.nameNode(1).imageDirectory().resolveSibling("previous"))
                    .doesNotExist();
            WriteLoad.makeSome(cluster, "/finalized");
            NamespaceDigest.ofAll(cluster, WriteLoad.LIMIT);
            failOverToSecond(cluster);
        });
    }

    private static void upgrade(HaCluster cluster) {
        NameNodeServer first = cluster.nameNode(1);
        cluster.nameNodes().forEach(Server::stop);
        poolNodes(cluster).forEach(Server::start);
        first.startWith("-upgrade");
        first.awaitState(HAServiceState.ACTIVE);

        poolNodes(cluster).forEach(Server::stop);
        bootstrapOthers(cluster);
    }

    private static void rollBack(HaCluster cluster) {
        NameNodeServer first = cluster.nameNode(1);
        cluster.nameNodes().forEach(Server::stop);
        poolNodes(cluster).forEach(Server::start);
        first.namenodeConfirmed("-rollback").expectSuccess();

        poolNodes(cluster).forEach(Server::stop);
        first.start();
        first.awaitUp();
        // The others hold what they fetched during the upgrade, and a previous version of their own that is not needed.
        cluster.nameNodesExcept(first)
                .forEach(other ->
                        FileUtil.fullyDelete(other.imageDirectory().getParent().toFile()));
        bootstrapOthers(cluster);
        cluster.makeActive(first);
    }

    private static List<Server> poolNodes(HaCluster cluster) {
        return cluster.nameNodesExcept(cluster.nameNode(1)).stream()
                .map(cluster::poolNodeOf)
                .toList();
    }

    private static void bootstrapOthers(HaCluster cluster) {
        for (NameNodeServer other : cluster.nameNodesExcept(cluster.nameNode(1))) {
            other.namenode("-bootstrapStandby", "-force").expectSuccess();
            other.start();
        }
        cluster.startNameNodes();
    }

    private static void failOverToSecond(HaCluster cluster) throws Exception {
        cluster.haadmin("-failover", "nn1", "nn2").expectSuccess();
        WriteLoad.makeSome(cluster, "/taken-over");
    }
}
