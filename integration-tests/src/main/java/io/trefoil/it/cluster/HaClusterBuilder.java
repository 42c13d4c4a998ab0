/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster;

import static java.util.Objects.requireNonNull;

import io.trefoil.it.cluster.host.StockHadoop;
import io.trefoil.it.cluster.layout.FailoverKind;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.process.CpuCores;
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
    Optional<CpuCores> coresOfHosts = Optional.empty();

    HaClusterBuilder(String name) {
        this.name = requireNonNull(name, "name");
    }

    /** The logical name of the file system; default {@code trefoil}. The clusters of {@link FederatedClusters} need several. */
    public HaClusterBuilder nameservice(String id) {
        nameservice = requireNonNull(id, "id");
        return this;
    }

    /** Uses servers of this Hadoop, instead of the build's; the harness itself keeps its own. */
    public HaClusterBuilder hadoop(StockHadoop stock) {
        hadoop = Optional.of(stock);
        return this;
    }

    /** Adds a class to {@code dfs.namenode.plugins}. */
    public HaClusterBuilder nameNodePlugin(String className) {
        nameNodePlugins.add(className);
        return this;
    }

    /**
     * Adds a plugin of the NameNodes that measures in their process, and need not be in our jars.
     *
     * @param code jars and directories, searched after all others; {@code directory/*} means all jars of a directory
     */
    public HaClusterBuilder nameNodeInstrumentation(String pluginClassName, List<Path> code) {
        measuring.addAll(code);
        return nameNodePlugin(pluginClassName);
    }

    /** Sets the number of NameNodes; default 3. */
    public HaClusterBuilder nameNodes(int count) {
        nameNodeCount = count;
        return this;
    }

    /** Sets the number of DataNodes; default none, which is enough for directories and empty files. */
    public HaClusterBuilder dataNodes(int count) {
        dataNodeCount = count;
        return this;
    }

    /** Sets the journal; by default our pool inside the NameNodes. */
    public HaClusterBuilder journal(JournalKind kind) {
        journal = requireNonNull(kind, "kind");
        return this;
    }

    /** Sets the kind of failover; by default only the test makes NameNodes active. Automatic failover adds a ZooKeeper. */
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

    /** Sets a property of every process and client. */
    public HaClusterBuilder property(String key, String value) {
        properties.put(key, value);
        return this;
    }

    /** Sets a property of a single process; the server {@code client} stands for the harness's clients. */
    public HaClusterBuilder serverProperty(String server, String key, String value) {
        serverProperties
                .computeIfAbsent(server, unused -> new LinkedHashMap<>())
                .put(key, value);
        return this;
    }

    /** The heap of each NameNode, such as {@code 1g}; by default 256m. */
    public HaClusterBuilder nameNodeHeap(String size) {
        return nameNodeJvmOption("-Xmx" + size);
    }

    /** Adds a JVM option for all processes, including commands on their hosts. */
    public HaClusterBuilder jvmOption(String option) {
        jvmOptions.add(option);
        return this;
    }

    /** Environment variables for commands, such as a Kerberos login; servers do not get them. */
    public HaClusterBuilder commandEnvironment(Map<String, String> variables) {
        commandEnvironment.putAll(variables);
        return this;
    }

    /** Adds a JVM option for the NameNodes, which overrides the common ones, which favour a quick start. */
    public HaClusterBuilder nameNodeJvmOption(String option) {
        nameNodeJvmOptions.add(option);
        return this;
    }

    /**
     * Adds a JVM option for the NameNodes and for the journal's own servers. A comparison of journals needs it: our pool
     * nodes are in the NameNodes and have what those have, so JournalNodes have to have it too.
     */
    public HaClusterBuilder metadataJvmOption(String option) {
        return nameNodeJvmOption(option).journalJvmOption(option);
    }

    /** Returns the options set for the JVMs of the NameNodes, in order. */
    public List<String> nameNodeJvmOptions() {
        return List.copyOf(nameNodeJvmOptions);
    }

    /** Returns the options set for the JVMs of the journal's own servers, in order. */
    public List<String> journalJvmOptions() {
        return List.copyOf(journalJvmOptions);
    }

    /** Returns the properties set for a single process. */
    public Map<String, String> propertiesOf(String server) {
        return Map.copyOf(serverProperties.getOrDefault(server, Map.of()));
    }

    List<String> nameNodeJvmOptions(String nameNode) {
        List<String> all = new ArrayList<>(nameNodeJvmOptions);
        Optional.ofNullable(clockSpeeds.get(nameNode))
                .ifPresent(speed -> all.add("-D" + DriftingClock.SPEED + "=" + speed));
        return all;
    }

    /** Adds a JVM option for the journal's own servers. */
    public HaClusterBuilder journalJvmOption(String option) {
        journalJvmOptions.add(option);
        return this;
    }

    /** Makes NameNodes that exit stay down, instead of restarting them like systemd. */
    public HaClusterBuilder withoutSupervision() {
        supervised = false;
        return this;
    }

    /**
     * Makes a NameNode that restarts run {@code hdfs trefoil renew} first, like our systemd unit, so that it gets another image if the
     * journal does not reach back to its own. Costs seconds per start, and needs our pool.
     */
    public HaClusterBuilder withRenewal() {
        renewed = true;
        return this;
    }

    /** Gives each NameNode a keeper, as with our shell profile: its pool node runs in its place when it fails. */
    public HaClusterBuilder withKeepers() {
        kept = true;
        return this;
    }

    /** Deletes the cluster's files if this JVM is terminated from outside, as by Ctrl-C, for clusters that are only watched. */
    public HaClusterBuilder disposable() {
        disposable = true;
        return this;
    }

    /**
     * Gives each NameNode and each server of the journal its own host, so that links between them can be cut.
     * Needs Linux and root. The DataNodes stay on the host of the harness.
     */
    public HaClusterBuilder withNetworkNamespaces() {
        inNetworkNamespaces = true;
        return this;
    }

    /** Like {@link #withNetworkNamespaces}, and configures their servers by name. */
    public HaClusterBuilder withNamedHosts() {
        hostsHaveNames = true;
        return withNetworkNamespaces();
    }

    /**
     * Delays messages of other servers to a NameNode's pool node by this much, as if it were at another site. Its clients and its
     * own calls are not delayed, so the way there and back takes as long. Needs hosts in network namespaces.
     */
    public HaClusterBuilder poolNodeDelay(String nameNode, Duration delay) {
        delayedHosts.put(nameNode, delay);
        return serverProperty(nameNode, "trefoil.journal.bind-host", DelayedHosts.DELAYED_ADDRESS);
    }

    /** Makes the clocks that our code reads in a NameNode run at this speed; 1 is correct. */
    public HaClusterBuilder clockSpeed(String nameNode, double speed) {
        clockSpeeds.put(nameNode, speed);
        return this;
    }

    /**
     * Gives the host of each NameNode exactly this many CPUs, for the NameNode and everything else that runs there. A machine with few
     * cores then behaves like several hosts. Needs Linux and root.
     */
    public HaClusterBuilder cpusPerHost(double cpus) {
        cpusPerHost = OptionalDouble.of(cpus);
        return this;
    }

    /** Keeps hosts with {@linkplain #cpusPerHost their own CPUs} on the first half of the cores. */
    public HaClusterBuilder withHostsOnFirstHalf(CpuCores cores) {
        coresOfHosts = Optional.of(cores);
        return this;
    }

    /**
     * Puts the journal's replica of one server on a separate small disk, which can be filled. Needs Linux and root.
     *
     * @param server a NameNode with an embedded pool node, or a server of the journal
     */
    public HaClusterBuilder smallDisk(String server, int megabytes) {
        smallDisks.put(server, megabytes);
        return this;
    }

    /** Puts that NameNode's images on the same disk as its replica of the journal, as in the sample configuration. */
    public HaClusterBuilder imagesOnJournalDisk(String nameNode) {
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
            action.run(cluster);
            cluster.markSucceeded();
        }
    }

    /** An action on a cluster. */
    public interface Action {
        void run(HaCluster cluster) throws Exception;
    }
}
