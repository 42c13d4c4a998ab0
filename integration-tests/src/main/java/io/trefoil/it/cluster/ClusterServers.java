/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster;

import io.trefoil.it.cluster.layout.ClusterLayout;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.layout.ServerSpec;
import io.trefoil.it.cluster.layout.Settings;
import io.trefoil.it.cluster.layout.ZooKeeperServer;
import io.trefoil.it.cluster.server.ClientProgram;
import io.trefoil.it.cluster.server.Launcher;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.cluster.server.YarnServers;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Stream;

/** The servers of a cluster. */
final class ClusterServers {
    private final Settings settings;
    private final Launcher launcher;
    private final ClusterLayout layout;
    private final List<String> journalJvmOptions;
    private final Function<String, NameNodeServer> newNameNode;
    private final List<NameNodeServer> nameNodes;
    /** NameNodes removed from the configuration; they must still be killed at the end. */
    private final List<NameNodeServer> formerNameNodes = new CopyOnWriteArrayList<>();

    private final List<Server> dataNodes;
    private final Map<NameNodeServer, Server> poolNodes = new ConcurrentHashMap<>();
    private final Optional<Server> zooKeeper;
    private final List<Server> failoverServers;
    private final List<Server> yarnServers;
    private final Launcher yarnLauncher;
    private final Map<String, Server> clients = new ConcurrentHashMap<>();
    private final Map<String, Server> everyJournalServer = new ConcurrentHashMap<>();
    private List<Server> journalServers;

    ClusterServers(
            HaClusterBuilder builder,
            Settings settings,
            Launcher launcher,
            Launcher yarnLauncher,
            ClusterLayout layout,
            HarnessClients clients) {
        this.settings = settings;
        this.launcher = launcher;
        this.yarnLauncher = yarnLauncher;
        this.layout = layout;
        this.journalJvmOptions = List.copyOf(builder.journalJvmOptions);
        newNameNode = name -> new NameNodeServer(
                new ServerSpec(
                        name,
                        NameNodeServer.MAIN_CLASS,
                        () -> settings.nameNode(name),
                        builder.nameNodeJvmOptions(name),
                        builder.supervised),
                launcher,
                layout,
                clients.configuration(),
                builder.renewed,
                builder.kept);
        nameNodes = new CopyOnWriteArrayList<>(
                layout.nameNodes().stream().map(newNameNode).toList());
        dataNodes = layout.dataNodes().stream().map(this::newDataNode).toList();
        zooKeeper = builder.failover.isAutomatic()
                ? Optional.of(newServer(ZooKeeperServer.spec(layout)))
                : Optional.empty();
        failoverServers = builder.failover.serverNames(layout).stream()
                .map(name -> newServer(new ServerSpec(
                        name,
                        builder.failover.serverMainClass(),
                        () -> settings.nameNode(builder.failover.nameNodeOf(name)),
                        List.of(),
                        builder.supervised)))
                .toList();
        yarnServers = Stream.of(YarnServers.resourceManager(settings), YarnServers.nodeManager(settings))
                .filter(unused -> builder.withYarn)
                .map(spec -> new Server(spec, yarnLauncher, layout))
                .toList();
        replaceJournalServers();
    }

    List<NameNodeServer> nameNodes() {
        return nameNodes;
    }

    /** Adds a NameNode to the configuration; existing files do not name it, and it is not started. */
    NameNodeServer addNameNode() {
        List<String> ids = new ArrayList<>(layout.nameNodes());
        ids.add("nn" + (ids.size() + 1));
        layout.setNameNodes(ids);
        NameNodeServer added = newNameNode.apply(ids.get(ids.size() - 1));
        nameNodes.add(added);
        return added;
    }

    /** Removes a NameNode from the configuration; existing files still name it, and it may still run. */
    void removeNameNode(NameNodeServer leavingNameNode) {
        nameNodes.remove(leavingNameNode);
        formerNameNodes.add(leavingNameNode);
        layout.setNameNodes(nameNodes.stream().map(Server::name).toList());
    }

