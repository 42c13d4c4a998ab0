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
                .ack(AckPolicy.QUORUM)
                .answersHeld(false)
                .addressSource(AddressSource.JOURNAL_URI);
    }

    public abstract WriterId writer();

    public abstract NamespaceId namespace();

    /** The addresses to ask first; nodes there that are not members join. */
    public abstract List<NodeAddress> addresses();

    public abstract AddressSource addressSource();

    /** The node in the writer's own process, if there is one. */
    public abstract Optional<NodeAddress> local();

    public abstract long leaseMillis();

    /** How long the writer waits for a node's answer. */
    public abstract long ackTimeoutMillis();

    /** How long to wait before a request is repeated. */
    public abstract long retryMillis();

    /** How many voters must be in sync before the writer is ready. */
    public abstract int minReplicas();

    /** Which nodes must have edits before an append returns. */
    public abstract AckPolicy ack();

    /**
     * Whether the user of this writer reveals an append only after it is committed. Then an append need not wait for
     * nodes with a read lease (near-reads page).
     */
    public abstract boolean answersHeld();

    /** Bytes per second in total for catching up nodes that commits do not wait for; 0 for no limit. */
    public abstract long catchUpBytesPerSecond();

    /** Memory for the newest entries. Older ones are read from a node, because every garbage collection moves what memory keeps. */
    public abstract long windowBytes();

    /** How many bytes a lagging node is sent at a time; only a fraction of them may delay a commit, on the network's thread. */
    public abstract int partBytes();

    public final long heartbeatMillis() {
        // Several heartbeats may get lost before the lease expires.
        return Math.max(1, leaseMillis() / 5);
    }

    /** How long the writer considers itself alone: by its own clock a little less than the nodes grant by theirs. */
    public final long aloneMillis() {
        return Math.min(leaseMillis(), Promise.ALONE_MILLIS) * 4 / 5;
    }

    /** Collects the settings of a writer. */
    @AutoValue.Builder
    public abstract static class Builder {

        public abstract Builder writer(WriterId writer);

        public abstract Builder namespace(NamespaceId namespace);

        public abstract Builder addresses(List<NodeAddress> addresses);

        public abstract Builder addressSource(AddressSource addressSource);

        public abstract Builder local(NodeAddress local);

        public abstract Builder leaseMillis(long leaseMillis);

        public abstract Builder ackTimeoutMillis(long ackTimeoutMillis);

        public abstract Builder retryMillis(long retryMillis);

        public abstract Builder minReplicas(int minReplicas);

        public abstract Builder ack(AckPolicy ack);

        public abstract Builder answersHeld(boolean answersHeld);

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
