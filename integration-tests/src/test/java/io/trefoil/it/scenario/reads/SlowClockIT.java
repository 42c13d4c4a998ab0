/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.reads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.client.hdfs.SmartObserverReadProxyProvider;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.host.NeedsRoot;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.history.Linearizability;
import io.trefoil.it.history.Operation;
import io.trefoil.it.history.RandomRequests;
import io.trefoil.it.scenario.Reckoning;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * An observer whose clock is far too slow uses its lease for longer than the active counts it. The rules are right, and
 * what they rely on is not given: the histories of clients show it as soon as the observer is cut off.
 */
@NeedsRoot
@Tag("long")
class SlowClockIT {
    private static final String METRICS = "Hadoop:service=NameNode,name=NearReads";
    private static final Duration TO_SOUTH = Duration.ofMillis(50);
    /** A lease is used for four seconds. */
    private static final double FAR_TOO_SLOW = 0.2;

    private static final int HISTORIES = 25;
    private static final int WRITERS_OF_SITE = 4;
    private static final int READERS_OF_SITE = 4;
    /** More than all writers have under way at a time, so that some are asked after what came before. */
    private static final int CHANGES = 60;

    private static final Duration BETWEEN_CALLS = Duration.ofMillis(25);

    private enum Site {
        HOME,
        SOUTH;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Test
    void aClockThatIsFarTooSlowIsNoticed() throws Exception {
        HaClusterBuilder builder = HaCluster.builder("near-slow-clock")
                .withAutomaticFailover()
                .hostsInNetworkNamespaces()
                .property("trefoil.ha.near-reads", "true")
                .property("dfs.namenode.state.context.enabled", "true")
                .property("dfs.ha.tail-edits.in-progress", "true")
                .serverProperty("nn1", "trefoil.ha.site", Site.HOME.word())
                .serverProperty("nn2", "trefoil.ha.site", Site.HOME.word())
                .serverProperty("nn3", "trefoil.ha.site", Site.SOUTH.word())
                .serverProperty("nn3", "trefoil.ha.electable", "false")
                .lateBy("nn3", TO_SOUTH)
                .clockSpeed("nn3", FAR_TOO_SLOW);
        builder.run(cluster -> {
            NameNodeServer far = cluster.nameNode(3);
            far.awaitState(HAServiceState.OBSERVER);
            awaitLease(far);
            try (HistoryClients clients = start(cluster, "/histories", Site.HOME, Site.SOUTH)) {
                awaitMore(clients);
                cluster.nameNodesBut(far).forEach(other -> cluster.faults().cutLink(far, other));
                awaitMore(clients);
                awaitMore(clients);
                cluster.nameNodesBut(far).forEach(other -> cluster.faults().healLink(far, other));
                assertThat(contradictions(clients, far))
                        .as("histories that no order explains")
                        .isNotEmpty();
            }
        });
    }

    private static void awaitLease(NameNodeServer far) {
        far.await("may answer reads", Reckoning.LIMIT, () -> number(far, "Leased") == 1);
    }

    private static long number(NameNodeServer nameNode, String metric) {
        return nameNode.jmx().number(METRICS, metric);
    }

    private static HistoryClients start(HaCluster cluster, String root, Site... sites) throws Exception {
        List<HistoryClients.Group> groups = Arrays.stream(sites)
                .flatMap(site -> Stream.of(
                        new HistoryClients.Group(at(cluster, site), WRITERS_OF_SITE, RandomRequests::next),
                        new HistoryClients.Group(at(cluster, site), READERS_OF_SITE, RandomRequests::nextRead)))
                .toList();
        return HistoryClients.start(cluster, root, groups, HISTORIES, BETWEEN_CALLS, HistoryClients.Sending.ONCE);
    }

    private static Configuration at(HaCluster cluster, Site site) {
        Configuration conf = cluster.clientConfiguration();
        conf.set(
                "dfs.client.failover.proxy.provider." + cluster.layout().nameservice(),
                SmartObserverReadProxyProvider.class.getName());
        conf.set("trefoil.client.observer.refresh-interval", "1s");
        conf.set("trefoil.client.site", site.word());
        return conf;
    }

    private static void awaitMore(HistoryClients clients) {
        long goal = clients.changes() + CHANGES;
        await().atMost(Reckoning.LIMIT).until(() -> clients.changes() >= goal);
    }

    /** Ends the clients, and says which of their histories no order explains. */
    private static List<String> contradictions(HistoryClients clients, NameNodeServer far) throws Exception {
        List<List<Operation>> histories = clients.stop();
        System.out.printf(
                Locale.ROOT,
                "%d near reads, %d sent to the active, in %d histories of %d calls, without an answer %s%n",
                number(far, "Answered"),
                number(far, "Refused"),
                histories.size(),
                histories.stream().mapToInt(List::size).sum(),
                clients.unknown());
        assertThat(clients.unexplained()).as("errors").isEmpty();
        return histories.stream()
                .map(Linearizability::contradictionIn)
                .flatMap(Optional::stream)
                .toList();
    }
}
