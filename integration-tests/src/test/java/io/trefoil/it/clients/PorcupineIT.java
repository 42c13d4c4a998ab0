/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.clients;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.host.NeedsRoot;
import io.trefoil.it.cluster.layout.FailoverKind;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.Shell;
import io.trefoil.it.scenario.LinkCut;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Porcupine, a checker that is not ours, judges what a Go client was told through faults: by our failover, and by stock QJM with ZKFC. */
@Tag("long")
@NeedsRoot
class PorcupineIT {
    /** Faults go on for so long; each kind happens once at least. */
    private static final Duration LENGTH = Duration.ofMinutes(Integer.getInteger("trefoil.it.porcupine.minutes", 1));

    /** Groups of three clients. */
    private static final int GROUPS = Integer.getInteger("trefoil.it.porcupine.groups", 4);

    private static final long SEED = Long.getLong("trefoil.it.porcupine.seed", 1);
    /** Calls between two faults, and during each. */
    private static final int CALLS = 100;

    private static final int DISK_MEGABYTES = 256;
    /** Longer than a standby keeps a call whose active is lost. */
    private static final Duration DOOR_OUTAGE = Duration.ofSeconds(20);

    private static final Duration GROUP_OUTAGE = Duration.ofSeconds(4);
    private static final int FLAPS = 20;
    private static final long MILLIS_OF_FLAP = 100;

    private static final Pattern STORED = Pattern.compile("log-\\d+|edits_\\d+-\\d+");

    /** What happens to a host while it is down. */
    private interface Damage {
        void happen() throws IOException;
    }

    /** What happens to the active and its host. */
    private enum Fault {
        HANDOVER,
        /** Of the NameNode's process. */
        KILL,
        /** All processes of the host stand still. */
        STOP,
        /** The host hears no other, and no other hears it. */
        CUT,
        /** The other hosts do not hear it; clients do. */
        MUTE,
        /** It does not hear the other hosts; it does hear clients. */
        DEAF,
        /** Its cable has a loose contact, and loses a third of all packets in pieces. */
        LOSSY,
        /** The processes of the host stand still two thirds of the time. */
        SLOW,
        /** The disk of the host's replica of the journal. */
        FULL_DISK,
        /** All processes of the host end, and its disk keeps only what was synced. */
        POWER_LOSS,
        /** In what the host's replica of the journal has stored, while the host is down. */
        FLIPPED_BIT;

        private void happen(HaCluster cluster, NameNodeServer active, PorcupineLoad load) throws Exception {
            List<NameNodeServer> others = cluster.nameNodesExcept(active);
            List<Server> host = hostOf(cluster, active);
            switch (this) {
                case HANDOVER -> {
                    others.get(0).takeOver();
                    cluster.awaitActiveOtherThan(active);
                }
                case KILL -> active.kill9();
                case STOP -> {
                    host.forEach(Server::pause);
                    cluster.awaitActiveOtherThan(active);
                    load.awaitMore(CALLS);
                    host.forEach(Server::resume);
                }
                case CUT -> {
                    cluster.faults().isolate(active);
                    cluster.awaitActiveOtherThan(active);
                    load.awaitMore(CALLS);
                    cluster.faults().reconnect(active);
                }
                case MUTE -> cut(LinkCut.muteHost(active, others), cluster, load);
                case DEAF -> cut(LinkCut.deafenHost(active, others), cluster, load);
                case LOSSY -> {
                    for (int i = 0; i < FLAPS; i++) {
                        cluster.faults().isolate(active);
                        TimeUnit.MILLISECONDS.sleep(MILLIS_OF_FLAP);
                        cluster.faults().reconnect(active);
                        TimeUnit.MILLISECONDS.sleep(2 * MILLIS_OF_FLAP);
                    }
                }
                case SLOW -> {
                    for (int i = 0; i < FLAPS; i++) {
                        host.forEach(Server::pause);
                        TimeUnit.MILLISECONDS.sleep(2 * MILLIS_OF_FLAP);
                        host.forEach(Server::resume);
                        TimeUnit.MILLISECONDS.sleep(MILLIS_OF_FLAP);
                    }
                }
                case FULL_DISK -> {
                    Server replica = replicaOf(cluster, active);
                    cluster.faults().fillDisk(replica);
                    load.awaitMore(4 * CALLS);
                    cluster.faults().freeDisk(replica);
                }
                case POWER_LOSS -> {
                    Server replica = replicaOf(cluster, active);
                    cluster.faults().failDisk(replica);
                    restart(cluster, active, load, () -> cluster.faults().repairDisk(replica));
                }
                case FLIPPED_BIT ->
                    restart(
                            cluster,
                            active,
                            load,
                            () -> flipBit(replicaOf(cluster, active).journalDirectory()));
            }
        }

