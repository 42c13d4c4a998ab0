/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.failover;

import io.trefoil.it.cluster.FailoverKind;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.JournalKind;
import io.trefoil.it.cluster.NameNodeServer;
import io.trefoil.it.cluster.Server;
import io.trefoil.it.process.Await;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;

/** A cluster of three NameNodes under one kind of failover; it stays up for the whole run. */
final class Contender implements AutoCloseable {
    static final String MAMS = "mams";
    static final String ZKFC = "zkfc";
    static final Duration LIMIT = Duration.ofMinutes(2);

    private final String name;
    private final HaCluster cluster;

    private Contender(String name, HaCluster cluster) {
        this.name = name;
        this.cluster = cluster;
    }

    /** @param apart whether each NameNode gets a host of its own, whose cable can be pulled */
    static Contender start(String name, boolean apart) {
        HaClusterBuilder builder =
                switch (name) {
                    case MAMS ->
                        HaCluster.builder("failover-mams")
                                .journal(JournalKind.ssp())
                                .failover(FailoverKind.mams())
                                .property("dfs.ssp.lease", "1s")
                                .property("dfs.ssp.ack.timeout", "500ms");
                    case ZKFC ->
                        HaCluster.builder("failover-zkfc")
                                .journal(JournalKind.qjm())
                                .failover(FailoverKind.zkfc());
                    default -> throw new IllegalArgumentException("no failover named " + name);
                };
        // The same clients for both: those of the expert. And no restart while time is taken.
        Map<String, String> clients = FailoverKind.zkfc().clientProperties();
        clients.forEach((key, value) -> builder.serverProperty("client", key, value));
        builder.unsupervised();
        if (apart) {
            builder.hostsInNetworkNamespaces();
        }
        return new Contender(name, builder.start());
    }

    String name() {
        return name;
    }

    HaCluster cluster() {
        return cluster;
    }

    /** Starts what ended, and waits until one NameNode is active and the others hold what it holds. */
    void recover() {
        Await.until("all are back", LIMIT, this::isWhole, cluster::describe);
        NameNodeServer active = cluster.awaitActive();
        long txId = active.appliedTxId();
        cluster.nameNodesBut(active).forEach(nameNode -> nameNode.awaitApplied(txId, LIMIT));
    }

    /** As a supervisor would. */
    void startWhatEnded() {
        servers().filter(server -> !server.isAlive()).forEach(Server::start);
    }

    private boolean isWhole() {
        startWhatEnded();
        List<NameNodeServer> standbys = cluster.nameNodes().stream()
                .filter(nameNode -> nameNode.is(HAServiceState.STANDBY))
                .toList();
        boolean whole = standbys.size() == cluster.nameNodes().size() - 1
                && cluster.active().isPresent();
        return whole && (!name.equals(MAMS) || standbys.stream().allMatch(Contender::isInSync));
    }

    private static boolean isInSync(NameNodeServer standby) {
        return standby.jmx()
                .text("Hadoop:service=NameNode,name=TrefoilGroup", "State")
                .equals("STANDBY");
    }

    private Stream<? extends Server> servers() {
        return Stream.of(cluster.journalServers(), cluster.nameNodes(), cluster.failoverServers())
                .flatMap(List::stream);
    }

    void succeeded() {
        cluster.succeeded();
    }

    @Override
    public void close() {
        cluster.close();
    }
}
