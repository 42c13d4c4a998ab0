/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.config;

import com.google.auto.value.AutoValue;
import io.trefoil.foundation.hdfs.SuffixedConfiguration;
import io.trefoil.foundation.names.HostResolver;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.PoolSettings;
import io.trefoil.journal.pool.image.ImageSettings;
import io.trefoil.journal.pool.lease.LeaseRule;
import io.trefoil.journal.pool.server.KnownHosts;
import io.trefoil.journal.pool.server.NodeSettings;
import io.trefoil.journal.transport.access.AccessSettings;
import io.trefoil.journal.transport.authentication.Authentication;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.common.StorageInfo;

/**
 * Everything that an {@code ssp://} journal reads from Hadoop's configuration, read once and validated. Immutable.
 */
@AutoValue
public abstract class SspSettings {

    /**
     * Reads the settings of one {@code JournalManager}.
     *
     * @param storage what HDFS knows of its namespace; cluster id and namespace id are empty before a format
     * @throws IllegalArgumentException if something is missing or wrong; the text names the property
     */
    public static SspSettings read(Configuration conf, URI uri, StorageInfo storage) {
        SuffixedConfiguration suffixed = SuffixedConfiguration.ofNameNode(conf);
        PoolUri pool = PoolUri.parse(uri, conf);
        Authentication authentication = PoolAuthentication.of(conf, suffixed);
        boolean derived = !SspKeys.LEASE.get(suffixed).isPresent();
        Duration lease = SspKeys.fixedLease(suffixed);
        Duration ackTimeout = SspKeys.ACK_TIMEOUT.get(suffixed);
        if (derived) {
            Duration half = LeaseRule.SHORTEST.dividedBy(2);
            ackTimeout = ackTimeout.compareTo(half) < 0 ? ackTimeout : half;
        } else if (ackTimeout.compareTo(lease) >= 0) {
            // Waiting for a node for longer than the lease lasts would cost the active its role.
            throw new IllegalArgumentException(SspKeys.ACK_TIMEOUT.name() + " is " + ackTimeout.toMillis()
                    + " ms, it must be below " + SspKeys.LEASE.name() + ", " + lease.toMillis() + " ms");
        }
        PoolSettings.Builder builder = PoolSettings.builder()
                .journal(pool.journal())
                .namespace(NameNodeSettings.namespace(storage))
                .addresses(pool.addresses())
                .addressSource(pool.addressSource())
                .lease(lease)
                .leaseDerived(derived)
                .ackTimeout(ackTimeout)
                .minReplicas(SspKeys.MIN_REPLICAS.get(suffixed))
                .ackPolicy(SspKeys.ACK.get(suffixed))
                .authentication(authentication)
                .catchUpBytesPerSecond(SspKeys.CATCH_UP_BANDWIDTH.get(suffixed))
                .tls(TlsSettingsReader.read(conf, suffixed))
                .traceDirectory(traceDirectory(suffixed));
        if (SspKeys.EMBEDDED.get(suffixed)) {
            NodeSettings node = newNodeSettings(
                            conf,
                            suffixed,
                            pool.addresses(),
                            Collections.singletonList(pool),
                            AccessSettingsReader.read(conf, suffixed, pool.addresses()),
                            authentication)
                    .forNameNodeOf(pool.journal());
            builder.node(
                    NameNodeSettings.isOffline(conf)
                            ? node
                            : node.withImageSources(
                                    Collections.singletonMap(pool.journal(), NameNodeSettings.nameDirectories(conf))));
        }
        PoolSettings settings = builder.build();
        return new AutoValue_SspSettings(
                settings, NameNodeSettings.read(conf, settings.journal(), settings.minReplicas()));
    }

