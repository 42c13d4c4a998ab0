/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

/** A NameNode that is not electable is an observer and never becomes active; each shows its configured preference. */
class PreferenceIT {
    private static final int CHANGES_BETWEEN = 200;

    @Test
    @Tag("long")
    void nonElectableMemberServesReadsAndNeverLeads() throws Exception {
        HaCluster.builder("preference")
                .withAutomaticFailover()
                .property("dfs.namenode.state.context.enabled", "true")
                .property("dfs.ha.tail-edits.in-progress", "true")
                .serverProperty("nn2", "trefoil.ha.priority", "1")
                .serverProperty("nn1", "trefoil.ha.site", "west")
                .serverProperty("nn2", "trefoil.ha.site", "west")
                .serverProperty("nn3", "trefoil.ha.site", "east")
                .serverProperty("nn3", "trefoil.ha.electable", "false")
                .run(cluster -> {
                    NameNodeServer first = cluster.nameNode(1);
                    NameNodeServer second = cluster.nameNode(2);
                    NameNodeServer remote = cluster.nameNode(3);
                    FileSystem fileSystem = cluster.newFileSystem();
                    try (RunningLoad load = Workload.on(fileSystem).threads(4).start()) {
                        cluster.failOverTo(first);
                        second.awaitState(HAServiceState.STANDBY);
                        remote.awaitState(HAServiceState.OBSERVER);
                        load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
                        assertViewShowsPreference(cluster);

                        first.kill9();
                        second.awaitState(HAServiceState.ACTIVE);
                        load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
                        ToolResult refused = cluster.haadmin("-failover", "nn2", "nn3");
                        assertThat(refused.exitCode()).as(refused.output()).isNotZero();
                        assertThat(refused.output())
                                .contains("nn3 cannot be active: trefoil.ha.electable is false there");
                        assertThatThrownBy(remote::becomeActive)
                                .hasMessageContaining("nn3 cannot be active: trefoil.ha.electable is false there");

                        first.awaitState(HAServiceState.STANDBY);
                        second.kill9();
                        first.awaitState(HAServiceState.ACTIVE);
                        load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
                        remote.awaitState(HAServiceState.OBSERVER);
                        FinalChecks.assertNothingLost(fileSystem, load);
                    }
                    FinalChecks.assertAllAgree(cluster);
                });
    }

    private static void assertViewShowsPreference(HaCluster cluster) {
        String view = cluster.trefoil("view", "--json").expectSuccess().output();
        assertThat(view).containsPattern("\"electable\" ?: ?false").containsPattern("\"priority\" ?: ?1");
        assertThat(view).containsPattern("\"site\" ?: ?\"east\"");
        // All three vote here.
        assertThat(cluster.trefoil("status").output())
                .contains("the voters are in 2 sites (east 1, west 2), and the loss of west stops the journal");
    }
}
