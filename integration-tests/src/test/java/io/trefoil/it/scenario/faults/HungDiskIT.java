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
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A disk with one NameNode's replica of the journal accepts no write for a while, and fails none either: only that
 * disk's own threads wait for it. All timeouts but one are those of the sample configuration.
 */
@NeedsLoopDevices
@Tag("alone")
class HungDiskIT {
    private static final int THREADS = 8;
    private static final int CHANGES = 1_000;
    /** Before and after a disk hangs: two seconds of a load that leaves the cores to others. */
    private static final int FEW_CHANGES = 300;

    private static final int DISK_MEGABYTES = 512;

    @Test
    void hungDiskBarelyAffectsClientsAndActiveHandsOver() throws Exception {
        cluster("hung-disk")
                .smallDisk("nn1", DISK_MEGABYTES)
                .smallDisk("nn2", DISK_MEGABYTES)
                .run(cluster -> {
                    NameNodeServer active = cluster.failOverTo(cluster.nameNode(1));
                    NameNodeServer standby = cluster.nameNode(2);
                    FileSystem fileSystem = cluster.newFileSystem();
                    try (RunningLoad load = load(fileSystem)) {
                        load.awaitMore(FEW_CHANGES, Await.TIMEOUT);

                        long standbyHangs = System.nanoTime();
                        cluster.faults().hangDisk(standby);
                        load.awaitMore(CHANGES, Await.TIMEOUT);
                        load.awaitEachClient(Await.TIMEOUT);
                        Inquiry.assertAnsweredBy(standby);
                        active.awaitState(HAServiceState.ACTIVE);
                        cluster.faults().releaseDisk(standby);
                        cluster.awaitFullJournal();
                        LongestWait.judge(load, standbyHangs, "a standby's disk hung");

                        long activeHangs = System.nanoTime();
                        cluster.faults().hangDisk(active);
                        Inquiry.assertAnsweredBy(active);
                        active.awaitState(HAServiceState.STANDBY);
                        // It is written after the fact.
                        active.await(
                                "is said to have handed over because of its disk",
                                Await.TIMEOUT,
                                () -> cluster.trefoil("history").output().contains("disk"));
                        load.awaitMore(FEW_CHANGES, Await.TIMEOUT);
                        load.awaitEachClient(Await.TIMEOUT);
                        cluster.faults().releaseDisk(active);
                        cluster.awaitFullJournal();
                        load.awaitMore(FEW_CHANGES, Await.TIMEOUT);

                        FinalChecks.assertNothingLost(fileSystem, load);
                        LongestWait.judge(load, activeHangs, "the active's disk hung");
                    }
                    assertThat(active.startCount()).isEqualTo(1);
                    assertThat(standby.startCount()).isEqualTo(1);
                    FinalChecks.assertAllAgree(cluster);
                });
    }

    @Test
    @Tag("long")
    void operatorMayFailOverWhileImageDiskHangs() throws Exception {
        cluster("hung-disk-with-images")
                .smallDisk("nn1", DISK_MEGABYTES)
                .imagesOnJournalDisk("nn1")
                .run(cluster -> {
                    NameNodeServer active = cluster.failOverTo(cluster.nameNode(1));
                    NameNodeServer next = cluster.nameNode(2);
                    FileSystem fileSystem = cluster.newFileSystem();
                    try (RunningLoad load = load(fileSystem)) {
                        load.awaitMore(CHANGES, Await.TIMEOUT);
                        next.awaitReadyToBecomeActive();
                        next.await("may take over", Await.TIMEOUT, next::mayTakeOver);

                        long hangs = System.nanoTime();
                        cluster.faults().hangDisk(active);
                        cluster.haadmin("-failover", active.name(), next.name()).expectSuccess();
                        next.awaitState(HAServiceState.ACTIVE);
                        load.awaitMore(CHANGES, Await.TIMEOUT);
                        load.awaitEachClient(Await.TIMEOUT);
                        Inquiry.assertAnsweredBy(active);
                        cluster.faults().releaseDisk(active);
                        cluster.awaitFullJournal();

                        FinalChecks.assertNothingLost(fileSystem, load);
                        LongestWait.judge(load, hangs, "the active's disk hung");
                    }
                    assertThat(active.startCount()).isEqualTo(1);
                    FinalChecks.assertAllAgree(cluster);
                });
    }

    /**
     * Timeouts are those of the sample configuration, which sets none, except for the one that this test would have to
     * wait for.
     */
    private static HaClusterBuilder cluster(String name) {
        return HaCluster.builder(name)
                .journal(JournalKind.ssp().journalOnly())
                .withAutomaticFailover()
                .property("trefoil.ha.journal.disk.timeout", "5s");
    }

    private static RunningLoad load(FileSystem fileSystem) {
        return Workload.on(fileSystem).threads(THREADS).start();
    }
}
