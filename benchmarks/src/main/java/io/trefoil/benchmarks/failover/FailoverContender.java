/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.failover;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.trefoil.benchmarks.Commands.OneOf;
import io.trefoil.benchmarks.HostCpuPlan;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.layout.FailoverKind;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.process.Await;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;

/** A cluster of three NameNodes under one kind of failover; it stays up for the whole run. */
final class FailoverContender implements AutoCloseable {
    static final String MAMS = "mams";
    static final String ZKFC = "zkfc";

    /** ZKFC and its clients with the settings that Hadoop ships. */
    static final String ZKFC_BY_DEFAULT = "zkfc-default";
    /** {@link #MAMS}, with our clients instead of the stock ones. */
    static final String SMART = "smart";

    /** {@link #MAMS}, with the timeouts of the sample configuration, that is, with the defaults. */
    static final String SAMPLE = "sample";

    /** The contenders whose journal and agents are ours. */
    static final List<String> OURS = List.of(MAMS, SMART, SAMPLE);

    /** The number of NameNodes, and of hosts. */
    static final int NAME_NODES = 3;

    /** The room for hours of the journal, from which nothing is purged. */
    private static final int DISK_MEGABYTES = 1024;

    private static final int MAX_JOURNAL_MEGABYTES = 1024;

    private static final int EDITS_AT_A_TIME = 100_000;

    private final String name;
    private final HaCluster cluster;
    private final HostCpuPlan cpus;

    private FailoverContender(String name, HaCluster cluster, HostCpuPlan cpus) {
        this.name = name;
        this.cluster = cluster;
        this.cpus = cpus;
    }

    /** The settings as shipped by Hadoop, for which this harness has shorter times for its clients. */
    private static final Map<String, String> CLIENTS_BY_DEFAULT = Map.of(
            "dfs.client.failover.max.attempts", "15",
            "dfs.client.failover.sleep.base.millis", "500",
            "dfs.client.failover.sleep.max.millis", "15000",
            "ipc.client.connect.timeout", "20000",
            "ipc.client.connect.max.retries.on.timeouts", "45",
            "ipc.client.connect.retry.interval", "1000");

    /**
     * The hosts of a cluster.
     *
     * @param apart whether each NameNode gets a host of its own, whose cable can be pulled and whose links can be cut
     * @param smallDisks whether each replica of the journal gets a disk of its own, which can be filled, hang and die
     * @param smallLogFiles whether log files are so small that a full disk shows soon: large ones are preallocated
     * @param localEdits whether NameNodes write a second copy of the edits to their own directory, as HDFS does by
     *     default
     * @param heapMegabytes of each NameNode; empty for those of a small namespace
     * @param cpus of each NameNode's host
     */
    record Machines(
            boolean apart,
            boolean smallDisks,
            boolean smallLogFiles,
            boolean localEdits,
            OptionalInt heapMegabytes,
            HostCpuPlan cpus) {

        /** The hosts that these faults need. */
        static Machines forFaults(List<Fault> faults, boolean localEdits, OptionalInt heapMegabytes, HostCpuPlan cpus) {
            return new Machines(
                    faults.stream().anyMatch(Fault::needsHosts),
                    faults.stream().anyMatch(Fault::isDiskFault),
                    faults.contains(Fault.DISK),
                    localEdits,
                    heapMegabytes,
                    cpus);
        }
    }

    /** A contender's name on a command line. */
    static final class Name extends OneOf {
        Name() {
            super(MAMS, ZKFC, ZKFC_BY_DEFAULT, SMART, SAMPLE);
        }
    }

    static FailoverContender start(String name, Machines machines) {
        return new FailoverContender(name, builder(name, machines).start(), machines.cpus());
    }

    /** Starts our failover for a long run, in which a NameNode may be down longer than the journal reaches back. */
    static FailoverContender startForSoak(Machines machines) {
        return new FailoverContender(MAMS, builder(MAMS, machines).withRenewal().start(), machines.cpus());
    }

