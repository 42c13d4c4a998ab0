/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.layout.SspJournalKind;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Workload;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.ToolResult;
import io.trefoil.it.scenario.FinalChecks;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * One and two of three pool nodes die and come back: writers wait, the active stays alive, and nothing is lost or
 * executed twice.
 */
class LostMajorityIT {
    private static final int CHANGES = 500;
    /** The active that did not go on ended in five of six; {@code LostMajorityTest} of the agent shows each order of events. */
    private static final int LOSSES = Integer.getInteger("trefoil.it.losses", 1);
    /** Of which most are the pause of a client that was told to come back. */
    private static final long MAX_OUTAGE_MILLIS = 5_000;

    /** More than HDFS's queue of edits holds, and three quarters of that. */
    private static final int CALLERS = 4_500;

    private static final int LET_IN = 3_000;
    private static final long STACK_BYTES = 256 << 10;

    private static final String QUEUE_SIZE = "dfs.namenode.edits.asynclogging.pending.queue.size";
    private static final String STALLED = "still waiting for entry";

    @Test
    @Tag("long")
    void writesWaitForNameNodeMajorityAndActiveSurvives() throws Exception {
        killAndRestartPoolNodes("lost-majority", 3, JournalKind.ssp());
    }

    @Test
    @Tag("long")
    void writesWaitForStandAlonePoolMajority() throws Exception {
        killAndRestartPoolNodes(
                "lost-majority-stand-alone", 2, JournalKind.ssp().standAlone());
    }

    /** Again and again, since what becomes of the active depends on what it learns first: that they listen, or that they obey. */
    @Test
    void activeContinuesWhenStandbysReturn() throws Exception {
        HaCluster.builder("lost-standbys").nameNodes(3).withAutomaticFailover().run(cluster -> {
            FileSystem fileSystem = cluster.newFileSystem();
            try (RunningLoad load = Workload.on(fileSystem).threads(4).start()) {
                load.awaitMore(CHANGES, Await.TIMEOUT);
                NameNodeServer active = cluster.awaitActive();
                for (int i = 1; i <= LOSSES; i++) {
                    loseStandbys(cluster, active, fileSystem, load);
                }
                FinalChecks.assertNothingLost(fileSystem, load);
                assertThat(active.exits()).isEmpty();
                assertThat(active.isActive()).isTrue();
            }
            FinalChecks.assertAllAgree(cluster);
        });
    }

    /**
     * Callers wait for as long as the answers of those do whose calls were executed, not for ten retries: 4 s here. {@code UncommittedCallLimitTest}
     * shows the same without processes. The queue is small, so that the callers of a test fill it.
     */
    @Test
    @Tag("long")
    void operatorsAndDataNodesAreAnsweredWithFullEditQueue() throws Exception {
        HaClusterBuilder builder = HaCluster.builder("full-queue-of-edits")
                .nameNodes(3)
                .dataNodes(1)
                .withAutomaticFailover()
                .property("dfs.heartbeat.interval", "1")
                .property(QUEUE_SIZE, "64");
        builder.run(cluster -> {
            FileSystem fileSystem = cluster.newFileSystem();
            try (RunningLoad load =
                    Workload.on(fileSystem).threads(150).withoutRateLimit().start()) {
                load.awaitMore(CHANGES, Await.TIMEOUT);
                NameNodeServer active = cluster.awaitActive();
                List<NameNodeServer> standbys = cluster.nameNodesExcept(active);
                for (NameNodeServer standby : standbys) {
                    standby.awaitState(HAServiceState.STANDBY);
                }
                standbys.forEach(Server::kill9ForGood);
                assertStallReported(active, load);

                // It ends when the majority is back, or is refused, whichever comes first.
                CompletableFuture.runAsync(active::rollEdits);
                expectOperatorsAnswered(cluster, active);

                standbys.forEach(Server::start);
                load.awaitEachClient(Await.TIMEOUT);
                assertThat(load.ledger().failures()).as("calls given up").isEmpty();
                FinalChecks.assertNothingLost(fileSystem, load);
                assertThat(active.exits()).isEmpty();
            }
            FinalChecks.assertAllAgree(cluster);
        });
    }

