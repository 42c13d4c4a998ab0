/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.failover;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Workload;
import io.trefoil.it.load.ledger.LedgerFindings;
import io.trefoil.it.process.Await;
import io.trefoil.it.scenario.FinalChecks;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The active is killed with -9 again and again in one cluster, while 16 clients go on without a pause. The system
 * property {@code trefoil.it.kills} says how often.
 */
class KilledActiveIT {
    private static final int KILLS = Integer.getInteger("trefoil.it.kills", 3);
    private static final int KILLS_OF_SHORT_FORM = 3;
    private static final int CHANGES_BETWEEN = 300;

    @Test
    void repeatedlyKilledActivesPreserveAcknowledgedChanges() throws Exception {
        HaCluster.builder("killed-active").journal(JournalKind.ssp()).run(cluster -> killActives(cluster, KILLS));
    }

    @Test
    @Tag("long")
    void killedActivePreservesEditsWhenPoolHoldsOnlyEdits() throws Exception {
        HaCluster.builder("killed-active-journal-only")
                .journal(JournalKind.ssp().journalOnly())
                .run(cluster -> killActives(cluster, KILLS_OF_SHORT_FORM));
    }

    private static void killActives(HaCluster cluster, int times) throws Exception {
        FileSystem fileSystem = cluster.newFileSystem();
        try (RunningLoad load =
                Workload.on(fileSystem).threads(16).withoutRateLimit().start()) {
            load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
            for (int i = 1; i <= times; i++) {
                killActive(cluster, i);
                load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
            }
            LedgerFindings findings = FinalChecks.assertNothingLost(fileSystem, load);
            assertThat(findings.rightCount()).isGreaterThan(times * CHANGES_BETWEEN / 2);
        }
        FinalChecks.assertAllAgree(cluster);
    }

    private static void killActive(HaCluster cluster, int round) {
        NameNodeServer killed = cluster.awaitActive();
        // Alternates, so that every NameNode follows every other one.
        NameNodeServer next = cluster.nameNodesExcept(killed).get(round % 2);
        killed.kill9();
        // At once: the JVM of haadmin would take seconds to start.
        cluster.makeActive(next);
        killed.awaitState(HAServiceState.STANDBY);
    }
}
