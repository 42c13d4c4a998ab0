/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.failover;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Workload;
import io.trefoil.it.process.Await;
import io.trefoil.it.scenario.FinalChecks;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Leases that are derived from the pauses of each host (protocol page, "A derived lease"). */
@Tag("long")
class DerivedLeaseIT {
    private static final int CHANGES = 300;

    @Test
    void statusAndHistoryShowDerivedLeaseAfterActiveStops() throws Exception {
        HaCluster.builder("derived-lease")
                .withAutomaticFailover()
                .property("trefoil.journal.lease", "auto")
                // A client waits two minutes for a server that hangs, which is not the subject here.
                .serverProperty("client", "ipc.client.rpc-timeout.ms", "3000")
                .run(DerivedLeaseIT::stopActive);
    }

    private static void stopActive(HaCluster cluster) throws Exception {
        FileSystem fileSystem = cluster.newFileSystem();
        try (RunningLoad load = Workload.on(fileSystem).threads(4).start()) {
            load.awaitMore(CHANGES, Await.TIMEOUT);
            NameNodeServer old = cluster.awaitActive();
            // How long this machine stands still is its own business.
            assertThat(cluster.trefoil("status").output())
                    .containsPattern("lease of " + old.name() + " is [125]000 ms long: in the last hour");

            old.pause();
            NameNodeServer next = cluster.awaitActiveOtherThan(old);
            old.resume();
            old.awaitState(HAServiceState.STANDBY);

            load.awaitMore(CHANGES, Await.TIMEOUT);
            assertThat(cluster.trefoil("status").output()).contains("lease of " + next.name() + " is ");
            assertThat(cluster.trefoil("history").expectSuccess().output())
                    .containsPattern("the lease is [125]000 ms long: in the last hour");
            FinalChecks.assertNothingLost(fileSystem, load);
        }
        FinalChecks.assertAllAgree(cluster);
    }
}
