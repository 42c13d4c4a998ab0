/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.failover;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Workload;
import io.trefoil.it.process.Await;
import io.trefoil.it.scenario.FinalChecks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** ZooKeeper's data is lost, outdated or read-only; failover recovers by itself, and no NameNode has to be restarted. */
@Tag("long")
class LostZooKeeperIT {
    private static final int CHANGES_BETWEEN = 200;
    private static final int SESSION_MILLIS = 60_000;

    @Test
    void failoverSurvivesLossOfZooKeeperData() throws Exception {
        HaCluster.builder("lost-zookeeper").withAutomaticFailover().run(cluster -> {
            FileSystem fileSystem = cluster.newFileSystem();
            try (RunningLoad load = Workload.on(fileSystem).threads(8).start()) {
                load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
                Path old = cluster.zooKeeper().dataDirectory().resolveSibling("zk-of-before");
                replaceZooKeeper(cluster, directory -> copy(directory, old));
                expectOrderedFailover(cluster);
                expectFailover(cluster, load);

                replaceZooKeeper(cluster, LostZooKeeperIT::clearDirectory);
                expectOrderedFailover(cluster);
                expectFailover(cluster, load);

                replaceZooKeeper(cluster, directory -> {
                    clearDirectory(directory);
                    copy(old, directory);
                });
                expectOrderedFailover(cluster);
                expectFailover(cluster, load);

                deleteDirectory(cluster);
                expectFailover(cluster, load);

                forbidChanges(cluster, load);
                expectFailover(cluster, load);
                FinalChecks.assertNothingLost(fileSystem, load);
                long starts = cluster.nameNodes().stream()
                        .mapToLong(NameNodeServer::startCount)
                        .sum();
                assertThat(starts)
                        .as("starts of NameNodes: the first ones, and one for each kill")
                        .isEqualTo(3 + 5);
            }
            FinalChecks.assertAllAgree(cluster);
        });
    }

    /** A change to the files of a stopped ZooKeeper. */
    private interface Replacement {
        void apply(Path directory) throws IOException;
    }

    private static void replaceZooKeeper(HaCluster cluster, Replacement replacement) throws IOException {
        NameNodeServer active = cluster.awaitActive();
        cluster.zooKeeper().kill9ForGood();
        replacement.apply(cluster.zooKeeper().dataDirectory());
        cluster.startZooKeeper();
        active.awaitState(HAServiceState.ACTIVE);
    }

    private static void deleteDirectory(HaCluster cluster) throws Exception {
        try (ZooKeeper client = client(cluster)) {
            for (int i = 0; i < 5; i++) {
                try {
                    ZKUtil.deleteRecursive(client, "/trefoil");
                } catch (KeeperException.NotEmptyException | KeeperException.NoNodeException e) {
                    // The members recreate their nodes faster than this deletes them.
                    assertThat(e.getPath()).startsWith("/trefoil");
                }
            }
        }
    }

    /** For a while no NameNode can be elected; the active serves on. */
    private static void forbidChanges(HaCluster cluster, RunningLoad load) throws Exception {
        try (ZooKeeper client = client(cluster)) {
            List<String> all = ZKUtil.listSubTreeBFS(client, "/trefoil");
            setPermissions(client, all, Perms.READ | Perms.ADMIN);
            NameNodeServer active = cluster.awaitActive();
            NameNodeServer asked = cluster.nameNodesExcept(active).get(0);
            assertThat(cluster.haadmin("-failover", active.name(), asked.name()).exitCode())
                    .as("a failover that ZooKeeper does not let happen")
                    .isNotZero();
            load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
            active.awaitState(HAServiceState.ACTIVE);
            setPermissions(client, all, Perms.ALL);
        }
    }

    /**
     * Directories come before their contents, so that nothing is created in a forbidden directory; ephemeral nodes may vanish
     * meanwhile.
     */
    private static void setPermissions(ZooKeeper client, List<String> paths, int permissions) throws Exception {
        for (String path : paths) {
            try {
                client.setACL(path, openAclFor(permissions), -1);
            } catch (KeeperException.NoNodeException gone) {
                assertThat(gone.getPath()).isEqualTo(path);
            }
        }
    }

    /** The active holds the lock of an earlier time, and must still see that it is asked to step down. */
    private static void expectOrderedFailover(HaCluster cluster) {
        NameNodeServer old = cluster.awaitActive();
        NameNodeServer next = cluster.nameNodesExcept(old).get(0);
        next.await(
                "takes over when an operator asks",
                Await.TIMEOUT,
                () -> cluster.haadmin("-failover", old.name(), next.name()).exitCode() == 0);
        next.awaitState(HAServiceState.ACTIVE);
    }

    private static void expectFailover(HaCluster cluster, RunningLoad load) {
        NameNodeServer killed = cluster.awaitActive();
        killed.kill9();
        cluster.awaitActiveOtherThan(killed);
        load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
        killed.awaitState(HAServiceState.STANDBY);
    }

    private static List<ACL> openAclFor(int permissions) {
        // ZooKeeper asks whether the list contains null, which other lists refuse.
        return Collections.singletonList(new ACL(permissions, new Id("world", "anyone")));
    }

    private static ZooKeeper client(HaCluster cluster) throws IOException, InterruptedException {
        CountDownLatch connected = new CountDownLatch(1);
        ZooKeeper client =
                new ZooKeeper(cluster.zooKeeper().address("client"), SESSION_MILLIS, event -> connected.countDown());
        connected.await();
        return client;
    }

    private static void clearDirectory(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
                if (!one.equals(directory)) {
                    Files.delete(one);
                }
            }
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> all = Files.walk(from)) {
            for (Path one : all.toList()) {
                if (!one.equals(from)) {
                    Files.copy(one, to.resolve(from.relativize(one)));
                }
            }
        }
    }
}
