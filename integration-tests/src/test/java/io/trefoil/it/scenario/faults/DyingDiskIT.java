/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.host.NeedsLoopDevices;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Workload;
import io.trefoil.it.process.Await;
import io.trefoil.it.scenario.FinalChecks;
import io.trefoil.it.scenario.Inquiry;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A disk with one NameNode's replica of the journal dies as disks do: first it is slow, then every sync fails though
 * writes seem to succeed, then it is read-only. In each stage its NameNode serves, and what had been acknowledged is on
 * the others.
 */
@NeedsLoopDevices
@Tag("alone")
class DyingDiskIT {
    private static final int THREADS = 8;
    private static final int CHANGES = 1_000;

    private static final int DISK_MEGABYTES = 512;
    private static final String FAILED = "storage failed, this node acknowledges nothing until it works again";
    private static final String WORKS = "storage works again";

    @Test
    void clientsContinueWhenDiskOfActiveDies() throws Exception {
        clusterWithDyingDisk("dying-active").smallDisk("nn1", DISK_MEGABYTES).run(cluster -> {
            NameNodeServer active = cluster.failOverTo(cluster.nameNode(1));
            FileSystem fileSystem = cluster.newFileSystem();
            try (RunningLoad load = Workload.on(fileSystem).threads(THREADS).start()) {
                load.awaitMore(CHANGES, Await.TIMEOUT);
                failDisk(cluster, active, load);
                load.awaitMore(CHANGES, Await.TIMEOUT);
                FinalChecks.assertNothingLost(fileSystem, load);
            }
            FinalChecks.assertAllAgree(cluster);
        });
    }

    @Test
    @Tag("long")
    void consecutiveDiskFailuresOfStandbyAndActivePreserveEdits() throws Exception {
        clusterWithDyingDisk("dying-disk")
                .smallDisk("nn1", DISK_MEGABYTES)
                .smallDisk("nn2", DISK_MEGABYTES)
                .run(cluster -> {
                    NameNodeServer active = cluster.failOverTo(cluster.nameNode(1));
                    FileSystem fileSystem = cluster.newFileSystem();
                    try (RunningLoad load =
                            Workload.on(fileSystem).threads(THREADS).start()) {
                        load.awaitMore(CHANGES, Await.TIMEOUT);
                        failDisk(cluster, cluster.nameNode(2), load);
                        failDisk(cluster, active, load);
                        load.awaitMore(CHANGES, Await.TIMEOUT);
                        // The nodes whose disks died hold everything acknowledged: they are a majority by themselves.
                        cluster.awaitFullJournal();
                        cluster.nameNode(3).kill9ForGood();
                        load.awaitMore(CHANGES, Await.TIMEOUT);
                        cluster.nameNode(3).start();
                        FinalChecks.assertNothingLost(fileSystem, load);
                    }
                    cluster.startNameNodes();
                    cluster.awaitFullJournal();
                    FinalChecks.assertAllAgree(cluster);
                });
    }

    private static HaClusterBuilder clusterWithDyingDisk(String name) {
        return HaCluster.builder(name)
                .journal(JournalKind.ssp().journalOnly())
                .property("trefoil.journal.log.file.size", "4m")
                .withAutomaticFailover();
    }

    private static void failDisk(HaCluster cluster, NameNodeServer victim, RunningLoad load) throws Exception {
        long begun = System.nanoTime();
        cluster.faults().slowDisk(victim);
        load.awaitMore(CHANGES, Await.TIMEOUT);
        load.awaitEachClient(Await.TIMEOUT);
        Inquiry.assertAnsweredBy(victim);
        cluster.faults().releaseDisk(victim);

        long logged = victim.log().end();
        cluster.faults().failDisk(victim);
        victim.await("says that its storage failed", Await.TIMEOUT, () -> victim.log()
                .textSince(logged)
                .contains(FAILED));
        load.awaitMore(CHANGES, Await.TIMEOUT);
        load.awaitEachClient(Await.TIMEOUT);
        // What was written is in memory and can be read, which must not count as working.
        assertThat(victim.log().textSince(logged).contains(WORKS)).isFalse();

        Inquiry.assertAnsweredBy(victim);

        LongestWait.judge(load, begun, "the disk of " + victim + " dies");

        // The repair drops its page cache: only what had been synced is there afterwards.
        victim.stop();
        cluster.faults().repairDisk(victim);
        victim.start();
        victim.awaitUp();
        cluster.awaitActive();
        cluster.awaitFullJournal();
    }
}
