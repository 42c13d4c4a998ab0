/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.config;

import io.trefoil.foundation.hdfs.ConfigKey;
import io.trefoil.foundation.hdfs.SettingsSection;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.transport.access.Networks;
import io.trefoil.journal.transport.tls.TlsPolicy;
import io.trefoil.journal.writer.events.AckPolicy;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** All settings of the journal; {@code docs/reference/configuration.md} is generated from them. */
public final class SspKeys implements SettingsSection {

    public static final ConfigKey<Boolean> EMBEDDED = ConfigKey.flag("trefoil.journal.embedded")
            .defaultsTo("true")
            .doc("Whether this NameNode carries a pool node in its own process. Set it to `false` where the pool stands"
                    + " alone, in processes of `PoolNodeMain`, and on observers that only read.");

    public static final ConfigKey<String> ADDRESS = ConfigKey.text("trefoil.journal.address")
            .doc("`host:port` of this host's pool node, exactly as it stands in the `ssp://` URI. If it is not set, it"
                    + " is the one address of the URI whose host is this host. Set it where that is ambiguous: several"
                    + " nodes on one host, or names that do not resolve to a local interface.");

    static final ConfigKey<String> BIND_HOST = ConfigKey.text("trefoil.journal.bind-host")
            .doc("The local address at which the pool node listens; `0.0.0.0` for all. If it is not set, it is the"
                    + " host of the pool node's address.");

    public static final ConfigKey<String> DIRECTORY = ConfigKey.text("trefoil.journal.dir")
            .doc("Where the pool node keeps its journals: one local directory, a path or a `file://` URI, on a disk"
                    + " that syncs fast. There is no default, since a journal under `/tmp` is a journal lost.");

    static final ConfigKey<Integer> MIN_REPLICAS = ConfigKey.count("trefoil.journal.replicas.min")
            .defaultsTo("2")
            .bounded("at least 1", count -> count >= 1)
            .doc("How many voting pool nodes must be in sync before a NameNode becomes active; with more than there are"
                    + " voters it waits until some join. With 1, a lone node makes an active whose edits exist once."
                    + " The offline commands (`-format`, `-initializeSharedEdits`, `-upgrade`, `-rollback`) always go"
                    + " on with 1.");

    static final ConfigKey<Duration> LEASE = ConfigKey.duration("trefoil.journal.lease")
            .defaultsTo("5s")
            .bounded("at least 100ms", lease -> lease.toMillis() >= 100)
            .doc("How long a majority's acknowledgements let the active believe that it is the only one. A new active"
                    + " waits for the old one's lease unless that stepped down or appears to be down. Shorter: faster"
                    + " takeover from a host that vanished; too short: a pause of the JVM costs the role.");

    static final ConfigKey<Duration> ACK_TIMEOUT = ConfigKey.duration("trefoil.journal.ack.timeout")
            .defaultsTo("1s")
            .bounded("at least 10ms", timeout -> timeout.toMillis() >= 10)
            .doc("How long a pool node may take to answer before it is no longer waited for, but caught up in the"
                    + " background. Must be below `trefoil.journal.lease`.");

    static final ConfigKey<Integer> CATCH_UP_BANDWIDTH = ConfigKey.bytes("trefoil.journal.catch-up.bandwidth")
            .defaultsTo("64m")
            .bounded("0, or at least 1m", bandwidth -> bandwidth == 0 || bandwidth >= 1 << 20)
            .doc(
                    "How many bytes per second the active sends to pool nodes that are behind, all of them together, so that"
                            + " commits keep their time; always at least twice what is written. Not held back is a node without"
                            + " which there is no majority. `0`: as fast as they can.");

    static final ConfigKey<AckPolicy> ACK = ConfigKey.choice("trefoil.journal.ack.policy", AckPolicy.class)
            .defaultsTo("quorum")
            .doc("Which pool nodes must have a batch of edits before the NameNode answers its clients. `quorum`: a"
                    + " majority of the voters. `all`: a majority and every voter that is in sync; a slow one is waited"
                    + " for up to `trefoil.journal.ack.timeout`. `one`: this host's own node, or the first to answer where the"
                    + " pool stands alone; up to 256 batches that clients hold for done are lost with that node."
                    + " Standbys and later writers see what a majority has, whatever is set.");

    static final ConfigKey<Boolean> FSYNC = ConfigKey.flag("trefoil.journal.fsync")
            .defaultsTo("true")
            .doc(
                    "Whether this host's pool node syncs its disk before it acknowledges edits. With `false` it survives the"
                            + " end of its process, not that of the machine: after another boot it begins anew and fetches everything"
                            + " from the others, unless it was closed in order. If all nodes lose power together, none of them counts.");

