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
            Writes.some(cluster, "/before");
            editsAreRolled(cluster);
            theNamespaceIsSavedInSafeMode(cluster);
            statesAndHealthAreTold(cluster);
            anActiveHandsOverUnderLoad(cluster);
            nameNodesAreRestartedOneAfterTheOtherUnderLoad(cluster);
            allNameNodesAreRestartedAtOnce(cluster);
            assertThat(cluster.nameNodes()).allSatisfy(nameNode -> assertThat(nameNode.exits())
                    .as("ends of %s, by the restarts only", nameNode)
                    .hasSize(2));
        });
    }

    private static void editsAreRolled(HaCluster cluster) {
        ToolResult rolled = cluster.dfsadmin("-rollEdits").expectSuccess();

        assertThat(rolled.output()).contains("New segment starts at txid");
        cluster.awaitStandbysCaughtUp(Writes.LIMIT);
    }

    private static void theNamespaceIsSavedInSafeMode(HaCluster cluster) throws IOException {
        // With a logical name, the command goes to all NameNodes.
        cluster.dfsadmin("-safemode", "enter").expectSuccess();
        ToolResult saved = cluster.dfsadmin("-saveNamespace").expectSuccess();
        assertThat(saved.output()).contains("Save namespace successful");
        cluster.dfsadmin("-safemode", "leave").expectSuccess();

        Writes.some(cluster, "/after-save");
    }

    private static void statesAndHealthAreTold(HaCluster cluster) {
        assertThat(cluster.haadmin("-getServiceState", "nn1").expectSuccess().output())
                .contains("active");
        assertThat(cluster.haadmin("-getServiceState", "nn2").expectSuccess().output())
                .contains("standby");
        cluster.haadmin("-checkHealth", "nn1").expectSuccess();
        cluster.haadmin("-checkHealth", "nn3").expectSuccess();
    }

    private static void anActiveHandsOverUnderLoad(HaCluster cluster) throws Exception {
        Writes.during(cluster, "/handed-over", load -> cluster.haadmin("-failover", "nn1", "nn2")
                .expectSuccess());

        cluster.nameNode(1).awaitState(HAServiceState.STANDBY);
        cluster.nameNode(2).awaitState(HAServiceState.ACTIVE);
        // It stepped down by itself; nobody had to fence it.
        assertThat(cluster.nameNode(1).exits()).isEmpty();
    }

    private static void nameNodesAreRestartedOneAfterTheOtherUnderLoad(HaCluster cluster) throws Exception {
        Writes.during(cluster, "/one-by-one", load -> {
            restart(cluster.nameNode(1));
            load.goOn(50);
            restart(cluster.nameNode(3));
            load.goOn(50);
            cluster.haadmin("-failover", "nn2", "nn1").expectSuccess();
            restart(cluster.nameNode(2));
        });

        cluster.nameNode(1).awaitState(HAServiceState.ACTIVE);
        NamespaceDigest.ofAll(cluster, Writes.LIMIT);
    }

    private static void restart(NameNodeServer nameNode) {
        nameNode.restart();
        nameNode.awaitState(HAServiceState.STANDBY);
    }

    private static void allNameNodesAreRestartedAtOnce(HaCluster cluster) throws Exception {
        NamespaceDigest before = NamespaceDigest.of(cluster.nameNode(1));

        cluster.nameNodes().forEach(NameNodeServer::stop);
        cluster.startNameNodes();
        cluster.makeActive(cluster.nameNode(3));

        NamespaceDigest.of(cluster.nameNode(3)).expectSameAs(before);
        Writes.some(cluster, "/after-all");
        NamespaceDigest.ofAll(cluster, Writes.LIMIT);
    }
}
