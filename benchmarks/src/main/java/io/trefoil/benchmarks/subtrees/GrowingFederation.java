/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.subtrees;

import io.trefoil.benchmarks.HostCpuPlan;
import io.trefoil.benchmarks.subtrees.CallHistory.Window;
import io.trefoil.client.hdfs.SmartFailoverProxyProvider;
import io.trefoil.federation.client.hdfs.SubtreeFileSystem;
import io.trefoil.it.cluster.FederatedClusters;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.process.Await;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;

/** A nameservice with a table of subtrees, and another one that joins it. Each has an active and a standby. */
final class GrowingFederation implements AutoCloseable {
    static final String CLUSTER = "hdfs://cluster";
    static final String OLD = "ns1";
    static final String NEW = "ns2";

    private static final int NAME_NODES_OF_EACH = 2;

    /** The number of hosts of both nameservices. */
    static final int HOSTS = 2 * NAME_NODES_OF_EACH;

    private static final String TABLE = "hdfs://" + OLD + "/.trefoil/subtrees";
    private static final Pattern PAUSE = Pattern.compile("clients waited for at most (\\d+) ms");

    private final HostCpuPlan hosts;
    private final List<String> moveOptions;
    private final HaCluster old;
    private final HaCluster joining;

    /**
     * The duration of a move.
     *
     * @param window from the start of the command to its end
     * @param pauseMillis for how long clients waited at most, as the command prints it
     */
    record Move(Window window, double pauseMillis) {}

    /** @param moveOptions options of each {@code subtree move} */
    GrowingFederation(HostCpuPlan hosts, List<String> moveOptions) {
        this.hosts = hosts;
        this.moveOptions = moveOptions;
        old = startNameservice(OLD, 1);
        joining = startNameservice(NEW, 0);
        FederatedClusters.join(old, joining);
    }

    private HaCluster startNameservice(String nameservice, int dataNodes) {
        HaClusterBuilder builder = HaCluster.builder("growing-" + nameservice)
                .nameservice(nameservice)
                .nameNodes(NAME_NODES_OF_EACH)
                .dataNodes(dataNodes)
                .journal(JournalKind.ssp().journalOnly())
                .withAutomaticFailover()
                .property("trefoil.federation.gate", "true")
                .property("dfs.replication", "1")
                .property("dfs.datanode.plugins", "io.trefoil.federation.hdfs.datanode.BlockLinkPlugin");
        // Both ends compile their methods in seconds with the first compiler alone, so that neither is measured while
        // it does.
        hosts.applyUnlimited(builder);
        return builder.create();
    }

    /** Starts the first nameservice, which owns all subtrees. */
    void start(List<String> subtrees) throws IOException {
        old.setUp();
        old.awaitActive();
        old.trefoil("table", "create", "cluster", "--table", TABLE).expectSuccess();
        DistributedFileSystem fileSystem = old.newFileSystem();
        for (String subtree : subtrees) {
            fileSystem.mkdirs(new Path(subtree));
            fileSystem.setPermission(new Path(subtree), new FsPermission((short) 0777));
        }
    }

    /** Limits the first nameservice's hosts to their CPUs, once it is warm. */
    void limitCpus() {
        hosts.limit(old);
    }

    /** Starts the other nameservice, and makes the DataNode serve it, as described in docs/operating/subtrees.md. */
    void addNameservice() throws IOException {
        joining.setUp();
        joining.awaitActive();
        old.setProperty("dfs.internal.nameservices", OLD + "," + NEW);
        old.dataNodes().forEach(Server::rewriteConfiguration);
        DatanodeInfo dataNode = old.newFileSystem().getDataNodeStats(DatanodeReportType.LIVE)[0];
        old.dfsadmin("-refreshNamenodes", dataNode.getIpcAddr(false)).expectSuccess();
        DistributedFileSystem fileSystem = joining.newFileSystem();
        Await.until(
                "the DataNode serves both",
                Await.TIMEOUT,
                () -> fileSystem.getDataNodeStats(DatanodeReportType.LIVE).length == 1,
                joining::describe);
        hosts.limit(joining);
    }

    /** Moves a subtree with the command, in a separate process. */
    Move move(String subtree, String target) {
        List<String> command = new ArrayList<>(List.of("subtree", "move", subtree, "--to", target, "--table", TABLE));
        command.addAll(moveOptions);
        long began = System.nanoTime();
        String output =
                old.trefoil(command.toArray(String[]::new)).expectSuccess().output();
        long ended = System.nanoTime();
        Matcher pause = PAUSE.matcher(output);
        if (!pause.find()) {
            throw new IllegalStateException("no pause in which clients waited: " + output);
        }
        return new Move(new Window(began, ended), Double.parseDouble(pause.group(1)));
    }

    /** Returns the configuration of clients that use the table. */
    Configuration clientConfiguration() {
        Configuration conf = old.clientConfiguration();
        for (String nameservice : List.of(OLD, NEW)) {
            conf.set("dfs.client.failover.proxy.provider." + nameservice, SmartFailoverProxyProvider.class.getName());
        }
        conf.set("fs.viewfs.mounttable.path", TABLE);
        conf.set("fs.hdfs.impl", SubtreeFileSystem.class.getName());
        conf.set("trefoil.client.failover.timeout.cluster", "1m");
        return conf;
    }

    void markSucceeded() {
        old.markSucceeded();
        joining.markSucceeded();
    }

    @Override
    public void close() {
        joining.close();
        old.close();
    }
}