    static HaClusterBuilder builder(String name, Machines machines) {
        HaClusterBuilder builder =
                switch (name) {
                    case MAMS, SMART, SAMPLE ->
                        HaCluster.builder("failover-" + name)
                                .journal(JournalKind.ssp().localEdits(machines.localEdits()))
                                .failover(FailoverKind.mams());
                    case ZKFC ->
                        HaCluster.builder("failover-zkfc")
                                .journal(JournalKind.qjm().localEdits(machines.localEdits()))
                                .failover(
                                        machines.heapMegabytes().isPresent()
                                                ? FailoverKind.zkfcForLargeNamespaces()
                                                : FailoverKind.zkfc());
                    case ZKFC_BY_DEFAULT ->
                        HaCluster.builder("failover-zkfc-default")
                                .journal(JournalKind.qjm().localEdits(machines.localEdits()))
                                .failover(FailoverKind.zkfcWithDefaults());
                    default -> throw new IllegalArgumentException("no failover named " + name);
                };
        // All others use the same clients, those of the expert.
        Map<String, String> clients = name.equals(ZKFC_BY_DEFAULT)
                ? CLIENTS_BY_DEFAULT
                : FailoverKind.zkfc().clientProperties();
        clients.forEach((key, value) -> builder.serverProperty("client", key, value));
        if (OURS.contains(name) && !name.equals(SAMPLE)) {
            builder.property("trefoil.journal.lease", "1s").property("trefoil.journal.ack.timeout", "500ms");
        }
        if (name.equals(SMART)) {
            builder.serverProperty(
                    "client",
                    "dfs.client.failover.proxy.provider.trefoil",
                    "io.trefoil.client.hdfs.SmartFailoverProxyProvider");
        }
        machines.cpus().applyUnlimited(builder);
        // No process restarts while time is measured.
        builder.withoutSupervision();
        machines.heapMegabytes().ifPresent(megabytes -> builder.nameNodeHeap(megabytes + "m")
                // JournalNodes keep edits in half of theirs, and no namespace.
                .journalJvmOption("-Xmx" + Math.min(megabytes, MAX_JOURNAL_MEGABYTES) + "m")
                // As with any heap of gigabytes: the serial collector stops a NameNode for longer than a lease.
                .metadataJvmOption("-XX:-UseSerialGC")
                .metadataJvmOption("-XX:+UseG1GC"));
        if (machines.apart()) {
            builder.withNetworkNamespaces();
        }
        if (machines.smallDisks()) {
            journalReplicas(name).forEach(server -> builder.smallDisk(server, DISK_MEGABYTES));
            // Each log file is filled before it is used, and these disks share the machine's disk with everything else.
            builder.property("trefoil.journal.log.file.size", machines.smallLogFiles() ? "64k" : "4m");
        }
        return builder;
    }

    private static List<String> journalReplicas(String name) {
        return OURS.contains(name)
                ? List.of("nn1", "nn2", "nn3")
                : JournalKind.qjm().serverNames();
    }

    String name() {
        return name;
    }

    HaCluster cluster() {
        return cluster;
    }

    /** Whether the NameNodes run our agents. */
    boolean hasGroup() {
        return OURS.contains(name);
    }

    /** The server on a NameNode's host that holds its replica of the journal. */
    Server journalReplicaOf(NameNodeServer nameNode) {
        return cluster.journalReplicas().get(cluster.nameNodes().indexOf(nameNode));
    }

    /** Replaces the disk like an operator: terminates the processes that use it. When they start again, they find a working one. */
    void replaceDiskOf(NameNodeServer nameNode) {
        Server replica = journalReplicaOf(nameNode);
        replica.stop();
        cluster.faults().repairDisk(replica);
    }

    /** Limits each host to its CPUs for the fault and the measurement; hosts have all CPUs before that and after {@link #recover}. */
    void limitCpus() throws InterruptedException {
        cpus.limit(cluster);
        cpus.awaitQuiescence();
    }

    /** Leaves a part of its CPUs to a host whose CPUs are limited, until {@link #recover}. */
    void starve(NameNodeServer nameNode, double part) {
        cluster.limitHostOf(nameNode, part * cpus.cpus().orElseThrow());
    }

    /** Waits until one NameNode is active and the others are in order; restarts processes that have exited. */
    void awaitHealthy() {
        Await.until("all are back", Await.TIMEOUT, this::isHealthy, cluster::describe);
    }

