/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.operations;

import io.trefoil.benchmarks.ClusterUsage;
import io.trefoil.benchmarks.Commands.OneOf;
import io.trefoil.benchmarks.HostCpuPlan;
import io.trefoil.benchmarks.operations.throughput.ThroughputPass;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.host.StockHadoop;
import io.trefoil.it.cluster.layout.FailoverKind;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.layout.SspJournalKind;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.Server;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;

/** One of the clusters to compare; it stays up for the whole run. */
final class OperationsContender implements AutoCloseable {
    /** One NameNode with its edits on its own disk: no protection at all. */
    static final String NONE = "none";

    static final String QJM = "qjm";
    static final String OURS = "trefoil";

    /** The same as {@link #OURS}, whose clients know one standby alone, which forwards their calls. */
    static final String FORWARDED = "forwarded";

    /** The hosts that work under load, those of all but {@link #NONE}. */
    static final int NAME_NODES = 3;

    /** A contender's name on a command line. */
    static final class Name extends OneOf {
        Name() {
            super(NONE, QJM, OURS);
        }
    }

    /** The same, and {@link #FORWARDED}, which differs in what its clients are told. */
    static final class AnyName extends OneOf {
        AnyName() {
            super(NONE, QJM, OURS, FORWARDED);
        }
    }

    /** What calls its NameNode. */
    enum Load {
        /** Stock clients, by RPC. */
        CLIENTS("client", "stock clients"),
        /** Hadoop's NNThroughputBenchmark, in the active's process. */
        NNTHROUGHPUT("thread", "NNThroughputBenchmark in the active's process");

        private final String caller;
        private final String words;

        Load(String caller, String words) {
            this.caller = caller;
            this.words = words;
        }

        String callers(int count) {
            return count + " " + caller + (count == 1 ? "" : "s");
        }

        /** For people. */
        String words() {
            return words;
        }
    }

    /** How its NameNodes lock their namesystem. */
    enum Locks {
        /** By one lock, as all releases of Hadoop do unless told otherwise. */
        GLOBAL("one lock"),
        /** By one for directories and one for blocks, which Hadoop 3.5 can. */
        FINE_GRAINED("fine-grained locks");

        private final String words;

        Locks(String words) {
            this.words = words;
        }

        /** For people. */
        String words() {
            return words;
        }

        /** What NameNodes are told. */
        Map<String, String> properties() {
            return this == GLOBAL ? Map.of() : Map.of(StockHadoop.LOCK_MODEL, StockHadoop.FINE_GRAINED_LOCKS);
        }

        /** What is wrong with asking this Hadoop for them; without it, an older one would measure its one lock under this name. */
        Optional<String> misfit(StockHadoop hadoop) {
            return this == FINE_GRAINED && !hadoop.hasFineGrainedLocks()
                    ? Optional.of("--locks fine_grained needs Hadoop 3.5, and this is " + hadoop.version()
                            + ": add --hadoop 3.5")
                    : Optional.empty();
        }
    }

    private final String name;
    private final HaCluster cluster;
    private final ThroughputLoad throughput = new ThroughputLoad();
    private final ClientLoad.FilesToDelete filesToDelete = new ClientLoad.FilesToDelete();

    private OperationsContender(String name, HaCluster cluster) {
        this.name = name;
        this.cluster = cluster;
    }

    /**
     * Starts a cluster, with all CPUs for each host until {@link #limit}.
     *
     * @param load what it is made ready for
     * @param poolNodes for our journal: 3 means those inside the NameNodes, more means processes of their own on as
     *     many hosts
     * @param hosts the CPUs of its hosts
     * @param locks those of its NameNodes
     */
    static OperationsContender start(String name, Load load, int poolNodes, HostCpuPlan hosts, Locks locks) {
        HaClusterBuilder builder = HaCluster.builder("operations-" + name);
        locks.properties().forEach(builder::property);
        if (load == Load.NNTHROUGHPUT) {
            ThroughputPass.addPlugin(builder);
        }
        return start(name, poolNodes, hosts, builder);
    }

    /** The same for clients, with a DataNode, for files that hold something. */
    static OperationsContender startWithDataNode(String name, int poolNodes, HostCpuPlan hosts) {
        return start(
                name, poolNodes, hosts, HaCluster.builder("operations-" + name).dataNodes(1));
    }

