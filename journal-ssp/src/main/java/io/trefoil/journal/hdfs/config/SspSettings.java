/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.config;

import com.google.auto.value.AutoValue;
import io.trefoil.foundation.hdfs.SuffixedConfiguration;
import io.trefoil.foundation.names.HostResolver;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.PoolSettings;
import io.trefoil.journal.pool.image.ImageSettings;
import io.trefoil.journal.pool.server.KnownHosts;
import io.trefoil.journal.pool.server.NodeSettings;
import io.trefoil.journal.transport.access.AccessSettings;
import io.trefoil.journal.transport.authentication.Authentication;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.RollingUpgradeStartupOption;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.StartupOption;
import org.apache.hadoop.hdfs.server.common.StorageInfo;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;

/**
 * Everything that the journal reads from Hadoop's configuration, read once and validated. Immutable.
 *
 * <p>Uses {@code dfs.namenode.startup}, where the NameNode keeps its {@code StartupOption}, and {@code
 * FSNamesystem.getNamespaceDirs}, {@code getNamespaceEditsDirs}.
 */
@AutoValue
public abstract class SspSettings {

    private static final String LOCAL_SCHEME = "file";
    private static final String HDFS_DEFAULTS = "hdfs-default.xml";

    /**
     * Reads what one {@code JournalManager} needs.
     *
     * @param storage what HDFS knows of its namespace; cluster id and namespace id are empty before a format
     * @throws IllegalArgumentException if something is missing or wrong; the text names the property
     */
    public static SspSettings read(Configuration conf, URI uri, StorageInfo storage) {
        SuffixedConfiguration suffixed = SuffixedConfiguration.ofNameNode(conf);
        PoolUri pool = PoolUri.parse(uri, conf);
        Authentication authentication = PoolAuthentication.of(conf, suffixed);
        Duration lease = SspKeys.LEASE.get(suffixed);
        Duration ackTimeout = SspKeys.ACK_TIMEOUT.get(suffixed);
        if (ackTimeout.compareTo(lease) >= 0) {
            // Waiting for a node for longer than the lease lasts would cost the active its role.
            throw new IllegalArgumentException(SspKeys.ACK_TIMEOUT.name() + " is " + ackTimeout.toMillis()
                    + " ms, it must be below " + SspKeys.LEASE.name() + ", " + lease.toMillis() + " ms");
        }
        PoolSettings.Builder builder = PoolSettings.builder()
                .journal(pool.journal())
                .namespace(namespace(storage))
                .addresses(pool.addresses())
                .addressSource(pool.addressSource())
                .lease(lease)
                .ackTimeout(ackTimeout)
                .minReplicas(SspKeys.MIN_REPLICAS.get(suffixed))
                .ack(SspKeys.ACK.get(suffixed))
                .authentication(authentication)
                .catchUpBytesPerSecond(SspKeys.CATCH_UP_BANDWIDTH.get(suffixed))
                .tls(NodeTls.read(conf, suffixed))
                .traces(traces(suffixed));
        if (SspKeys.EMBEDDED.get(suffixed)) {
            NodeSettings node = node(
                            conf,
                            suffixed,
                            pool.addresses(),
                            Collections.singletonList(pool),
                            NodeAccess.read(conf, suffixed, pool.addresses()),
                            authentication)
                    .inNameNodeOf(pool.journal());
            builder.node(
                    isOffline(conf)
                            ? node
                            : node.publishing(Collections.singletonMap(pool.journal(), nameDirectories(conf))));
        }
        return new AutoValue_SspSettings(
                builder.build(),
                suffixed.owner(),
                isOffline(conf),
                tailsUnfinishedSegments(conf),
                SspKeys.FORMAT_VOID.find(suffixed).orElse(Collections.emptySet()));
    }

    /** The node of this process, one of {@code addresses}; it joins those of the journals whose URI names it. */
    static NodeSettings node(
            Configuration hadoop,
            SuffixedConfiguration conf,
            List<NodeAddress> addresses,
            List<PoolUri> journals,
            AccessSettings access,
            Authentication authentication) {
        new KnownHosts(directory(conf), HostResolver.ofProcess()).restore();
        NodeAddress address = new LocalAddress().among(addresses, conf);
        Map<JournalId, List<NodeAddress>> joins = new LinkedHashMap<>();
        for (PoolUri journal : journals) {
            if (journal.addresses().contains(address)) {
                joins.put(journal.journal(), journal.addresses());
            }
        }
        return NodeSettings.builder()
                .address(address)
                .joins(joins)
                .access(access)
                .authentication(authentication)
                .tls(NodeTls.read(hadoop, conf))
                .bindHost(SspKeys.BIND_HOST.find(conf).orElse(address.host()))
                .directory(directory(conf))
                .logFileBytes(SspKeys.LOG_FILE_BYTES.get(conf))
                .fsync(SspKeys.FSYNC.get(conf))
                .traces(traces(conf))
                .images(images(hadoop))
                .build();
    }

    private static Optional<Path> traces(SuffixedConfiguration conf) {
        return SspKeys.TRACE_DIRECTORY.find(conf).map(Paths::get);
    }