        private static void restart(HaCluster cluster, NameNodeServer active, PorcupineLoad load, Damage whileDown)
                throws IOException {
            List<Server> host = hostOf(cluster, active);
            host.forEach(Server::kill9ForGood);
            cluster.awaitActiveOtherThan(active);
            load.awaitMore(CALLS);
            whileDown.happen();
            host.forEach(Server::start);
        }

        /** In the middle of what the newest file of ours, or the newest finished segment of a JournalNode, contains. */
        private static void flipBit(Path journal) throws IOException {
            Path file;
            try (Stream<Path> files = Files.walk(journal)) {
                file = files.filter(path ->
                                STORED.matcher(path.getFileName().toString()).matches())
                        .max(Comparator.comparingLong(path -> path.toFile().lastModified()))
                        .orElseThrow();
            }
            byte[] bytes = Files.readAllBytes(file);
            int end = bytes.length;
            // What was allocated ahead is zero, and says nothing.
            while (end > 1 && bytes[end - 1] == 0) {
                end--;
            }
            bytes[end / 2] ^= 1;
            Files.write(file, bytes);
        }

        private static Server replicaOf(HaCluster cluster, NameNodeServer nameNode) {
            return cluster.journalReplicas().get(cluster.nameNodes().indexOf(nameNode));
        }

        private static void cut(LinkCut links, HaCluster cluster, PorcupineLoad load) {
            links.strike(cluster.faults());
            load.awaitMore(4 * CALLS);
            links.heal(cluster.faults());
        }

        private static List<Server> hostOf(HaCluster cluster, NameNodeServer nameNode) {
            int number = cluster.nameNodes().indexOf(nameNode);
            return Stream.of(cluster.nameNodes(), cluster.failoverServers(), cluster.journalServers())
                    .filter(servers -> number < servers.size())
                    .<Server>map(servers -> servers.get(number))
                    .toList();
        }
    }

    @BeforeAll
    static void install() {
        Path script =
                Path.of(System.getProperty("trefoil.it.clients.directory")).resolveSibling("../bin/foreign-clients");
        System.out.print(Shell.run("'" + script.normalize() + "' 2>/dev/null"));
        assertThat(PorcupineLoad.isInstalled()).as("a Go to build the checker").isTrue();
    }

    /** Clients know the third NameNode, which forwards their calls. */
    @Test
    void answersThroughForwardingNameNodeAreLinearizable() throws Exception {
        ours("porcupine-door").property("trefoil.ha.forward-calls", "true").run(cluster -> {
            JsonNode report = faults(cluster, "door", List.of(cluster.nameNode(3)), DOOR_OUTAGE);
            assertThat(report.path("verdicts").fieldNames())
                    .toIterable()
                    .as("%s", report)
                    .containsExactly("fine");
        });
    }

    /** Clients know all NameNodes, and look for the active themselves. */
    @Test
    void answersOfAllNameNodesAreLinearizable() throws Exception {
        ours("porcupine-ours").run(cluster -> {
            JsonNode report = faults(cluster, "ours", cluster.nameNodes(), GROUP_OUTAGE);
            assertThat(report.path("verdicts").fieldNames())
                    .toIterable()
                    .as("%s", report)
                    .containsExactly("fine");
        });
    }

