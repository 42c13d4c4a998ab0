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
import io.trefoil.it.process.Await;
import io.trefoil.it.process.ToolResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Three sites, each with clients that write and clients that only read: home with two NameNodes, west and south with an
 * observer each, which is 5 and 50 ms away and has a read lease. West votes, south does not. The clocks of home run a
 * tenth too fast, and those of the other sites up to a tenth too slow, which is the most that leases allow. One order
 * explains what all are told, while links are cut, and processes are frozen for longer than a lease or killed, at one
 * site or at two at once, as a seed decides.
 */
@NeedsRoot
@Tag("long")
class NearReadsThreeSitesIT {
    private static final String METRICS = "Hadoop:service=NameNode,name=NearReads";
    private static final Duration WEST_DELAY = Duration.ofMillis(5);
    private static final Duration SOUTH_DELAY = Duration.ofMillis(50);
    private static final double FASTEST = 1.1;
    private static final double SLOWEST = 0.9;
    /** A lease is used for four seconds. */
    private static final double FAR_TOO_SLOW = 0.2;

    private static final int VOTERS = 3;
    /** As many as pairs of a kind of fault and a place for it, so that each occurs once. */
    private static final int TURNS = Integer.getInteger("trefoil.it.turns", 12);

    private static final int HISTORIES = 25;
    private static final int WRITERS_OF_SITE = 4;
    private static final int READERS_OF_SITE = 4;
    /** More than all writers have under way at a time, so that some are asked after what came before. */
    private static final int CHANGES = 60;

    /** More than the clients of a site have under way at a time, by far. */
    private static final int READS_OF_SITE = 100;

    /** So often the south is cut off, until it shows what is old; more than every second time is enough. */
    private static final int CUTS = 10;

    private static final Duration CALL_INTERVAL = Duration.ofMillis(25);

    private enum Site {
        HOME,
        WEST,
        SOUTH;

        String displayName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Test
    void noSiteAnswersStaleReads() throws Exception {
        long seed = Long.getLong("seed", System.nanoTime());
        System.out.println("-Dseed=" + seed + " repeats the order of the faults and the clocks");
        Random random = new Random(seed);
        double ofSouth = SLOWEST + random.nextDouble() * (FASTEST - SLOWEST);
        HaClusterBuilder builder = sites("near-sites", 4)
                .serverProperty("nn3", "trefoil.ha.electable", "false")
                .poolNodeDelay("nn3", WEST_DELAY)
                .poolNodeDelay("nn4", SOUTH_DELAY)
                .clockSpeed("nn1", FASTEST)
                .clockSpeed("nn2", FASTEST)
                .clockSpeed("nn3", SLOWEST)
                .clockSpeed("nn4", ofSouth);
        builder.run(cluster -> {
            cluster.nameNodes().subList(2, 4).forEach(far -> far.awaitState(HAServiceState.OBSERVER));
            demoteSouthToLearner(cluster);
            List<Fault> faults = shuffle(Fault.values(), random);
            List<Place> places = shuffle(Place.values(), random);
            for (int turn = 0; turn < TURNS; turn++) {
                Fault fault = faults.get(turn % faults.size());
                runFault(cluster, turn, fault, places.get(turn % places.size()));
            }
        });
    }

    private static <T> List<T> shuffle(T[] all, Random random) {
        List<T> list = new ArrayList<>(Arrays.asList(all));
        Collections.shuffle(list, random);
        return list;
    }

    private static void runFault(HaCluster cluster, int turn, Fault fault, Place place) throws Exception {
        List<NameNodeServer> remoteNameNodes = cluster.nameNodes().subList(2, 4);
        awaitHealthy(cluster);
        try (HistoryClients clients = start(cluster, "/histories-" + turn, Site.values())) {
            awaitMore(clients);
            List<NameNodeServer> victims = place.victims(cluster);
            System.out.printf("turn %d: %s are %s%n", turn, victims, fault);
            fault.inject(cluster, victims);
            awaitMore(clients);
            fault.repair(cluster, victims);
            awaitMore(clients);
            remoteNameNodes.forEach(NearReadsThreeSitesIT::awaitLease);
            remoteNameNodes.forEach(NearReadsThreeSitesIT::awaitAnswers);
            awaitMore(clients);
            assertThat(contradictions(clients, remoteNameNodes)).isEmpty();
        }
    }

