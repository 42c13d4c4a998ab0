/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster;

import static java.util.Objects.requireNonNull;

import io.trefoil.it.cluster.layout.FailoverKind;
import io.trefoil.it.cluster.layout.JournalKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** Describes a cluster before it exists. Not for use by several threads. */
public final class HaClusterBuilder {
    final String name;
    final Map<String, String> properties = new LinkedHashMap<>();
    final Map<String, Map<String, String>> serverProperties = new LinkedHashMap<>();
    final Map<String, Integer> smallDisks = new LinkedHashMap<>();
    final List<String> namesBesideJournal = new ArrayList<>();
    final List<String> jvmOptions = new ArrayList<>();
    final Map<String, String> commandEnvironment = new LinkedHashMap<>();
    final List<String> nameNodeJvmOptions = new ArrayList<>();
    final List<String> journalJvmOptions = new ArrayList<>();
    final List<String> nameNodePlugins = new ArrayList<>();
    String nameservice = "trefoil";
    int nameNodeCount = 3;
    int dataNodeCount = 0;
    JournalKind journal = JournalKind.ssp();
    FailoverKind failover = FailoverKind.manual();
    boolean supervised = true;
    boolean withYarn = false;
    boolean inNetworkNamespaces = false;
    boolean renewed = false;
    boolean disposable = false;
    OptionalDouble cpusPerHost = OptionalDouble.empty();

    HaClusterBuilder(String name) {
        this.name = requireNonNull(name, "name");
    }

    /** The logical name of the file system; {@code trefoil} if not said. Clusters of one {@link FederatedClusters} need several. */
    public HaClusterBuilder nameservice(String id) {
        nameservice = requireNonNull(id, "id");
        return this;
    }

    /** One more class for {@code dfs.namenode.plugins}. */
    public HaClusterBuilder nameNodePlugin(String className) {
        nameNodePlugins.add(className);
        return this;
    }

    /** How many NameNodes; 3 if not said. */
    public HaClusterBuilder nameNodes(int count) {
        nameNodeCount = count;
        return this;
    }

    /** How many DataNodes; none if not said, which is enough for directories and empty files. */
    public HaClusterBuilder dataNodes(int count) {
        dataNodeCount = count;
        return this;
    }

    /** What carries the edits; our pool inside the NameNodes if not said. */
    public HaClusterBuilder journal(JournalKind kind) {
        journal = requireNonNull(kind, "kind");
        return this;
    }

    /** Who makes NameNodes active; nobody but the test if not said. An automatic failover brings a ZooKeeper with it. */
    public HaClusterBuilder failover(FailoverKind kind) {
        failover = requireNonNull(kind, "kind");
        return this;
    }

    /** Our agent inside the NameNodes keeps one of them active. */
    public HaClusterBuilder withAutomaticFailover() {
        return failover(FailoverKind.mams());
    }

    /** A ResourceManager and a NodeManager, for MapReduce jobs; see {@link HaCluster#startJob}. */
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

    /** The heap of each NameNode, as in {@code 1g}; 256m if not said. */
    public HaClusterBuilder nameNodeHeap(String size) {
        return nameNodeJvmOption("-Xmx" + size);
    }

    /** One more JVM option for all processes, the commands on their hosts among them. */
    public HaClusterBuilder jvmOption(String option) {
        jvmOptions.add(option);
        return this;
    }

    /** What commands find in their environment, such as a login by Kerberos; servers do not. */
    public HaClusterBuilder commandEnvironment(Map<String, String> variables) {
        commandEnvironment.putAll(variables);
        return this;
    }

    /** One more JVM option for the NameNodes; it wins over the common ones, which make for a quick start. */
    public HaClusterBuilder nameNodeJvmOption(String option) {
        nameNodeJvmOptions.add(option);
        return this;
    }

    /** One more JVM option for the servers that the journal has beside the NameNodes. */
    public HaClusterBuilder journalJvmOption(String option) {
        journalJvmOptions.add(option);
        return this;
    }

    /** NameNodes that end stay down, instead of being started again as systemd would. */
    public HaClusterBuilder unsupervised() {
        supervised = false;
        return this;
    }

    /**
     * A NameNode that starts again runs {@code hdfs trefoil renew} first, as our systemd unit has it, so that one whose image is older
     * than the journal reaches back gets another. Costs seconds per start, and needs our pool.
     */
    public HaClusterBuilder renewed() {
        renewed = true;
        return this;
    }

    /** For a cluster that somebody only looks at: nothing is left of it if this JVM is ended from outside, as by Ctrl-C. */
    public HaClusterBuilder disposable() {
        disposable = true;
        return this;
    }

    /**
     * Each NameNode and each server of the journal gets a host of its own, so that links between them can be cut. Needs
     * Linux and root. The DataNodes stay on the host of the harness.
     */
    public HaClusterBuilder hostsInNetworkNamespaces() {
        inNetworkNamespaces = true;
        return this;
    }

    /**
     * The host of each NameNode has so many CPUs of its own and never more: for the NameNode and for all that runs beside it.
     * So a machine with few cores shows what several hosts would. Needs Linux and root.
     */
    public HaClusterBuilder cpusPerHost(double cpus) {
        cpusPerHost = OptionalDouble.of(cpus);
        return this;
    }

    /**
     * The journal's replica on one server lives on a small disk of its own, which can be filled. Needs Linux and root.
     *
     * @param server a NameNode with an embedded pool node, or a server of the journal
     */
    public HaClusterBuilder smallDisk(String server, int megabytes) {
        smallDisks.put(server, megabytes);
        return this;
    }

    /** The images of that NameNode lie on the same disk as its replica of the journal, as in the sample configuration. */
    public HaClusterBuilder nameBesideJournal(String nameNode) {
        namesBesideJournal.add(nameNode);
        return this;
    }

    /** A cluster of which nothing runs and nothing is formatted yet, for tests that are about just that. */
    public HaCluster create() {
        return new HaCluster(this);
    }

    /** A cluster that serves: formatted, every server up, the first NameNode active, the others standby. */
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
     * Starts a cluster, does something with it and closes it. Its files are deleted, unless something went wrong.
     *
     * @throws Exception whatever the action throws
     */
    public void run(Action action) throws Exception {
        try (HaCluster cluster = start()) {
            action.on(cluster);
            cluster.succeeded();
        }
    }

    /** What is to be done with a cluster. */
    public interface Action {
        void on(HaCluster cluster) throws Exception;
    }
}
