/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.failover;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Workload;
import io.trefoil.it.load.ledger.LedgerFindings;
import io.trefoil.it.process.Await;
import io.trefoil.it.scenario.FinalChecks;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The group keeps exactly one active by itself, whatever happens to that one, under 16 clients. The system property
 * {@code trefoil.it.failovers} says how often.
 */
class AutomaticFailoverIT {
    private static final int FAILOVERS = Integer.getInteger("trefoil.it.failovers", 3);
    private static final int CHANGES_BETWEEN = 300;

    @Test
    @Tag("long")
    void killedActiveIsReplacedAutomaticallyWithoutLoss() throws Exception {
        HaCluster.builder("killed-active-automatic").withAutomaticFailover().run(cluster -> {
            FileSystem fileSystem = cluster.newFileSystem();
            try (RunningLoad load = Workload.on(fileSystem).threads(16).start()) {
                load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
                for (int i = 1; i <= FAILOVERS; i++) {
                    NameNodeServer killed = cluster.awaitActive();
                    killed.kill9();
                    load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
                    assertThat(killed.isActive()).isFalse();
                    killed.awaitState(HAServiceState.STANDBY);
                }
                LedgerFindings findings = FinalChecks.assertNothingLost(fileSystem, load);
                assertThat(findings.rightCount()).isGreaterThan(FAILOVERS * CHANGES_BETWEEN / 2);
            }
            FinalChecks.assertAllAgree(cluster);
        });
    }

    @Test
    void frozenActiveIsReplacedAfterLeaseAndBecomesStandby() throws Exception {
        HaCluster.builder("frozen-active-automatic")
                .withAutomaticFailover()
                // A client waits two minutes for a server that hangs, which is not the subject here.
                .serverProperty("client", "ipc.client.rpc-timeout.ms", "3000")
                .run(cluster -> {
                    FileSystem fileSystem = cluster.newFileSystem();
                    try (RunningLoad load = Workload.on(fileSystem).threads(16).start()) {
                        load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
                        NameNodeServer old = cluster.awaitActive();
                        old.pause();
                        cluster.awaitActiveOtherThan(old);
                        load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
                        old.resume();
                        old.awaitState(HAServiceState.STANDBY);
                        load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
                        FinalChecks.assertNothingLost(fileSystem, load);
                        cluster.awaitActiveOtherThan(old);
                    }
                    FinalChecks.assertAllAgree(cluster);
                });
    }

    @Test
    @Tag("long")
    void survivesArbitraryOperatorAndZooKeeperActions() throws Exception {
        HaCluster.builder("operated-automatic").withAutomaticFailover().run(cluster -> {
            FileSystem fileSystem = cluster.newFileSystem();
            try (RunningLoad load = Workload.on(fileSystem).threads(16).start()) {
                load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
                requestFailover(cluster);
                load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
                deleteLock(cluster);
                load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
                loseZooKeeper(cluster, load);
                restartAll(cluster, load);
                loseNameDirectory(cluster, load);
                assertCommandShowsGroup(cluster);
                FinalChecks.assertNothingLost(fileSystem, load);
            }
            FinalChecks.assertAllAgree(cluster);
        });
    }

    /** Runs {@code haadmin -failover}, and checks that all other manual commands are refused. */
    private static void requestFailover(HaCluster cluster) {
        NameNodeServer old = cluster.awaitActive();
        NameNodeServer next = cluster.nameNodesExcept(old).get(0);
        cluster.failOverTo(next);
        assertThat(old.startCount()).as("starts of the one that stepped down").isEqualTo(1);
        assertThat(cluster.haadmin("-transitionToStandby", next.name()).exitCode())
                .isNotZero();
    }

    /** The paper's Table 3, test A. */
    private static void deleteLock(HaCluster cluster) {
        NameNodeServer old = cluster.awaitActive();
        cluster.faults().deleteLock();
        cluster.awaitActiveOtherThan(old);
        old.awaitState(HAServiceState.STANDBY);
        assertThat(old.startCount()).as("starts of the one that stepped down").isEqualTo(1);
    }

    private static void loseZooKeeper(HaCluster cluster, RunningLoad load) {
        NameNodeServer active = cluster.awaitActive();
        cluster.zooKeeper().kill9ForGood();
        load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
        cluster.startZooKeeper();
        load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
        active.awaitState(HAServiceState.ACTIVE);
        assertThat(active.exits()).isEmpty();
    }

    private static void restartAll(HaCluster cluster, RunningLoad load) {
        for (NameNodeServer nameNode : cluster.nameNodes()) {
            boolean wasActive = nameNode.isActive();
            long before = nameNode.log().end();
            nameNode.restart();
            nameNode.awaitUp();
            assertThat(nameNode.log().textSince(before).contains("STEPPING_DOWN -> FOLLOWING"))
                    .as("whether it handed over before it ended")
                    .isEqualTo(wasActive);
            cluster.awaitActive();
            load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
        }
    }

    /** Does what the unit in {@code conf/systemd} does before it starts a NameNode without a namespace. */
    private static void loseNameDirectory(HaCluster cluster, RunningLoad load) throws Exception {
        NameNodeServer emptied = cluster.nameNodesExcept(cluster.awaitActive()).get(0);
        emptied.kill9ForGood();
        Path name = emptied.imageDirectory().getParent();
        Files.move(name, name.resolveSibling("lost"));
        Files.createDirectory(name);
        emptied.bootstrapStandby();
        emptied.start();
        emptied.awaitState(HAServiceState.STANDBY);
        load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
    }

    private static void assertCommandShowsGroup(HaCluster cluster) {
        String fine = "1 active and 2 standby of 3\n";
        // A NameNode that has just started is a junior at first.
        cluster.nameNode(1).await("sees all in order", Await.TIMEOUT, () -> cluster.trefoil("view")
                .output()
                .contains(fine));
        assertThat(cluster.trefoil("history").expectSuccess().output()).contains("an operator asked");
    }
}