    /** A fault that lasts until it is repaired; the killed are restarted at once. */
    private enum Fault {
        KILLED {
            @Override
            void inject(HaCluster cluster, List<NameNodeServer> victims) {
                victims.forEach(NameNodeServer::kill9);
            }

            @Override
            void repair(HaCluster cluster, List<NameNodeServer> victims) {
                victims.forEach(NameNodeServer::awaitUp);
            }
        },
        FROZEN {
            @Override
            void inject(HaCluster cluster, List<NameNodeServer> victims) {
                victims.forEach(NameNodeServer::pause);
            }

            @Override
            void repair(HaCluster cluster, List<NameNodeServer> victims) {
                victims.forEach(NameNodeServer::resume);
            }
        },
        CUT_OFF {
            @Override
            void inject(HaCluster cluster, List<NameNodeServer> victims) {
                links(cluster, victims).forEach(link -> cluster.faults().cutLink(link.one(), link.otherNameNode()));
            }

            @Override
            void repair(HaCluster cluster, List<NameNodeServer> victims) {
                links(cluster, victims).forEach(link -> cluster.faults().healLink(link.one(), link.otherNameNode()));
            }
        };

        abstract void inject(HaCluster cluster, List<NameNodeServer> victims);

        abstract void repair(HaCluster cluster, List<NameNodeServer> victims);
    }

    private record Link(NameNodeServer one, NameNodeServer otherNameNode) {}

    /** The links that end at a victim, each once. */
    private static Set<Link> links(HaCluster cluster, List<NameNodeServer> victims) {
        Set<Link> links = new LinkedHashSet<>();
        for (NameNodeServer victim : victims) {
            cluster.nameNodesExcept(victim).stream()
                    .filter(other -> !links.contains(new Link(other, victim)))
                    .forEach(other -> links.add(new Link(victim, other)));
        }
        return links;
    }

    private enum Place {
        WEST {
            @Override
            List<NameNodeServer> victims(HaCluster cluster) {
                return List.of(cluster.nameNode(3));
            }
        },
        SOUTH {
            @Override
            List<NameNodeServer> victims(HaCluster cluster) {
                return List.of(cluster.nameNode(4));
            }
        },
        ACTIVE {
            @Override
            List<NameNodeServer> victims(HaCluster cluster) {
                return List.of(cluster.awaitActive());
            }
        },
        /** The next active has to wait for a lease that it did not grant. */
        SOUTH_AND_ACTIVE {
            @Override
            List<NameNodeServer> victims(HaCluster cluster) {
                return List.of(cluster.nameNode(4), cluster.awaitActive());
            }
        };

        abstract List<NameNodeServer> victims(HaCluster cluster);
    }

    /** The rules are right, and what they rely on is not given: so the clocks do drift, and the histories do show it. */
    @Test
    void findsStaleReadsWhenClockIsFarTooSlow() throws Exception {
        HaClusterBuilder builder = sites("near-slow-clock", 3)
                .serverProperty("nn3", "trefoil.ha.site", Site.SOUTH.displayName())
                .serverProperty("nn3", "trefoil.ha.electable", "false")
                .poolNodeDelay("nn3", SOUTH_DELAY)
                .clockSpeed("nn3", FAR_TOO_SLOW);
        builder.run(cluster -> {
            NameNodeServer remoteNameNode = cluster.nameNode(3);
            remoteNameNode.awaitState(HAServiceState.OBSERVER);
            awaitLease(remoteNameNode);
            boolean noticed = false;
            for (int cut = 1; cut <= CUTS && !noticed; cut++) {
                awaitLease(remoteNameNode);
                noticed = showsStaleReads(cluster, "/histories-" + cut);
            }
            assertThat(noticed).as("a history that no order explains").isTrue();
        });
    }

    /**
     * Cuts the south off until its lease is over. If what came last is an entry of which it has not heard that it is committed,
     * reads wait for that, and show nothing old.
     */
    private static boolean showsStaleReads(HaCluster cluster, String root) throws Exception {
        NameNodeServer remoteNameNode = cluster.nameNode(3);
        try (HistoryClients clients = start(cluster, root, Site.HOME, Site.SOUTH)) {
            awaitMore(clients);
            // Its clients may have found it only now, and home alone makes the changes that are waited for.
            long before = metricValue(remoteNameNode, "Answered");
            remoteNameNode.await(
                    "answers its site",
                    Await.TIMEOUT,
                    () -> metricValue(remoteNameNode, "Answered") >= before + READS_OF_SITE);
            Fault.CUT_OFF.inject(cluster, List.of(remoteNameNode));
            awaitMore(clients);
            remoteNameNode.await(
                    "has used its lease up", Await.TIMEOUT, () -> metricValue(remoteNameNode, "Leased") == 0);
            Fault.CUT_OFF.repair(cluster, List.of(remoteNameNode));
            return !contradictions(clients, List.of(remoteNameNode)).isEmpty();
        }
    }

