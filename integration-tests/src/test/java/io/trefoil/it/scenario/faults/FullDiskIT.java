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
import io.trefoil.it.scenario.FinalChecks;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The disk of one pool node is full: the others go on, the node reports it, and comes back when there is space. */
@NeedsRoot
class FullDiskIT {
    private static final int CHANGES = 500;
    private static final int DISK_MEGABYTES = 64;
    private static final String FAILED = "storage failed, this node acknowledges nothing until it works again";
    private static final String WORKS = "storage works again";

    @Test
    @Tag("long")
    void groupContinuesWhenDiskOfStandbyIsFull() throws Exception {
        fillAndFree("full-disk-of-standby", "nn3", 2);
    }

    @Test
    void activeContinuesWhenOwnDiskIsFull() throws Exception {
        fillAndFree("full-disk-of-active", "nn1", 2);
    }

    /**
     * @param full whose disk it is; the active is nn1
     * @param mortal the number of another NameNode, which is killed when there is space again
     */
    private static void fillAndFree(String name, String full, int mortal) throws Exception {
        HaCluster.builder(name)
                .journal(JournalKind.ssp().journalOnly())
                // A pool node writes to preallocated files; small ones are used up soon.
                .property("trefoil.journal.log.file.size", "64k")
                .smallDisk(full, DISK_MEGABYTES)
                .run(cluster -> {
                    NameNodeServer active = cluster.nameNode(1);
                    NameNodeServer victim = cluster.nameNodes().stream()
                            .filter(nameNode -> nameNode.name().equals(full))
                            .findFirst()
                            .orElseThrow();
                    FileSystem fileSystem = cluster.newFileSystem();
                    try (RunningLoad load = Workload.on(fileSystem).threads(16).start()) {
                        load.awaitMore(CHANGES, Await.TIMEOUT);

                        cluster.faults().fillDisk(victim);
                        awaitLine(victim, FAILED);
                        load.awaitMore(CHANGES, Await.TIMEOUT);
                        // A full disk can be opened and read, which must not count as working.
                        assertThat(victim.log().contains(WORKS)).isFalse();

                        cluster.faults().freeDisk(victim);
                        awaitLine(victim, WORKS);
                        // Only if the node has all that it missed does the majority go on without the other one.
                        cluster.nameNode(mortal).kill9ForGood();
                        load.awaitMore(CHANGES, Await.TIMEOUT);
                        cluster.nameNode(mortal).start();

                        FinalChecks.assertNothingLost(fileSystem, load);
                    }
                    cluster.startNameNodes();
                    active.awaitState(HAServiceState.ACTIVE);
                    assertThat(active.startCount()).isEqualTo(1);
                    assertThat(victim.startCount()).isEqualTo(1);
                    FinalChecks.assertAllAgree(cluster);
                });
    }

    private static void awaitLine(NameNodeServer nameNode, String line) {
        nameNode.await(
                "says '" + line + "'", Await.TIMEOUT, () -> nameNode.log().contains(line));
    }
}
