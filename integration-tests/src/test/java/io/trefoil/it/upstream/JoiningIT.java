/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.upstream;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.NamespaceDigest;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.NameNodeServer;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.junit.jupiter.api.Test;

/** {@code -bootstrapStandby} while the active writes: on a new host, and on one that lost its namespace. */
class JoiningIT {

    @Test
    void newAndEmptiedNameNodesJoinDuringWrites() throws Exception {
        try (HaCluster cluster =
                HaCluster.builder("joining").journal(JournalKind.ssp()).create()) {
            startTwoNameNodes(cluster);
            WriteLoad.runDuring(cluster, "/joined", load -> {
                joinThirdNameNode(cluster);
                load.awaitMore(50);
                rejoinStandbyWithoutNamespace(cluster);
            });
            NamespaceDigest.ofAll(cluster, WriteLoad.LIMIT);
            assertThirdCountsTowardsMajority(cluster);
            cluster.markSucceeded();
        }
    }

    private static void startTwoNameNodes(HaCluster cluster) {
        cluster.nameNode(1).format("joining");
        cluster.nameNode(1).start();
        cluster.nameNode(1).awaitUp();
        cluster.nameNode(2).bootstrapStandby();
        cluster.nameNode(2).start();
        cluster.makeActive(cluster.nameNode(1));
    }

    private static void joinThirdNameNode(HaCluster cluster) {
        NameNodeServer third = cluster.nameNode(3);
        third.bootstrapStandby();
        third.start();
        third.awaitState(HAServiceState.STANDBY);

        NameNodeServer active = cluster.nameNode(1);
        active.await("says that the third pool node votes", WriteLoad.LIMIT, () -> active.log()
                .textSince(0)
                .lines()
                .anyMatch(line -> line.contains(": members=[") && line.contains(third.address("pool") + " VOTER")));
    }

    private static void rejoinStandbyWithoutNamespace(HaCluster cluster) throws Exception {
        NameNodeServer second = cluster.nameNode(2);
        second.stop();
        FileUtil.fullyDelete(second.imageDirectory().getParent().toFile());

        second.bootstrapStandby();
        second.start();
        second.awaitState(HAServiceState.STANDBY);
    }

    private static void assertThirdCountsTowardsMajority(HaCluster cluster) throws Exception {
        cluster.nameNode(1).kill9ForGood();
        cluster.makeActive(cluster.nameNode(3));

        WriteLoad.makeSome(cluster, "/with-the-third");
        cluster.nameNode(3).awaitState(HAServiceState.ACTIVE);
    }
}
