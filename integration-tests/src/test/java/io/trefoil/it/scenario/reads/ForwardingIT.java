/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.reads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.history.Linearizability;
import io.trefoil.it.history.Operation;
import io.trefoil.it.process.Await;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider;
import org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Stock clients know only the address of one NameNode, which is not the active and forwards their calls. While the
 * active is killed, and that NameNode, and both together, some order explains their answers in which every call was
 * executed once.
 */
class ForwardingIT {
    private static final int CLIENTS = 16;
    private static final int HISTORIES = 20;
    private static final int CALLS = 600;
    private static final int WRITES_AND_READS = 200;

    @Test
    void answersThroughOneStandbyAreLinearizable() throws Exception {
        HaCluster.builder("forwarding")
                .withAutomaticFailover()
                .property("trefoil.ha.forward-calls", "true")
                .property("dfs.ha.tail-edits.in-progress", "true")
                // The third is the one that clients know; it becomes active only if there is no other.
                .serverProperty("nn1", "trefoil.ha.priority", "1")
                .serverProperty("nn2", "trefoil.ha.priority", "1")
                .run(ForwardingIT::killActivesAndForwarders);
    }

    private static void killActivesAndForwarders(HaCluster cluster) throws Exception {
        NameNodeServer door = cluster.nameNode(3);
        cluster.failOverTo(cluster.nameNode(1));
        door.awaitState(HAServiceState.STANDBY);
        try (HistoryClients clients = HistoryClients.start(
                cluster,
                configurationKnowing(door, cluster, ConfiguredFailoverProxyProvider.class),
                "/forwarded",
                CLIENTS,
                HISTORIES,
                HistoryClients.Sending.ONCE)) {
            awaitMore(clients);
            door.awaitState(HAServiceState.STANDBY);
            // All clients together had so many answers, and this NameNode gave them.
            door.await("shows that it answered", Await.TIMEOUT, () -> metricValue(door, "Answered") >= CALLS);
            assertThat(metricValue(door, "Forwarded")).isGreaterThanOrEqualTo(CALLS);

            NameNodeServer first = cluster.awaitActive();
            first.kill9();
            cluster.awaitActiveOtherThan(first);
            awaitMore(clients);
            door.await("shows that it sent some again", Await.TIMEOUT, () -> metricValue(door, "SentAgain") > 0);

            // Else no majority of the pool would be left, and the active would end as well.
            first.awaitState(HAServiceState.STANDBY);
            door.kill9();
            awaitMore(clients);

            cluster.awaitActive().kill9();
            door.kill9();
            awaitMore(clients);
            check(clients);
            assertEveryForwardedCallEnded(door);
        }
    }

    private static long metricValue(NameNodeServer nameNode, String metric) {
        return nameNode.jmx().readNumber("Hadoop:service=NameNode,name=ForwardedCalls", metric);
    }

    private static long returnedCalls(NameNodeServer nameNode) {
        return Stream.of("NotExecuted", "Unknown", "NoAnswer", "NotApplied", "NoRoom")
                .mapToLong(cause -> metricValue(nameNode, "HandedBack" + cause))
                .sum();
    }

    /** Call it when no client calls: then none waits, and each is counted once. */
    private static void assertEveryForwardedCallEnded(NameNodeServer nameNode) {
        nameNode.await(
                "shows what became of each call that it forwarded",
                Await.TIMEOUT,
                () -> metricValue(nameNode, "Waiting") == 0
                        && metricValue(nameNode, "AnswerBytes") == 0
                        && metricValue(nameNode, "Forwarded")
                                == metricValue(nameNode, "Answered")
                                        + returnedCalls(nameNode)
                                        + metricValue(nameNode, "ClientGone"));
    }

    private static void awaitMore(HistoryClients clients) {
        long goal = clients.finishedCalls() + CALLS;
        await().atMost(Await.TIMEOUT).until(() -> clients.finishedCalls() >= goal);
    }

    private static void check(HistoryClients clients) throws InterruptedException {
        List<List<Operation>> histories = clients.stop();
        System.out.printf(
                "%d histories of %d calls through one standby, without an answer %s%n",
                histories.size(), histories.stream().mapToInt(List::size).sum(), clients.unknownOutcomes());
        assertThat(clients.unexpectedErrors()).as("errors").isEmpty();
        for (List<Operation> history : histories) {
            assertThat(Linearizability.findContradiction(history)).isEmpty();
        }
    }

    @Test
    @Tag("long")
    void writerAtObserverReadsOwnWrites() throws Exception {
        HaCluster.builder("forwarding-observer")
                .withAutomaticFailover()
                .property("trefoil.ha.forward-calls", "true")
                .property("dfs.ha.tail-edits.in-progress", "true")
                .property("dfs.namenode.state.context.enabled", "true")
                .serverProperty("nn3", "trefoil.ha.electable", "false")
                .run(cluster -> {
                    NameNodeServer observer = cluster.nameNode(3);
                    observer.awaitState(HAServiceState.OBSERVER);
                    try (DistributedFileSystem files = cluster.newFileSystem(
                            configurationKnowing(observer, cluster, ObserverReadProxyProvider.class))) {
                        ClientProtocol client = files.getClient().getNamenode();
                        for (int i = 0; i < WRITES_AND_READS; i++) {
                            String path = "/observed-" + i;
                            assertThat(client.mkdirs(path, FsPermission.getDirDefault(), true))
                                    .isTrue();
                            assertThat(client.getFileInfo(path))
                                    .as("%s at the observer", path)
                                    .isNotNull();
                            assertThat(client.delete(path, true)).isTrue();
                            assertThat(client.getFileInfo(path))
                                    .as("%s at the observer", path)
                                    .isNull();
                        }
                    }
                    observer.awaitState(HAServiceState.OBSERVER);
                    observer.await(
                            "shows that it answered",
                            Await.TIMEOUT,
                            () -> metricValue(observer, "Answered") >= 2L * WRITES_AND_READS);
                    assertEveryForwardedCallEnded(observer);
                });
    }

    /** As if the nameservice had no other NameNode. */
    private static Configuration configurationKnowing(NameNodeServer one, HaCluster cluster, Class<?> provider) {
        Configuration configuration = cluster.clientConfiguration();
        configuration.set("dfs.ha.namenodes.trefoil", one.name());
        configuration.set("dfs.client.failover.proxy.provider.trefoil", provider.getName());
        return configuration;
    }
}
