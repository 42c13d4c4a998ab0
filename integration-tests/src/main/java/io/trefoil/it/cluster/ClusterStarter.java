/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster;

import io.trefoil.it.cluster.layout.FailoverKind;
import io.trefoil.it.cluster.layout.Settings;
import io.trefoil.it.cluster.layout.ZooKeeperServer;
import io.trefoil.it.cluster.server.Endpoints;
import io.trefoil.it.cluster.server.JmxClient;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.process.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;

/** Starts the parts of a cluster, and waits until they count as started; see the methods of {@link HaCluster}. */
final class ClusterStarter {
    private final HaCluster cluster;
    private final ClusterServers servers;
    private final Settings settings;
    private final FailoverKind failover;

    ClusterStarter(HaCluster cluster, ClusterServers servers, Settings settings, FailoverKind failover) {
        this.cluster = cluster;
        this.servers = servers;
        this.settings = settings;
        this.failover = failover;
    }

    void setUp() {
        // A format takes seconds and does not need it.
        servers.zooKeeper().ifPresent(Server::start);
        startJournal();
        cluster.yarnServers().forEach(Server::start);
        cluster.nameNode(1).format("trefoil-test");
        cluster.nameNodesExcept(cluster.nameNode(1)).forEach(other -> other.copyNamespaceFrom(cluster.nameNode(1)));
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
        awaitFullJournal();
        awaitYarn();
        cluster.archiveServerAndCommandClasses();
    }

    void awaitYarn() {
        cluster.yarnServers().stream()
                .limit(1)
                .forEach(manager -> manager.await(
                        "sees the NodeManager",
                        Await.TIMEOUT,
                        () -> new JmxClient(manager.address("http"))
                                        .readNumber(
                                                "Hadoop:service=ResourceManager,name=ClusterMetrics", "NumActiveNMs")
                                == 1));
    }

    void awaitFullJournal() {
        int voters = settings.journal().poolNodeCount(cluster.layout());
        String writer =
                "Hadoop:service=NameNode,name=SspWriter-" + cluster.layout().nameservice();
        // Another may become active meanwhile, and only the active counts them.
        Await.until(
                "the active has " + voters + " nodes of the journal in sync",
                Await.TIMEOUT,
                () -> cluster.active()
                        .filter(active -> voters == 0 || active.jmx().readNumber(writer, "InSyncVoters") >= voters)
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
        servers.zooKeeper().ifPresent(server -> {
            server.start();
            server.await(
                    "listens",
                    Await.TIMEOUT,
                    () -> Endpoints.isListening(cluster.layout().address(ZooKeeperServer.NAME, "client")));
        });
    }

    NameNodeServer awaitActive() {
        return Await.untilFound("one of the NameNodes is active", Await.TIMEOUT, cluster::active, cluster::describe);
    }

    NameNodeServer awaitActiveOtherThan(NameNodeServer excluded) {
        return Await.untilFound(
                "another NameNode than " + excluded + " is active",
                Await.TIMEOUT,
                () -> cluster.nameNodesExcept(excluded).stream()
                        .filter(NameNodeServer::isActive)
                        .findFirst(),
                cluster::describe);
    }

    NameNodeServer awaitActiveAndStandbys() {
        return Await.untilFound(
                "one NameNode is active and all others are standbys",
                Await.TIMEOUT,
                () -> cluster.active().filter(active -> cluster.nameNodesExcept(active).stream()
                        .allMatch(other -> other.isInState(HAServiceState.STANDBY))),
                cluster::describe);
    }

    void startJournal() {
        cluster.journalServers().forEach(Server::start);
        cluster.journalServers()
                .forEach(server -> server.await(
                        "listens",
                        Await.TIMEOUT,
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
                next.await("may take over", Await.TIMEOUT, next::mayTakeOver);
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
                    Await.TIMEOUT,
                    () -> !nameNode.isAlive()
                            || nameNode.jmx()
                                            .readNumber(
                                                    "Hadoop:service=NameNode,name=FSNamesystemState",
                                                    "NumLiveDataNodes")
                                    == cluster.dataNodes().size());
        }
    }

    void awaitStandbysCaughtUp(Duration limit) {
        // Not the first one that is found: the role may move between its answer and the end of its segment.
        long before =
                Await.untilFound("the active has ended a segment", Await.TIMEOUT, this::endSegment, cluster::describe);
        cluster.nameNodes().forEach(nameNode -> nameNode.awaitApplied(before, limit));
    }

    /** Returns the active's last transaction in the segment that this call ended; empty if no NameNode is active. */
    private Optional<Long> endSegment() {
        return cluster.active().map(active -> {
            long before = active.appliedTxId();
            active.rollEdits();
            return before;
        });
    }
}
