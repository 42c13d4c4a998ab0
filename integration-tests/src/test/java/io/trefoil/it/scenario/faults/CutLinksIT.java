/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.host.NeedsRoot;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Workload;
import io.trefoil.it.process.Await;
import io.trefoil.it.scenario.Reckoning;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.junit.jupiter.api.Test;

/** The active loses its links to both other pool nodes, but not to its clients. */
@NeedsRoot
class CutLinksIT {
    private static final int CHANGES = 500;

    @Test
    void anActiveWithoutLinksWaitsIsReplacedAndComesBackAsAStandby() throws Exception {
        HaCluster.builder("cut-links")
                .journal(JournalKind.ssp())
                .property("trefoil.journal.lease", "1s")
                .property("trefoil.journal.ack.timeout", "500ms")
                .hostsInNetworkNamespaces()
                .run(cluster -> cutAndHeal(cluster, cluster.nameNode(1), cluster.nameNode(2)));
    }

    private static void cutAndHeal(HaCluster cluster, NameNodeServer old, NameNodeServer next) throws Exception {
        FileSystem fileSystem = cluster.newFileSystem();
        try (RunningLoad load = Workload.on(fileSystem).threads(16).start()) {
            load.awaitMore(CHANGES, Await.PATIENCE);

            cluster.nameNodesBut(old).forEach(other -> cluster.faults().cutLink(old, other));
            old.await(
                    "says that its writes wait", Await.PATIENCE, () -> old.log().contains("still waiting for entry"));
            assertThat(old.isAlive()).isTrue();

            cluster.haadmin("-transitionToActive", "--forceactive", next.name()).expectSuccess();
            // The old active's clients wait for it, since it is alive and accepts calls; new clients find the new one.
            try (FileSystem newcomer = FileSystem.newInstance(next.uri(), cluster.clientConfiguration());
                    RunningLoad other =
                            Workload.on(newcomer).under("/newcomers").threads(2).start()) {
                other.awaitMore(CHANGES, Await.PATIENCE);
                Reckoning.nothingIsLost(newcomer, other);
            }

            int exits = old.exits().size();
            cluster.nameNodesBut(old).forEach(other -> cluster.faults().healLink(old, other));
            old.awaitExit(exits, Await.PATIENCE);
            assertThat(old.log().contains("was fenced by epoch")).isTrue();
            old.awaitState(HAServiceState.STANDBY);

            load.awaitMore(CHANGES, Await.PATIENCE);
            Reckoning.nothingIsLost(fileSystem, load);
        }
        next.awaitState(HAServiceState.ACTIVE);
        Reckoning.allAgree(cluster);
    }
}
