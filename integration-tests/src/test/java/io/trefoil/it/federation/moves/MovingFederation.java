/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.federation.moves;

import io.trefoil.client.hdfs.SmartFailoverProxyProvider;
import io.trefoil.federation.client.hdfs.SubtreeFileSystem;
import io.trefoil.federation.marks.FrozenMark;
import io.trefoil.it.cluster.FederatedClusters;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.process.Await;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Two nameservices with three NameNodes each, one ZooKeeper and three DataNodes, which a table of subtrees makes one file system. Shows
 * how far a move has got, as a superuser sees it past the table.
 */
final class MovingFederation implements AutoCloseable {
    /** The nameservice that keeps the table, and owns the root. */
    static final String KEEPER = "ns1";

    static final String OTHER = "ns2";

    private static final Path KEPT = new Path("/.trefoil/subtrees");
    private static final Path RECORD = new Path(KEPT, "moves/current");
    private static final Path LOCK = new Path(KEPT, "moves/lock");
    static final String TABLE = "hdfs://" + KEEPER + KEPT;
    private static final int DATA_NODES = 3;

    private final Map<String, HaCluster> clusters;
    private final Map<String, DistributedFileSystem> past;
    private final Server command;
    private int commands;

    /** What clients of the table have. */
    final Configuration conf;

    MovingFederation() {
        this(builder -> builder);
    }

