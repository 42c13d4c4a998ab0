/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.reads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.client.hdfs.SmartFailoverProxyProvider;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.history.Linearizability;
import io.trefoil.it.history.Operation;
import io.trefoil.it.process.Await;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.junit.jupiter.api.Test;

/**
 * While the active is killed or frozen, some order explains what concurrent clients are told, in which every call was
 * executed once and between its request and its answer. Some clients give up in the middle; whether their calls were
 * executed is open. The system property {@code trefoil.it.failovers} sets the number of faults; each has histories of
 * its own.
 */
class LinearizabilityIT {
    private static final int FAILOVERS = Integer.getInteger("trefoil.it.failovers", 2);
    private static final int HISTORIES = 25;
    private static final int CLIENTS = 24;
    /** Before a fault, and again after it. */
    private static final int CALLS = 1_000;

    @Test
    void answersAcrossFailoversAreLinearizable() throws Exception {
        HaCluster.builder("linearizability")
                .withAutomaticFailover()
                .property("trefoil.journal.lease", "1s")
                .property("trefoil.journal.ack.timeout", "500ms")
                .property("dfs.client.failover.proxy.provider.trefoil", SmartFailoverProxyProvider.class.getName())
                .run(cluster -> {
                    assertFindsCallsExecutedTwice(cluster);
                    for (int i = 1; i <= FAILOVERS; i++) {
                        runHistories(i, cluster);
                    }
                });
    }

    private static void assertFindsCallsExecutedTwice(HaCluster cluster) throws Exception {
        try (HistoryClients clients = HistoryClients.start(
                cluster, "/planted", CLIENTS, HISTORIES, HistoryClients.Sending.AGAIN_UNDER_A_NEW_ID)) {
            awaitMore(clients, 2 * CALLS);
            long found = clients.stop().stream()
                    .map(Linearizability::findContradiction)
                    .filter(Optional::isPresent)
                    .count();
            System.out.printf("calls executed twice on purpose: found in %d of %d histories%n", found, HISTORIES);
            assertThat(found).as("histories in which it is found").isGreaterThan(HISTORIES / 2);
        }
    }

    private static void runHistories(int number, HaCluster cluster) throws Exception {
        boolean killed = number % 2 == 1;
        NameNodeServer old = cluster.awaitActive();
        cluster.nameNodesExcept(old).forEach(nameNode -> nameNode.awaitState(HAServiceState.STANDBY));
        try (HistoryClients clients = HistoryClients.start(
                cluster, "/histories-" + number, CLIENTS, HISTORIES, HistoryClients.Sending.ONCE)) {
            awaitMore(clients, CALLS);
            if (killed) {
                old.kill9();
            } else {
                old.pause();
            }
            clients.interruptSome();
            cluster.nameNode(1)
                    .await("or another one is active", Await.TIMEOUT, () -> cluster.nameNodesExcept(old).stream()
                            .anyMatch(NameNodeServer::isActive));
            awaitMore(clients, CALLS / 2);
            old.resume();
            awaitMore(clients, CALLS / 2);
            check((killed ? "killed " : "frozen ") + old, clients);
        }
        old.awaitState(HAServiceState.STANDBY);
    }

    private static void awaitMore(HistoryClients clients, long calls) {
        long goal = clients.finishedCalls() + calls;
        await().atMost(Await.TIMEOUT).until(() -> clients.finishedCalls() >= goal);
    }

    private static void check(String fault, HistoryClients clients) throws InterruptedException {
        List<List<Operation>> histories = clients.stop();
        System.out.printf(
                Locale.ROOT,
                "%s: %d histories of %d calls, without an answer %s%n",
                fault,
                histories.size(),
                histories.stream().mapToInt(List::size).sum(),
                clients.unknownOutcomes());
        assertThat(clients.unexpectedErrors()).as("errors").isEmpty();
        for (List<Operation> history : histories) {
            assertThat(Linearizability.findContradiction(history)).as(fault).isEmpty();
        }
    }
}
