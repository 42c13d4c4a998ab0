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

    /** {@link #OURS}, whose clients know one standby alone, which forwards their calls. */
    static final String FORWARDED = "forwarded";

    /** The number of hosts that work under load, in all clusters except {@link #NONE}. */
    static final int NAME_NODES = 3;

    /** A contender's name on a command line. */
    static final class Name extends OneOf {
        Name() {
            super(NONE, QJM, OURS);
        }
    }

    /** {@link #OURS} and {@link #FORWARDED}, which differs in the configuration of its clients. */
    static final class AnyName extends OneOf {
        AnyName() {
            super(NONE, QJM, OURS, FORWARDED);
        }
    }

    /** The kinds of clients that call the NameNode. */
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

        String callersText(int count) {
            return count + " " + caller + (count == 1 ? "" : "s");
        }

        /** Returns the name for human readers. */
        String description() {
            return words;
        }
    }

    /** The ways in which NameNodes lock their namesystem. */
    enum Locks {
        /** With one lock, as in all releases of Hadoop by default. */
        GLOBAL("one lock"),
        /** With one lock for directories and one for blocks, which Hadoop 3.5 supports. */
        FINE_GRAINED("fine-grained locks");

        private final String words;

        Locks(String words) {
            this.words = words;
        }

        /** Returns the name for human readers. */
        String description() {
            return words;
        }

        /** Returns the settings for NameNodes. */
        Map<String, String> properties() {
            return this == GLOBAL ? Map.of() : Map.of(StockHadoop.LOCK_MODEL, StockHadoop.FINE_GRAINED_LOCKS);
        }

        /**
         * Returns why this Hadoop does not support the model; without this check, an older one would measure its single lock under this
         * name.
         */
        Optional<String> unsupportedReason(StockHadoop hadoop) {
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
     * Starts a cluster, with all CPUs for each host until {@link #limitCpus}.
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

    /** Like {@link #start}, for clients, with a DataNode, for files with content. */
    static OperationsContender startWithDataNode(String name, int poolNodes, HostCpuPlan hosts) {
        return start(
                name, poolNodes, hosts, HaCluster.builder("operations-" + name).dataNodes(1));
    }

    /** Like {@link #startWithDataNode}, with DataNodes and a YARN, which run on no host. */
    static OperationsContender startWithYarn(String name, HostCpuPlan hosts) {
        return start(
                name,
                NAME_NODES,
                hosts,
                HaCluster.builder("operations-" + name).dataNodes(2).withYarn());
    }

    private static OperationsContender start(String name, int poolNodes, HostCpuPlan hosts, HaClusterBuilder builder) {
        HaCluster cluster = configure(name, poolNodes, hosts, builder).create();
        OperationsContender contender = new OperationsContender(name, cluster);
        try {
            contender.setUp();
            return contender;
        } catch (RuntimeException | Error failed) {
            cluster.close();
            throw failed;
        }
    }

    /** Adds the settings of this kind of cluster to a plan. */
    static HaClusterBuilder configure(String name, int poolNodes, HostCpuPlan hosts, HaClusterBuilder builder) {
        switch (name) {
            case NONE -> builder.nameNodes(1).journal(JournalKind.local());
            case QJM ->
                builder.journal(JournalKind.qjm().journalOnly())
                        .failover(FailoverKind.zkfc())
                        // Without a pause, standbys take from JournalNodes the CPU that writes need.
                        .property("dfs.ha.tail-edits.period", "100ms");
            case OURS -> configureOurs(builder, poolNodes);
            case FORWARDED ->
                configureOurs(builder, poolNodes)
                        .property("trefoil.ha.forward-calls", "true")
                        .property("dfs.ha.tail-edits.in-progress", "true");
            default -> throw new IllegalArgumentException("no cluster named " + name);
        }
        // All have the clients of an expert, and so have the tasks of jobs; servers of HDFS have not.
        FailoverKind.zkfc().clientProperties().forEach((key, value) -> builder.serverProperty("client", key, value));
        hosts.applyUnlimited(builder);
        return builder.property("dfs.permissions.enabled", "false")
                .metadataJvmOption("-Xmx1g")
                // Unlike our tests, a long run profits from the second compiler.
                .metadataJvmOption("-XX:TieredStopAtLevel=4");
    }

    private static HaClusterBuilder configureOurs(HaClusterBuilder builder, int poolNodes) {
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

    /** Limits hosts to their CPUs; to be called after the warm-up, as compilers need minutes with a part of a CPU. */
    void limitCpus(HostCpuPlan hosts) {
        hosts.limit(cluster);
    }

    /** Returns the number of files that clients need, estimated from their deletions since hosts were limited to their CPUs. */
    ClientLoad.FilesToDelete filesToDelete() {
        return filesToDelete;
    }

    /** Gives hosts all CPUs while files are made, and limits them again afterwards. */
    ClientLoad.Creation creationWithAllCpus(HostCpuPlan hosts) {
        return files -> {
            hosts.liftLimits(cluster);
            files.make();
            hosts.limit(cluster);
            hosts.awaitQuiescence();
        };
    }

    Configuration clientConfiguration() {
        Configuration configuration = cluster.clientConfiguration();
        if (name.equals(FORWARDED)) {
            NameNodeServer standby =
                    cluster.nameNodesExcept(cluster.awaitActive()).get(0);
            configuration.set("dfs.ha.namenodes." + cluster.layout().nameservice(), standby.name());
        }
        return configuration;
    }

    NameNodeServer active() {
        return name.equals(NONE) ? cluster.nameNode(1) : cluster.awaitActive();
    }

    /** Returns the load generator in the NameNode's process. */
    ThroughputLoad throughputLoad() {
        return throughput;
    }

    /** Reads the usage of the cluster's processes, with the currently active NameNode as the active. */
    ClusterUsage.Meter meter() {
        NameNodeServer active = active();
        return ClusterUsage.meter(active.pid(), otherProcesses(active));
    }

    /** The processes other than the active's: standbys, the journal's servers, failover controllers. */
    private List<Long> otherProcesses(NameNodeServer active) {
        return Stream.<List<? extends Server>>of(
                        cluster.nameNodes(), cluster.journalServers(), cluster.failoverServers())
                .flatMap(List::stream)
                .filter(server -> server != active)
                .map(Server::pid)
                .toList();
    }

    void markSucceeded() {
        cluster.markSucceeded();
    }

    @Override
    public void close() {
        cluster.close();
    }
}
