/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.config;

import io.trefoil.foundation.hdfs.ConfigKey;
import io.trefoil.foundation.hdfs.SettingsSection;
import io.trefoil.foundation.hdfs.SuffixedConfiguration;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.pool.lease.LeaseRule;
import io.trefoil.journal.transport.tls.TlsPolicy;
import io.trefoil.journal.writer.events.AckPolicy;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** All settings of the journal; {@code docs/reference/configuration.md} is generated from them. */
public final class SspKeys implements SettingsSection {

    public static final ConfigKey<Boolean> EMBEDDED = ConfigKey.flag("trefoil.journal.embedded")
            .withDefault("true")
            .withDoc(
                    "Whether this NameNode runs a pool node in its own process. Set it to `false` where pool nodes "
                            + "run stand-alone, as `PoolNodeMain`, and on observers that only read. Where the `ssp://` URI names no "
                            + "hosts, with the suffix of the NameNode, on all hosts: otherwise others take it for a pool node.");

    public static final ConfigKey<String> ADDRESS = ConfigKey.text("trefoil.journal.address")
            .withDoc(
                    "`host:port` of this host's pool node, exactly as written in the `ssp://` URI; where that names no "
                            + "hosts, with the suffix of the NameNode, on all hosts. If not set: the one address of the URI whose host is this host. Set it where that is ambiguous: several "
                            + "nodes on one host, or names that do not resolve to a local interface.");

    static final ConfigKey<String> BIND_HOST = ConfigKey.text("trefoil.journal.bind-host")
            .withDoc("The local address at which the pool node listens; `0.0.0.0` for all. If not set: the host of "
                    + "the pool node's address.");

    public static final ConfigKey<String> DIRECTORY = ConfigKey.text("trefoil.journal.dir")
            .withDoc("Where the pool node keeps its journals: one local directory, a path or a `file://` URI, on a disk"
                    + " that syncs fast. There is no default, since a journal under `/tmp` is a journal lost.");

    static final ConfigKey<Integer> MIN_REPLICAS = ConfigKey.count("trefoil.journal.replicas.min")
            .withDefault("2")
            .withBound("at least 1", count -> count >= 1)
            .withDoc("How many voting pool nodes must be in sync before a NameNode becomes active; if that is more "
                    + "than there are voters, it waits until enough join. With 1, a NameNode becomes active "
                    + "with a single pool node, and its edits exist only once. The offline commands (`-format`, "
                    + "`-initializeSharedEdits`, `-upgrade`, `-rollback`) always use 1.");

    /** Empty if it is derived. */
    static final ConfigKey<Optional<Duration>> LEASE = ConfigKey.of(
                    "trefoil.journal.lease", "time, as 500ms, 5s, or auto", SspKeys::parseLease)
            .withDefault("5s")
            .withBound("at least 100ms", lease -> !lease.filter(fixed -> fixed.toMillis() < 100)
                    .isPresent())
            .withDoc(
                    "How long, after a majority's acknowledgements, the active may consider itself the only one. A "
                            + "new active waits for the old one's lease to end unless the old one stepped down or "
                            + "appears to be down. Shorter means a faster takeover from a host that vanished; if it is "
                            + "too short, a JVM pause costs the active its role. `auto`: as long as the host needs it, 1, 2 or 5 "
                            + "seconds, which is five times the longest pause of the process, or silence of the journal's disk, in the last "
                            + "hour; each term begins with what its host needs, and gets a longer lease when pauses get longer.");

    static final ConfigKey<Duration> ACK_TIMEOUT = ConfigKey.duration("trefoil.journal.ack.timeout")
            .withDefault("1s")
            .withBound("at least 10ms", timeout -> timeout.toMillis() >= 10)
            .withDoc("How long a pool node may take to acknowledge a batch before it is no longer waited for, but "
                    + "caught up in the background. Must be below `trefoil.journal.lease`; with `auto` there, at most "
                    + "500 ms are waited for, half of the shortest lease.");

    static final ConfigKey<Integer> CATCH_UP_BANDWIDTH = ConfigKey.bytes("trefoil.journal.catch-up.bandwidth")
            .withDefault("64m")
            .withBound("0, or at least 1m", bandwidth -> bandwidth == 0 || bandwidth >= 1 << 20)
            .withDoc("How many bytes per second the active sends to pool nodes that are behind, to all of them "
                    + "together, so that commits stay fast; always at least twice what is being "
                    + "written. A node that is needed for a majority is not held back. `0`: no limit.");

    static final ConfigKey<AckPolicy> ACK = ConfigKey.choice("trefoil.journal.ack.policy", AckPolicy.class)
            .withDefault("quorum")
            .withDoc("Which pool nodes must have a batch of edits before the NameNode answers its clients. `quorum`: "
                    + "a majority of the voters. `all`: a majority and every voter that is in sync; a slow one "
                    + "is waited for up to `trefoil.journal.ack.timeout`. `one`: this host's own node, or the "
                    + "first to answer where pool nodes run stand-alone; up to 256 batches that clients were "
                    + "told are done are lost with that node. Whatever is set, standbys and later writers see "
                    + "what a majority has.");

