/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster;

import static java.util.Objects.requireNonNull;

import io.trefoil.it.cluster.host.StockHadoop;
import io.trefoil.it.cluster.layout.FailoverKind;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.process.Cores;
import io.trefoil.it.process.jvm.DriftingClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Describes a cluster before it exists. Not thread-safe. */
public final class HaClusterBuilder {
    final String name;
    final Map<String, String> properties = new LinkedHashMap<>();
    final Map<String, Map<String, String>> serverProperties = new LinkedHashMap<>();
    final Map<String, Duration> delayedHosts = new LinkedHashMap<>();
    final Map<String, Double> clockSpeeds = new LinkedHashMap<>();
    final Map<String, Integer> smallDisks = new LinkedHashMap<>();
    final List<String> namesBesideJournal = new ArrayList<>();
    final List<String> jvmOptions = new ArrayList<>();
    final Map<String, String> commandEnvironment = new LinkedHashMap<>();
    final List<String> nameNodeJvmOptions = new ArrayList<>();
    final List<String> journalJvmOptions = new ArrayList<>();
    final List<String> nameNodePlugins = new ArrayList<>();
    final List<Path> measuring = new ArrayList<>();
    String nameservice = "trefoil";
    int nameNodeCount = 3;
    int dataNodeCount = 0;
    Optional<StockHadoop> hadoop = Optional.empty();
    JournalKind journal = JournalKind.ssp();
    FailoverKind failover = FailoverKind.manual();
    boolean supervised = true;
    boolean withYarn = false;
    boolean inNetworkNamespaces = false;
    boolean hostsHaveNames = false;
    boolean renewed = false;
    boolean kept = false;
    boolean disposable = false;
    OptionalDouble cpusPerHost = OptionalDouble.empty();
    Optional<Cores> coresOfHosts = Optional.empty();

    HaClusterBuilder(String name) {
        this.name = requireNonNull(name, "name");
    }

    /** The logical name of the file system; default {@code trefoil}. The clusters of {@link FederatedClusters} need several. */
    public HaClusterBuilder nameservice(String id) {
        nameservice = requireNonNull(id, "id");
        return this;
    }

    /** Servers of this Hadoop, in place of the one that the build names; the harness itself keeps its own. */
    public HaClusterBuilder hadoop(StockHadoop stock) {
        hadoop = Optional.of(stock);
        return this;
    }

    /** One more class for {@code dfs.namenode.plugins}. */
    public HaClusterBuilder nameNodePlugin(String className) {
        nameNodePlugins.add(className);
        return this;
    }

    /**
     * A plugin of the NameNodes that measures in their process, and need be in no jar of ours.
     *
     * @param code jars and folders, searched after all others; {@code folder/*} means all jars of a folder
     */
    public HaClusterBuilder nameNodeMeasuredBy(String pluginClassName, List<Path> code) {
        measuring.addAll(code);
        return nameNodePlugin(pluginClassName);
    }

    /** How many NameNodes; default 3. */
    public HaClusterBuilder nameNodes(int count) {
        nameNodeCount = count;
        return this;
    }

    /** How many DataNodes; default none, which is enough for directories and empty files. */
    public HaClusterBuilder dataNodes(int count) {
        dataNodeCount = count;
        return this;
    }

    /** What carries the edits; default our pool inside the NameNodes. */
    public HaClusterBuilder journal(JournalKind kind) {
        journal = requireNonNull(kind, "kind");
        return this;
    }

    /** Who makes NameNodes active; default only the test. Automatic failover adds a ZooKeeper. */
    public HaClusterBuilder failover(FailoverKind kind) {
        failover = requireNonNull(kind, "kind");
        return this;
    }

    /** Uses our agent inside the NameNodes, which keeps one of them active. */
    public HaClusterBuilder withAutomaticFailover() {
        return failover(FailoverKind.mams());
    }

    /** Adds a ResourceManager and a NodeManager, for MapReduce jobs; see {@link HaCluster#startJob}. */
    public HaClusterBuilder withYarn() {
        withYarn = true;
        return this;
    }

    /** A property of every process and client. */
    public HaClusterBuilder property(String key, String value) {
        properties.put(key, value);
        return this;
    }

    /** A property of one process alone; the server {@code client} means the clients of the harness. */
    public HaClusterBuilder serverProperty(String server, String key, String value) {
        serverProperties
                .computeIfAbsent(server, unused -> new LinkedHashMap<>())
                .put(key, value);
        return this;
    }

    /** The heap of each NameNode, as in {@code 1g}; default 256m. */
    public HaClusterBuilder nameNodeHeap(String size) {
        return nameNodeJvmOption("-Xmx" + size);
    }

    /** One more JVM option for all processes, including commands on their hosts. */
    public HaClusterBuilder jvmOption(String option) {
        jvmOptions.add(option);
        return this;
    }

    /** Environment variables for commands, such as a Kerberos login; servers do not get them. */
    public HaClusterBuilder commandEnvironment(Map<String, String> variables) {
        commandEnvironment.putAll(variables);
        return this;
    }

    /** One more JVM option for the NameNodes; it overrides the common ones, which favour a quick start. */
    public HaClusterBuilder nameNodeJvmOption(String option) {
        nameNodeJvmOptions.add(option);
        return this;
    }

