/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.history.Linearizability;
import io.trefoil.it.history.Operation;
import io.trefoil.it.history.RandomRequests;
import io.trefoil.it.scenario.reads.HistoryClients;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The 32 writers whose calls run through an upgrade, and whose histories are checked at its end. */
public final class UpgradeLoad implements AutoCloseable {
    private static final int CLIENTS = 32;
    private static final int HISTORIES = 25;
    /** Of each client: together they ask for no more than other tests leave room for. */
    private static final Duration CALL_INTERVAL = Duration.ofMillis(200);

    private final HistoryClients clients;

    private UpgradeLoad(HistoryClients clients) {
        this.clients = clients;
    }

    public static UpgradeLoad start(HaCluster cluster) throws Exception {
        HistoryClients.Group alike =
                new HistoryClients.Group(cluster.clientConfiguration(), CLIENTS, RandomRequests::next);
        return new UpgradeLoad(HistoryClients.start(
                cluster, "/mixed", List.of(alike), HISTORIES, CALL_INTERVAL, HistoryClients.Sending.ONCE));
    }

    /** Waits until the group has an active, its standbys and all of its journal. */
    public static void settle(HaCluster cluster) {
        cluster.awaitActiveAndStandbys();
        cluster.awaitFullJournal();
    }

    /** Ends the calls, prints a row of {@code bin/check-upgrades}' table, and asserts that none failed and every history is linearizable. */
    public void stopAndCheck(String upgrade) throws InterruptedException {
        List<List<Operation>> histories = clients.stop();
        long longest = histories.stream()
                .flatMap(List::stream)
                .filter(operation -> operation.to() != Long.MAX_VALUE)
                .mapToLong(operation -> operation.to() - operation.from())
                .max()
                .orElse(0);
        System.out.printf(
                "check-upgrades: %s: %d calls, %d failed, the longest took %d ms%n",
                upgrade,
                histories.stream().mapToInt(List::size).sum(),
                clients.unexpectedErrors().size(),
                TimeUnit.NANOSECONDS.toMillis(longest));
        assertThat(clients.unexpectedErrors()).as("errors").isEmpty();
        for (List<Operation> history : histories) {
            assertThat(Linearizability.findContradiction(history)).as(upgrade).isEmpty();
        }
    }

    @Override
    public void close() throws Exception {
        clients.close();
    }
}
