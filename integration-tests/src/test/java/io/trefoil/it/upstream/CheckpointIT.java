/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.NamespaceDigest;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.NameNodeServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Standbys save images and send them to the active, and edits that no image needs any more are purged. */
class CheckpointIT {
    private static final int TRANSACTIONS_PER_IMAGE = 150;

    @Test
    void standbysCheckpointAndOldEditsArePurged() throws Exception {
        HaCluster.builder("checkpoint")
                .journal(JournalKind.ssp())
                .property("dfs.namenode.checkpoint.txns", String.valueOf(TRANSACTIONS_PER_IMAGE))
                .property("dfs.namenode.checkpoint.check.period", "1s")
                .property("dfs.namenode.num.extra.edits.retained", "0")
                // Segments are purged as a whole; standbys ask for a new one at this interval.
                .property("dfs.ha.log-roll.period", "2s")
                .property("dfs.ha.tail-edits.period", "1s")
                // The smallest size, so that whole files become free.
                .property("trefoil.journal.log.file.size", "64k")
                .run(CheckpointIT::runChecks);
    }

    private static void runChecks(HaCluster cluster) throws Exception {
        NameNodeServer active = cluster.nameNode(1);
        ClusterEdits edits = new ClusterEdits(cluster);
        assertThat(edits.firstTxId()).isEqualTo(1);
        WriteLoad.runDuring(cluster, "/checkpointed", load -> {
            awaitImageAbove(active, 0, load);
            // Two images are retained, so the third one makes the edits before the second superfluous.
            awaitImageAbove(active, newestImage(active), load);
            awaitImageAbove(active, newestImage(active), load);
            active.await("has purged edits of the pool", WriteLoad.LIMIT, () -> {
                load.awaitMore(TRANSACTIONS_PER_IMAGE);
                return edits.firstTxId() > 1;
            });
        });
        assertThat(active.exits()).isEmpty();
        assertRestartsFromImagesAndEdits(cluster, active);
    }

    private static void assertRestartsFromImagesAndEdits(HaCluster cluster, NameNodeServer active) throws Exception {
        NamespaceDigest before = NamespaceDigest.of(active);
        cluster.haadmin("-failover", "nn1", "nn3").expectSuccess();
        WriteLoad.makeSome(cluster, "/after-purge");

        active.restart();
        cluster.failOverTo(active);
        NamespaceDigest digest = NamespaceDigest.ofAll(cluster, WriteLoad.LIMIT);
        assertThat(digest.sha256()).isNotEqualTo(before.sha256());
    }

    private static void awaitImageAbove(NameNodeServer nameNode, long txId, WriteLoad load) {
        nameNode.await("was given an image above txid=" + txId, WriteLoad.LIMIT, () -> {
            load.awaitMore(TRANSACTIONS_PER_IMAGE);
            return newestImage(nameNode) > txId;
        });
    }

    private static long newestImage(NameNodeServer nameNode) {
        try (Stream<Path> files = Files.list(nameNode.imageDirectory())) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.matches("fsimage_[0-9]+"))
                    .mapToLong(name -> Long.parseLong(name.substring("fsimage_".length())))
                    .max()
                    .orElse(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
