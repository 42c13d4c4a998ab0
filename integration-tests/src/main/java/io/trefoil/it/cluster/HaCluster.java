/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster;

import io.trefoil.it.process.Await;
import io.trefoil.it.process.StrayGuard;
import io.trefoil.it.process.ToolResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * An HDFS cluster of separate processes with several NameNodes in one nameservice.
 *
 * <pre>{@code
 * HaCluster.builder("failover").nameNodes(3).dataNodes(2).run(cluster -> {
 *     cluster.nameNode(1).kill9();
 *     cluster.nameNode(2).becomeActive();
 * });
 * }</pre>
 *
 * <p>The processes die with this JVM, however it ends. {@link #close} deletes the cluster's files only after
 * {@link #succeeded}; otherwise it leaves them and says where they are.
 */
public final class HaCluster implements AutoCloseable {
    private static final String CLIENT = "client";

    private final WorkDirectory directory;
    private final List<ClassArchive> archives;
    private final Network network;
    private final HostCpus hostCpus;
    private final ClusterLayout layout;
    private final Settings settings;
    private final FailoverKind failover;
    private final Launcher launcher;
    private final Clients clients;
    private final Roster roster;
    private final SmallDisks smallDisks;
    private final Optional<StrayGuard> strays;
    private final Thread closeAtExit = new Thread(this::release, "cluster-close");
    private boolean succeeded;
    private boolean closed;

    HaCluster(HaClusterBuilder plan) {
        StockHadoop hadoop = StockHadoop.fromSystemProperties();
        if (plan.journal.needsOwnJars()
                || !plan.failover.nameNodePlugins().isEmpty()
                || !plan.nameNodePlugins.isEmpty()) {
            hadoop.requireOwnJars();
        }
        directory = WorkDirectory.create(plan.name);
        ClassArchive archive = ClassArchive.of(hadoop.classPath(), directory.classLists("hdfs"));
        ClassArchive yarnArchive = ClassArchive.of(hadoop.yarnClassPath(), directory.classLists("yarn"));
        archives = plan.withYarn ? List.of(archive, yarnArchive) : List.of(archive);
        network = plan.inNetworkNamespaces ? new NetworkNamespaces() : new Loopback();
        layout = new ClusterLayout(plan.nameservice, plan.nameNodeCount, plan.dataNodeCount, network, directory);
        try {
            network.join(layout.nameNodes());
            network.join(plan.journal.serverNames());
            plan.failover
                    .serverNames(layout)
                    .forEach(server -> network.share(plan.failover.nameNodeOf(server), List.of(server)));
            smallDisks = new SmallDisks(plan.smallDisks, layout);
            plan.namesBesideJournal.forEach(layout::keepNameBesideJournal);
            hostCpus = plan.cpusPerHost.isPresent()
                    ? HostCpus.of(plan.cpusPerHost.getAsDouble(), layout, plan.journal, plan.failover)
                    : HostCpus.shared();
        } catch (RuntimeException failed) {
            network.close();
            throw failed;
        }
        failover = plan.failover;
        Yarn yarn = new Yarn(layout, hadoop, directory.configuration(Yarn.NODE_MANAGER));
        strays = plan.withYarn ? Optional.of(StrayGuard.over(yarn.containers())) : Optional.empty();
        settings = new Settings(
                layout,
                plan.journal,
                failover,
                plan.nameNodePlugins,
                plan.withYarn ? yarn.properties() : Map.of(),
                plan.properties,
                plan.serverProperties);
        launcher = new Launcher(hadoop, network, hostCpus, directory, archive);
        clients = new Clients(settings, layout.nameservice());
        Launcher yarnLauncher = new Launcher(hadoop.withYarn(), network, hostCpus, directory, yarnArchive);
        roster = new Roster(plan, settings, launcher, yarnLauncher, layout, clients);
        Runtime.getRuntime().addShutdownHook(closeAtExit);
    }

    /** Begins the description of a cluster. The name becomes part of its folder's name. */
    public static HaClusterBuilder builder(String name) {
        return new HaClusterBuilder(name);
    }

    // Servers.

    public List<NameNodeServer> nameNodes() {
        return roster.nameNodes();
    }

    /** The NameNode of the given number; the first is 1, as in {@code nn1}. */
    public NameNodeServer nameNode(int number) {
        return nameNodes().get(number - 1);
    }

    /** All NameNodes but the given one. */
    public List<NameNodeServer> nameNodesBut(NameNodeServer one) {
        return nameNodes().stream().filter(nameNode -> nameNode != one).toList();
    }

    /** The NameNode that says it is active, if one does. */
    public Optional<NameNodeServer> active() {
        return nameNodes().stream().filter(NameNodeServer::isActive).findFirst();
    }

    public List<Server> dataNodes() {
        return roster.dataNodes();
    }

    /** The DataNode of the given number; the first is 1, as in {@code dn1}. */
    public Server dataNode(int number) {
        return dataNodes().get(number - 1);
    }

    /** The servers that the journal has beside the NameNodes; empty if it lives inside them. */
    public List<Server> journalServers() {
        return roster.journalServers();
    }

    /** The journal's own server of the given number; the first is 1. */
    public Server journalServer(int number) {
        return journalServers().get(number - 1);
    }

    /** The ZooKeeper of a cluster with automatic failover. */
    public Server zooKeeper() {
        return roster.zooKeeper().orElseThrow(() -> new IllegalStateException("this cluster has no ZooKeeper"));
    }

    /** The servers beside the NameNodes that make them active; empty if they do it by themselves. */
    public List<Server> failoverServers() {
        return roster.failoverServers();
    }

    /** The journal's own server of a name, also one that {@link #changeJournalOfThoseThatStart} left behind. */
    public Server serverNamed(String name) {
        return roster.all()
                .filter(server -> server.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no server " + name));
    }

    /** The servers that hold a replica of the journal: those of {@link #journalServers}, or else the NameNodes. */
    public List<? extends Server> journalReplicas() {
        return journalServers().isEmpty() ? nameNodes() : journalServers();
    }

    /**
     * The pool node of a NameNode's host without the NameNode: {@code PoolNodeMain} with that host's settings. For
     * commands that HDFS wants to run while the other NameNodes are down. Not on hosts in network namespaces.
     */
    public Server poolNodeOf(NameNodeServer nameNode) {
        return roster.poolNodeOf(nameNode);
    }

    /** The ResourceManager and the NodeManager; empty if the cluster has no YARN. */
    public List<Server> yarnServers() {
        return roster.yarnServers();
    }

    /** Who is in the cluster and where. */
    public ClusterLayout layout() {
        return layout;
    }

    // Life of the whole.

    /**
     * Formats and starts everything and makes the first NameNode active. The others get copies of its namespace: a command of
     * HDFS would fetch them, in a JVM each.
     */
    public void setUp() {
        startZooKeeper();
        startJournal();
        yarnServers().forEach(Server::start);
        nameNode(1).format("trefoil-test");
        nameNodesBut(nameNode(1)).forEach(other -> other.copyNamespaceOf(nameNode(1)));
        nameNode(1).start();
        dataNodes().forEach(Server::start);
        if (failover.isAutomatic()) {
            // Or it may be another one that is active first.
            nameNode(1).awaitUp();
        }
        startNameNodes();
        if (failover.isAutomatic()) {
            startFailover();
            awaitActive();
        } else {
            makeActive(nameNode(1));
        }
        awaitDataNodes();
        awaitWholeJournal();
        awaitYarn();
    }

    /** Waits until YARN takes jobs; nothing to wait for if the cluster has none. */
    public void awaitYarn() {
        yarnServers().stream()
                .limit(1)
                .forEach(manager -> manager.await(
                        "sees the NodeManager",
                        Server.PATIENCE,
                        () -> new Jmx(manager.address("http"))
                                        .number("Hadoop:service=ResourceManager,name=ClusterMetrics", "NumActiveNMs")
                                == 1));
    }

    /** Waits until every node of the journal counts: before that, a cluster survives less than it will. */
    public void awaitWholeJournal() {
        NameNodeServer active = active().orElseThrow(() -> new AssertionError("nobody is active\n" + describe()));
        int voters = settings.journal().poolNodeCount(layout);
        String writer = "Hadoop:service=NameNode,name=SspWriter-" + layout.nameservice();
        active.await(
                "has " + voters + " nodes of the journal in sync",
                Server.PATIENCE,
                () -> voters == 0 || active.jmx().number(writer, "InSyncVoters") >= voters);
    }

    /** Starts what makes NameNodes active beside them; nothing to do if they do it by themselves. */
    public void startFailover() {
        if (!failoverServers().isEmpty()) {
            nameNode(1)
                    .tool(failover.serverMainClass(), "-formatZK", "-force", "-nonInteractive")
                    .expectSuccess();
            failoverServers().forEach(Server::start);
        }
    }

    /** Starts ZooKeeper, if the cluster has one, and waits until it takes connections. */
    public void startZooKeeper() {
        roster.zooKeeper().ifPresent(server -> {
            server.start();
            server.await(
                    "listens",
                    Server.PATIENCE,
                    () -> Endpoints.isListening(layout.address(ZooKeeperServer.NAME, "client")));
        });
    }

    /** Waits until a NameNode is active, and gives it. */
    public NameNodeServer awaitActive() {
        Await.until("one of the NameNodes is active", Server.PATIENCE, () -> active().isPresent(), this::describe);
        return active().orElseThrow();
    }

    /** Starts the journal's own servers and waits until they take connections; nothing to do if it has none. */
    public void startJournal() {
        journalServers().forEach(Server::start);
        journalServers()
                .forEach(server -> server.await(
                        "listens",
                        Server.PATIENCE,
                        () -> Endpoints.isListening(settings.journal().serverAddress(layout, server.name()))));
    }

    /** Starts all NameNodes that do not run, and waits until every one answers. */
    public void startNameNodes() {
        nameNodes().forEach(Server::start);
        nameNodes().forEach(NameNodeServer::awaitUp);
    }

    /** Makes a NameNode active by a direct call; the command would be {@link #haadmin}. */
    public void makeActive(NameNodeServer nameNode) {
        try {
            nameNode.becomeActive();
        } catch (IOException e) {
            throw new AssertionError(nameNode.describe(), e);
        }
    }

    /** Lets a NameNode be the active, by the operator's command if it is not yet, and gives it. */
    public NameNodeServer failOverTo(NameNodeServer next) {
        NameNodeServer active = awaitActive();
        if (active != next) {
            next.awaitReadyToBecomeActive();
            haadmin("-failover", active.name(), next.name()).expectSuccess();
        }
        next.awaitState(HAServiceState.ACTIVE);
        return next;
    }

    /** Waits until every NameNode that runs knows all DataNodes. */
    public void awaitDataNodes() {
        for (NameNodeServer nameNode : nameNodes()) {
            nameNode.await(
                    "sees " + dataNodes().size() + " DataNodes",
                    Server.PATIENCE,
                    () -> !nameNode.isAlive()
                            || nameNode.jmx()
                                            .number(
                                                    "Hadoop:service=NameNode,name=FSNamesystemState",
                                                    "NumLiveDataNodes")
                                    == dataNodes().size());
        }
    }

    /**
     * Lets every NameNode apply all that the active has written; meant for a moment without load. Rolls the edits once,
     * since stock standbys read finished segments only.
     */
    public void awaitStandbysCaughtUp(Duration limit) {
        NameNodeServer active = active().orElseThrow(() -> new AssertionError("nobody is active\n" + describe()));
        long before = active.appliedTxId();
        dfsadmin("-fs", active.uri().toString(), "-rollEdits").expectSuccess();
        nameNodes().forEach(nameNode -> nameNode.awaitApplied(before, limit));
    }

    // Settings; they show when a server starts the next time.

    /** Where ZooKeeper takes connections, if the cluster has one. */
    Optional<String> quorum() {
        return roster.zooKeeper().map(server -> server.address("client"));
    }

    /** What every server and client of this cluster is told of its journal. */
    Map<String, String> journalProperties() {
        return settings.journal().sharedProperties(layout);
    }

    /** Sets a property of every process and client. */
    public void setProperty(String key, String value) {
        settings.set(key, value);
    }

    /** Removes a property that was set for all. */
    public void unsetProperty(String key) {
        settings.unset(key);
    }

    /** Gives the cluster another journal, whose own servers replace those of the old one. All servers must be down. */
    public void changeJournal(JournalKind kind) {
        Stream.concat(nameNodes().stream(), journalServers().stream())
                .filter(Server::isAlive)
                .findAny()
                .ifPresent(server -> {
                    throw new IllegalStateException(server + " is running; the journal changes while all are down");
                });
        changeJournalOfThoseThatStart(kind);
    }

    /** The same while servers run: they keep the old journal until they are started again, and its servers stay. */
    public void changeJournalOfThoseThatStart(JournalKind kind) {
        network.join(kind.serverNames());
        settings.setJournal(kind);
        roster.enlistJournalServers();
    }

    // Commands and clients.

    /** Runs {@code hdfs haadmin} in a process of its own. */
    public ToolResult haadmin(String... arguments) {
        return tool("org.apache.hadoop.hdfs.tools.DFSHAAdmin", arguments);
    }

    /** Runs {@code hdfs dfsadmin} in a process of its own. */
    public ToolResult dfsadmin(String... arguments) {
        return tool("org.apache.hadoop.hdfs.tools.DFSAdmin", arguments);
    }

    /** Runs {@code hdfs trefoil} on a host of clients, in a process of its own. */
    public ToolResult trefoil(String... arguments) {
        return tool(NameNodeServer.TREFOIL_CLASS, arguments);
    }

    /** Runs {@code hdfs oev}, which prints edits, in a process of its own. */
    public ToolResult oev(String... arguments) {
        return tool("org.apache.hadoop.hdfs.tools.offlineEditsViewer.OfflineEditsViewer", arguments);
    }

    /** Runs {@code hdfs oiv}, which prints images, in a process of its own. */
    public ToolResult oiv(String... arguments) {
        return tool("org.apache.hadoop.hdfs.tools.offlineImageViewer.OfflineImageViewerPB", arguments);
    }

    /** Runs any main class of Hadoop with the configuration of a client, in a process of its own. */
    public ToolResult tool(String mainClass, String... arguments) {
        return launcher.tool(CLIENT, "client-tool", mainClass, settings.client(), "", List.of(arguments));
    }

    /**
     * Submits a MapReduce job from a process of its own. Its containers end with the cluster, its logs are kept with the
     * cluster's.
     *
     * @param name unique in this cluster
     * @param mainClass of a program that runs one job and says by its exit code whether it succeeded
     */
    public RunningJob startJob(String name, String mainClass, String... arguments) {
        if (yarnServers().isEmpty()) {
            throw new IllegalStateException("this cluster has no YARN: build it with withYarn()");
        }
        Server client = roster.newJob(name, mainClass, List.of(arguments));
        client.start();
        return new RunningJob(client);
    }

    /** A fresh configuration for clients of this cluster. */
    public Configuration clientConfiguration() {
        return clients.configuration();
    }

    /** A stock client of the whole cluster, which finds the active NameNode by itself. Closed with the cluster. */
    public DistributedFileSystem newFileSystem() {
        return newFileSystem(clientConfiguration());
    }

    /** Like {@link #newFileSystem()}, with a configuration that the caller changed. */
    public DistributedFileSystem newFileSystem(Configuration configuration) {
        return clients.newFileSystem(configuration);
    }

    // Damage.

    /**
     * Kills with -9, for good, all that a real cluster has on the host of a NameNode: it, its failover controller, and the
     * journal's server of the same number.
     */
    public void killHostOf(NameNodeServer nameNode) {
        List<Server> host = new ArrayList<>(List.of(nameNode));
        int index = nameNodes().indexOf(nameNode);
        Stream.of(failoverServers(), journalServers())
                .filter(servers -> index < servers.size())
                .forEach(servers -> host.add(servers.get(index)));
        Together.forEach(host, Server::kill9ForGood);
    }

    /** Deletes the active's lock in ZooKeeper, as an operator may by mistake. */
    public void deleteLock() {
        ZooKeeperServer.delete(layout, failover.lockPath(layout));
    }

    /** Shows a NameNode in ZooKeeper's folder of the group that is none of it, as anybody who reaches ZooKeeper can. */
    public void showStranger(String name, String rpcAddress) {
        String record = "{\"name\":\"" + name + "\",\"state\":\"JUNIOR\",\"role\":\"STANDBY\",\"eligible\":false,"
                + "\"reason\":\"\",\"rpc\":\"" + rpcAddress + "\",\"http\":\"" + rpcAddress
                + "\",\"pool\":\"\",\"version\":\"1\"}";
        ZooKeeperServer.create(
                layout,
                "/trefoil/" + layout.nameservice() + "/members/" + name,
                record.getBytes(StandardCharsets.UTF_8));
    }

    /** Cuts the link between two hosts, both ways. Packets vanish, nobody is told. */
    public void cutLink(Server one, Server other) {
        network.cutOneWay(one.name(), other.name());
        network.cutOneWay(other.name(), one.name());
    }

    /** Cuts the link in one direction only. */
    public void cutLinkOneWay(Server from, Server to) {
        network.cutOneWay(from.name(), to.name());
    }

    /** Heals a link that was cut both ways. */
    public void healLink(Server one, Server other) {
        network.healOneWay(one.name(), other.name());
        network.healOneWay(other.name(), one.name());
    }

    /** Heals a link that was cut in one direction. */
    public void healLinkOneWay(Server from, Server to) {
        network.healOneWay(from.name(), to.name());
    }

    /** From now on two servers refuse each other, as behind a firewall that rejects: connections are reset, and new ones refused. */
    public void refuseLink(Server one, Server other) {
        refuseLinkOneWay(one, other);
        refuseLinkOneWay(other, one);
    }

    /** Whatever one server sends to the host of the other is refused. */
    public void refuseLinkOneWay(Server from, Server to) {
        network.refuseOneWay(from.name(), to.name());
    }

    /** Undoes {@link #refuseLink}. */
    public void acceptLink(Server one, Server other) {
        acceptLinkOneWay(one, other);
        acceptLinkOneWay(other, one);
    }

    /** Undoes {@link #refuseLinkOneWay}. */
    public void acceptLinkOneWay(Server from, Server to) {
        network.acceptOneWay(from.name(), to.name());
    }

    /** Pulls a host's network cable; clients of the harness do not reach it either. */
    public void isolate(Server server) {
        network.unplug(server.name());
    }

    /** Plugs the cable in again. */
    public void rejoin(Server server) {
        network.plugIn(server.name());
    }

    /** Fills the small disk that the builder gave to the server. */
    public void fillDisk(Server server) {
        smallDisks.of(server).fill();
    }

    /** Gives back the space that {@link #fillDisk} took. */
    public void freeDisk(Server server) {
        smallDisks.of(server).free();
    }

    /** Whoever writes to the small disk of the server waits, until {@link #releaseDisk}; not even a kill reaches it then. */
    public void hangDisk(Server server) {
        smallDisks.of(server).hang();
    }

    /** Whoever writes to the small disk of the server waits about two seconds, until {@link #releaseDisk}. */
    public void slowDisk(Server server) {
        smallDisks.of(server).beSlow();
    }

    /** A small disk that hangs or is slow works as before. */
    public void releaseDisk(Server server) {
        smallDisks.of(server).goOn();
    }

    /**
     * Every sync of the small disk of the server fails with an I/O error though writes seem to succeed, and seconds later it can only be
     * read, until {@link #repairDisk}.
     */
    public void letDiskDie(Server server) {
        smallDisks.of(server).die();
    }

    /**
     * The small disk of a server that is down is as good as new, and holds what had reached its medium: what was written and
     * never synced may be gone.
     */
    public void repairDisk(Server server) {
        if (server.isAlive()) {
            throw new IllegalStateException(server + " runs; its disk is repaired while it is down");
        }
        smallDisks.of(server).repair();
    }

    // End.

    /** Says that nothing went wrong, so that {@link #close} need not keep the logs. */
    public void succeeded() {
        succeeded = true;
    }

    /** The state of every server and the end of its log, for a message. */
    public String describe() {
        return roster.all().map(Server::describe).collect(Collectors.joining("\n\n"));
    }

    /** Kills every server and gives back whatever was taken from the system. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        release();
        Runtime.getRuntime().removeShutdownHook(closeAtExit);
        if (succeeded && !Boolean.getBoolean("trefoil.it.keep")) {
            archives.forEach(ClassArchive::makeIfMissing);
            directory.delete();
        } else {
            System.err.println("The cluster's logs and data are kept in " + directory.root());
        }
    }

    private synchronized void release() {
        if (closed) {
            return;
        }
        closed = true;
        smallDisks.goOn();
        Together.forEach(roster.all().toList(), Server::close);
        strays.ifPresent(StrayGuard::close);
        clients.close();
        smallDisks.close();
        hostCpus.close();
        network.close();
    }
}
