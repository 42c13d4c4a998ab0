/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Workload;
import io.trefoil.it.load.ledger.ChangeLedger;
import io.trefoil.it.load.ledger.LedgerFindings;
import io.trefoil.it.load.ledger.Verifier;
import io.trefoil.it.process.Await;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the harness itself on journals in processes of their own; most other tests have our journal inside the NameNodes. */
@Tag("long")
class HarnessIT {

    static List<JournalKind> journals() {
        return List.of(JournalKind.qjm(), JournalKind.ssp().journalOnly().standAlone());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("journals")
    void killedActivePreservesWritesAndNamespace(JournalKind journal) throws Exception {
        HaCluster.builder("harness").nameNodes(3).dataNodes(2).journal(journal).run(cluster -> {
            NameNodeServer first = cluster.nameNode(1);
            NameNodeServer second = cluster.nameNode(2);
            FileSystem fileSystem = cluster.newFileSystem();
            try (RunningLoad load =
                    Workload.on(fileSystem).threads(16).fileWriters(1).start()) {
                load.awaitMore(2000, Await.TIMEOUT);

                first.kill9();
                // Without --forceactive, the command first tries to ask the dead one.
                cluster.haadmin("-transitionToActive", "--forceactive", "nn2").expectSuccess();
                load.awaitMore(2000, Await.TIMEOUT);

                ChangeLedger ledger = load.stop(Await.TIMEOUT);
                LedgerFindings findings =
                        new Verifier(fileSystem).verify(load.root(), ledger).expectClean();
                assertThat(findings.rightCount()).isGreaterThan(3000);
                assertThat(findings.filesRead()).isPositive();
            }

            second.awaitState(HAServiceState.ACTIVE);
            first.awaitState(HAServiceState.STANDBY);
            assertThat(first.startCount()).isEqualTo(2);
            cluster.awaitStandbysCaughtUp(Await.TIMEOUT);
            NamespaceDigest digest = NamespaceDigest.of(second);
            NamespaceDigest.of(first).expectSameAs(digest);
            NamespaceDigest.of(cluster.nameNode(3)).expectSameAs(digest);
        });
    }
}
