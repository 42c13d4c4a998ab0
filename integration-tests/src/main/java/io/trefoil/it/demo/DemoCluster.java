/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.demo;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.host.HostCapabilities;
import io.trefoil.it.cluster.layout.FailoverKind;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.process.Await;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;

/** A cluster with automatic failover under the load of two {@link DemoClients}, and the faults of its active. */
final class DemoCluster implements AutoCloseable {
    private static final int NAMENODES = 3;
    private static final int DISK_MEGABYTES = 256;
    /** How much of the load before a fault is shown. */
    private static final Duration SHOWN_BEFORE = Duration.ofSeconds(1);

    /** The time covered by the line of bars, from {@code SHOWN_BEFORE} on. */
    private static final Duration SHOWN = Duration.ofSeconds(8);

    /** The timeout for players, who may have left no majority, and must undo that before clients get answers. */
    static final Duration PLAYER_TIMEOUT = Duration.ofSeconds(30);

    private final Screen screen;
    private final HaCluster cluster;
    private final List<DemoFault> faults;
    private final DemoClients clients;
    private boolean isSaidToBeBusy;

    private DemoCluster(Screen screen, HaCluster cluster, List<DemoFault> faults, DemoClients clients) {
        this.screen = screen;
        this.cluster = cluster;
        this.faults = faults;
        this.clients = clients;
    }

    /**
     * The outcome of a fault.
     *
     * @param gaps how long each client had no answer
     */
    record Outcome(DemoFault fault, DemoClients.Gaps gaps) {}

    /** The faults that are possible on this machine; reports the others as left out. */
    static List<DemoFault> possibleFaults(Screen screen) {
        List<DemoFault> possible = new ArrayList<>(List.of(DemoFault.values()));
        if (!HostCapabilities.hasNetworkNamespaces()) {
            possible.remove(DemoFault.CUT);
            screen.print("left out: the network is not cut, which needs root and network namespaces");
        }
        if (!HostCapabilities.hasFreezableDisks()) {
            possible.remove(DemoFault.DISK);
            screen.print("left out: no disk hangs, which needs root, loop devices, mkfs.ext4 and fsfreeze");
        }
        return possible;
    }

    /** Builds a plan for such a cluster. Timeouts are those of {@code bin/benchmark-failover}, so that its figures can be compared. */
    static HaClusterBuilder plan(List<DemoFault> faults) {
        HaClusterBuilder plan = HaCluster.builder("demo")
                .nameNodes(NAMENODES)
                .journal(JournalKind.ssp().journalOnly())
                .withAutomaticFailover()
                .disposable()
                .property("trefoil.journal.lease", "1s")
                .property("trefoil.journal.ack.timeout", "500ms")
                // Otherwise the audience would look at a hung disk for half a minute.
                .property("trefoil.ha.journal.disk.timeout", "5s");
        FailoverKind.zkfc().clientProperties().forEach((key, value) -> plan.serverProperty("client", key, value));
        if (faults.contains(DemoFault.CUT)) {
            plan.withNetworkNamespaces();
        }
        if (faults.contains(DemoFault.DISK)) {
            plan.property("trefoil.journal.log.file.size", "4m");
            for (int i = 1; i <= NAMENODES; i++) {
                plan.smallDisk("nn" + i, DISK_MEGABYTES);
            }
        }
        return plan;
    }

    /** Starts the cluster and the clients; the caller closes the cluster. */
    static DemoCluster begin(Screen screen, HaCluster cluster, List<DemoFault> faults, double perSecond) {
        Optional<String> busy = busyNotice();
        busy.ifPresent(words -> screen.print("%s", words));
        try (Screen.Wait starting = screen.waitFor("the servers start")) {
            cluster.setUp();
            screen.print(
                    "%d NameNodes with the journal inside, ZooKeeper%s: up in %.0f s, %s is active",
                    cluster.nameNodes().size(),
                    ", %d DataNodes%s"
                            .formatted(
                                    cluster.dataNodes().size(),
                                    cluster.yarnServers().isEmpty() ? "" : ", YARN"),
                    starting.seconds(),
                    cluster.awaitActive());
        }
        DemoClients clients = DemoClients.start(cluster, perSecond);
        screen.showLoad(() -> clients.liveBars(screen));
        screen.print(
                "two clients make, rename and delete files and directories, %.0f a second each: a stock one, and ours",
                perSecond);
        DemoCluster begun = new DemoCluster(screen, cluster, faults, clients);
        begun.isSaidToBeBusy = busy.isPresent();
        return begun;
    }

