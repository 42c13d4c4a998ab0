/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.reads;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.client.hdfs.SmartObserverReadProxyProvider;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Workload;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.ToolResult;
import io.trefoil.it.scenario.FinalChecks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * All standbys but one answer reads, of stock clients and of ours, and change roles by themselves when a NameNode
 * fails. A client of ours that reads what it just wrote does not notice.
 */
@Tag("long")
class ReadStandbysIT {
    private static final String STOCK = "org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProvider";
    private static final String OURS = SmartObserverReadProxyProvider.class.getName();
    private static final int CHANGES_BETWEEN = 300;
    private static final int READS = 200;

    @Test
    void observersServeReadsAndChangeRolesAutomatically() throws Exception {
        HaCluster.builder("read-standbys")
                .withAutomaticFailover()
                .property("trefoil.ha.read-standbys", "true")
                .property("dfs.namenode.state.context.enabled", "true")
                .property("dfs.ha.tail-edits.in-progress", "true")
                .run(cluster -> {
                    FileSystem fileSystem = cluster.newFileSystem();
                    try (RunningLoad load = Workload.on(fileSystem).threads(8).start()) {
                        load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
                        awaitOneOfEach(cluster);
                        assertCommandShowsObserver(cluster);
                        assertReadsGoToObserver(cluster, STOCK, READS);
                        try (OwnWrites ownWrites = new OwnWrites(readingFileSystem(cluster, OURS))) {
                            ownWrites.awaitMore();
                            assertRolesChange(cluster, load, ownWrites);
                        }
                        FinalChecks.assertNothingLost(fileSystem, load);
                    }
                    assertReadsGoToObserver(cluster, STOCK, READS);
                    // Until the client knows the observer, it reads from the active.
                    assertReadsGoToObserver(cluster, OURS, READS / 2);
                    FinalChecks.assertAllAgree(cluster);
                });
    }

    private static void assertRolesChange(HaCluster cluster, RunningLoad load, OwnWrites ownWrites) throws Exception {
        NameNodeServer killed = cluster.awaitActive();
        NameNodeServer reserve = onlyInState(cluster, HAServiceState.STANDBY);
        killed.kill9();
        load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
        ownWrites.awaitMore();
        reserve.awaitState(HAServiceState.ACTIVE);
        awaitOneOfEach(cluster);

        NameNodeServer observer = onlyInState(cluster, HAServiceState.OBSERVER);
        NameNodeServer old = cluster.awaitActive();
        cluster.haadmin("-failover", old.name(), observer.name()).expectSuccess();
        observer.awaitState(HAServiceState.ACTIVE);
        load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
        awaitOneOfEach(cluster);
        ownWrites.awaitMore();

        NameNodeServer frozen = onlyInState(cluster, HAServiceState.OBSERVER);
        frozen.pause();
        ownWrites.awaitMore();
        frozen.resume();
        awaitOneOfEach(cluster);
    }

    /** A client that makes directories and checks at once whether they exist, until it is closed. */
    private static final class OwnWrites implements AutoCloseable {
        private final FileSystem client;
        private final AtomicInteger seen = new AtomicInteger();
        private final AtomicBoolean ends = new AtomicBoolean();
        private final CompletableFuture<Void> all;

        OwnWrites(FileSystem client) {
            this.client = client;
            this.all = CompletableFuture.runAsync(this::writeAndRead);
        }

        private void writeAndRead() {
            try {
                while (!ends.get()) {
                    Path path = new Path("/own/" + seen.get());
                    client.mkdirs(path);
                    client.getFileStatus(path);
                    seen.incrementAndGet();
                }
            } catch (IOException e) {
                throw new UncheckedIOException("own write " + seen.get(), e);
            }
        }

        void awaitMore() {
            int before = seen.get();
            Await.until(
                    "a client of ours sees " + CHANGES_BETWEEN + " of its own writes",
                    Await.TIMEOUT,
                    () -> all.isDone() || seen.get() >= before + CHANGES_BETWEEN,
                    () -> seen.get() + " seen");
            assertThat(all).as("own writes go on, after " + seen.get()).isNotCompleted();
        }

        @Override
        public void close() {
            ends.set(true);
            assertThat(all).succeedsWithin(Await.TIMEOUT);
        }
    }

    private static void awaitOneOfEach(HaCluster cluster) {
        Await.until(
                "one is active, one standby and one observer",
                Await.TIMEOUT,
                () -> List.of(HAServiceState.ACTIVE, HAServiceState.STANDBY, HAServiceState.OBSERVER).stream()
                        .allMatch(state -> cluster.nameNodes().stream()
                                        .filter(nameNode -> nameNode.isInState(state))
                                        .count()
                                == 1),
                cluster::describe);
    }

    private static NameNodeServer onlyInState(HaCluster cluster, HAServiceState state) {
        return cluster.nameNodes().stream()
                .filter(nameNode -> nameNode.isInState(state))
                .findFirst()
                .orElseThrow(() -> new AssertionError("none is " + state + "\n" + cluster.describe()));
    }

    private static void assertCommandShowsObserver(HaCluster cluster) {
        ToolResult view = cluster.trefoil("view");
        assertThat(view.expectSuccess().output()).contains("standby, observer").contains("1 active and 2 standby of 3");
    }

    /** One client reads its own writes at once, from the observer, which no other client asks. */
    private static void assertReadsGoToObserver(HaCluster cluster, String provider, int expected) throws IOException {
        NameNodeServer observer = onlyInState(cluster, HAServiceState.OBSERVER);
        FileSystem client = readingFileSystem(cluster, provider);
        long before = readCountOf(observer);
        Path directory = new Path("/reads-" + System.nanoTime());
        client.mkdirs(directory);
        for (int i = 0; i < READS; i++) {
            Path path = new Path(directory, "d" + i);
            client.mkdirs(path);
            assertThat(client.getFileStatus(path).isDirectory())
                    .as(path + ", just made")
                    .isTrue();
        }
        // The page shows numbers that are some seconds old.
        observer.await(
                "has answered " + expected + " reads more than " + before,
                Await.TIMEOUT,
                () -> readCountOf(observer) >= before + expected);
    }

    private static FileSystem readingFileSystem(HaCluster cluster, String provider) throws IOException {
        Configuration conf = cluster.clientConfiguration();
        conf.set("dfs.client.failover.proxy.provider." + cluster.layout().nameservice(), provider);
        conf.set("dfs.client.failover.observer.probe.retry.period", "1s");
        return cluster.newFileSystem(conf);
    }

    private static long readCountOf(NameNodeServer nameNode) {
        return nameNode.jmx().readNumber("Hadoop:service=NameNode,name=NameNodeActivity", "FileInfoOps");
    }
}