    /** @param more what all servers and clients have besides */
    MovingFederation(UnaryOperator<HaClusterBuilder> more) {
        HaCluster first = more.apply(nameservice(KEEPER, DATA_NODES)).create();
        HaCluster second;
        try {
            second = more.apply(nameservice(OTHER, 0)).create();
        } catch (RuntimeException | Error e) {
            first.close();
            throw e;
        }
        clusters = Map.of(KEEPER, first, OTHER, second);
        try {
            FederatedClusters.join(first, second);
            first.setUp();
            second.setUp();
            assertBothServe(first, second);
            first.trefoil("table", "create", "cluster", "--table", TABLE).expectSuccess();
            past = Map.of(KEEPER, first.newFileSystem(), OTHER, second.newFileSystem());
            command = first.newTrefoilCommand("mover");
            conf = clientConfiguration();
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    private static HaClusterBuilder nameservice(String nameservice, int dataNodes) {
        return HaCluster.builder("moves-" + nameservice)
                .nameservice(nameservice)
                .dataNodes(dataNodes)
                .withAutomaticFailover()
                .property("dfs.replication", String.valueOf(DATA_NODES))
                .property("trefoil.federation.gate", "true")
                .property("dfs.datanode.plugins", "io.trefoil.federation.hdfs.datanode.BlockLinkPlugin");
    }

    private static void assertBothServe(HaCluster first, HaCluster second) {
        first.setProperty("dfs.internal.nameservices", KEEPER + "," + OTHER);
        first.dataNodes().forEach(Server::kill9);
        first.dataNodes().forEach(Server::start);
        Await.until(
                "the DataNodes serve both",
                Await.TIMEOUT,
                () -> second.newFileSystem().getDataNodeStats(DatanodeReportType.LIVE).length == DATA_NODES,
                second::describe);
    }

    private Configuration clientConfiguration() {
        Configuration client = clusters.get(KEEPER).clientConfiguration();
        for (String nameservice : clusters.keySet()) {
            client.set("dfs.client.failover.proxy.provider." + nameservice, SmartFailoverProxyProvider.class.getName());
        }
        client.set("fs.viewfs.mounttable.path", TABLE);
        client.set("fs.hdfs.impl", SubtreeFileSystem.class.getName());
        client.set("trefoil.client.failover.timeout.cluster", "1m");
        return client;
    }

    /** The whole file system, for a user with connections of its own. */
    DistributedFileSystem clientOf(String user) throws IOException, InterruptedException {
        return clientOf(UserGroupInformation.createRemoteUser(user));
    }

    DistributedFileSystem clientOf(UserGroupInformation user) throws IOException, InterruptedException {
        return user.doAs((PrivilegedExceptionAction<DistributedFileSystem>)
                () -> (DistributedFileSystem) FileSystem.newInstance(URI.create("hdfs://cluster"), conf));
    }

    /** One nameservice, for a superuser. */
    DistributedFileSystem clientOfNameservice(String nameservice) {
        return past.get(nameservice);
    }

    HaCluster cluster(String nameservice) {
        return clusters.get(nameservice);
    }

    // How far a move is.

    /** How many versions the table has. */
    int versionCount() throws IOException {
        return (int) Stream.of(clientOfNameservice(KEEPER).listStatus(KEPT))
                .filter(file -> file.getPath().getName().startsWith("mount-table."))
                .count();
    }

    boolean hasVersion(int version) throws IOException {
        return clientOfNameservice(KEEPER).exists(new Path(KEPT, "mount-table." + version + ".xml"));
    }

    /** What the record says of how far the move may have got; empty if none has begun and not ended. */
    Optional<String> recordedPhase() throws IOException {
        Properties lines = new Properties();
        try (InputStream in = clientOfNameservice(KEEPER).open(RECORD)) {
            lines.load(in);
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
        return Optional.of(lines.getProperty("phase"));
    }

    /** The mark of what is frozen at a nameservice; empty if nothing is. */
    Optional<FrozenMark> frozenMark(String nameservice) throws IOException {
        return clientOfNameservice(nameservice).getXAttrs(new Path(FrozenMark.DIRECTORY)).entrySet().stream()
                .filter(one -> one.getKey().startsWith(FrozenMark.PREFIX))
                .map(one -> FrozenMark.parse(one.getKey(), one.getValue()))
                .findFirst();
    }

    // The command.

    /** Starts {@code hdfs trefoil subtree} with this table. */
    void start(String... arguments) {
        commands++;
        command.startWith(Stream.of(Stream.of("subtree"), Stream.of(arguments), Stream.of("--table", TABLE))
                .flatMap(one -> one)
                .toArray(String[]::new));
    }

    boolean isRunning() {
        return command.exits().size() < commands;
    }

    /** Waits for the end of the command, and returns its exit code. */
    int exitCode() {
        command.awaitExit(commands - 1, Await.TIMEOUT);
        return command.exits().get(commands - 1).code();
    }

    /** What the command has printed in all its runs so far. */
    String commandOutput() {
        return command.console().tail(40);
    }

    /** Kills the command, and ends its lock, as a minute without a sign of life does it. */
    void killCommand() {
        command.kill9ForGood();
        exitCode();
        Await.until(
                "the lock is free",
                Await.TIMEOUT,
                () -> !clientOfNameservice(KEEPER).exists(LOCK)
                        || clientOfNameservice(KEEPER).recoverLease(LOCK),
                this::describe);
    }

    // Servers.

    Server zooKeeper() {
        return clusters.get(KEEPER).zooKeeper();
    }

    void startZooKeeper() {
        clusters.get(KEEPER).startZooKeeper();
    }

    List<Server> dataNodes() {
        return clusters.get(KEEPER).dataNodes();
    }

    /** Waits until every server that was killed serves as before: only then is the next one killed. */
    void awaitHealthy() {
        startZooKeeper();
        for (HaCluster cluster : clusters.values()) {
            cluster.startNameNodes();
            cluster.awaitActiveAndStandbys();
            cluster.awaitFullJournal();
        }
    }

    /** Waits until all DataNodes have reported to both nameservices since now: a killed one counts as live for minutes. */
    void awaitDataNodes() {
        long since = System.currentTimeMillis();
        past.forEach((nameservice, fileSystem) -> Await.until(
                "all DataNodes report to " + nameservice,
                Await.TIMEOUT,
                () -> Stream.of(fileSystem.getDataNodeStats(DatanodeReportType.LIVE))
                                .filter(one -> one.getLastUpdate() >= since)
                                .count()
                        == DATA_NODES,
                this::describe));
    }

    String describe() {
        return clusters.get(KEEPER).describe() + "\n\n" + clusters.get(OTHER).describe();
    }

    void markSucceeded() {
        clusters.values().forEach(HaCluster::markSucceeded);
    }

    @Override
    public void close() {
        clusters.get(OTHER).close();
        clusters.get(KEEPER).close();
    }
}