    static final ConfigKey<String> TRACE_DIRECTORY = ConfigKey.text("trefoil.journal.trace.dir")
            .withDoc(
                    "Where this process writes what the rules of its pool node, its writers and its agent see and what is done for them, a kilobyte "
                            + "for each batch, in files that are never removed; nowhere by default. For tests, which compare the two: one "
                            + "local directory, an absolute path.");

    static final ConfigKey<Boolean> FSYNC = ConfigKey.flag("trefoil.journal.fsync")
            .withDefault("true")
            .withDoc("Whether this host's pool node syncs its disk before it acknowledges edits. With `false`, "
                    + "edits survive a crash of the process but not of the machine: after a reboot the "
                    + "node starts with empty storage and fetches everything from the others, unless it "
                    + "was shut down cleanly. If all nodes lose power together, none of their replicas "
                    + "counts.");

    static final ConfigKey<Integer> LOG_FILE_BYTES = ConfigKey.bytes("trefoil.journal.log.file.size")
            .withDefault("64m")
            .withBound("at least 64k", size -> size >= 64 << 10)
            .withDoc("Size of a preallocated log file. Up to sixteen files that are no longer needed are kept for "
                    + "reuse, four if the disk has no room for sixteen more; the space of all others is "
                    + "freed.");

    static final ConfigKey<TrustedHosts> NODE_NETWORKS = ConfigKey.of(
                    "trefoil.journal.networks.nodes", TrustedHosts.TYPE, TrustedHosts::parse)
            .withDoc(
                    "Networks and single addresses that count as the cluster's own: they may do everything. "
                            + "With TLS, a host's certificate must name it as well: by a single address, or by a name, which is "
                            + "listed here beside its address. Not needed for the pool node's own host, the hosts that the "
                            + "`ssp://` URI names, the journal's members, and the NameNodes of this cluster's nameservices; "
                            + "needed for other addresses from which these call, and for nodes that are to join by themselves.");

    static final ConfigKey<TrustedHosts> OPERATOR_NETWORKS = ConfigKey.of(
                    "trefoil.journal.networks.operators", TrustedHosts.TYPE, TrustedHosts::parse)
            .withDoc("Networks and single addresses from which `hdfs trefoil` may be used on hosts that are not the"
                    + " cluster's own, and with TLS the names in their certificates as well. They may read everything,"
                    + " change the members, and have nodes repaired; they may not format or write.");

    public static final ConfigKey<TlsPolicy> TLS = ConfigKey.choice("trefoil.journal.tls", TlsPolicy.class)
            .withDefault("off")
            .withDoc("Whether connections between pool nodes, NameNodes, readers and commands use TLS, with "
                    + "certificates on both sides, which then replace Kerberos. `required`: all do. "
                    + "`optional`: pool nodes serve both kinds, and are called by TLS if they know it; "
                    + "this protects nothing, is for going from `off` to `required` host by host, and "
                    + "is refused with Kerberos. Keys and certificates are those of Hadoop's "
                    + "`ssl-server.xml`; a caller shows the one of `ssl-client.xml` if that names a "
                    + "keystore.");

    /** The word that stands for any NameNode of the cluster where a host is expected. */
    static final String ANY_WRITER = "*";

    static final ConfigKey<Map<JournalId, Set<String>>> WRITERS = ConfigKey.of(
                    "trefoil.journal.writers",
                    "journals and hosts, as ns1=h1.example.com, ns1=h2.example.com, ns2=*",
                    SspKeys::parseWriters)
            .withDoc("Which hosts' NameNodes may write a journal of this pool node; `*` for all NameNodes of the "
                    + "cluster. For a journal that is not named here, these are the NameNodes of "
                    + "`dfs.nameservices` that have it as their shared edits. Others may still read it "
                    + "and take part in its pool.");

    private static Optional<Duration> parseLease(String text) {
        return text.trim().equalsIgnoreCase("auto")
                ? Optional.<Duration>empty()
                : Optional.of(ConfigKey.parseDuration(text));
    }

    /** The lease of a store that does not derive it; the longest one that others derive if that is what is configured. */
    public static Duration fixedLease(SuffixedConfiguration conf) {
        return LEASE.get(conf).orElse(LeaseRule.LONGEST);
    }

    private static Map<JournalId, Set<String>> parseWriters(String text) {
        Map<JournalId, Set<String>> writers = new LinkedHashMap<>();
        for (String token : text.split(",")) {
            String[] parts = token.trim().split("=", -1);
            if (parts.length != 2) {
                throw new IllegalArgumentException("'" + token.trim() + "' is not of the form journal=host");
            }
            Set<String> hosts = writers.computeIfAbsent(JournalId.of(parts[0].trim()), first -> new LinkedHashSet<>());
            String host = parts[1].trim();
            hosts.addAll(host.equals(ANY_WRITER) ? Collections.singleton(host) : parseNames(host));
        }
        return Collections.unmodifiableMap(writers);
    }

