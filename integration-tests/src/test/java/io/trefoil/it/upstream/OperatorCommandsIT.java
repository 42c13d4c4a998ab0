/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.NamespaceDigest;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.process.ToolResult;
import java.io.IOException;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Restarts, and the commands that operators of HA clusters use every week, do what they do on QJM. */
@Tag("long")
class OperatorCommandsIT {

    @Test
    void operatorCommandsAndRestartsLeaveNamespaceUnchanged() throws Exception {
        HaCluster.builder("operator").journal(JournalKind.ssp()).run(cluster -> {
            WriteLoad.makeSome(cluster, "/before");
            rollEdits(cluster);
            saveNamespaceInSafeMode(cluster);
            assertStatesAndHealth(cluster);
            handOverUnderLoad(cluster);
            restartOneByOneUnderLoad(cluster);
            restartAllAtOnce(cluster);
            assertThat(cluster.nameNodes()).allSatisfy(nameNode -> assertThat(nameNode.exits())
                    .as("ends of %s, by the restarts only", nameNode)
                    .hasSize(2));
        });
    }

    private static void rollEdits(HaCluster cluster) {
        ToolResult rolled = cluster.dfsadmin("-rollEdits").expectSuccess();

        assertThat(rolled.output()).contains("New segment starts at txid");
        cluster.awaitStandbysCaughtUp(WriteLoad.LIMIT);
    }

    private static void saveNamespaceInSafeMode(HaCluster cluster) throws IOException {
        // With a logical name, the command goes to all NameNodes.
        cluster.dfsadmin("-safemode", "enter").expectSuccess();
        ToolResult saved = cluster.dfsadmin("-saveNamespace").expectSuccess();
        assertThat(saved.output()).contains("Save namespace successful");
        cluster.dfsadmin("-safemode", "leave").expectSuccess();

        WriteLoad.makeSome(cluster, "/after-save");
    }

    private static void assertStatesAndHealth(HaCluster cluster) {
        assertThat(cluster.haadmin("-getServiceState", "nn1").expectSuccess().output())
                .contains("active");
        assertThat(cluster.haadmin("-getServiceState", "nn2").expectSuccess().output())
                .contains("standby");
        cluster.haadmin("-checkHealth", "nn1").expectSuccess();
        cluster.haadmin("-checkHealth", "nn3").expectSuccess();
    }

    private static void handOverUnderLoad(HaCluster cluster) throws Exception {
        WriteLoad.runDuring(cluster, "/handed-over", load -> cluster.haadmin("-failover", "nn1", "nn2")
                .expectSuccess());

        cluster.nameNode(1).awaitState(HAServiceState.STANDBY);
        cluster.nameNode(2).awaitState(HAServiceState.ACTIVE);
        // It stepped down by itself; no other had to fence it.
        assertThat(cluster.nameNode(1).exits()).isEmpty();
    }

    private static void restartOneByOneUnderLoad(HaCluster cluster) throws Exception {
        WriteLoad.runDuring(cluster, "/one-by-one", load -> {
            restart(cluster.nameNode(1));
            load.awaitMore(50);
            restart(cluster.nameNode(3));
            load.awaitMore(50);
            cluster.haadmin("-failover", "nn2", "nn1").expectSuccess();
            restart(cluster.nameNode(2));
        });

        cluster.nameNode(1).awaitState(HAServiceState.ACTIVE);
        NamespaceDigest.ofAll(cluster, WriteLoad.LIMIT);
    }

    private static void restart(NameNodeServer nameNode) {
        nameNode.restart();
        nameNode.awaitState(HAServiceState.STANDBY);
    }

    private static void restartAllAtOnce(HaCluster cluster) throws Exception {
        NamespaceDigest before = NamespaceDigest.of(cluster.nameNode(1));

        cluster.nameNodes().forEach(NameNodeServer::stop);
        cluster.startNameNodes();
        cluster.makeActive(cluster.nameNode(3));

        NamespaceDigest.of(cluster.nameNode(3)).expectSameAs(before);
        WriteLoad.makeSome(cluster, "/after-all");
        NamespaceDigest.ofAll(cluster, WriteLoad.LIMIT);
    }
}