    /** The same with DataNodes and a YARN, which are on no host. */
    static OperationsContender startWithYarn(String name, HostCpuPlan hosts) {
        return start(
                name,
                NAME_NODES,
                hosts,
                HaCluster.builder("operations-" + name).dataNodes(2).withYarn());
    }

    private static OperationsContender start(String name, int poolNodes, HostCpuPlan hosts, HaClusterBuilder builder) {
        HaCluster cluster = planned(name, poolNodes, hosts, builder).create();
        OperationsContender contender = new OperationsContender(name, cluster);
        try {
            contender.setUp();
            return contender;
        } catch (RuntimeException | Error failed) {
            cluster.close();
            throw failed;
        }
    }

    /** Adds to a plan what makes it the cluster of this name. */
    static HaClusterBuilder planned(String name, int poolNodes, HostCpuPlan hosts, HaClusterBuilder builder) {
        switch (name) {
            case NONE -> builder.nameNodes(1).journal(JournalKind.local());
            case QJM ->
                builder.journal(JournalKind.qjm().journalOnly())
                        .failover(FailoverKind.zkfc())
                        // Without a pause, standbys take from JournalNodes the CPU that writes need.
                        .property("dfs.ha.tail-edits.period", "100ms");
            case OURS -> ours(builder, poolNodes);
            case FORWARDED ->
                ours(builder, poolNodes)
                        .property("trefoil.ha.forward-calls", "true")
                        .property("dfs.ha.tail-edits.in-progress", "true");
            default -> throw new IllegalArgumentException("no cluster named " + name);
        }
        // All have the clients of an expert, and so have the tasks of jobs; servers of HDFS have not.
        FailoverKind.zkfc().clientProperties().forEach((key, value) -> builder.serverProperty("client", key, value));
        hosts.applyLater(builder);
        return builder.property("dfs.permissions.enabled", "false")
                .metadataJvmOption("-Xmx1g")
                // Unlike our tests, a long run profits from the second compiler.
                .metadataJvmOption("-XX:TieredStopAtLevel=4");
    }

    private static HaClusterBuilder ours(HaClusterBuilder builder, int poolNodes) {
        SspJournalKind journal = JournalKind.ssp().journalOnly();
        return builder.journal(poolNodes == NAME_NODES ? journal : journal.standAlone(poolNodes, poolNodes))
                .failover(FailoverKind.mams());
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
        cluster.dataNodes().forEach(Server::start);
        cluster.awaitDataNodes();
    }

    String name() {
        return name;
    }

    HaCluster cluster() {
        return cluster;
    }

    /** To be called after the warm-up: compilers need minutes with a part of a CPU. */
    void limit(HostCpuPlan hosts) {
        hosts.limit(cluster);
    }

    /** How many files clients need, from what they have deleted since hosts have their CPUs. */
    ClientLoad.FilesToDelete filesToDelete() {
        return filesToDelete;
    }

    /** Has all CPUs while files are made, and its own again when they are there. */
    ClientLoad.Creation makingWithAllCpus(HostCpuPlan hosts) {
        return files -> {
            hosts.lift(cluster);
            files.make();
            hosts.limit(cluster);
            hosts.settle();
        };
    }

    Configuration clientConfiguration() {
        Configuration configuration = cluster.clientConfiguration();
        if (name.equals(FORWARDED)) {
            NameNodeServer standby = cluster.nameNodesBut(cluster.awaitActive()).get(0);
            configuration.set("dfs.ha.namenodes." + cluster.layout().nameservice(), standby.name());
        }
        return configuration;
    }

    NameNodeServer active() {
        return name.equals(NONE) ? cluster.nameNode(1) : cluster.awaitActive();
    }

    /** What calls its NameNode in its process. */
    ThroughputLoad throughput() {
        return throughput;
    }

    /** Reads what its processes use, with the NameNode that is active now as the active. */
    ClusterUsage.Meter meter() {
        NameNodeServer active = active();
        return ClusterUsage.meter(active.pid(), othersThan(active));
    }

    /** The processes beside the active's: standbys, the journal's servers, failover controllers. */
    private List<Long> othersThan(NameNodeServer active) {
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
