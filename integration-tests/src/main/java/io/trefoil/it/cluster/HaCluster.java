/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster;

import io.trefoil.it.cluster.host.ClassArchive;
import io.trefoil.it.cluster.host.Loopback;
import io.trefoil.it.cluster.host.Network;
import io.trefoil.it.cluster.host.NetworkNamespaces;
import io.trefoil.it.cluster.host.StockHadoop;
import io.trefoil.it.cluster.host.WorkDirectory;
import io.trefoil.it.cluster.layout.ClusterLayout;
import io.trefoil.it.cluster.layout.FailoverKind;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.layout.Settings;
import io.trefoil.it.cluster.server.ClientProgram;
import io.trefoil.it.cluster.server.HostCpus;
import io.trefoil.it.cluster.server.Launcher;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.RunningJob;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.cluster.server.Yarn;
import io.trefoil.it.process.ToolResult;
import io.trefoil.it.process.jvm.Jdk;
import io.trefoil.it.process.jvm.StrayGuard;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
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
    private static final String HAADMIN_CLASS = "org.apache.hadoop.hdfs.tools.DFSHAAdmin";
    private static final String DFSADMIN_CLASS = "org.apache.hadoop.hdfs.tools.DFSAdmin";

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
    private final ClusterFaults faults;
    private final ClusterStart start;
    private final SmallDisks smallDisks;
    private final Optional<StrayGuard> strays;
    private final boolean disposable;
    private final Thread closeAtExit = new Thread(this::jvmEnds, "cluster-close");
    private boolean succeeded;
    private boolean closed;

    HaCluster(HaClusterBuilder plan) {
        StockHadoop hadoop = StockHadoop.fromSystemProperties();
        if (plan.journal.needsOwnJars()
                || !plan.failover.nameNodePlugins().isEmpty()
                || !plan.nameNodePlugins.isEmpty()) {
            hadoop.requireOwnJars();
        }
        disposable = plan.disposable;
        directory = WorkDirectory.create(plan.name);
        ClassArchive archive = ClassArchive.of(hadoop.jars(), directory.classLists("hdfs"));
        ClassArchive yarnArchive = ClassArchive.of(hadoop.withYarn().jars(), directory.classLists("yarn"));
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
        Jdk jdk = Jdk.fromSystemProperty("trefoil.it.java.servers");
        // A JVM of another Java could not read it.
        boolean archiving = jdk.equals(Jdk.ofThisJvm());
        launcher = new Launcher(
                jdk,
                hadoop,
                network,
                hostCpus,
                directory,
                Optional.of(archive).filter(unused -> archiving),
                plan.jvmOptions,
                plan.commandEnvironment);
        clients = new Clients(settings, layout.nameservice());
        Launcher yarnLauncher = new Launcher(
                jdk,
                hadoop.withYarn(),
                network,
                hostCpus,
                directory,
                Optional.of(yarnArchive).filter(unused -> archiving),
                plan.jvmOptions,
                plan.commandEnvironment);
        roster = new Roster(plan, settings, launcher, yarnLauncher, layout, clients);
        faults = new ClusterFaults(roster, network, smallDisks, layout, failover);
        start = new ClusterStart(this, roster, settings, failover);
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

    /** What goes wrong. */
    public ClusterFaults faults() {
        return faults;
    }

    // Life of the whole.

    /**
     * Formats and starts everything and makes the first NameNode active. The others get copies of its namespace: a command of
     * HDFS would fetch them, in a JVM each.
     */
    public void setUp() {
        start.setUp();
    }

    /** Waits until YARN takes jobs; nothing to wait for if the cluster has none. */
    public void awaitYarn() {
        start.awaitYarn();
    }

    /** Waits until every node of the journal counts: before that, a cluster survives less than it will. */
    public void awaitWholeJournal() {
        start.awaitWholeJournal();
    }

    /** Starts what makes NameNodes active beside them; nothing to do if they do it by themselves. */
    public void startFailover() {
        start.startFailover();
    }

    /** Starts ZooKeeper, if the cluster has one, and waits until it takes connections. */
    public void startZooKeeper() {
        start.startZooKeeper();
    }

    /** Waits until a NameNode is active, and gives it. */
    public NameNodeServer awaitActive() {
        return start.awaitActive();
    }

    /** Starts the journal's own servers and waits until they take connections; nothing to do if it has none. */
    public void startJournal() {
        start.startJournal();
    }

    /** Starts all NameNodes that do not run, and waits until every one answers. */
    public void startNameNodes() {
        start.startNameNodes();
    }

    /** Makes a NameNode active by a direct call; the command would be {@link #haadmin}. */
    public void makeActive(NameNodeServer nameNode) {
        start.makeActive(nameNode);
    }

    /** Lets a NameNode be the active, by the operator's command if it is not yet, and gives it. */
    public NameNodeServer failOverTo(NameNodeServer next) {
        return start.failOverTo(next);
    }

    /** Waits until every NameNode that runs knows all DataNodes. */
    public void awaitDataNodes() {
        start.awaitDataNodes();
    }

    /**
     * Lets every NameNode apply all that the active has written; meant for a moment without load. Rolls the edits once,
     * since stock standbys read finished segments only.
     */
    public void awaitStandbysCaughtUp(Duration limit) {
        start.awaitStandbysCaughtUp(limit);
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

    /**
     * One more NameNode in the configuration, not bootstrapped and not started. Servers that run know nothing of it before their files
     * are written anew and they are told to read them.
     */
    public NameNodeServer addNameNode() {
        return roster.addNameNode();
    }

    /** One NameNode less in the configuration; the same holds for servers that run. */
    public void removeNameNode(NameNodeServer leaving) {
        roster.removeNameNode(leaving);
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
        return tool(HAADMIN_CLASS, arguments);
    }

    /** Runs {@code hdfs dfsadmin} in a process of its own. */
    public ToolResult dfsadmin(String... arguments) {
        return tool(DFSADMIN_CLASS, arguments);
    }

    /** Runs {@code hdfs trefoil} on a host of clients, in a process of its own. */
    public ToolResult trefoil(String... arguments) {
        return tool(NameNodeServer.TREFOIL_CLASS, arguments);
    }

    /**
     * Runs a command of {@code hdfs} on a host of clients as somebody whom variables of the environment name.
     *
     * @param command {@code trefoil}, {@code haadmin} or {@code dfsadmin}
     */
    public ToolResult hdfsAs(Map<String, String> environment, String command, String... arguments) {
        String mainClass =
                switch (command) {
                    case "trefoil" -> NameNodeServer.TREFOIL_CLASS;
                    case "haadmin" -> HAADMIN_CLASS;
                    case "dfsadmin" -> DFSADMIN_CLASS;
                    default -> throw new IllegalArgumentException("no command hdfs " + command);
                };
        return launcher.tool(CLIENT, "client-tool", mainClass, settings.client(), environment, "", List.of(arguments));
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
        return startJobAs(Map.of(), name, mainClass, arguments);
    }

    /** Submits a job as somebody whom variables of the environment name; containers do not get these. */
    public RunningJob startJobAs(Map<String, String> environment, String name, String mainClass, String... arguments) {
        if (yarnServers().isEmpty()) {
            throw new IllegalStateException("this cluster has no YARN: build it with withYarn()");
        }
        Server client = roster.newJob(environment, name, mainClass, List.of(arguments));
        client.start();
        return new RunningJob(client);
    }

    /** Starts a program with libraries of its own on a host of clients, with their configuration. Ends with the cluster. */
    public Server startProgram(ClientProgram program) {
        Server started = roster.newProgram(program);
        started.start();
        return started;
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
        if (succeeded && !Boolean.getBoolean("trefoil.it.keep")) {
            archiveClasses();
            directory.delete();
        } else {
            System.err.println("The cluster's logs and data are kept in " + directory.root());
        }
        Runtime.getRuntime().removeShutdownHook(closeAtExit);
    }

    /** Makes of what this cluster's JVMs have loaded so far an archive for all JVMs to come, if there is none yet. */
    private void archiveClasses() {
        archives.forEach(ClassArchive::makeIfMissing);
    }

    /** The same for a cluster that has just begun to serve, and in which no command has run yet. */
    void archiveClassesOfServersAndCommands() {
        if (archives.stream().anyMatch(ClassArchive::isMissing)) {
            // What they answer does not matter: it is about what they load.
            haadmin("-getAllServiceState");
            nameNode(1).tool("org.apache.hadoop.fs.FsShell", "-ls", nameNode(1).uri() + "/");
            archiveClasses();
        }
    }

    private void jvmEnds() {
        release();
        if (disposable) {
            directory.delete();
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