    /**
     * The settings by which HDFS keeps and sends its own images; Hadoop before 3.3 does not limit the transfer, and its
     * operators have set nothing.
     */
    private static ImageSettings images(Configuration conf) {
        int retained = conf.getInt(
                DFSConfigKeys.DFS_NAMENODE_NUM_CHECKPOINTS_RETAINED_KEY,
                DFSConfigKeys.DFS_NAMENODE_NUM_CHECKPOINTS_RETAINED_DEFAULT);
        long bandwidth = conf.getLongBytes(
                DFSConfigKeys.DFS_IMAGE_TRANSFER_RATE_KEY, DFSConfigKeys.DFS_IMAGE_TRANSFER_RATE_DEFAULT);
        return ImageSettings.of(
                Math.max(1, retained),
                bandwidth > 0
                        ? Math.max(bandwidth, ImageSettings.LEAST_BYTES_PER_SECOND)
                        : ImageSettings.DEFAULT.bytesPerSecond());
    }

    /**
     * The access settings of this process's node under another configuration.
     *
     * @throws IllegalArgumentException if something in it is wrong; the text names the property
     */
    public final AccessSettings accessIn(Configuration conf) {
        Set<NodeAddress> nodes = new LinkedHashSet<>(pool().addresses());
        ConfiguredJournals.localClusterJournals(conf).stream()
                .filter(journal -> journal.journal().equals(pool().journal()))
                .forEach(journal -> nodes.addAll(journal.addresses()));
        return NodeAccess.read(conf, SuffixedConfiguration.ofNameNode(conf), nodes);
    }

    /**
     * How callers prove who they are under another configuration of this process.
     *
     * @throws IllegalArgumentException as {@link #accessIn}
     */
    public static Authentication authenticationIn(Configuration conf) {
        return PoolAuthentication.of(conf, SuffixedConfiguration.ofNameNode(conf));
    }

    public abstract PoolSettings pool();

    /** Names the NameNode of this process: nameservice and NameNode id, as far as they are set. */
    public abstract String owner();

    /** Whether this process runs a command, or a start, during which other NameNodes are down. */
    abstract boolean offline();

    /** Whether a standby applies edits of the segment that is being written: yes, unless the configuration says no. */
    public abstract boolean tailsUnfinished();

    /** The incarnations of the journal that an operator wants void when this process formats it. */
    public abstract Set<Incarnation> voided();

    /** How many voters must be in sync before a writer is ready. */
    public final int writerReplicas() {
        // The other nodes are not there yet, or are stopped, as the manual of -upgrade demands; a majority is still
        // needed.
        return offline() ? 1 : pool().minReplicas();
    }

    private static NamespaceId namespace(StorageInfo storage) {
        return namespace(storage.getClusterID(), storage.getNamespaceID());
    }

    public static NamespaceId namespace(String clusterId, int namespaceId) {
        return NamespaceId.of(clusterId == null ? "" : clusterId, namespaceId);
    }

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

    /** The name directories on the local disk, as HDFS finds them. */
    public static List<Path> nameDirectories(Configuration conf) {
        return local(FSNamesystem.getNamespaceDirs(conf));
    }

    /**
     * The local directories in which a NameNode keeps edits beside the journal, as HDFS finds them: its name directories, if
     * nothing else is set.
     *
     * @throws IOException if there are several shared directories, which HDFS does not support
     */
    public static List<Path> editsDirectories(Configuration conf) throws IOException {
        return local(FSNamesystem.getNamespaceEditsDirs(conf));
    }

    /** Whether this process is {@code hdfs namenode -initializeSharedEdits}. */
    public static boolean isInitializingSharedEdits(Configuration conf) {
        return startupOption(conf) == StartupOption.INITIALIZESHAREDEDITS;
    }

    private static List<Path> local(Collection<URI> uris) {
        List<Path> directories = new ArrayList<>();
        for (URI directory : uris) {
            if (LOCAL_SCHEME.equals(directory.getScheme())) {
                directories.add(Paths.get(directory));
            }
        }
        return directories;
    }

    /** Ignores HDFS's own default, false: the end of HDFS's journals is not known to be durable, here it is. */
    private static boolean tailsUnfinishedSegments(Configuration conf) {
        String[] sources = conf.getPropertySources(DFSConfigKeys.DFS_HA_TAILEDITS_INPROGRESS_KEY);
        boolean said = sources != null && !Arrays.asList(sources).contains(HDFS_DEFAULTS);
        return !said || conf.getBoolean(DFSConfigKeys.DFS_HA_TAILEDITS_INPROGRESS_KEY, true);
    }

    private static StartupOption startupOption(Configuration conf) {
        return StartupOption.valueOf(
                conf.get(DFSConfigKeys.DFS_NAMENODE_STARTUP_KEY, StartupOption.REGULAR.toString()));
    }

    private static boolean isOffline(Configuration conf) {
        StartupOption option = startupOption(conf);
        switch (option) {
            case FORMAT:
            case BOOTSTRAPSTANDBY:
            case INITIALIZESHAREDEDITS:
            case UPGRADE:
            case UPGRADEONLY:
            case ROLLBACK:
            case RECOVER:
            case METADATAVERSION:
                return true;
            default:
                return RollingUpgradeStartupOption.ROLLBACK.matches(option);
        }
    }
}
