/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.NamespaceDigest;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.ledger.ChangeAnswer;
import io.trefoil.it.load.ledger.ChangeLedger;
import io.trefoil.it.load.ledger.LedgerFindings;
import io.trefoil.it.load.ledger.Verifier;
import io.trefoil.it.process.Await;
import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;

/** The checks at the end of every scenario. */
public final class FinalChecks {
    private FinalChecks() {}

    /**
     * Ends the load and compares the file system with what clients were told: nothing acknowledged is missing, nothing
     * happened twice, and every client was served.
     */
    public static LedgerFindings assertNothingLost(FileSystem fileSystem, RunningLoad load) throws IOException {
        ChangeLedger ledger = load.stop(Await.TIMEOUT);
        assertThat(ledger.failures()).as("changes without an acknowledgement").isEmpty();
        assertThat(ledger.count(ChangeAnswer.CONTRADICTED)).isZero();
        return new Verifier(fileSystem).verify(load.root(), ledger).expectClean();
    }

    /** All NameNodes hold the same namespace, by the checksums of their images. */
    public static void assertAllAgree(HaCluster cluster) {
        cluster.awaitStandbysCaughtUp(Await.TIMEOUT);
        NameNodeServer active = cluster.awaitActive();
        NamespaceDigest digest = NamespaceDigest.of(active);
        for (NameNodeServer other : cluster.nameNodesExcept(active)) {
            NamespaceDigest.of(other).expectSameAs(digest);
        }
    }
}
