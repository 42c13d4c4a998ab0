/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.junit.jupiter.api.Test;

/** The harness itself, shown on the stock journal. */
class HarnessIT {
    @Test
    void aKilledActiveComesBackAsStandbyAndCatchesUp() throws Exception {
        HaCluster.builder("harness")
                .nameNodes(3)
                .dataNodes(2)
                .journal(JournalKind.qjm())
                .run(cluster -> {
                    NameNodeServer first = cluster.nameNode(1);
                    NameNodeServer second = cluster.nameNode(2);
                    FileSystem fileSystem = cluster.newFileSystem();
                    assertThat(fileSystem.mkdirs(new Path("/before"))).isTrue();

                    first.kill9();
                    // Without --forceactive the command wants to ask the dead one first.
                    cluster.haadmin("-transitionToActive", "--forceactive", "nn2")
                            .expectSuccess();

                    assertThat(fileSystem.mkdirs(new Path("/after"))).isTrue();
                    assertThat(fileSystem.exists(new Path("/before"))).isTrue();
                    assertThat(cluster.active()).contains(second);

                    first.awaitState(HAServiceState.STANDBY);
                    assertThat(first.startCount()).isEqualTo(2);
                    cluster.awaitStandbysCaughtUp(Duration.ofSeconds(30));
                });
    }
}