    static final ConfigKey<Integer> LOG_FILE_BYTES = ConfigKey.bytes("trefoil.journal.log.file.size")
            .defaultsTo("64m")
            .bounded("at least 64k", size -> size >= 64 << 10)
            .doc(
                    "Size of a preallocated log file. Up to sixteen files that are not needed any more are kept and"
                            + " written again, four if the disk has no room for sixteen more; the space of all others is given back.");

    static final ConfigKey<Integer> RECENT_BYTES = ConfigKey.bytes("trefoil.journal.recent-entries.size")
            .defaultsTo("64m")
            .doc("Memory for the newest entries of each journal: standbys tail and nodes that fell behind are caught"
                    + " up from it without reading the disk. All journals of a process together never take more than"
                    + " an eighth of the JVM's heap; those that were not written to for the longest give theirs back"
                    + " first. `0` reads everything from disk.");

    static final ConfigKey<Integer> IMAGES_RETAINED = ConfigKey.count("trefoil.journal.images.retained")
            .defaultsTo("2")
            .bounded("at least 1", count -> count >= 1)
            .doc(
                    "How many of its NameNode's newest images a pool node holds for the others, by hard links; those that a"
                            + " barrier or a pin needs, or that somebody is fetching, come on top.");

    static final ConfigKey<Integer> IMAGE_BANDWIDTH = ConfigKey.bytes("trefoil.journal.images.bandwidth")
            .defaultsTo("50m")
            .bounded("at least 1m", bytes -> bytes >= 1 << 20)
            .doc("How many bytes of images a pool node gives to others in a second, at most; and how many it reads in a"
                    + " second when it publishes one.");

    static final ConfigKey<Networks> NODE_NETWORKS = ConfigKey.of(
                    "trefoil.journal.networks.nodes", "networks, as 10.1.0.0/16, 10.2.3.4", Networks::parse)
            .doc("Networks, or single addresses, whose hosts the pool node counts as the cluster's own: they may do"
                    + " everything. Not needed for its own host, for the hosts that the `ssp://` URI names, the journal's"
                    + " members, and the NameNodes of the nameservices of this configuration; but for their other"
                    + " addresses, if they call from those, and for nodes that are to join by themselves.");

    static final ConfigKey<Networks> OPERATOR_NETWORKS = ConfigKey.of(
                    "trefoil.journal.networks.operators", "networks, as 10.1.0.0/16, 10.2.3.4", Networks::parse)
            .doc("Networks, or single addresses, from which `hdfs trefoil` may be used on hosts that are not the"
                    + " cluster's own. They may read everything, change the members, and have nodes repaired; they may not"
                    + " format or write.");

    public static final ConfigKey<TlsPolicy> TLS = ConfigKey.choice("trefoil.journal.tls", TlsPolicy.class)
            .defaultsTo("off")
            .doc(
                    "Whether the connections between pool nodes, NameNodes, readers and commands are by TLS, with certificates of"
                            + " both sides, which take the place of Kerberos then. `required`: all are. `optional`: pool nodes serve both"
                            + " kinds, and are called by TLS where they know it; it protects nothing, is for going from `off` to"
                            + " `required` host by host, and is refused with Kerberos. Keys and certificates are those of Hadoop's"
                            + " `ssl-server.xml`; who calls shows the one of `ssl-client.xml` if that names a keystore.");

    static final ConfigKey<Set<String>> NODE_CERTIFICATES = ConfigKey.of(
                    "trefoil.journal.certificates.nodes",
                    "names of hosts, as h1.example.com, h2.example.com",
                    SspKeys::names)
            .doc(
                    "With TLS: hosts whose certificates count as the cluster's own, by the alternative names of these. Not needed"
                            + " for the hosts that the `ssp://` URI names, the journal's members, and the NameNodes of the"
                            + " nameservices of this configuration; but for nodes that are to join by themselves. Their addresses"
                            + " must be served, too.");

    static final ConfigKey<Set<String>> OPERATOR_CERTIFICATES = ConfigKey.of(
                    "trefoil.journal.certificates.operators",
                    "names of hosts, as h1.example.com, h2.example.com",
                    SspKeys::names)
            .doc(
                    "With TLS: hosts from which `hdfs trefoil` may be used that are not the cluster's own, by the alternative"
                            + " names of their certificates. Their addresses must be served, too.");

    /** In the place of a host: any NameNode of the cluster. */
    static final String ANY_WRITER = "*";

    static final ConfigKey<Map<JournalId, Set<String>>> WRITERS = ConfigKey.of(
                    "trefoil.journal.writers",
                    "journals and hosts, as ns1=h1.example.com, ns1=h2.example.com, ns2=*",
                    SspKeys::writers)
            .doc(
                    "Which hosts' NameNodes may write a journal of this pool node, if those that `dfs.nameservices` gives it as their"
                            + " shared edits are not the right ones; `*` for all NameNodes of the cluster. All that is said of a journal"
                            + " here counts in the place of that. The others may read it and take part in its pool.");

