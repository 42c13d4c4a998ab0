/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster;

import io.trefoil.it.cluster.host.ClassArchive;
import io.trefoil.it.cluster.host.Loopback;
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
import io.trefoil.it.cluster.server.Yarn;
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
    private final Clients clients;
    private final ClusterServers roster;
    private final ClusterFaults faults;
    private final ClusterStart start;
    private final SmallDisks smallDisks;
    private final DelayedHosts delayedHosts;
    private final List<StrayProcessKiller> strays = new CopyOnWriteArrayList<>();
    private final List<InteractiveShell> shells = new CopyOnWriteArrayList<>();
    private final boolean disposable;
    private final Thread closeAtExit = new Thread(this::jvmEnds, "cluster-close");
    private boolean succeeded;
    private boolean closed;

    HaCluster(HaClusterBuilder plan) {
        StockHadoop stock =
                plan.hadoop.orElseGet(StockHadoop::fromSystemProperties).measuredBy(plan.measuring);
        if (plan.journal.needsOwnJars()
                || !plan.failover.nameNodePlugins().isEmpty()
                || !plan.nameNodePlugins.isEmpty()) {
            stock.requireOwnJars();
        }
        disposable = plan.disposable;
        directory = WorkDirectory.create(plan.name);
        boolean clocked = !plan.clockSpeeds.isEmpty();
        StockHadoop hadoop = clocked ? stock.withOwn(ClockedJars.in(directory.scratch(), stock.ownJars())) : stock;
        ClassArchive archive = ClassArchive.of(hadoop.jars(), directory.classLists("hdfs"));
        ClassArchive yarnArchive = ClassArchive.of(hadoop.withYarn().jars(), directory.classLists("yarn"));
        archives = clocked ? List.of() : plan.withYarn ? List.of(archive, yarnArchive) : List.of(archive);
        Network hosts = plan.inNetworkNamespaces ? new NetworkNamespaces() : new Loopback();
        network = plan.hostsHaveNames ? new NamedHosts(hosts, directory.scratch()) : hosts;
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
                    ? HostCpus.of(
                            plan.cpusPerHost.getAsDouble(), plan.coresOfHosts, layout, plan.journal, plan.failover)
                    : HostCpus.shared();
        } catch (RuntimeException failed) {
            network.close();
            throw failed;
        }
        failover = plan.failover;
        Yarn yarn = new Yarn(layout, hadoop, directory.configuration(Yarn.NODE_MANAGER));
        if (plan.withYarn) {
            strays.add(StrayProcessKiller.over(yarn.containers()));
        }
        Map<String, String> properties = stock.properties();
        properties.putAll(plan.properties);
        settings = new Settings(
                layout,
                plan.journal,
                failover,
                plan.nameNodePlugins,
                plan.withYarn ? yarn.properties() : Map.of(),
                properties,
                plan.serverProperties);
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
        roster = new ClusterServers(plan, settings, launcher, yarnLauncher, layout, clients);
        delayedHosts = new DelayedHosts(plan.delayedHosts, layout, network, directory.leash());
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

    /** The journal's servers beside the NameNodes; empty if it runs inside them. */
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

    /** The servers beside the NameNodes that make them active; empty if NameNodes do that themselves. */
    public List<Server> failoverServers() {
        return roster.failoverServers();
    }

    /** The journal's own server with this name, also one that {@link #changeJournalOfThoseThatStart} left behind. */
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

    /** Which servers the cluster has, and where. */
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

    /** Waits until YARN accepts jobs; returns at once if the cluster has no YARN. */
    public void awaitYarn() {
        start.awaitYarn();
    }

    /** Waits until every node of the journal counts: before that, the cluster tolerates fewer faults than it will. */
    public void awaitWholeJournal() {
        start.awaitWholeJournal();
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

    /** Waits until another NameNode than the given one is active, and returns it. */
    public NameNodeServer awaitActiveBut(NameNodeServer one) {
        return start.awaitActiveBut(one);
    }

    /** Waits until one NameNode is active and all others are standbys, which may take over, and returns the active. */
    public NameNodeServer awaitActiveAndStandbys() {
        return start.awaitActiveAndStandbys();
    }

    /** Starts the journal's own servers and waits until they accept connections; does nothing if it has none. */
    public void startJournal() {
        start.startJournal();
    }

    /** Starts all NameNodes that are down, and waits until every one answers. */
    public void startNameNodes() {
        start.startNameNodes();
    }

    /** Makes a NameNode active by a direct call; {@link #haadmin} would run the command. */
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
     * Waits until every NameNode has applied all that the active has written; call it when there is no load. Rolls the
     * edits once, since stock standbys read only finished segments.
     */
    public void awaitStandbysCaughtUp(Duration limit) {
        start.awaitStandbysCaughtUp(limit);
    }

    /** Gives each host this many CPUs from now on, in a cluster whose hosts have CPUs of their own. */
    public void limitHosts(double cpus) {
        hostCpus.limit(cpus);
    }

    // Settings; they take effect when a server starts the next time.

    /** The address of ZooKeeper, if the cluster has one. */
    Optional<String> quorum() {
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
    public void removeNameNode(NameNodeServer leaving) {
        roster.removeNameNode(leaving);
    }

    /** Gives the cluster another journal, whose servers replace those of the old one. All servers must be down. */
    public void changeJournal(JournalKind kind) {
        Stream.concat(nameNodes().stream(), journalServers().stream())
                .filter(Server::isAlive)
                .findAny()
                .ifPresent(server -> {
                    throw new IllegalStateException(server + " is running; the journal changes while all are down");
                });
        changeJournalOfThoseThatStart(kind);
    }

    /** The same with servers running: they keep the old journal until they are restarted, and its servers stay. */
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

    /** Runs {@code hdfs trefoil} on a client host, in a process of its own. */
    public ToolResult trefoil(String... arguments) {
        return tool(NameNodeServer.TREFOIL_CLASS, arguments);
    }

    /**
     * {@code hdfs trefoil} on a client host as a process that a test can kill, not started yet: {@link Server#startWith}
     * runs it, {@link Server#exits} and {@link Server#console} tell what became of it.
     *
     * @param name unique in this cluster
     */
    public Server newTrefoilCommand(String name) {
        return roster.newCommand(name, NameNodeServer.TREFOIL_CLASS);
    }

    /**
     * Runs a command of {@code hdfs} on a client host, as the user whom environment variables name.
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
     * Submits a MapReduce job from a process of its own. Its containers end with the cluster; its logs are kept with
     * the cluster's.
     *
     * @param name unique in this cluster
     * @param mainClass of a program that runs one job and whose exit code says whether it succeeded
     */
    public RunningJob startJob(String name, String mainClass, String... arguments) {
        return startJobAs(Map.of(), name, mainClass, arguments);
    }

    /** Submits a job as the user whom environment variables name; containers do not get these variables. */
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

    /** The same on a host of its own, in a cluster whose hosts have CPUs or networks of their own. */
    public Server startProgramOnItsOwnHost(ClientProgram program) {
        network.join(List.of(program.name()));
        hostCpus.addHost(program.name());
        return startProgram(program);
    }

    /**
     * Writes the configuration of a client host, which has the command {@code hdfs} in its folder {@code bin}, and returns that folder.
     * Whoever runs the command there ends with the cluster.
     */
    public Path newClientHost(String name) {
        Path configuration = launcher.writeCommands(name, settings.clientNamed(name));
        strays.add(StrayProcessKiller.over(configuration));
        return configuration;
    }

    /**
     * Opens a shell for somebody who types, which ends with the cluster.
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

    /** A new configuration for clients of this cluster. */
    public Configuration clientConfiguration() {
        return clients.configuration();
    }

    /** A stock client of the whole cluster, which finds the active NameNode by itself. Closed with the cluster. */
    public DistributedFileSystem newFileSystem() {
        return newFileSystem(clientConfiguration());
    }

    /** Like {@link #newFileSystem()}, with a configuration of the caller's. */
    public DistributedFileSystem newFileSystem(Configuration configuration) {
        return clients.newFileSystem(configuration);
    }

    // End.

    /** Reports that nothing went wrong, so that {@link #close} deletes the logs. */
    public void succeeded() {
        succeeded = true;
    }

    /** The state of every server and the end of its log, for a message. */
    public String describe() {
        return roster.all().map(Server::describe).collect(Collectors.joining("\n\n"));
    }

    /** Kills every server and returns what the cluster took from the system. */
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
            end(clean && !Boolean.getBoolean("trefoil.it.keep"));
        }
    }

    private void end(boolean deleting) {
        if (deleting) {
            archiveClasses();
            directory.delete();
        } else {
            System.err.println("The cluster's logs and data are kept in " + directory.root());
        }
        Runtime.getRuntime().removeShutdownHook(closeAtExit);
    }

    /** Makes an archive of the classes that this cluster's JVMs have loaded so far, for all later JVMs, unless there is one. */
    private void archiveClasses() {
        archives.forEach(ClassArchive::makeIfMissing);
    }

    /** The same for a cluster that has just begun to serve, and has not run any command yet. */
    void archiveClassesOfServersAndCommands() {
        if (archives.stream().anyMatch(ClassArchive::isMissing)) {
            // Only the classes that the commands load matter, not their answers.
            haadmin("-getAllServiceState");
            nameNode(1).tool("org.apache.hadoop.fs.FsShell", "-ls", nameNode(1).uri() + "/");
            archiveClasses();
        }
    }

    /** Leaves the clients alone: one whose call is asking for a server that is gone would have to be waited for. */
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
        shells.forEach(InteractiveShell::close);
        smallDisks.goOn();
        ParallelActions.forEach(roster.all().toList(), Server::close);
        delayedHosts.close();
        strays.forEach(StrayProcessKiller::close);
        smallDisks.close();
        hostCpus.close();
        network.close();
    }
}
