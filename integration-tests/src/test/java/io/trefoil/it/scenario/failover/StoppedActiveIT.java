/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.failover;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Workload;
import io.trefoil.it.process.Await;
import io.trefoil.it.scenario.FinalChecks;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The active is frozen, another one takes over, and the old one resumes and still believes that it is active. */
@Tag("long")
class StoppedActiveIT {
    private static final int CHANGES = 500;
    private static final Path PINNED = new Path("/written-by-the-old-active");

    @Test
    void resumedActiveCannotWriteAndBecomesStandby() throws Exception {
        HaCluster.builder("stopped-active")
                .journal(JournalKind.ssp())
                .property("trefoil.journal.lease", "1s")
                .property("trefoil.journal.ack.timeout", "500ms")
                // A client waits two minutes for a server that hangs, which is not the subject here.
                .serverProperty("client", "ipc.client.rpc-timeout.ms", "3000")
                .run(cluster -> freezeAndResume(cluster, cluster.nameNode(1), cluster.nameNode(2)));
    }

    private static void freezeAndResume(HaCluster cluster, NameNodeServer old, NameNodeServer next) throws Exception {
        FileSystem fileSystem = cluster.newFileSystem();
        try (RunningLoad load = Workload.on(fileSystem).threads(16).start()) {
            load.awaitMore(CHANGES, Await.TIMEOUT);

            old.pause();
            cluster.haadmin("-transitionToActive", "--forceactive", next.name()).expectSuccess();
            load.awaitMore(CHANGES, Await.TIMEOUT);

            int exits = old.exits().size();
            CompletableFuture<Boolean> written = CompletableFuture.supplyAsync(() -> tryWriteTo(cluster, old));
            old.resume();
            assertThat(written.get(Await.TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                    .as("the old active acknowledges a write")
                    .isFalse();
            old.awaitExit(exits, Await.TIMEOUT);
            assertThat(old.log().contains("was fenced by epoch")).isTrue();
            old.awaitState(HAServiceState.STANDBY);

            load.awaitMore(CHANGES, Await.TIMEOUT);
            FinalChecks.assertNothingLost(fileSystem, load);
        }
        assertThat(fileSystem.exists(PINNED)).isFalse();
        next.awaitState(HAServiceState.ACTIVE);
        assertThat(old.startCount()).isEqualTo(2);
        FinalChecks.assertAllAgree(cluster);
    }

    /** Writes to one NameNode alone, whatever its role; returns whether it acknowledged. */
    private static boolean tryWriteTo(HaCluster cluster, NameNodeServer nameNode) {
        Configuration patient = cluster.clientConfiguration();
        patient.setInt("ipc.client.rpc-timeout.ms", 0);
        try (FileSystem pinned = FileSystem.newInstance(nameNode.uri(), patient)) {
            return pinned.mkdirs(PINNED);
        } catch (IOException notAcknowledged) {
            return false;
        }
    }
}
