/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.it.cluster.host.NeedsRoot;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Workload;
import io.trefoil.it.load.ledger.Verifier;
import io.trefoil.it.process.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The damage that the harness can do to hosts, links and disks, done and undone on one cluster with the stock journal. */
@NeedsRoot
@Tag("long")
class ClusterFaultsIT {

    @Test
    void harnessFillsDisksIsolatesHostsAndCutsLinks() throws Exception {
        HaClusterBuilder plan = HaCluster.builder("damage")
                .nameNodes(2)
                .journal(JournalKind.qjm())
                .property("dfs.qjournal.write-txns.timeout.ms", "5000")
                .withNetworkNamespaces()
                .smallDisk("jn3", 24);
        plan.run(cluster -> {
            fillAndFreeSmallDisk(cluster);
            isolateAndRejoinHost(cluster);
            cutAndHealLinks(cluster);
        });
    }

    private static void fillAndFreeSmallDisk(HaCluster cluster) throws IOException {
        Server server = cluster.journalServer(3);
        Path file = server.journalDirectory().resolve("one-more");

        cluster.faults().fillDisk(server);
        assertThatThrownBy(() -> Files.write(file, new byte[8192])).hasMessageContaining("No space left");

        cluster.faults().freeDisk(server);
        Files.write(file, new byte[8192]);
    }

    private static void isolateAndRejoinHost(HaCluster cluster) {
        NameNodeServer lonely = cluster.nameNode(2);
        assertThat(lonely.isInState(HAServiceState.STANDBY)).isTrue();

        cluster.faults().isolate(lonely);
        assertThat(lonely.isInState(HAServiceState.STANDBY)).isFalse();
        assertThat(lonely.isAlive()).isTrue();

        cluster.faults().reconnect(lonely);
        lonely.awaitState(HAServiceState.STANDBY);
    }

    private static void cutAndHealLinks(HaCluster cluster) throws IOException {
        NameNodeServer active = cluster.nameNode(1);
        Server first = cluster.journalServer(1);
        Server second = cluster.journalServer(2);
        FileSystem fileSystem = cluster.newFileSystem();
        try (RunningLoad load = Workload.on(fileSystem).threads(2).start()) {
            load.awaitMore(50, Await.TIMEOUT);

            // One JournalNode out of reach does no harm; without two the stock NameNode ends, and is restarted.
            cluster.faults().cutLink(active, first);
            load.awaitMore(50, Await.TIMEOUT);
            int exits = active.exits().size();
            cluster.faults().cutLink(active, second);
            active.awaitExit(exits, Await.TIMEOUT);

            cluster.faults().healLink(active, first);
            cluster.faults().healLink(active, second);
            active.awaitState(HAServiceState.STANDBY);
            cluster.makeActive(active);
            load.awaitMore(50, Await.TIMEOUT);
            new Verifier(fileSystem)
                    .verify(load.root(), load.stop(Await.TIMEOUT))
                    .expectClean();
        }
    }
}
