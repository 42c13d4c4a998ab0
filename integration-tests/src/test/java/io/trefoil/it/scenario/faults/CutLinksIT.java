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
import java.util.Locale;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The active loses its links to both other pool nodes, but not to its clients. */
@NeedsRoot
class CutLinksIT {
    private static final int CHANGES = 500;

    /** What is dropped between the active and the others. */
    enum Dropped {
        ALL,
        WHAT_IT_SAYS,
        WHAT_IT_SHOULD_HEAR;

        private void cut(HaCluster cluster, NameNodeServer active) {
            for (NameNodeServer other : cluster.nameNodesBut(active)) {
                if (this != WHAT_IT_SHOULD_HEAR) {
                    cluster.faults().cutLinkOneWay(active, other);
                }
                if (this != WHAT_IT_SAYS) {
                    cluster.faults().cutLinkOneWay(other, active);
                }
            }
        }

        private void heal(HaCluster cluster, NameNodeServer active) {
            for (NameNodeServer other : cluster.nameNodesBut(active)) {
                if (this != WHAT_IT_SHOULD_HEAR) {
                    cluster.faults().healLinkOneWay(active, other);
                }
                if (this != WHAT_IT_SAYS) {
                    cluster.faults().healLinkOneWay(other, active);
                }
            }
        }
    }

    @Test
    void activeWithoutLinksIsReplacedAndBecomesStandby() throws Exception {
        cutAndHeal("cut-links", Dropped.ALL);
    }

    @ParameterizedTest
    @EnumSource(names = "ALL", mode = EnumSource.Mode.EXCLUDE)
    @Tag("long")
    void activeIsReplacedAndReturnsWhenOneDirectionIsCut(Dropped dropped) throws Exception {
        cutAndHeal("cut-" + dropped.name().toLowerCase(Locale.ROOT).replace('_', '-'), dropped);
    }

    private static void cutAndHeal(String name, Dropped dropped) throws Exception {
        HaCluster.builder(name)
                .journal(JournalKind.ssp())
                .property("trefoil.journal.lease", "1s")
                .property("trefoil.journal.ack.timeout", "500ms")
                .hostsInNetworkNamespaces()
                .run(cluster -> cutAndHeal(cluster, dropped, cluster.nameNode(1), cluster.nameNode(2)));
    }

    private static void cutAndHeal(HaCluster cluster, Dropped dropped, NameNodeServer old, NameNodeServer next)
            throws Exception {
        FileSystem fileSystem = cluster.newFileSystem();
        try (RunningLoad load = Workload.on(fileSystem).threads(16).start()) {
            load.awaitMore(CHANGES, Await.PATIENCE);

            dropped.cut(cluster, old);
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
            dropped.heal(cluster, old);
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