    List<Server> dataNodes() {
        return dataNodes;
    }

    List<Server> journalServers() {
        return journalServers;
    }

    Optional<Server> zooKeeper() {
        return zooKeeper;
    }

    List<Server> failoverServers() {
        return failoverServers;
    }

    /** The ResourceManager and the NodeManager; empty if the cluster has no YARN. */
    List<Server> yarnServers() {
        return yarnServers;
    }

    /** The client of a job, not started yet. */
    Server newJob(Map<String, String> environment, String name, String mainClass, List<String> arguments) {
        return newClient(
                new ServerSpec(
                        name, mainClass, () -> settings.clientSettings(name), List.of(), arguments, environment, false),
                yarnLauncher);
    }

    /** A command on a client host, not started yet. */
    Server newCommand(String name, String mainClass) {
        return newClient(
                new ServerSpec(name, mainClass, () -> settings.clientSettings(name), List.of(), false), launcher);
    }

    /** A server with the settings of a NameNode, and others that override them, not started yet. */
    Server newServerBeside(NameNodeServer nameNode, String name, String mainClass, Map<String, String> otherSettings) {
        return newClient(
                new ServerSpec(
                        name,
                        mainClass,
                        () -> {
                            Map<String, String> properties = settings.nameNode(nameNode.name());
                            properties.putAll(otherSettings);
                            return properties;
                        },
                        List.of(),
                        false),
                launcher);
    }

    /** A program with its own libraries, not started yet. */
    Server newProgram(ClientProgram program) {
        return newClient(
                new ServerSpec(
                        program.name(),
                        program.mainClass(),
                        () -> {
                            Map<String, String> properties = settings.clientSettings(program.name());
                            properties.putAll(program.properties());
                            return properties;
                        },
                        program.jvmOptions(),
                        program.arguments(),
                        Map.of(),
                        false),
                launcher.forProgram(program));
    }

    private Server newClient(ServerSpec spec, Launcher launcher) {
        Server client = new Server(spec, launcher, layout);
        if (clients.putIfAbsent(spec.name(), client) != null) {
            throw new IllegalArgumentException("there was a client " + spec.name() + " already");
        }
        return client;
    }

    Stream<Server> all() {
        return Stream.<Collection<? extends Server>>of(
                        clients.values(),
                        yarnServers,
                        failoverServers,
                        nameNodes,
                        formerNameNodes,
                        everyJournalServer.values(),
                        poolNodes.values(),
                        dataNodes,
                        zooKeeper.stream().toList())
                .flatMap(Collection::stream);
    }

    /** Replaces the journal's servers with those named in the settings. A server whose name stays the same is kept. */
    void replaceJournalServers() {
        JournalKind journal = settings.journal();
        journalServers = journal.serverNames().stream()
                .map(name -> everyJournalServer.computeIfAbsent(
                        name,
                        unused -> newServer(new ServerSpec(
                                name,
                                journal.serverMainClass(),
                                () -> settings.journalServer(name),
                                journalJvmOptions,
                                false))))
                .toList();
    }

    Server poolNodeOf(NameNodeServer nameNode) {
        return poolNodes.computeIfAbsent(
                nameNode,
                unused -> newServer(new ServerSpec(
                        nameNode.name() + "-pool",
                        "io.trefoil.journal.hdfs.PoolNodeMain",
                        () -> settings.nameNode(nameNode.name()),
                        journalJvmOptions,
                        false)));
    }

    private Server newDataNode(String name) {
        return newServer(new ServerSpec(
                name,
                "org.apache.hadoop.hdfs.server.datanode.DataNode",
                () -> settings.dataNode(name),
                List.of(),
                false));
    }

    private Server newServer(ServerSpec spec) {
        return new Server(spec, launcher, layout);
    }
}
