/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.failover;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.FederatedClusters;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Workload;
import io.trefoil.it.process.Await;
import io.trefoil.it.scenario.FinalChecks;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two nameservices in one configuration and one ZooKeeper, each with its own active and two standbys. */
@Tag("long")
class FederationIT {
    private static final int CHANGES = 100;

    @Test
    void failoverOfOneNameserviceDoesNotAffectOther() throws Exception {
        try (HaCluster first = HaCluster.builder("federation-1")
                        .nameservice("ns1")
                        .withAutomaticFailover()
                        .create();
                HaCluster second = HaCluster.builder("federation-2")
                        .nameservice("ns2")
                        .withAutomaticFailover()
                        .create()) {
            FederatedClusters.join(first, second);
            first.setUp();
            second.setUp();
            FileSystem inFirst = first.newFileSystem();
            FileSystem inSecond = second.newFileSystem();
            try (RunningLoad one = Workload.on(inFirst).threads(4).start();
                    RunningLoad two = Workload.on(inSecond).threads(4).start()) {
                one.awaitMore(CHANGES, Await.TIMEOUT);
                two.awaitMore(CHANGES, Await.TIMEOUT);
                NameNodeServer bystander = second.awaitActive();

                first.awaitActive().kill9();

                one.awaitMore(CHANGES, Await.TIMEOUT);
                two.awaitMore(CHANGES, Await.TIMEOUT);
                bystander.awaitState(HAServiceState.ACTIVE);
                for (HaCluster cluster : List.of(first, second)) {
                    assertOneActiveAndTwoStandbys(cluster);
                }
                FinalChecks.assertNothingLost(inFirst, one);
                FinalChecks.assertNothingLost(inSecond, two);
            }
            first.markSucceeded();
            second.markSucceeded();
        }
    }

    private static void assertOneActiveAndTwoStandbys(HaCluster cluster) {
        NameNodeServer active = cluster.awaitActive();
        List<NameNodeServer> others = cluster.nameNodesExcept(active);
        others.forEach(other -> other.awaitState(HAServiceState.STANDBY));
        assertThat(others).hasSize(2);
    }
}
