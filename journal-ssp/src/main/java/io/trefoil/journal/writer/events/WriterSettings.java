/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer.events;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.model.WriterId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The settings of a writer, which never change during its term. Immutable. */
@AutoValue
public abstract class WriterSettings {

    public static Builder builder() {
        return new AutoValue_WriterSettings.Builder()
                .leaseMillis(5_000)
                .ackTimeoutMillis(1_000)
                .retryMillis(50)
                .minReplicas(2)
                .catchUpBytesPerSecond(0)
                .windowBytes(8L << 20)
                .partBytes(256 << 10)
                .ackPolicy(AckPolicy.QUORUM)
                .holdsAnswersUntilCommitted(false)
                .addressSource(AddressSource.JOURNAL_URI);
    }

    public abstract WriterId writer();

    public abstract NamespaceId namespace();

    /** The addresses to ask first; nodes at these addresses that are not members join. */
    public abstract List<NodeAddress> addresses();

    public abstract AddressSource addressSource();

    /** The node in the writer's own process, if there is one. */
    public abstract Optional<NodeAddress> localNode();

    public abstract long leaseMillis();

    /** Returns how long the writer waits for a node's answer. */
    public abstract long ackTimeoutMillis();

    /** Returns how long to wait before a request is repeated. */
    public abstract long retryMillis();

    /** Returns the number of voters that must be in sync before the writer is ready. */
    public abstract int minReplicas();

    /** Returns the policy that decides which nodes must have edits before an append returns. */
    public abstract AckPolicy ackPolicy();

    /**
     * Whether the user of this writer reveals an append only after it is committed. Then an append need not wait for
     * nodes with a read lease (near-reads page).
     */
    public abstract boolean holdsAnswersUntilCommitted();

    /** The rate, in bytes per second in total, at which nodes that commits do not wait for are caught up; 0 for no limit. */
    public abstract long catchUpBytesPerSecond();

    /** Memory for the newest entries. Older ones are read from a node, because every garbage collection moves what memory keeps. */
    public abstract long windowBytes();

    /**
     * Returns the number of bytes that are sent to a lagging node at a time; only a fraction of them may delay a commit, on the
     * network's thread.
     */
    public abstract int partBytes();

    public final long heartbeatMillis() {
        // Several heartbeats may get lost before the lease expires.
        return Math.max(1, leaseMillis() / 5);
    }

    /**
     * Returns how long the writer considers itself the only one: by its own clock, slightly less than the nodes grant by theirs.
     */
    public final long soleWriterMillis() {
        return Math.min(leaseMillis(), Promise.ALONE_MILLIS) * 4 / 5;
    }

    /** Collects the settings of a writer. */
    @AutoValue.Builder
    public abstract static class Builder {

        public abstract Builder writer(WriterId writer);

        public abstract Builder namespace(NamespaceId namespace);

        public abstract Builder addresses(List<NodeAddress> addresses);

        public abstract Builder addressSource(AddressSource addressSource);

        public abstract Builder localNode(NodeAddress localNode);

        public abstract Builder leaseMillis(long leaseMillis);

        public abstract Builder ackTimeoutMillis(long ackTimeoutMillis);

        public abstract Builder retryMillis(long retryMillis);

        public abstract Builder minReplicas(int minReplicas);

        public abstract Builder ackPolicy(AckPolicy ackPolicy);

        public abstract Builder holdsAnswersUntilCommitted(boolean holdsAnswersUntilCommitted);

        public abstract Builder catchUpBytesPerSecond(long catchUpBytesPerSecond);

        public abstract Builder windowBytes(long windowBytes);

        public abstract Builder partBytes(int partBytes);

        abstract List<NodeAddress> addresses();

        abstract WriterSettings autoBuild();

        public final WriterSettings build() {
            addresses(Collections.unmodifiableList(new ArrayList<>(addresses())));
            WriterSettings settings = autoBuild();
            if (settings.leaseMillis() < 1 || settings.ackTimeoutMillis() < 1 || settings.retryMillis() < 1) {
                throw new IllegalArgumentException("Times must be above 0 ms: " + settings);
            }
            if (settings.minReplicas() < 1) {
                throw new IllegalArgumentException("At least one replica must be in sync: " + settings);
            }
            if (settings.catchUpBytesPerSecond() < 0) {
                throw new IllegalArgumentException("Nodes are caught up with at least 0 bytes per second: " + settings);
            }
            if (settings.windowBytes() < 1 || settings.partBytes() < 1) {
                throw new IllegalArgumentException("Window and part must be above 0 bytes: " + settings);
            }
            return settings;
        }
    }
}