    /** Restarts processes that have exited, and waits until one NameNode is active and the others have all of its edits. */
    void recover() {
        // With a part of a CPU, a NameNode would take minutes to start.
        cpus.liftLimits(cluster);
        awaitHealthy();
        awaitStandbysCaughtUp();
    }

    /**
     * Begins a new segment, with which a failed JournalNode participates again, and waits until standbys have all edits that the active
     * then has.
     */
    void awaitStandbysCaughtUp() {
        NameNodeServer active = cluster.awaitActive();
        active.rollEdits();
        long txId = active.appliedTxId();
        cluster.nameNodesExcept(active).forEach(nameNode -> awaitApplied(nameNode, txId));
    }

    /** Waits for as long as there is progress: on two cores, millions of edits take minutes. */
    private static void awaitApplied(NameNodeServer nameNode, long txId) {
        for (long part = nameNode.appliedTxId(); part < txId; part = Math.min(txId, part + EDITS_AT_A_TIME)) {
            nameNode.awaitApplied(part, Await.TIMEOUT);
        }
        nameNode.awaitApplied(txId, Await.TIMEOUT);
    }

    /** Restarts processes like a supervisor would. */
    void restartEndedProcesses() {
        servers().filter(server -> !server.isAlive()).forEach(Server::start);
    }

    private boolean isHealthy() {
        restartEndedProcesses();
        List<NameNodeServer> standbys = cluster.nameNodes().stream()
                .filter(nameNode -> nameNode.isInState(HAServiceState.STANDBY))
                .toList();
        Optional<NameNodeServer> active = cluster.active();
        boolean whole = standbys.size() == cluster.nameNodes().size() - 1 && active.isPresent();
        return whole && (!hasGroup() || isGroupHealthy(active.orElseThrow(), standbys));
    }

    private boolean isGroupHealthy(NameNodeServer active, List<NameNodeServer> standbys) {
        return standbys.stream().allMatch(FailoverContender::isInSync) && isJournalInSync(active);
    }

    /** Whether all voters are in sync: until then, one more fault might cost the majority. */
    private boolean isJournalInSync(NameNodeServer active) {
        String writer =
                "Hadoop:service=NameNode,name=SspWriter-" + cluster.layout().nameservice();
        return active.jmx().readNumber(writer, "InSyncVoters")
                >= cluster.nameNodes().size();
    }

    private static boolean isInSync(NameNodeServer standby) {
        return standby.jmx()
                .readText("Hadoop:service=NameNode,name=TrefoilGroup", "State")
                .equals("STANDBY");
    }

    /** Everything that would run on a NameNode's host in a real cluster. */
    List<Server> serversOnHostOf(NameNodeServer nameNode) {
        int index = cluster.nameNodes().indexOf(nameNode);
        List<Server> servers = new ArrayList<>(List.of(nameNode));
        Stream.of(cluster.failoverServers(), cluster.journalServers())
                .filter(others -> !others.isEmpty())
                .forEach(others -> servers.add(others.get(index)));
        return servers;
    }

    private Stream<? extends Server> servers() {
        return Stream.of(cluster.journalServers(), cluster.nameNodes(), cluster.failoverServers())
                .flatMap(List::stream);
    }

    /**
     * Returns the time of each step since the failover was detected, according to the history; empty without a history.
     */
    Map<String, Double> lastFailoverSteps() throws IOException {
        Map<String, Double> steps = new LinkedHashMap<>();
        if (hasGroup()) {
            JsonNode history = new ObjectMapper()
                    .readTree(cluster.awaitActive()
                            .jmx()
                            .readText("Hadoop:service=NameNode,name=TrefoilGroup", "History"));
            JsonNode last = history.path(history.size() - 1);
            for (String step : List.of("lockedAfterMs", "promisedAfterMs", "activatedAfterMs", "announcedAfterMs")) {
                steps.put(step, last.path(step).asDouble());
            }
        }
        return steps;
    }

    void markSucceeded() {
        cluster.markSucceeded();
    }

    @Override
    public void close() {
        cluster.close();
    }
}