    private static Map<JournalId, Set<String>> writers(String text) {
        Map<JournalId, Set<String>> writers = new LinkedHashMap<>();
        for (String one : text.split(",")) {
            String[] parts = one.trim().split("=", -1);
            if (parts.length != 2) {
                throw new IllegalArgumentException("'" + one.trim() + "' is no journal=host");
            }
            Set<String> hosts = writers.computeIfAbsent(JournalId.of(parts[0].trim()), first -> new LinkedHashSet<>());
            String host = parts[1].trim();
            hosts.addAll(host.equals(ANY_WRITER) ? Collections.singleton(host) : names(host));
        }
        return Collections.unmodifiableMap(writers);
    }

    static final ConfigKey<Integer> HANDSHAKES_PER_ADDRESS = ConfigKey.count("trefoil.journal.handshakes.per-address")
            .defaultsTo("200")
            .bounded("at least 1", count -> count >= 1)
            .doc(
                    "How many connections from one address a pool node keeps that have not been let in yet; one more pushes out"
                            + " the oldest of that address. Of all addresses together it keeps 1000, and of those that it does not"
                            + " know 64.");

    static final ConfigKey<Integer> SESSIONS_PER_ADDRESS = ConfigKey.count("trefoil.journal.sessions.per-address")
            .defaultsTo("1000")
            .bounded("at least 1", count -> count >= 1)
            .doc(
                    "How many sessions for reading a pool node has with one address at most, and how many for writing, whoever they"
                            + " are; one more is refused. In all it has 4000 connections.");

    private static Set<String> names(String text) {
        Set<String> names = new LinkedHashSet<>();
        for (String name : text.split(",")) {
            String host = name.trim();
            if (host.isEmpty() || host.contains("*") || host.contains("/") || host.contains(" ")) {
                throw new IllegalArgumentException("'" + host + "' is no name of one host");
            }
            names.add(host);
        }
        return Collections.unmodifiableSet(names);
    }

    public static final ConfigKey<Boolean> ANY_ADDRESS = ConfigKey.flag("trefoil.journal.insecure.any-address")
            .defaultsTo("false")
            .doc("Whether the pool node serves callers at any address, with all rights: who reaches its port can read,"
                    + " write and delete the journals, and become any user of the file system.");

    public static final ConfigKey<Boolean> NO_AUTHENTICATION = ConfigKey.flag(
                    "trefoil.journal.insecure.no-authentication")
            .defaultsTo("false")
            .doc("Whether the journal is used without authentication where `hadoop.security.authentication` is"
                    + " `kerberos`: callers are then trusted by their addresses, as in a cluster without Kerberos. It has to"
                    + " be the same on all hosts.");

    public static final ConfigKey<String> PRINCIPAL = ConfigKey.text("trefoil.journal.kerberos.principal")
            .doc(
                    "The Kerberos principal of all pool nodes of a journal, as `service/_HOST@REALM`, the same on all hosts."
                            + " If it is not set, it is `dfs.namenode.kerberos.principal`, which it has to be where NameNodes carry"
                            + " pool nodes.");

    public static final ConfigKey<String> KEYTAB = ConfigKey.text("trefoil.journal.keytab.file")
            .doc(
                    "The file with the keys of `trefoil.journal.kerberos.principal`, for `PoolNodeMain`. If it is not set, it"
                            + " is `dfs.namenode.keytab.file`.");

    private static final List<ConfigKey<?>> ALL = Collections.unmodifiableList(Arrays.<ConfigKey<?>>asList(
            DIRECTORY,
            ADDRESS,
            BIND_HOST,
            EMBEDDED,
            MIN_REPLICAS,
            ACK,
            FSYNC,
            LEASE,
            ACK_TIMEOUT,
            CATCH_UP_BANDWIDTH,
            LOG_FILE_BYTES,
            RECENT_BYTES,
            IMAGES_RETAINED,
            IMAGE_BANDWIDTH,
            NODE_NETWORKS,
            OPERATOR_NETWORKS,
            TLS,
            NODE_CERTIFICATES,
            OPERATOR_CERTIFICATES,
            WRITERS,
            HANDSHAKES_PER_ADDRESS,
            SESSIONS_PER_ADDRESS,
            ANY_ADDRESS,
            NO_AUTHENTICATION,
            PRINCIPAL,
            KEYTAB));

    /** For {@code ServiceLoader}. */
    public SspKeys() {}

    @Override
    public String section() {
        return "journal";
    }

    @Override
    public List<ConfigKey<?>> keys() {
        return ALL;
    }

    /** In the order of the reference page. */
    static List<ConfigKey<?>> all() {
        return ALL;
    }
}