    private static Set<String> parseNames(String text) {
        Set<String> names = new LinkedHashSet<>();
        for (String name : text.split(",")) {
            String host = name.trim();
            if (host.isEmpty() || host.contains("*") || host.contains("/") || host.contains(" ")) {
                throw new IllegalArgumentException("'" + host + "' is not the name of one host");
            }
            names.add(host);
        }
        return Collections.unmodifiableSet(names);
    }

    public static final ConfigKey<Boolean> NO_AUTHENTICATION = ConfigKey.flag(
                    "trefoil.journal.insecure.no-authentication")
            .withDefault("false")
            .withDoc("Whether the journal is used without authentication where `hadoop.security.authentication` is "
                    + "`kerberos`: callers are then trusted by their addresses, as in a cluster without "
                    + "Kerberos. Must be the same on all hosts.");

    public static final ConfigKey<String> PRINCIPAL = ConfigKey.text("trefoil.journal.kerberos.principal")
            .withDoc("The Kerberos principal of all pool nodes of a journal, as `service/_HOST@REALM`, the same "
                    + "on all hosts. If not set: `dfs.namenode.kerberos.principal`, which it must be "
                    + "where NameNodes run pool nodes.");

    public static final ConfigKey<String> KEYTAB = ConfigKey.text("trefoil.journal.keytab.file")
            .withDoc("The keytab of `trefoil.journal.kerberos.principal`, for `PoolNodeMain`. If not set: "
                    + "`dfs.namenode.keytab.file`.");

    static final ConfigKey<Set<Incarnation>> FORMAT_VOID = ConfigKey.of(
                    "trefoil.journal.format.void",
                    "incarnations of the journal, as `hdfs trefoil journal status` names them",
                    SspKeys::parseIncarnations)
            .withDoc("For one command, `hdfs namenode -D trefoil.journal.format.void=... -initializeSharedEdits` or"
                    + " `-format`: the earlier incarnations of the journal that become void with it, although a"
                    + " NameNode may write them, or a majority of their pool nodes does not answer. Without it such a"
                    + " command is refused, and says what to name. Do not set it in a file.");

    private static Set<Incarnation> parseIncarnations(String text) {
        Set<Incarnation> incarnations = new LinkedHashSet<>();
        for (String token : text.split(",")) {
            if (!token.trim().isEmpty()) {
                incarnations.add(Incarnation.parse(token.trim()));
            }
        }
        return Collections.unmodifiableSet(incarnations);
    }

    private static final List<ConfigKey<?>> ALL = Collections.unmodifiableList(Arrays.<ConfigKey<?>>asList(
            DIRECTORY,
            ADDRESS,
            BIND_HOST,
            EMBEDDED,
            MIN_REPLICAS,
            ACK,
            FSYNC,
            TRACE_DIRECTORY,
            LEASE,
            ACK_TIMEOUT,
            CATCH_UP_BANDWIDTH,
            LOG_FILE_BYTES,
            FORMAT_VOID,
            NODE_NETWORKS,
            OPERATOR_NETWORKS,
            TLS,
            WRITERS,
            NO_AUTHENTICATION,
            PRINCIPAL,
            KEYTAB));

    private static final Map<String, String> REMOVED = Collections.unmodifiableMap(removedNames());

    private static Map<String, String> removedNames() {
        Map<String, String> removed = new LinkedHashMap<>();
        removed.put(
                "trefoil.journal.recent-entries.size",
                "it is 64 MiB for each journal, and an eighth of the heap for all together at most");
        removed.put(
                "trefoil.journal.images.retained",
                "set dfs.namenode.num.checkpoints.retained, as pool nodes hold as many images as HDFS");
        removed.put(
                "trefoil.journal.images.bandwidth",
                "set dfs.image.transfer.bandwidthPerSec, which limits HDFS's own transfers of images as well");
        removed.put("trefoil.journal.certificates.nodes", "put the names into trefoil.journal.networks.nodes");
        removed.put("trefoil.journal.certificates.operators", "put the names into trefoil.journal.networks.operators");
        removed.put("trefoil.journal.insecure.any-address", "list the networks in trefoil.journal.networks.nodes");
        removed.put("trefoil.journal.handshakes.per-address", "the limit is 200 connections from one address");
        removed.put("trefoil.journal.sessions.per-address", "the limit is 1000 sessions of each kind from one address");
        return removed;
    }

    /** Creates the list for {@code ServiceLoader}. */
    public SspKeys() {}

    @Override
    public String section() {
        return "journal";
    }

    @Override
    public List<ConfigKey<?>> keys() {
        return ALL;
    }

    @Override
    public Map<String, String> removedSettings() {
        return REMOVED;
    }

    /** All keys, in the order of the reference page. */
    static List<ConfigKey<?>> allKeys() {
        return ALL;
    }
}