    HaCluster cluster() {
        return cluster;
    }

    DemoClients clients() {
        return clients;
    }

    /** The faults for which this cluster was made. */
    List<DemoFault> faults() {
        return faults;
    }

    /**
     * Injects a fault into the active, waits until another has taken over and both clients continue, undoes the fault, and waits until the
     * cluster is whole again.
     */
    Outcome inject(DemoFault fault) throws IOException {
        try (Screen.Wait waiting = screen.waitFor("all may take over")) {
            clients.awaitProgress();
            // Only then may each of the others take over.
            awaitWhole();
        }
        NameNodeServer struck = cluster.awaitActive();
        screen.print("%s: %s, the active (%s)", fault.title(), struck, fault.description());
        long struckNanos = System.nanoTime();
        NameNodeServer next;
        try (Screen.Wait waiting = screen.waitFor("another takes over")) {
            fault.inject(cluster, struck);
            next = cluster.awaitActiveOtherThan(struck);
            clients.awaitProgress();
        }
        long overNanos = System.nanoTime();
        fault.undo(cluster, struck);
        try (Screen.Wait waiting = screen.waitFor("%s comes back", struck)) {
            awaitWhole();
        }
        DemoClients.Gaps gaps = clients.gaps(struckNanos, overNanos);
        report(struckNanos, format(gaps.smart()), format(gaps.stock()));
        Outcome outcome = new Outcome(fault, gaps);
        screen.printDetail("%s took over, and %s is a standby again", next, struck);
        return outcome;
    }

    private void report(long struckNanos, String ofSmart, String ofStock) {
        DemoClients.Bars bars = clients.bars(screen, struckNanos - SHOWN_BEFORE.toNanos(), SHOWN);
        screen.printDetail("our client    %-32s  %s", bars.smart(), ofSmart);
        screen.printDetail("stock client  %-32s  %s", bars.stock(), ofStock);
    }

    private static String format(Duration gap) {
        return "no answer for %.2f s".formatted(seconds(gap));
    }

    /** Injects a fault into the cluster and reports the effect on clients, whatever the cluster's state before and after. */
    void act(Action action) throws IOException {
        long begunNanos = System.nanoTime();
        try (Screen.Wait waiting = screen.waitFor("the clients go on")) {
            action.act();
            clients.awaitProgress(PLAYER_TIMEOUT);
            DemoClients.Gaps gaps = clients.gaps(begunNanos, System.nanoTime());
            report(begunNanos, format(gaps.smart()), format(gaps.stock()));
        } catch (AssertionError notInTime) {
            // A gap has a length when it is over.
            report(begunNanos, "see status", "see status");
        }
        screen.printDetail(
                "%s", cluster.active().map(nameNode -> nameNode + " is active").orElse("no NameNode is active now"));
        if (!isSaidToBeBusy) {
            busyNotice().ifPresent(words -> {
                screen.printDetail("%s", words);
                isSaidToBeBusy = true;
            });
        }
    }

    /** A fault that players may inject into a cluster; returns when no NameNode that was active before still counts as active. */
    interface Action {
        void act() throws IOException;
    }

    /** A note that the machine is busy, if it is, for judging waits and figures. */
    static Optional<String> busyNotice() {
        OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
        int cores = system.getAvailableProcessors();
        double load = system.getSystemLoadAverage();
        return Optional.of(
                        "This machine is busy: %.0f threads wanted its %d cores in the last minute, so all of this takes longer."
                                .formatted(load, cores))
                .filter(unused -> load >= 2 * cores);
    }

    /**
     * Waits until one NameNode is active, all others are standbys, and every pool node is in sync. Asks all of them
     * each time: a NameNode that was stopped calls itself active until it learns of the other.
     */
    void awaitWhole() {
        Await.until("one is active, and all others may take over", Await.TIMEOUT, this::isWhole, cluster::describe);
        cluster.awaitFullJournal();
    }

    private boolean isWhole() {
        int active = 0;
        for (NameNodeServer each : cluster.nameNodes()) {
            if (each.isActive()) {
                active++;
            } else if (!each.isInState(HAServiceState.STANDBY) || !each.mayTakeOver()) {
                return false;
            }
        }
        return active == 1;
    }

    static double seconds(Duration duration) {
        return duration.toMillis() / 1e3;
    }

    /** Stops the clients, not the cluster. */
    @Override
    public void close() {
        screen.showLoad(() -> "");
        clients.close();
    }
}
