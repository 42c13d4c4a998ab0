/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.NameNodeServer;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Workload;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.ToolResult;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.junit.jupiter.api.Test;

/** All standbys but one answer reads of stock clients, and change over by themselves when somebody fails. */
class ReadStandbysIT {
    private static final String PROVIDER = "org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProvider";
    private static final int CHANGES_BETWEEN = 300;
    private static final int READS = 200;

    @Test
    void anObserverReadsAndChangesOverByItself() throws Exception {
        HaCluster.builder("read-standbys")
                .withAutomaticFailover()
                .property("dfs.mams.read-standbys", "true")
                .property("dfs.namenode.state.context.enabled", "true")
                .property("dfs.ha.tail-edits.in-progress", "true")
                .run(cluster -> {
                    FileSystem fileSystem = cluster.newFileSystem();
                    try (RunningLoad load = Workload.on(fileSystem).threads(8).start()) {
                        load.awaitMore(CHANGES_BETWEEN, Reckoning.LIMIT);
                        awaitOneOfEach(cluster);
                        theCommandShowsTheObserver(cluster);
                        readsGoToTheObserver(cluster);

                        NameNodeServer killed = cluster.awaitActive();
                        NameNodeServer reserve = only(cluster, HAServiceState.STANDBY);
                        killed.kill9();
                        load.awaitMore(CHANGES_BETWEEN, Reckoning.LIMIT);
                        assertThat(cluster.active()).contains(reserve);
                        awaitOneOfEach(cluster);

                        NameNodeServer observer = only(cluster, HAServiceState.OBSERVER);
                        NameNodeServer old = cluster.awaitActive();
                        cluster.haadmin("-failover", old.name(), observer.name())
                                .expectSuccess();
                        assertThat(cluster.active()).contains(observer);
                        load.awaitMore(CHANGES_BETWEEN, Reckoning.LIMIT);
                        awaitOneOfEach(cluster);
                        Reckoning.nothingIsLost(fileSystem, load);
                    }
                    readsGoToTheObserver(cluster);
                    Reckoning.allAgree(cluster);
                });
    }

    private static void awaitOneOfEach(HaCluster cluster) {
        Await.until(
                "one is active, one standby and one observer",
                Reckoning.LIMIT,
                () -> List.of(HAServiceState.ACTIVE, HAServiceState.STANDBY, HAServiceState.OBSERVER).stream()
                        .allMatch(state -> cluster.nameNodes().stream()
                                        .filter(nameNode -> nameNode.is(state))
                                        .count()
                                == 1),
                cluster::describe);
    }

    private static NameNodeServer only(HaCluster cluster, HAServiceState state) {
        return cluster.nameNodes().stream()
                .filter(nameNode -> nameNode.is(state))
                .findFirst()
                .orElseThrow(() -> new AssertionError("none is " + state + "\n" + cluster.describe()));
    }

    private static void theCommandShowsTheObserver(HaCluster cluster) {
        ToolResult view = cluster.tool("io.trefoil.journal.hdfs.TrefoilMain", "view");
        assertThat(view.expectSuccess().output()).contains("standby, observer").contains("1 active and 2 standby of 3");
    }

    /** What one client writes it reads at once, from the observer, which nobody else asks. */
    private static void readsGoToTheObserver(HaCluster cluster) throws IOException {
        NameNodeServer observer = only(cluster, HAServiceState.OBSERVER);
        Configuration reading = cluster.clientConfiguration();
        reading.set("dfs.client.failover.proxy.provider." + cluster.layout().nameservice(), PROVIDER);
        FileSystem client = cluster.newFileSystem(reading);
        long before = readsAt(observer);
        Path folder = new Path("/reads-" + before);
        client.mkdirs(folder);
        for (int i = 0; i < READS; i++) {
            Path path = new Path(folder, "d" + i);
            client.mkdirs(path);
            assertThat(client.getFileStatus(path).isDirectory())
                    .as(path + ", just made")
                    .isTrue();
        }
        // The page shows numbers that are some seconds old.
        observer.await(
                "has answered " + READS + " reads more than " + before,
                Reckoning.LIMIT,
                () -> readsAt(observer) >= before + READS);
    }

    private static long readsAt(NameNodeServer nameNode) {
        return nameNode.jmx().number("Hadoop:service=NameNode,name=NameNodeActivity", "FileInfoOps");
    }
}