    /** HDFS's queue as it is, of which three quarters are let in. Each caller has one call, so that the machine can bear so many. */
    @Test
    @Tag("long")
    void operatorsAreAnsweredWhenCallersOutnumberUsualQueue() throws Exception {
        HaCluster.builder("usual-queue-of-edits")
                .nameNodes(3)
                .dataNodes(1)
                .withAutomaticFailover()
                .property("dfs.heartbeat.interval", "1")
                .run(cluster -> {
                    NameNodeServer active = cluster.awaitActive();
                    List<NameNodeServer> standbys = cluster.nameNodesExcept(active);
                    for (NameNodeServer standby : standbys) {
                        standby.awaitState(HAServiceState.STANDBY);
                    }
                    FileSystem fileSystem = cluster.newFileSystem();
                    Path parent = new Path("/callers");
                    fileSystem.mkdirs(parent);
                    long before = lastWrittenTxId(active);
                    standbys.forEach(Server::kill9ForGood);
                    List<CompletableFuture<Boolean>> calls = IntStream.range(0, CALLERS)
                            .mapToObj(i -> callAsync(() -> fileSystem.mkdirs(new Path(parent, "of-" + i))))
                            .toList();
                    active.await("lets no more in", Await.TIMEOUT, () -> lastWrittenTxId(active) >= before + LET_IN);
                    expectOperatorsAnswered(cluster, active);
                    assertThat(calls.stream().filter(CompletableFuture::isDone))
                            .as("answers without a majority")
                            .isEmpty();

                    standbys.forEach(Server::start);
                    for (CompletableFuture<Boolean> call : calls) {
                        assertThat(call.get(Await.TIMEOUT.toMillis(), TimeUnit.MILLISECONDS))
                                .isTrue();
                    }
                    assertThat(fileSystem.listStatus(parent)).hasSize(CALLERS);
                    assertThat(active.exits()).isEmpty();
                    FinalChecks.assertAllAgree(cluster);
                });
    }

    private static long lastWrittenTxId(NameNodeServer nameNode) {
        return nameNode.jmx().readNumber("Hadoop:service=NameNode,name=FSNamesystem", "LastWrittenTransactionId");
    }

