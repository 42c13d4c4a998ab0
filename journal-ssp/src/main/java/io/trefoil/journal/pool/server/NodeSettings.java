/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.server;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.image.ImageSettings;
import io.trefoil.journal.pool.replica.LocalNamespace;
import io.trefoil.journal.transport.access.AccessSettings;
import io.trefoil.journal.transport.authentication.Authentication;
import io.trefoil.journal.transport.tls.TlsSettings;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The settings of one pool node. Immutable. */
@AutoValue
public abstract class NodeSettings {

    /** Memory for the newest entries of all journals: reading from the disk costs less than collecting a nearly full heap. */
    private static final long PART_OF_HEAP = Runtime.getRuntime().maxMemory() / 8;

    /**
     * The memory for recent entries, in bytes: enough for the lag of a standby behind a busy writer, or for the entries
     * missed by a node that was away for seconds.
     */
    private static final int RECENT_BYTES = 64 << 20;

    public static Builder builder() {
        return new AutoValue_NodeSettings.Builder()
                .logFileBytes(64 << 20)
                .recentEntriesBytes((int) Math.min(RECENT_BYTES, PART_OF_HEAP))
                .totalRecentEntriesBytes(PART_OF_HEAP)
                .fsync(true)
                .images(ImageSettings.DEFAULT)
                .access(AccessSettings.MEMBERS_ONLY)
                .authentication(Authentication.NONE)
                .tls(TlsSettings.OFF)
                .traceDirectory(Optional.<Path>empty())
                .journalsToJoin(Collections.<JournalId, List<NodeAddress>>emptyMap())
                .localNamespaces(Collections.<JournalId>emptySet());
    }

    /** The address at which others reach this node; it becomes part of the list of members. */
    public abstract NodeAddress address();

    /** The local address to listen on; usually that of {@link #address}, or {@code 0.0.0.0}. */
    public abstract String bindHost();

    /** The directory that holds one directory per journal. */
    public abstract Path directory();

    /** Size of a preallocated log file. */
    public abstract int logFileBytes();

    /** Returns how many bytes of the newest entries stay in memory, per journal. */
    public abstract int recentEntriesBytes();

    /**
     * Returns how many bytes of the newest entries of all journals stay in memory; idle journals release their share. Default: an
     * eighth of the heap.
     */
    public abstract long totalRecentEntriesBytes();

    /** Whether entries are on the disk, not only in the operating system's memory, before they are acknowledged. */
    public abstract boolean fsync();

    /** Returns where the node writes the traces of its replicas; empty if it writes none. */
    public abstract Optional<Path> traceDirectory();

    /** The journals that the node requests to join on its own, and the addresses to which it sends the requests. */
    public abstract Map<JournalId, List<NodeAddress>> journalsToJoin();

    /** The journals whose NameNode is in the node's process and decides when the node may join ({@link LocalNamespace}). */
    public abstract Set<JournalId> localNamespaces();

    public abstract ImageSettings images();

    /** Returns which callers the node serves. */
    public abstract AccessSettings access();

    /** Returns how the node, its callers and the nodes that it calls authenticate. */
    public abstract Authentication authentication();

    /** Whether connections to and from the node use TLS. */
    public abstract TlsSettings tls();

    abstract Builder toBuilder();

    /** A copy for a node in a NameNode, whose images it publishes. */
    public final NodeSettings withImageSources(Map<JournalId, List<Path>> nameDirectories) {
        return toBuilder()
                .images(images().withSourceDirectories(nameDirectories))
                .build();
    }

    /** A copy for a node in the process of this journal's NameNode. */
    public final NodeSettings forNameNodeOf(JournalId journal) {
        return toBuilder().localNamespaces(Collections.singleton(journal)).build();
    }

    /** Collects the settings of a node. */
    @AutoValue.Builder
    public abstract static class Builder {

        public abstract Builder address(NodeAddress address);

        public abstract Builder bindHost(String bindHost);

        public abstract Builder directory(Path directory);

        public abstract Builder logFileBytes(int logFileBytes);

        public abstract Builder recentEntriesBytes(int recentEntriesBytes);

        public abstract Builder totalRecentEntriesBytes(long recentEntriesBytes);

        public abstract Builder fsync(boolean fsync);

        public abstract Builder traceDirectory(Optional<Path> directory);

        public abstract Builder journalsToJoin(Map<JournalId, List<NodeAddress>> journalsToJoin);

        public abstract Builder localNamespaces(Set<JournalId> localNamespaces);

        public abstract Builder images(ImageSettings images);

        public abstract Builder access(AccessSettings access);

        public abstract Builder authentication(Authentication authentication);

        public abstract Builder tls(TlsSettings tls);

        abstract NodeSettings autoBuild();

        public final NodeSettings build() {
            NodeSettings settings = autoBuild();
            if (settings.logFileBytes() < 64 << 10) {
                throw new IllegalArgumentException(
                        "A log file has at least 64 KiB, got " + settings.logFileBytes() + " bytes");
            }
            if (settings.recentEntriesBytes() < 0 || settings.totalRecentEntriesBytes() < 0) {
                throw new IllegalArgumentException("Memory for recent entries is never negative, got "
                        + settings.recentEntriesBytes() + " per journal and " + settings.totalRecentEntriesBytes()
                        + " for all");
            }
            return settings;
        }
    }
}
