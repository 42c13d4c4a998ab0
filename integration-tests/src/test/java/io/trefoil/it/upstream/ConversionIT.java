/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.NamespaceDigest;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.NameNodeServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code -initializeSharedEdits}: a namespace on local disks moves to the pool. */
@Tag("long")
class ConversionIT {

    @Test
    void localNameNodeBecomesOneOfThreeOnPool() throws Exception {
        try (HaCluster cluster =
                HaCluster.builder("from-local").journal(JournalKind.local()).create()) {
            NameNodeServer first = cluster.nameNode(1);
            first.format("lone");
            first.start();
            first.awaitUp();
            WriteLoad.makeSome(cluster, "/alone");
            NamespaceDigest before = NamespaceDigest.of(first);
            WriteLoad.makeSome(cluster, "/alone-behind-the-image");

            first.stop();
            cluster.changeJournal(JournalKind.ssp());
            first.namenode("-initializeSharedEdits", "-nonInteractive").expectSuccess();
            first.start();
            first.awaitUp();
            for (NameNodeServer other : cluster.nameNodesExcept(first)) {
                other.bootstrapStandby();
                other.start();
            }
            cluster.startNameNodes();
            cluster.makeActive(first);

            assertThat(NamespaceDigest.of(first).sha256()).isNotEqualTo(before.sha256());
            assertServes(cluster);
            cluster.markSucceeded();
        }
    }

    private static void assertServes(HaCluster cluster) throws Exception {
        WriteLoad.makeSome(cluster, "/on-ssp");
        cluster.haadmin("-failover", "nn1", "nn2").expectSuccess();
        WriteLoad.makeSome(cluster, "/on-ssp-too");
        NamespaceDigest.ofAll(cluster, WriteLoad.LIMIT);
    }
}
