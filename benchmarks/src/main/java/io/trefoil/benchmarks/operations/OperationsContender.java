/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.operations;

import io.trefoil.benchmarks.Commands.OneOf;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.layout.FailoverKind;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.Server;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;

/** One of the clusters to compare; it stays up for the whole run. */
final class OperationsContender implements AutoCloseable {
    /** One NameNode with its edits on its own disk: no protection at all. */
    static final String NONE = "none";

    static final String QJM = "qjm";
    static final String OURS = "trefoil";

    /** A contender's name on a command line. */
    static final class Name extends OneOf {
        Name() {
            super(NONE, QJM, OURS);
        }
    }

    private final String name;
    private final HaCluster cluster;

    private OperationsContender(String name, HaCluster cluster) {
        this.name = name;
        this.cluster = cluster;
    }

    /**
     * Starts a cluster.
     *
     * @param poolNodes for our journal: 3 means those inside the NameNodes, more means processes of their own on as
     *     many hosts
     * @param hosts the CPUs of its hosts
     */
    static OperationsContender start(String name, int poolNodes, HostCpuPlan hosts) {
        HaClusterBuilder builder = HaCluster.builder("operations-" + name);
        switch (name) {
            case NONE -> builder.nameNodes(1).journal(JournalKind.local());
            case QJM -> builder.journal(JournalKind.qjm().journalOnly()).failover(FailoverKind.zkfc());
            case OURS ->
                builder.journal(
                                poolNodes == 3
                                        ? JournalKind.ssp().journalOnly()
                                        : JournalKind.ssp().journalOnly().standAlone(poolNodes, poolNodes))
                        .failover(FailoverKind.mams());
            default -> throw new IllegalArgumentException("no cluster named " + name);
        }
        hosts.apply(builder);
        builder.property("dfs.permissions.enabled", "false")
                .nameNodeHeap("1g")
                // Unlike our tests, a long run profits from the second compiler.
                .nameNodeJvmOption("-XX:TieredStopAtLevel=4")
                .journalJvmOption("-XX:TieredStopAtLevel=4");
        HaCluster cluster = builder.create();
        OperationsContender contender = new OperationsContender(name, cluster);
        try {
            contender.setUp();
            return contender;
        } catch (RuntimeException | Error failed) {
            cluster.close();
            throw failed;
        }
    }

    private void setUp() {
        if (!name.equals(NONE)) {
            cluster.setUp();
            return;
        }
        NameNodeServer alone = cluster.nameNode(1);
        alone.format("trefoil-test");
        alone.start();
        alone.awaitUp();
    }

    String name() {
        return name;
    }

    Configuration clientConfiguration() {
        return cluster.clientConfiguration();
    }

    NameNodeServer active() {
        return name.equals(NONE) ? cluster.nameNode(1) : cluster.awaitActive();
    }

    /** The processes beside the active's: standbys, the journal's servers, failover controllers. */
    List<Long> othersThan(NameNodeServer active) {
        return Stream.<List<? extends Server>>of(
                        cluster.nameNodes(), cluster.journalServers(), cluster.failoverServers())
                .flatMap(List::stream)
                .filter(server -> server != active)
                .map(Server::pid)
                .toList();
    }

    void succeeded() {
        cluster.succeeded();
    }

    @Override
    public void close() {
        cluster.close();
    }
}