    /**
     * One more JVM option for the NameNodes and for the journal's servers beside them. A comparison of journals needs it: our pool
     * nodes are in the NameNodes and have what those have, so JournalNodes have to have it too.
     */
    public HaClusterBuilder metadataJvmOption(String option) {
        return nameNodeJvmOption(option).journalJvmOption(option);
    }

    /** What was set for the JVMs of the NameNodes, in this order. */
    public List<String> nameNodeJvmOptions() {
        return List.copyOf(nameNodeJvmOptions);
    }

    /** What was set for the JVMs of the journal's servers beside the NameNodes, in this order. */
    public List<String> journalJvmOptions() {
        return List.copyOf(journalJvmOptions);
    }

    /** What was set for one process alone. */
    public Map<String, String> propertiesOf(String server) {
        return Map.copyOf(serverProperties.getOrDefault(server, Map.of()));
    }

    List<String> nameNodeJvmOptions(String nameNode) {
        List<String> all = new ArrayList<>(nameNodeJvmOptions);
        Optional.ofNullable(clockSpeeds.get(nameNode))
                .ifPresent(speed -> all.add("-D" + DriftingClock.SPEED + "=" + speed));
        return all;
    }

    /** One more JVM option for the journal's servers beside the NameNodes. */
    public HaClusterBuilder journalJvmOption(String option) {
        journalJvmOptions.add(option);
        return this;
    }

    /** NameNodes that end stay down, instead of being restarted as systemd would do. */
    public HaClusterBuilder unsupervised() {
        supervised = false;
        return this;
    }

    /**
     * A NameNode that starts again runs {@code hdfs trefoil renew} first, as our systemd unit does, so that it gets
     * another image if its own is older than the journal reaches back. Costs seconds per start, and needs our pool.
     */
    public HaClusterBuilder renewed() {
        renewed = true;
        return this;
    }

    /** Each NameNode has a keeper, as with our shell profile: its pool node runs in its place when it fails. */
    public HaClusterBuilder kept() {
        kept = true;
        return this;
    }

    /** For a cluster that somebody only looks at: its files are deleted if this JVM is ended from outside, as by Ctrl-C. */
    public HaClusterBuilder disposable() {
        disposable = true;
        return this;
    }

    /**
     * Gives each NameNode and each server of the journal a host of its own, so that links between them can be cut.
     * Needs Linux and root. The DataNodes stay on the host of the harness.
     */
    public HaClusterBuilder hostsInNetworkNamespaces() {
        inNetworkNamespaces = true;
        return this;
    }

    /** The same, and configures their servers by names. */
    public HaClusterBuilder hostsWithNames() {
        hostsHaveNames = true;
        return hostsInNetworkNamespaces();
    }

    /**
     * What other servers send to the pool node of a NameNode is late by this: it is at another site. Its clients and its
     * own calls are not delayed, so the way there and back takes as long. Needs hosts in network namespaces.
     */
    public HaClusterBuilder lateBy(String nameNode, Duration delay) {
        delayedHosts.put(nameNode, delay);
        return serverProperty(nameNode, "trefoil.journal.bind-host", DelayedHosts.BEHIND);
    }

    /** The clocks that our code reads in a NameNode run at this speed; 1 is right. */
    public HaClusterBuilder clockSpeed(String nameNode, double speed) {
        clockSpeeds.put(nameNode, speed);
        return this;
    }

    /**
     * Gives the host of each NameNode this many CPUs of its own and never more, for the NameNode and all that runs
     * beside it. A machine with few cores then behaves like several hosts. Needs Linux and root.
     */
    public HaClusterBuilder cpusPerHost(double cpus) {
        cpusPerHost = OptionalDouble.of(cpus);
        return this;
    }

    /** Keeps hosts with {@linkplain #cpusPerHost CPUs of their own} on the first half of the cores. */
    public HaClusterBuilder hostsOnFirst(Cores cores) {
        coresOfHosts = Optional.of(cores);
        return this;
    }

    /**
     * Puts the journal's replica of one server on a small disk of its own, which can be filled. Needs Linux and root.
     *
     * @param server a NameNode with an embedded pool node, or a server of the journal
     */
    public HaClusterBuilder smallDisk(String server, int megabytes) {
        smallDisks.put(server, megabytes);
        return this;
    }

    /** Puts the images of that NameNode on the same disk as its replica of the journal, as in the sample configuration. */
    public HaClusterBuilder nameBesideJournal(String nameNode) {
        namesBesideJournal.add(nameNode);
        return this;
    }

    /** Creates a cluster that is neither formatted nor started, for tests about formatting and starting. */
    public HaCluster create() {
        return new HaCluster(this);
    }

    /** Starts a cluster that serves: formatted, every server up, the first NameNode active, the others standby. */
    public HaCluster start() {
        HaCluster cluster = create();
        try {
            cluster.setUp();
            return cluster;
        } catch (RuntimeException | Error failed) {
            cluster.close();
            throw failed;
        }
    }

    /**
     * Starts a cluster, runs an action and closes the cluster. Deletes its files, unless something went wrong.
     *
     * @throws Exception whatever the action throws
     */
    public void run(Action action) throws Exception {
        try (HaCluster cluster = start()) {
            action.on(cluster);
            cluster.succeeded();
        }
    }

    /** What to do with a cluster. */
    public interface Action {
        void on(HaCluster cluster) throws Exception;
    }
}
