/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Workload;
import io.trefoil.it.process.Await;
import io.trefoil.it.scenario.FinalChecks;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.server.namenode.FullHeap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The namespace outgrows the heap of both standbys: they end of it, and their pool nodes go on in their places. */
class SmallHeapIT {
    private static final int CHANGES = 100;
    private static final String NAMENODE_ENDED = "the NameNode ended with exit code";

    @TempDir
    Path directory;

    @Test
    void poolServesWhenHeapsOfAllStandbysAreTooSmall() throws Exception {
        Path full = directory.resolve("full");
        HaCluster.builder("small-heap")
                .withAutomaticFailover()
                .withKeepers()
                .nameNodeInstrumentation(
                        FullHeap.class.getName(),
                        List.of(Path.of("target/test-classes").toAbsolutePath()))
                .nameNodeJvmOption("-D" + FullHeap.FILE + "=" + full)
                .run(cluster -> {
                    NameNodeServer active = cluster.awaitActive();
                    List<NameNodeServer> standbys = cluster.nameNodesExcept(active);
                    for (NameNodeServer standby : standbys) {
                        standby.awaitState(HAServiceState.STANDBY);
                    }
                    FileSystem fileSystem = cluster.newFileSystem();
                    try (RunningLoad load = Workload.on(fileSystem).threads(4).start()) {
                        load.awaitMore(CHANGES, Await.TIMEOUT);

                        Files.createFile(full);
                        for (NameNodeServer standby : standbys) {
                            standby.await("has ended", Await.TIMEOUT, () -> standby.console()
                                    .textSince(0)
                                    .contains(NAMENODE_ENDED));
                        }

                        load.awaitMore(CHANGES, Await.TIMEOUT);
                        Files.delete(full);
                        for (NameNodeServer standby : standbys) {
                            standby.awaitState(HAServiceState.STANDBY);
                        }
                        load.awaitMore(CHANGES, Await.TIMEOUT);
                        FinalChecks.assertNothingLost(fileSystem, load);
                        assertThat(active.exits()).isEmpty();
                    }
                    FinalChecks.assertAllAgree(cluster);
                });
    }
}