    /** In a thread of its own, with a small stack. */
    private static <T> CompletableFuture<T> callAsync(Callable<T> callable) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        Runnable call = () -> {
            try {
                answer.complete(callable.call());
            } catch (Exception e) {
                answer.completeExceptionally(e);
            }
        };
        new Thread(null, call, "caller", STACK_BYTES).start();
        return answer;
    }

    /**
     * HDFS's own roller would end a segment of 2,500 edits within 2 s: it knows of no majority, and would wait with the lock. The majority
     * is lost just before that, and the callers' last edits are those that were missing.
     */
    @Test
    @Tag("long")
    void operatorsAreAnsweredWhenLogRollIsDueWithoutMajority() throws Exception {
        HaCluster.builder("due-roller")
                .nameNodes(3)
                .dataNodes(1)
                .withAutomaticFailover()
                .property("dfs.heartbeat.interval", "1")
                .property("dfs.namenode.edit.log.autoroll.multiplier.threshold", "0.0025")
                .property("dfs.namenode.edit.log.autoroll.check.interval.ms", "2000")
                .run(cluster -> {
                    FileSystem fileSystem = cluster.newFileSystem();
                    try (RunningLoad load = Workload.on(fileSystem).threads(100).start()) {
                        NameNodeServer active = cluster.awaitActive();
                        List<NameNodeServer> standbys = cluster.nameNodesExcept(active);
                        for (NameNodeServer standby : standbys) {
                            standby.awaitState(HAServiceState.STANDBY);
                        }
                        active.await("has written 2450 edits", Await.TIMEOUT, () -> active.appliedTxId() >= 2_450);
                        standbys.forEach(Server::kill9ForGood);
                        assertStallReported(active, load);
                        expectOperatorsAnswered(cluster, active);

                        standbys.forEach(Server::start);
                        load.awaitEachClient(Await.TIMEOUT);
                        FinalChecks.assertNothingLost(fileSystem, load);
                        assertThat(active.exits()).isEmpty();
                    }
                    FinalChecks.assertAllAgree(cluster);
                });
    }

    /** Of what is asked one after the other, the later must not wait for the earlier. */
    private static void expectOperatorsAnswered(HaCluster cluster, NameNodeServer active) {
        assertThat(cluster.haadmin("-getServiceState", active.name()).exitCode())
                .isZero();
        ToolResult report = active.tool(
                "org.apache.hadoop.hdfs.tools.DFSAdmin", "-fs", active.uri().toString(), "-report");
        assertThat(report.exitCode()).as(report::output).isZero();
        active.await("hears its DataNode, in whole seconds", Await.TIMEOUT, () -> active.jmx()
                .readText("Hadoop:service=NameNode,name=NameNodeInfo", "LiveNodes")
                .matches("(?s).*\"lastContact\":[01],.*"));
    }

    private static void loseStandbys(
            HaCluster cluster, NameNodeServer active, FileSystem fileSystem, RunningLoad load) {
        List<NameNodeServer> standbys = cluster.nameNodesExcept(active);
        for (NameNodeServer standby : standbys) {
            standby.awaitState(HAServiceState.STANDBY);
        }
        awaitMetric(active, fileSystem, "InSyncVoters", value -> value == 3);
        standbys.forEach(Server::kill9ForGood);
        awaitMetric(active, fileSystem, "LeaseRemainingMillis", value -> value < 0);
        long acknowledged = load.ledger().acknowledgedCount();

        standbys.forEach(Server::start);
        assertThat(load.ledger().acknowledgedCount())
                .as("changes without a majority")
                .isEqualTo(acknowledged);
        standbys.get(0).awaitListening("pool");
        long backNanos = System.nanoTime();
        load.awaitMore(1, Await.TIMEOUT);
        long waitedMillis = (System.nanoTime() - backNanos) / 1_000_000;
        System.out.printf("the majority was back, first change after %d ms%n", waitedMillis);
        assertThat(active.exits()).as("ends of the active").isEmpty();
        assertThat(waitedMillis)
                .as("ms until a change after the majority was back")
                .isLessThan(MAX_OUTAGE_MILLIS);
        load.awaitMore(CHANGES, Await.TIMEOUT);
    }

    private static void killAndRestartPoolNodes(String name, int nameNodes, SspJournalKind journal) throws Exception {
        HaCluster.builder(name).nameNodes(nameNodes).journal(journal).run(cluster -> {
            NameNodeServer active = cluster.nameNode(1);
            List<? extends Server> mortal = cluster.journalReplicas().stream()
                    .filter(server -> server != active)
                    .toList();
            Server first = mortal.get(mortal.size() - 1);
            Server second = mortal.get(mortal.size() - 2);
            FileSystem fileSystem = cluster.newFileSystem();
            try (RunningLoad load = Workload.on(fileSystem).threads(16).start()) {
                load.awaitMore(CHANGES, Await.TIMEOUT);

                first.kill9ForGood();
                load.awaitMore(CHANGES, Await.TIMEOUT);
                awaitMetric(active, fileSystem, "InSyncVoters", value -> value == 2);

                second.kill9ForGood();
                assertStallReported(active, load);
                awaitMetric(active, fileSystem, "UncommittedEntries", value -> value > 0);
                active.awaitState(HAServiceState.ACTIVE);

                second.start();
                load.awaitMore(CHANGES, Await.TIMEOUT);

                first.start();
                load.awaitMore(CHANGES, Await.TIMEOUT);
                // Only if the first has all that it missed does the majority go on without the second.
                second.kill9ForGood();
                load.awaitMore(CHANGES, Await.TIMEOUT);
                second.start();

                FinalChecks.assertNothingLost(fileSystem, load);
            }
            cluster.startNameNodes();
            assertThat(active.startCount()).isEqualTo(1);
            FinalChecks.assertAllAgree(cluster);
        });
    }

    /** Waits for a metric of the active's journal, as an operator sees it. */
    private static void awaitMetric(NameNodeServer active, FileSystem fileSystem, String name, LongPredicate expected) {
        String writer =
                "Hadoop:service=NameNode,name=SspWriter-" + fileSystem.getUri().getHost();
        active.await(
                "shows " + name, Await.TIMEOUT, () -> expected.test(active.jmx().readNumber(writer, name)));
    }

    /** The active reports that it waits, reports it again, and acknowledges nothing in between. */
    private static void assertStallReported(NameNodeServer active, RunningLoad load) {
        awaitStallReport(active, active.log().end());
        long acknowledged = load.ledger().acknowledgedCount();
        awaitStallReport(active, active.log().end());
        assertThat(load.ledger().acknowledgedCount()).isEqualTo(acknowledged);
        assertThat(active.isAlive()).isTrue();
    }

    private static void awaitStallReport(NameNodeServer active, long since) {
        active.await("says that its writes wait", Await.TIMEOUT, () -> active.log()
                .textSince(since)
                .contains(STALLED));
    }
}
