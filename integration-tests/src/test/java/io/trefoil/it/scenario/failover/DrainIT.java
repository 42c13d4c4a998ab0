/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.failover;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Workload;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.ToolResult;
import io.trefoil.it.scenario.FinalChecks;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A host is drained before maintenance: its NameNode hands over, stays a standby, and is elected only if no other can be. */
@Tag("long")
class DrainIT {
    private static final int CHANGES_BETWEEN = 100;

    @Test
    void drainedMemberHandsOverAndLeadsOnlyAsLastResort() throws Exception {
        HaCluster.builder("drain")
                .withAutomaticFailover()
                .property("dfs.namenode.state.context.enabled", "true")
                .property("dfs.ha.tail-edits.in-progress", "true")
                .serverProperty("nn1", "trefoil.ha.priority", "9")
                .serverProperty("nn3", "trefoil.ha.electable", "false")
                .run(cluster -> {
                    NameNodeServer first = cluster.nameNode(1);
                    NameNodeServer second = cluster.nameNode(2);
                    FileSystem fileSystem = cluster.newFileSystem();
                    try (RunningLoad load = Workload.on(fileSystem).threads(4).start()) {
                        cluster.failOverTo(first);
                        second.awaitState(HAServiceState.STANDBY);
                        load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);

                        assertThat(cluster.trefoil("drain", "nn1")
                                        .expectSuccess()
                                        .output())
                                .contains("nn1 is drained");
                        second.awaitState(HAServiceState.ACTIVE);
                        assertThat(first.isInState(HAServiceState.STANDBY)).isTrue();
                        load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
                        assertDrainPersistsAndIsShown(cluster);

                        // A drain outlives the process.
                        first.kill9();
                        first.awaitState(HAServiceState.STANDBY);
                        assertThat(cluster.trefoil("status").output()).contains("* nn1 is drained\n");

                        // Availability comes first.
                        second.kill9();
                        first.awaitState(HAServiceState.ACTIVE);
                        load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
                        assertThat(cluster.trefoil("status").output()).contains("nn1 is drained, but active");
                        assertThat(cluster.trefoil("history").output()).contains("but no other NameNode took over");

                        cluster.trefoil("undrain", "nn1").expectSuccess();
                        second.awaitState(HAServiceState.STANDBY);
                        assertPreferredMemberIsElected(cluster, first, second);
                        load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
                        FinalChecks.assertNothingLost(fileSystem, load);
                    }
                    FinalChecks.assertAllAgree(cluster);
                });
    }

    private static void assertDrainPersistsAndIsShown(HaCluster cluster) throws Exception {
        ToolResult failover = cluster.haadmin("-failover", "nn2", "nn1");
        assertThat(failover.exitCode()).as(failover.output()).isNotZero();
        assertThat(failover.output()).contains("nn1 is drained", "hdfs trefoil undrain nn1");
        ToolResult last = cluster.trefoil("drain", "nn2");
        assertThat(last.exitCode()).as(last.output()).isNotZero();
        assertThat(last.output())
                .contains("Without nn2 no NameNode could be active", "nn1 is drained", "nn3 is not electable");
        assertThat(cluster.trefoil("view", "--json").output()).containsPattern("\"drained\" ?: ?true");
        assertThat(cluster.trefoil("history").output()).contains("nn1 is drained by");
    }

    /** By priority, the other one would be elected. */
    private static void assertPreferredMemberIsElected(HaCluster cluster, NameNodeServer first, NameNodeServer second)
            throws Exception {
        cluster.failOverTo(second);
        first.awaitState(HAServiceState.STANDBY);
        assertThat(cluster.trefoil("prefer", "nn2", "--for", "1h")
                        .expectSuccess()
                        .output())
                .contains("nn2 is preferred in elections until");
        assertThat(cluster.trefoil("prefer").expectSuccess().output()).contains("nn2 is preferred by");
        assertThat(cluster.trefoil("prefer", "--clear").expectSuccess().output())
                .contains("nn2 is no longer preferred");
    }
}