    /** The last NameNode is at the south, the one before at the west, and the others are at home. */
    private static HaClusterBuilder sites(String name, int nameNodes) {
        return HaCluster.builder(name)
                .nameNodes(nameNodes)
                .withAutomaticFailover()
                .withNetworkNamespaces()
                .property("trefoil.ha.near-reads", "true")
                .property("dfs.namenode.state.context.enabled", "true")
                .property("dfs.ha.tail-edits.in-progress", "true")
                .serverProperty("nn1", "trefoil.ha.site", Site.HOME.displayName())
                .serverProperty("nn2", "trefoil.ha.site", Site.HOME.displayName())
                .serverProperty("nn3", "trefoil.ha.site", Site.WEST.displayName())
                .serverProperty("nn4", "trefoil.ha.site", Site.SOUTH.displayName())
                .serverProperty("nn4", "trefoil.ha.electable", "false");
    }

    /** Then any voter and the south may fail at once. */
    private static void demoteSouthToLearner(HaCluster cluster) {
        String pool = cluster.nameNode(4).address("pool");
        cluster.trefoil("journal", "remove", pool).expectSuccess();
        ToolResult added = cluster.trefoil("journal", "add", "--learner", pool).expectSuccess();
        assertThat(added.output()).contains("PERMANENT_LEARNER");
    }

    /** All nodes have what the next fault may take. */
    private static void awaitHealthy(HaCluster cluster) {
        NameNodeServer active = cluster.awaitActive();
        cluster.nameNodes().subList(0, 2).stream()
                .filter(other -> other != active)
                .forEach(other -> other.awaitState(HAServiceState.STANDBY));
        String writer =
                "Hadoop:service=NameNode,name=SspWriter-" + cluster.layout().nameservice();
        active.await(
                "has all voters in sync",
                Await.TIMEOUT,
                () -> active.jmx().readNumber(writer, "InSyncVoters") == VOTERS);
        cluster.nameNodes().subList(2, 4).forEach(NearReadsThreeSitesIT::awaitLease);
    }

    private static void awaitLease(NameNodeServer remoteNameNode) {
        remoteNameNode.await("may answer reads", Await.TIMEOUT, () -> metricValue(remoteNameNode, "Leased") == 1);
    }

    private static void awaitAnswers(NameNodeServer remoteNameNode) {
        long before = metricValue(remoteNameNode, "Answered");
        remoteNameNode.await("answers reads", Await.TIMEOUT, () -> metricValue(remoteNameNode, "Answered") > before);
    }

    private static long metricValue(NameNodeServer nameNode, String metric) {
        return nameNode.jmx().readNumber(METRICS, metric);
    }

    private static HistoryClients start(HaCluster cluster, String root, Site... sites) throws Exception {
        List<HistoryClients.Group> groups = Arrays.stream(sites)
                .flatMap(site -> Stream.of(
                        new HistoryClients.Group(configurationAt(cluster, site), WRITERS_OF_SITE, RandomRequests::next),
                        new HistoryClients.Group(
                                configurationAt(cluster, site), READERS_OF_SITE, RandomRequests::nextRead)))
                .toList();
        return HistoryClients.start(cluster, root, groups, HISTORIES, CALL_INTERVAL, HistoryClients.Sending.ONCE);
    }

    private static Configuration configurationAt(HaCluster cluster, Site site) {
        Configuration conf = cluster.clientConfiguration();
        conf.set(
                "dfs.client.failover.proxy.provider." + cluster.layout().nameservice(),
                SmartObserverReadProxyProvider.class.getName());
        conf.set("dfs.client.failover.observer.probe.retry.period", "1s");
        conf.set("trefoil.client.site", site.displayName());
        return conf;
    }

    private static void awaitMore(HistoryClients clients) {
        long goal = clients.finishedChanges() + CHANGES;
        await().atMost(Await.TIMEOUT).until(() -> clients.finishedChanges() >= goal);
    }

    /** Ends the clients, and says which of their histories no order explains. */
    private static List<String> contradictions(HistoryClients clients, List<NameNodeServer> remoteNameNodes)
            throws Exception {
        List<List<Operation>> histories = clients.stop();
        System.out.printf(
                Locale.ROOT,
                "near reads %s, sent to the active %s, in %d histories of %d calls, without an answer %s%n",
                remoteNameNodes.stream()
                        .map(one -> metricValue(one, "Answered"))
                        .toList(),
                remoteNameNodes.stream().map(one -> metricValue(one, "Refused")).toList(),
                histories.size(),
                histories.stream().mapToInt(List::size).sum(),
                clients.unknownOutcomes());
        assertThat(clients.unexpectedErrors()).as("errors").isEmpty();
        return histories.stream()
                .map(Linearizability::findContradiction)
                .flatMap(Optional::stream)
                .toList();
    }
}