    /** The node of this process, one of {@code addresses}; it joins those of the journals whose URI names it. */
    static NodeSettings newNodeSettings(
            Configuration hadoop,
            SuffixedConfiguration conf,
            List<NodeAddress> addresses,
            List<PoolUri> journals,
            AccessSettings access,
            Authentication authentication) {
        new KnownHosts(directory(conf), HostResolver.ofProcess()).restore();
        NodeAddress address = new LocalAddressResolver().find(addresses, conf);
        Map<JournalId, List<NodeAddress>> joins = new LinkedHashMap<>();
        for (PoolUri journal : journals) {
            if (journal.addresses().contains(address)) {
                joins.put(journal.journal(), journal.addresses());
            }
        }
        return NodeSettings.builder()
                .address(address)
                .journalsToJoin(joins)
                .access(access)
                .authentication(authentication)
                .tls(TlsSettingsReader.read(hadoop, conf))
                .bindHost(SspKeys.BIND_HOST.find(conf).orElse(address.host()))
                .directory(directory(conf))
                .logFileBytes(SspKeys.LOG_FILE_BYTES.get(conf))
                .fsync(SspKeys.FSYNC.get(conf))
                .traceDirectory(traceDirectory(conf))
                .images(readImageSettings(hadoop))
                .build();
    }

    private static Optional<Path> traceDirectory(SuffixedConfiguration conf) {
        return SspKeys.TRACE_DIRECTORY.find(conf).map(Paths::get);
    }

    /**
     * The settings by which HDFS keeps and sends its own images; Hadoop before 3.3 does not limit the transfer, and its
     * operators have set nothing.
     */
    private static ImageSettings readImageSettings(Configuration conf) {
        int retained = conf.getInt(
                DFSConfigKeys.DFS_NAMENODE_NUM_CHECKPOINTS_RETAINED_KEY,
                DFSConfigKeys.DFS_NAMENODE_NUM_CHECKPOINTS_RETAINED_DEFAULT);
        long bandwidth = conf.getLongBytes(
                DFSConfigKeys.DFS_IMAGE_TRANSFER_RATE_KEY, DFSConfigKeys.DFS_IMAGE_TRANSFER_RATE_DEFAULT);
        return ImageSettings.of(
                Math.max(1, retained),
                bandwidth > 0
                        ? Math.max(bandwidth, ImageSettings.MIN_BYTES_PER_SECOND)
                        : ImageSettings.DEFAULT.bytesPerSecond());
    }

    /**
     * The access settings of this process's node under another configuration.
     *
     * @throws IllegalArgumentException if something in it is wrong; the text names the property
     */
    public final AccessSettings readAccess(Configuration conf) {
        Set<NodeAddress> nodes = new LinkedHashSet<>(pool().addresses());
        ConfiguredJournals.localClusterJournals(conf).stream()
                .filter(journal -> journal.journal().equals(pool().journal()))
                .forEach(journal -> nodes.addAll(journal.addresses()));
        return AccessSettingsReader.read(conf, SuffixedConfiguration.ofNameNode(conf), nodes);
    }

    /**
     * Returns how callers prove who they are under another configuration of this process.
     *
     * @throws IllegalArgumentException as {@link #readAccess}
     */
    public static Authentication readAuthentication(Configuration conf) {
        return PoolAuthentication.of(conf, SuffixedConfiguration.ofNameNode(conf));
    }

    public abstract PoolSettings pool();

    /** How this NameNode uses the journal. */
    public abstract NameNodeSettings nameNode();

    static Path directory(SuffixedConfiguration conf) {
        String property = conf.property(SspKeys.DIRECTORY.name());
        String text = SspKeys.DIRECTORY
                .find(conf)
                .orElseThrow(() -> new IllegalArgumentException(
                        property + " is not set: it says where this host's pool node keeps the journal"));
        if (text.contains(",")) {
            throw new IllegalArgumentException(
                    property + " is '" + text + "', but a pool node has one directory: the pool itself replicates it");
        }
        try {
            URI uri = new URI(text);
            Path path = uri.getScheme() == null ? Paths.get(text) : Paths.get(uri);
            if (!path.isAbsolute()) {
                throw new IllegalArgumentException("not an absolute path");
            }
            return path;
        } catch (URISyntaxException | RuntimeException e) {
            throw new IllegalArgumentException(
                    property + " is '" + text + "', which is not a local directory: " + e.getMessage(), e);
        }
    }
}
