/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster;

import io.trefoil.it.cluster.host.ClassArchive;
import io.trefoil.it.cluster.host.LoopbackNetwork;
import io.trefoil.it.cluster.host.NamedHosts;
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
import io.trefoil.it.cluster.server.YarnServers;
import io.trefoil.it.process.InteractiveShell;
import io.trefoil.it.process.ToolResult;
import io.trefoil.it.process.jvm.ClockedJars;
import io.trefoil.it.process.jvm.Jdk;
import io.trefoil.it.process.jvm.StrayProcessKiller;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.CopyOnWriteArrayList;
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
 * {@link #succeeded}; otherwise it keeps them and says where they are.
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
    private final HarnessClients clients;
    private final ClusterServers roster;
    private final ClusterFaults faults;
    private final ClusterStarter start;
    private final SmallDisks smallDisks;
    private final DelayedHosts delayedHosts;
    private final List<StrayProcessKiller> strays = new CopyOnWriteArrayList<>();
    private final List<InteractiveShell> shells = new CopyOnWriteArrayList<>();
    private final boolean disposable;
    private final Thread closeAtExit = new Thread(this::onJvmExit, "cluster-close");
    private boolean succeeded;
    private boolean closed;

    HaCluster(HaClusterBuilder builder) {
        StockHadoop stock =
                builder.hadoop.orElseGet(StockHadoop::fromSystemProperties).withInstrumentation(builder.measuring);
        if (builder.journal.needsOwnJars()
                || !builder.failover.nameNodePlugins().isEmpty()
                || !builder.nameNodePlugins.isEmpty()) {
            stock.requireOwnJars();
        }
        disposable = builder.disposable;
        directory = WorkDirectory.create(builder.name);
        boolean clocked = !builder.clockSpeeds.isEmpty();
        StockHadoop hadoop =
                clocked ? stock.withOwnJars(ClockedJars.copyTo(directory.scratch(), stock.ownJars())) : stock;
        ClassArchive archive = ClassArchive.of(hadoop.jars(), directory.classLists("hdfs"));
        ClassArchive yarnArchive = ClassArchive.of(hadoop.withYarn().jars(), directory.classLists("yarn"));
        archives = clocked ? List.of() : builder.withYarn ? List.of(archive, yarnArchive) : List.of(archive);
        Network hosts = builder.inNetworkNamespaces ? new NetworkNamespaces() : new LoopbackNetwork();
        network = builder.hostsHaveNames ? new NamedHosts(hosts, directory.scratch()) : hosts;
        layout = new ClusterLayout(
                builder.nameservice, builder.nameNodeCount, builder.dataNodeCount, network, directory);
        try {
            network.join(layout.nameNodes());
            network.join(builder.journal.serverNames());
            builder.failover
                    .serverNames(layout)
                    .forEach(server -> network.shareHost(builder.failover.nameNodeOf(server), List.of(server)));
            smallDisks = new SmallDisks(builder.smallDisks, layout);
            builder.namesBesideJournal.forEach(layout::putImagesOnJournalDisk);
            hostCpus = builder.cpusPerHost.isPresent()
                    ? HostCpus.of(
                            builder.cpusPerHost.getAsDouble(),
                            builder.coresOfHosts,
                            layout,
                            builder.journal,
                            builder.failover)
                    : HostCpus.shared();
        } catch (RuntimeException failed) {
            network.close();
            throw failed;
        }
        failover = builder.failover;
        YarnServers yarn = new YarnServers(layout, hadoop, directory.configuration(YarnServers.NODE_MANAGER));
        if (builder.withYarn) {
            strays.add(StrayProcessKiller.guard(yarn.containers()));
        }
        Map<String, String> properties = stock.properties();
        properties.putAll(builder.properties);
        settings = new Settings(
                layout,
                builder.journal,
                failover,
                builder.nameNodePlugins,
                builder.withYarn ? yarn.properties() : Map.of(),
                properties,
                builder.serverProperties);
        Jdk jdk = Jdk.fromSystemProperty("trefoil.it.java.servers");
        // A JVM of another Java version could not read it, and jars of this cluster alone are not worth one.
        boolean archiving = jdk.equals(Jdk.ofThisJvm()) && !clocked;
        launcher = new Launcher(
                jdk,
                hadoop,
                network,
                hostCpus,
                directory,
                Optional.of(archive).filter(unused -> archiving),
                builder.jvmOptions,
                builder.commandEnvironment);
        clients = new HarnessClients(settings, layout.nameservice());
        Launcher yarnLauncher = new Launcher(
                jdk,
                hadoop.withYarn(),
                network,
                hostCpus,
                directory,
                Optional.of(yarnArchive).filter(unused -> archiving),
                builder.jvmOptions,
                builder.commandEnvironment);
        roster = new ClusterServers(builder, settings, launcher, yarnLauncher, layout, clients);
        delayedHosts = new DelayedHosts(builder.delayedHosts, layout, network, directory.leash());
        faults = new ClusterFaults(roster, network, smallDisks, layout, failover);
        start = new ClusterStarter(this, roster, settings, failover);
        Runtime.getRuntime().addShutdownHook(closeAtExit);
    }

    /** Starts the builder of a cluster. The name becomes part of its directory's name. */
    public static HaClusterBuilder builder(String name) {
        return new HaClusterBuilder(name);
    }

    // Servers.

    public List<NameNodeServer> nameNodes() {
        return roster.nameNodes();
    }

    /** The NameNode with the given number; the first is 1, as in {@code nn1}. */
    public NameNodeServer nameNode(int number) {
        return nameNodes().get(number - 1);
    }

    /** All NameNodes except the given one. */
    public List<NameNodeServer> nameNodesExcept(NameNodeServer excluded) {
        return nameNodes().stream().filter(nameNode -> nameNode != excluded).toList();
    }

    /** The NameNode that reports to be active, if there is one. */
    public Optional<NameNodeServer> active() {
        return nameNodes().stream().filter(NameNodeServer::isActive).findFirst();
    }

    public List<Server> dataNodes() {
        return roster.dataNodes();
    }

    /** The DataNode with the given number; the first is 1, as in {@code dn1}. */
    public Server dataNode(int number) {
        return dataNodes().get(number - 1);
    }

    /** The journal's servers other than the NameNodes; empty if it runs inside them. */
    public List<Server> journalServers() {
        return roster.journalServers();
    }

    /** The journal's own server with the given number; the first is 1. */
    public Server journalServer(int number) {
        return journalServers().get(number - 1);
    }

    /** The ZooKeeper of a cluster with automatic failover. */
    public Server zooKeeper() {
        return roster.zooKeeper().orElseThrow(() -> new IllegalStateException("this cluster has no ZooKeeper"));
    }

    /** The separate servers that make NameNodes active; empty if NameNodes do that themselves. */
    public List<Server> failoverServers() {
        return roster.failoverServers();
    }

    /** The journal's own server with this name, including one that {@link #changeJournalForRestarts} left behind. */
    public Server journalServerByName(String name) {
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
     * The pool node on a NameNode's host without the NameNode: {@code PoolNodeMain} with that host's settings. For
     * commands that HDFS wants to run while the other NameNodes are down. Not for hosts in network namespaces.
     */
    public Server poolNodeOf(NameNodeServer nameNode) {
        return roster.poolNodeOf(nameNode);
    }

    /**
     * Another server on a NameNode's host, such as a ZKFC, not started yet. It ends with the cluster.
     *
     * @param name unique in this cluster
     * @param others settings that override those of the NameNode
     */
    public Server newServerBeside(NameNodeServer nameNode, String name, String mainClass, Map<String, String> others) {
        return roster.newServerBeside(nameNode, name, mainClass, others);
    }

    /** The ResourceManager and the NodeManager; empty if the cluster has no YARN. */
    public List<Server> yarnServers() {
        return roster.yarnServers();
    }

    /** Returns the cluster's servers, and their locations. */
    public ClusterLayout layout() {
        return layout;
    }

    /** The faults that a test can cause. */
    public ClusterFaults faults() {
        return faults;
    }

    // Life cycle.

    /**
     * Formats and starts everything and makes the first NameNode active. The others get copies of its namespace: HDFS's
     * own command would fetch them with a JVM for each.
     */
    public void setUp() {
        delayedHosts.start();
        start.setUp();
    }

    /** Puts another Hadoop, or other versions of our jars, on a server's host; running processes keep their own until their next start. */
    public void install(Server server, StockHadoop other) {
        launcher.install(server.name(), other);
    }

    /** Makes a server run on another Java from its next start on. */
    public void install(Server server, Jdk other) {
        launcher.install(server.name(), other);
    }

    /** Waits until YARN accepts jobs; returns at once if the cluster has no YARN. */
    public void awaitYarn() {
        start.awaitYarn();
    }

    /** Waits until every node of the journal counts: before that, the cluster tolerates fewer faults than it will. */
    public void awaitFullJournal() {
        start.awaitFullJournal();
    }

    /** Starts the servers that make NameNodes active; does nothing if NameNodes do that themselves. */
    public void startFailover() {
        start.startFailover();
    }

    /** Starts ZooKeeper, if the cluster has one, and waits until it accepts connections. */
    public void startZooKeeper() {
        start.startZooKeeper();
    }

    /** Waits until a NameNode is active, and returns it. */
    public NameNodeServer awaitActive() {
        return start.awaitActive();
    }

    /** Waits until a NameNode other than the given one is active, and returns it. */
    public NameNodeServer awaitActiveOtherThan(NameNodeServer excluded) {
        return start.awaitActiveOtherThan(excluded);
    }

    /** Waits until one NameNode is active and all others are standbys, which may take over; returns the active. */
    public NameNodeServer awaitActiveAndStandbys() {
        return start.awaitActiveAndStandbys();
    }

    /** Starts the journal's own servers and waits until they accept connections; does nothing if there are none. */
    public void startJournal() {
        start.startJournal();
    }

    /** Starts all NameNodes that are down, and waits until all answer. */
    public void startNameNodes() {
        start.startNameNodes();
    }

    /** Makes a NameNode active by a direct call; unlike {@link #haadmin}, which runs the command. */
    public void makeActive(NameNodeServer nameNode) {
        start.makeActive(nameNode);
    }

    /** Makes a NameNode active by the operator's command, unless it already is, and returns it. */
    public NameNodeServer failOverTo(NameNodeServer next) {
        return start.failOverTo(next);
    }

    /** Waits until every running NameNode knows all DataNodes. */
    public void awaitDataNodes() {
        start.awaitDataNodes();
    }

    /**
     * Waits until every NameNode has applied everything that the active has written; must be called without a load. Rolls the
     * edits once, since stock standbys read only finished segments.
     */
    public void awaitStandbysCaughtUp(Duration limit) {
        start.awaitStandbysCaughtUp(limit);
    }

    /** Limits each host to this many CPUs from now on, in a cluster whose hosts have their own CPUs. */
    public void limitHosts(double cpus) {
        hostCpus.limit(cpus);
    }

    /** Limits one host to this many CPUs, until {@link #limitHosts}, in a cluster whose hosts have their own CPUs. */
    public void limitHostOf(NameNodeServer nameNode, double cpus) {
        hostCpus.limitHostOf(nameNode.name(), cpus);
    }

    // Settings; they take effect when a server starts the next time.

    /** The address of ZooKeeper, if the cluster has one. */
    Optional<String> zooKeeperQuorum() {
        return roster.zooKeeper().map(server -> server.address("client"));
    }

    /** The settings of the journal for every server and client of this cluster. */
    Map<String, String> journalProperties() {
        return settings.journal().sharedProperties(layout);
    }

    /** Sets a property of every process and client. */
    public void setProperty(String key, String value) {
        settings.set(key, value);
    }

    /** Removes a property that was set for all processes. */
    public void unsetProperty(String key) {
        settings.unset(key);
    }

    /**
     * Adds a NameNode to the configuration, not bootstrapped and not started. Running servers do not know of it until
     * their files are rewritten and they are told to read them.
     */
    public NameNodeServer addNameNode() {
        return roster.addNameNode();
    }

    /** Removes a NameNode from the configuration; for running servers, see {@code addNameNode}. */
    public void removeNameNode(NameNodeServer leavingNameNode) {
        roster.removeNameNode(leavingNameNode);
    }

    /** Gives the cluster another journal, whose servers replace those of the old one. All servers must be down. */
    public void changeJournal(JournalKind kind) {
        Stream.concat(nameNodes().stream(), journalServers().stream())
                .filter(Server::isAlive)
                .findAny()
                .ifPresent(server -> {
                    throw new IllegalStateException(server + " is running; the journal changes while all are down");
                });
        changeJournalForRestarts(kind);
    }

    /**
     * Like {@link #changeJournal}, with servers running: they keep the old journal until they are restarted, and its servers keep running.
     */
    public void changeJournalForRestarts(JournalKind kind) {
        network.join(kind.serverNames());
        settings.setJournal(kind);
        roster.replaceJournalServers();
    }

    // Commands and clients.

    /** Runs {@code hdfs haadmin} in a separate process. */
    public ToolResult haadmin(String... arguments) {
        return tool(HAADMIN_CLASS, arguments);
    }

    /** Runs {@code hdfs dfsadmin} in a separate process. */
    public ToolResult dfsadmin(String... arguments) {
        return tool(DFSADMIN_CLASS, arguments);
    }

    /** Runs {@code hdfs trefoil} on a client host, in a separate process. */
    public ToolResult trefoil(String... arguments) {
        return tool(NameNodeServer.TREFOIL_CLASS, arguments);
    }

    /**
     * {@code hdfs trefoil} on a client host as a process that a test can kill, not started yet: {@link Server#startWith}
     * runs it, {@link Server#exits} and {@link Server#console} report its outcome.
     *
     * @param name unique in this cluster
     */
    public Server newTrefoilCommand(String name) {
        return roster.newCommand(name, NameNodeServer.TREFOIL_CLASS);
    }

    /**
     * Runs a command of {@code hdfs} on a client host, as the user named in environment variables.
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

    /** Runs {@code hdfs oev}, which prints edits, in a separate process. */
    public ToolResult oev(String... arguments) {
        return tool("org.apache.hadoop.hdfs.tools.offlineEditsViewer.OfflineEditsViewer", arguments);
    }

    /** Runs {@code hdfs oiv}, which prints images, in a separate process. */
    public ToolResult oiv(String... arguments) {
        return tool("org.apache.hadoop.hdfs.tools.offlineImageViewer.OfflineImageViewerPB", arguments);
    }

    /** Runs any main class of Hadoop with the configuration of a client, in a separate process. */
    public ToolResult tool(String mainClass, String... arguments) {
        return launcher.tool(CLIENT, "client-tool", mainClass, settings.client(), "", List.of(arguments));
    }

    /**
     * Submits a MapReduce job from a separate process. Its containers end with the cluster; its logs are kept with
     * the cluster's.
     *
     * @param name unique in this cluster
     * @param mainClass of a program that runs one job and whose exit code says whether it succeeded
     */
    public RunningJob startJob(String name, String mainClass, String... arguments) {
        return startJobAs(Map.of(), name, mainClass, arguments);
    }

    /** Submits a job as the user named in environment variables; containers do not get these variables. */
    public RunningJob startJobAs(Map<String, String> environment, String name, String mainClass, String... arguments) {
        if (yarnServers().isEmpty()) {
            throw new IllegalStateException("this cluster has no YARN: build it with withYarn()");
        }
        Server client = roster.newJob(environment, name, mainClass, List.of(arguments));
        client.start();
        return new RunningJob(client);
    }

    /** Starts a program with its own libraries on a client host, with the configuration of clients. It ends with the cluster. */
    public Server startProgram(ClientProgram program) {
        Server started = roster.newProgram(program);
        started.start();
        return started;
    }

    /** Like {@link #startProgram}, on a separate host, in a cluster whose hosts have their own CPUs or networks. */
    public Server startProgramOnOwnHost(ClientProgram program) {
        network.join(List.of(program.name()));
        hostCpus.addHost(program.name());
        return startProgram(program);
    }

    /**
     * Writes the configuration of a client host, which has the command {@code hdfs} in its directory {@code bin}, and returns that directory.
     * Processes of the command there end with the cluster.
     */
    public Path newClientHost(String name) {
        Path configuration = launcher.writeCommands(name, settings.clientSettings(name));
        strays.add(StrayProcessKiller.guard(configuration));
        return configuration;
    }

    /**
     * Opens an interactive shell, which ends with the cluster.
     *
     * @param host of {@link #newClientHost}
     * @param profile what the shell runs first
     */
    public InteractiveShell openShell(Path host, String profile) {
        InteractiveShell shell = InteractiveShell.open(
                host.resolve("profile"),
                profile,
                Map.of(
                        "HADOOP_CONF_DIR",
                        host.toString(),
                        "PATH",
                        host.resolve("bin") + File.pathSeparator + System.getenv("PATH")));
        shells.add(shell);
        return shell;
    }

    /** Creates a configuration for clients of this cluster. */
    public Configuration clientConfiguration() {
        return clients.configuration();
    }

    /** A stock client of the whole cluster, which finds the active NameNode on its own. Closed with the cluster. */
    public DistributedFileSystem newFileSystem() {
        return newFileSystem(clientConfiguration());
    }

    /** Like {@link #newFileSystem()}, with the caller's configuration. */
    public DistributedFileSystem newFileSystem(Configuration configuration) {
        return clients.newFileSystem(configuration);
    }

    // End.

    /** Reports that nothing went wrong, so that {@link #close} deletes the logs. */
    public void markSucceeded() {
        succeeded = true;
    }

    /** The state of every server and the end of its log, for a message. */
    public String describe() {
        return roster.all().map(Server::describe).collect(Collectors.joining("\n\n"));
    }

    /** Kills every server and releases the cluster's system resources. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        release();
        clients.close();
        boolean clean = false;
        try {
            if (succeeded) {
                ServiceLoader.load(ClusterInspection.class).forEach(each -> each.inspect(directory.root()));
                clean = true;
            }
        } finally {
            shutDown(clean && !Boolean.getBoolean("trefoil.it.keep"));
        }
    }

    private void shutDown(boolean deleting) {
        if (deleting) {
            archiveClasses();
            directory.delete();
        } else {
            System.err.println("The cluster's logs and data are kept in " + directory.root());
        }
        Runtime.getRuntime().removeShutdownHook(closeAtExit);
    }

    /** Creates an archive of the classes that this cluster's JVMs have loaded so far, for all later JVMs, unless there is one. */
    private void archiveClasses() {
        archives.forEach(ClassArchive::makeIfMissing);
    }

    /** Like {@link #archiveClasses}, for a cluster that has just started serving and has not run any command yet. */
    void archiveServerAndCommandClasses() {
        if (archives.stream().anyMatch(ClassArchive::isMissing)) {
            // Only the classes that the commands load matter, not their answers.
            haadmin("-getAllServiceState");
            nameNode(1).tool("org.apache.hadoop.fs.FsShell", "-ls", nameNode(1).uri() + "/");
            archiveClasses();
        }
    }

    /** Does not close the clients: a client whose call is trying to reach a server that is gone would have to be waited for. */
    private void onJvmExit() {
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
        shells.forEach(InteractiveShell::close);
        smallDisks.resumeAll();
        ParallelActions.forEach(roster.all().toList(), Server::close);
        delayedHosts.close();
        strays.forEach(StrayProcessKiller::close);
        smallDisks.close();
        hostCpus.close();
        network.close();
    }
}
