/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster;

import io.trefoil.it.cluster.layout.FailoverKind;
import io.trefoil.it.cluster.layout.Settings;
import io.trefoil.it.cluster.layout.ZooKeeperServer;
import io.trefoil.it.cluster.server.Endpoints;
import io.trefoil.it.cluster.server.Jmx;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.process.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;

/** How the parts of a cluster start, and when they count as started; see the methods of {@link HaCluster}. */
final class ClusterStart {
    private final HaCluster cluster;
    private final ClusterServers roster;
    private final Settings settings;
    private final FailoverKind failover;

    ClusterStart(HaCluster cluster, ClusterServers roster, Settings settings, FailoverKind failover) {
        this.cluster = cluster;
        this.roster = roster;
        this.settings = settings;
        this.failover = failover;
    }

    void setUp() {
        // A format takes seconds and does not need it.
        roster.zooKeeper().ifPresent(Server::start);
        startJournal();
        cluster.yarnServers().forEach(Server::start);
        cluster.nameNode(1).format("trefoil-test");
        cluster.nameNodesBut(cluster.nameNode(1)).forEach(other -> other.copyNamespaceOf(cluster.nameNode(1)));
        startZooKeeper();
        cluster.nameNode(1).start();
        cluster.dataNodes().forEach(Server::start);
        if (failover.isAutomatic()) {
            // Otherwise another NameNode might become active first.
            cluster.nameNode(1).awaitUp();
        }
        startNameNodes();
        if (failover.isAutomatic()) {
            startFailover();
            awaitActive();
        } else {
            makeActive(cluster.nameNode(1));
        }
        awaitDataNodes();
        awaitWholeJournal();
        awaitYarn();
        cluster.archiveClassesOfServersAndCommands();
    }

    void awaitYarn() {
        cluster.yarnServers().stream()
                .limit(1)
                .forEach(manager -> manager.await(
                        "sees the NodeManager",
                        Await.PATIENCE,
                        () -> new Jmx(manager.address("http"))
                                        .number("Hadoop:service=ResourceManager,name=ClusterMetrics", "NumActiveNMs")
                                == 1));
    }

    void awaitWholeJournal() {
        int voters = settings.journal().poolNodeCount(cluster.layout());
        String writer =
                "Hadoop:service=NameNode,name=SspWriter-" + cluster.layout().nameservice();
        // Another may become active meanwhile, and only the active counts them.
        Await.until(
                "the active has " + voters + " nodes of the journal in sync",
                Await.PATIENCE,
                () -> cluster.active()
                        .filter(active -> voters == 0 || active.jmx().number(writer, "InSyncVoters") >= voters)
                        .isPresent(),
                cluster::describe);
    }

    void startFailover() {
        if (!cluster.failoverServers().isEmpty()) {
            cluster.nameNode(1)
                    .tool(failover.serverMainClass(), "-formatZK", "-force", "-nonInteractive")
                    .expectSuccess();
            cluster.failoverServers().forEach(Server::start);
        }
    }

    void startZooKeeper() {
        roster.zooKeeper().ifPresent(server -> {
            server.start();
            server.await(
                    "listens",
                    Await.PATIENCE,
                    () -> Endpoints.isListening(cluster.layout().address(ZooKeeperServer.NAME, "client")));
        });
    }

    NameNodeServer awaitActive() {
        return Await.untilFound("one of the NameNodes is active", Await.PATIENCE, cluster::active, cluster::describe);
    }

    NameNodeServer awaitActiveBut(NameNodeServer one) {
        return Await.untilFound(
                "another NameNode than " + one + " is active",
                Await.PATIENCE,
                () -> cluster.nameNodesBut(one).stream()
                        .filter(NameNodeServer::isActive)
                        .findFirst(),
                cluster::describe);
    }

    NameNodeServer awaitActiveAndStandbys() {
        return Await.untilFound(
                "one NameNode is active and all others are standbys",
                Await.PATIENCE,
                () -> cluster.active().filter(active -> cluster.nameNodesBut(active).stream()
                        .allMatch(other -> other.is(HAServiceState.STANDBY))),
                cluster::describe);
    }

    void startJournal() {
        cluster.journalServers().forEach(Server::start);
        cluster.journalServers()
                .forEach(server -> server.await(
                        "listens",
                        Await.PATIENCE,
                        () -> Endpoints.isListening(
                                settings.journal().serverAddress(cluster.layout(), server.name()))));
    }

    void startNameNodes() {
        cluster.nameNodes().forEach(Server::start);
        cluster.nameNodes().forEach(NameNodeServer::awaitUp);
    }

    void makeActive(NameNodeServer nameNode) {
        try {
            nameNode.becomeActive();
        } catch (IOException e) {
            throw new AssertionError(nameNode.describe(), e);
        }
    }

    NameNodeServer failOverTo(NameNodeServer next) {
        NameNodeServer active = awaitActive();
        if (active != next) {
            next.awaitReadyToBecomeActive();
            if (!failover.nameNodePlugins().isEmpty()) {
                // Its agent refuses an operator as long as it lacks edits.
                next.await("may take over", Await.PATIENCE, next::mayTakeOver);
            }
            cluster.haadmin("-failover", active.name(), next.name()).expectSuccess();
        }
        next.awaitState(HAServiceState.ACTIVE);
        return next;
    }

    void awaitDataNodes() {
        for (NameNodeServer nameNode : cluster.nameNodes()) {
            nameNode.await(
                    "sees " + cluster.dataNodes().size() + " DataNodes",
                    Await.PATIENCE,
                    () -> !nameNode.isAlive()
                            || nameNode.jmx()
                                            .number(
                                                    "Hadoop:service=NameNode,name=FSNamesystemState",
                                                    "NumLiveDataNodes")
                                    == cluster.dataNodes().size());
        }
    }

    void awaitStandbysCaughtUp(Duration limit) {
        // Not the first one that is found: the role may move between its answer and the end of its segment.
        long before =
                Await.untilFound("the active has ended a segment", Await.PATIENCE, this::endSegment, cluster::describe);
        cluster.nameNodes().forEach(nameNode -> nameNode.awaitApplied(before, limit));
    }

    /** Returns the active's last transaction in the segment that this call ended; empty if nobody is active. */
    private Optional<Long> endSegment() {
        return cluster.active().map(active -> {
            long before = active.appliedTxId();
            active.rollEdits();
            return before;
        });
    }
}