    /** The same clients, faults and checker; it judges nothing, as what it finds is not ours to mend. */
    @Test
    void porcupineJudgesStockFailover() throws Exception {
        HaClusterBuilder builder = HaCluster.builder("porcupine-stock")
                .journal(JournalKind.qjm().journalOnly())
                .failover(FailoverKind.zkfc())
                .withNetworkNamespaces();
        JournalKind.qjm().serverNames().forEach(server -> builder.smallDisk(server, DISK_MEGABYTES));
        builder.run(cluster -> {
            JsonNode report = faults(cluster, "stock", cluster.nameNodes(), GROUP_OUTAGE);
            assertThat(report.path("calls").asInt()).isPositive();
        });
    }

    private static HaClusterBuilder ours(String name) {
        HaClusterBuilder builder = HaCluster.builder(name)
                .journal(JournalKind.ssp().journalOnly())
                .failover(FailoverKind.mams())
                .withNetworkNamespaces()
                .property("dfs.ha.tail-edits.in-progress", "true")
                // Log files are preallocated: with large ones a full disk does not show.
                .property("trefoil.journal.log.file.size", "64k");
        List.of("nn1", "nn2", "nn3").forEach(server -> builder.smallDisk(server, DISK_MEGABYTES));
        return builder;
    }

    private static JsonNode faults(HaCluster cluster, String name, List<NameNodeServer> known, Duration timeout)
            throws Exception {
        awaitWhole(cluster);
        Random random = new Random(SEED);
        Map<Fault, Integer> happened = new EnumMap<>(Fault.class);
        long end = System.nanoTime() + LENGTH.toNanos();
        try (PorcupineLoad load = PorcupineLoad.start(name, known, GROUPS, timeout)) {
            do {
                List<Fault> round = new ArrayList<>(List.of(Fault.values()));
                Collections.shuffle(round, random);
                for (Fault fault : round) {
                    NameNodeServer active = activeBesideDoor(cluster, known);
                    load.awaitMore(CALLS);
                    System.out.println(name + ": " + fault + " of " + active.name());
                    fault.happen(cluster, active, load);
                    load.awaitMore(CALLS);
                    awaitWhole(cluster);
                    happened.merge(fault, 1, Integer::sum);
                    if (happened.size() == Fault.values().length && System.nanoTime() - end > 0) {
                        break;
                    }
                }
            } while (System.nanoTime() - end < 0);
            JsonNode report = load.stopAndCheck();
            System.out.printf(
                    "%s: %d faults %s, %s%n",
                    name, happened.values().stream().mapToInt(Integer::intValue).sum(), happened, report);
            return report;
        }
    }

    /** A door must not be what is lost. */
    private static NameNodeServer activeBesideDoor(HaCluster cluster, List<NameNodeServer> known) throws Exception {
        NameNodeServer active = cluster.awaitActive();
        if (known.equals(List.of(active))) {
            cluster.nameNodesExcept(active).get(0).takeOver();
            active = cluster.awaitActiveOtherThan(active);
            awaitWhole(cluster);
        }
        return active;
    }

    /** All are back, and hold what the active has. */
    private static void awaitWhole(HaCluster cluster) {
        Await.until("all are back", Await.TIMEOUT, () -> isWhole(cluster), cluster::describe);
        NameNodeServer active = cluster.awaitActive();
        // A JournalNode that has failed takes part again in the next segment.
        active.rollEdits();
        long written = active.appliedTxId();
        cluster.nameNodesExcept(active).forEach(standby -> standby.awaitApplied(written, Await.TIMEOUT));
    }

    private static boolean isWhole(HaCluster cluster) {
        List<NameNodeServer> standbys = cluster.nameNodes().stream()
                .filter(nameNode -> nameNode.isInState(HAServiceState.STANDBY))
                .toList();
        boolean ours = cluster.failoverServers().isEmpty();
        return standbys.size() == cluster.nameNodes().size() - 1
                && cluster.active().isPresent()
                && (!ours || standbys.stream().allMatch(NameNodeServer::mayTakeOver));
    }
}
