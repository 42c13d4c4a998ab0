/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.NamespaceDigest;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.Server;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rolling upgrades: prepared, queried, finalized, and rolled back. */
@Tag("long")
class RollingUpgradeIT {

    @Test
    void rollingUpgradeIsFinalizedAndNextRolledBack() throws Exception {
        HaCluster.builder("rolling").journal(JournalKind.ssp()).run(cluster -> {
            prepare(cluster);
            restartForUpgrade(cluster);
            WriteLoad.makeSome(cluster, "/kept");
            assertThat(cluster.dfsadmin("-rollingUpgrade", "finalize")
                            .expectSuccess()
                            .output())
                    .contains("Rolling upgrade is finalized");

            prepare(cluster);
            WriteLoad.makeSome(cluster, "/taken-back");
            assertRenewedNameNodeKnowsUpgrade(cluster);
            rollBack(cluster);
            assertUpgradeChangesRolledBack(cluster);
            WriteLoad.makeSome(cluster, "/after");
            NamespaceDigest.ofAll(cluster, WriteLoad.LIMIT);
        });
    }

    private static void prepare(HaCluster cluster) {
        cluster.dfsadmin("-rollingUpgrade", "prepare").expectSuccess();
        // A standby makes the image that a rollback returns to.
        cluster.nameNode(1)
                .await("is ready for the upgrade", WriteLoad.LIMIT, () -> cluster.dfsadmin("-rollingUpgrade", "query")
                        .expectSuccess()
                        .output()
                        .contains("Proceed with rolling upgrade"));
    }

    private static void restartForUpgrade(HaCluster cluster) {
        for (NameNodeServer standby : List.of(cluster.nameNode(2), cluster.nameNode(3))) {
            standby.stop();
            standby.startWith("-rollingUpgrade", "started");
            standby.awaitState(HAServiceState.STANDBY);
        }
        cluster.failOverTo(cluster.nameNode(2));
        cluster.nameNode(1).stop();
        cluster.nameNode(1).startWith("-rollingUpgrade", "started");
        cluster.failOverTo(cluster.nameNode(1));
    }

    /** Without the image of the upgrade's beginning, HDFS would forget the upgrade, and could not roll back from there. */
    private static void assertRenewedNameNodeKnowsUpgrade(HaCluster cluster) throws IOException {
        NameNodeServer third = cluster.nameNode(3);
        third.stop();
        FileUtil.fullyDelete(third.imageDirectory().getParent().toFile());
        cluster.nameNode(1).saveNamespace();
        // The pool node of the active reads the images before it holds them.
        third.await("has been given the image of the upgrade's beginning", WriteLoad.LIMIT, () -> {
            third.renew(Duration.ofSeconds(5));
            return hasRollbackImage(third);
        });

        third.start();
        third.awaitState(HAServiceState.STANDBY);
        cluster.failOverTo(third);
        assertThat(cluster.dfsadmin("-rollingUpgrade", "query").expectSuccess().output())
                .contains("Proceed with rolling upgrade");
        cluster.failOverTo(cluster.nameNode(1));
    }

    private static boolean hasRollbackImage(NameNodeServer nameNode) {
        String[] images =
                nameNode.imageDirectory().toFile().list((directory, name) -> name.startsWith("fsimage_rollback_"));
        return images != null && images.length > 0;
    }

    private static void rollBack(HaCluster cluster) {
        NameNodeServer first = cluster.nameNode(1);
        List<NameNodeServer> others = cluster.nameNodesExcept(first);
        cluster.nameNodes().forEach(Server::stop);
        others.forEach(other -> cluster.poolNodeOf(other).start());
        first.startWith("-rollingUpgrade", "rollback");
        first.awaitState(HAServiceState.STANDBY);

        others.forEach(other -> {
            cluster.poolNodeOf(other).stop();
            other.namenode("-bootstrapStandby", "-force").expectSuccess();
            other.start();
        });
        cluster.startNameNodes();
        cluster.makeActive(first);
    }

    private static void assertUpgradeChangesRolledBack(HaCluster cluster) throws IOException {
        try (FileSystem fileSystem = cluster.newFileSystem()) {
            assertThat(fileSystem.exists(new Path("/kept"))).isTrue();
            assertThat(fileSystem.exists(new Path("/taken-back"))).isFalse();
        }
    }
}
