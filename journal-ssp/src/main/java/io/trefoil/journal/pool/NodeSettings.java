/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NodeAddress;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** What one pool node needs to know of itself. Immutable. */
@AutoValue
public abstract class NodeSettings {

    /** What is read from the disk instead costs less than collections of a heap that is nearly full. */
    private static final int PARTS_OF_HEAP = 8;

    public static Builder builder() {
        return new AutoValue_NodeSettings.Builder()
                .logFileBytes(64 << 20)
                .recentEntriesBytes(64 << 20)
                .recentEntriesBytesOfAll(Runtime.getRuntime().maxMemory() / PARTS_OF_HEAP)
                .fsync(true)
                .imagesRetained(2)
                .imageBytesPerSecond(50L << 20)
                .imageSources(Collections.<JournalId, List<Path>>emptyMap())
                .joins(Collections.<JournalId, List<NodeAddress>>emptyMap());
    }

    /** Where others find this node; becomes part of the list of members. */
    public abstract NodeAddress address();

    /** The local address to listen at; usually that of {@link #address}, or {@code 0.0.0.0}. */
    public abstract String bindHost();

    /** Holds one directory per journal. */
    public abstract Path directory();

    /** Size of a preallocated log file. */
    public abstract int logFileBytes();

    /** How many bytes of the newest entries stay in memory, per journal. */
    public abstract int recentEntriesBytes();

    /** How many bytes of the newest entries of all journals stay in memory; idle journals give theirs back. An eighth of the heap if not said. */
    public abstract long recentEntriesBytesOfAll();

    /** Whether entries are on the disk, not only with the operating system, before they are acknowledged. */
    public abstract boolean fsync();

    /** The journals that it wants to be a member of by itself, and the places where it says so. */
    public abstract Map<JournalId, List<NodeAddress>> joins();

    /** The name directories of the NameNode in this process, whose images are published. */
    public abstract Map<JournalId, List<Path>> imageSources();

    /** How many of the newest images are kept, whoever needs them. */
    public abstract int imagesRetained();

    /** So fast are images read and served, no faster. */
    public abstract long imageBytesPerSecond();

    abstract Builder toBuilder();

    /** The same for a node in a NameNode, whose images it publishes. */
    public final NodeSettings publishing(Map<JournalId, List<Path>> nameDirectories) {
        return toBuilder().imageSources(nameDirectories).build();
    }

    /** Collects the settings of a node. */
    @AutoValue.Builder
    public abstract static class Builder {

        public abstract Builder address(NodeAddress address);

        public abstract Builder bindHost(String bindHost);

        public abstract Builder directory(Path directory);

        public abstract Builder logFileBytes(int logFileBytes);

        public abstract Builder recentEntriesBytes(int recentEntriesBytes);

        public abstract Builder recentEntriesBytesOfAll(long recentEntriesBytes);

        public abstract Builder fsync(boolean fsync);

        public abstract Builder joins(Map<JournalId, List<NodeAddress>> joins);

        public abstract Builder imageSources(Map<JournalId, List<Path>> nameDirectories);

        public abstract Builder imagesRetained(int imagesRetained);

        public abstract Builder imageBytesPerSecond(long imageBytesPerSecond);

        abstract NodeSettings autoBuild();

        public final NodeSettings build() {
            NodeSettings settings = autoBuild();
            if (settings.logFileBytes() < 64 << 10) {
                throw new IllegalArgumentException(
                        "A log file has at least 64 KiB, got " + settings.logFileBytes() + " bytes");
            }
            if (settings.recentEntriesBytes() < 0 || settings.recentEntriesBytesOfAll() < 0) {
                throw new IllegalArgumentException("Memory for recent entries is never negative, got "
                        + settings.recentEntriesBytes() + " per journal and " + settings.recentEntriesBytesOfAll()
                        + " for all");
            }
            if (settings.imagesRetained() < 1 || settings.imageBytesPerSecond() < 1) {
                throw new IllegalArgumentException(
                        "At least one image is kept, and served at one byte a second, wanted "
                                + settings.imagesRetained() + " and " + settings.imageBytesPerSecond());
            }
            return settings;
        }
    }
}
