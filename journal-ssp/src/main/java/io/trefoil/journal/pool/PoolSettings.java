/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.server.NodeSettings;
import io.trefoil.journal.transport.authentication.Authentication;
import io.trefoil.journal.transport.tls.TlsSettings;
import io.trefoil.journal.writer.events.AckPolicy;
import io.trefoil.journal.writer.events.AddressSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The settings that a process needs in order to use one journal. Immutable. */
@AutoValue
public abstract class PoolSettings {

    public static Builder builder() {
        return new AutoValue_PoolSettings.Builder()
                .namespace(NamespaceId.UNKNOWN)
                .lease(Duration.ofSeconds(5))
                .leaseDerived(false)
                .ackTimeout(Duration.ofSeconds(1))
                .minReplicas(2)
                .ackPolicy(AckPolicy.QUORUM)
                .authentication(Authentication.NONE)
                .tls(TlsSettings.OFF)
                .traceDirectory(Optional.<Path>empty())
                .catchUpBytesPerSecond(64L << 20)
                .addressSource(AddressSource.JOURNAL_URI);
    }

    public abstract JournalId journal();

    /** {@link NamespaceId#UNKNOWN} before the format. */
    public abstract NamespaceId namespace();

    /** The addresses to ask first; the true members are in the log. */
    public abstract List<NodeAddress> addresses();

    public abstract AddressSource addressSource();

    /** The node in this process; empty if the pool is stand-alone. */
    public abstract Optional<NodeSettings> node();

    /** Returns how long the writer may rely on being the only writer after a majority's acknowledgements; at most, if that is derived. */
    public abstract Duration lease();

    /** Whether each term's lease is derived from the pauses of its host. */
    public abstract boolean leaseDerived();

    /** Returns how long a node may take to acknowledge before the writer stops waiting for it. */
    public abstract Duration ackTimeout();

    /** Returns the number of voters that must be in sync before a writer is ready. */
    public abstract int minReplicas();

    /** Returns the policy that decides which nodes must have edits before a flush returns. */
    public abstract AckPolicy ackPolicy();

    /** The rate, in total, at which lagging nodes are caught up; 0 for no limit. */
    public abstract long catchUpBytesPerSecond();

    /** Returns how this process and the nodes authenticate to each other. */
    public abstract Authentication authentication();

    /** Whether connections to the nodes use TLS. */
    public abstract TlsSettings tls();

    /** Returns where this process writes the traces of its writers; empty if it writes none. */
    public abstract Optional<Path> traceDirectory();

    /** Collects the settings of a journal's user. */
    @AutoValue.Builder
    public abstract static class Builder {

        public abstract Builder journal(JournalId journal);

        public abstract Builder namespace(NamespaceId namespace);

        public abstract Builder addresses(List<NodeAddress> addresses);

        public abstract Builder addressSource(AddressSource addressSource);

        public abstract Builder node(NodeSettings node);

        public abstract Builder lease(Duration lease);

        public abstract Builder leaseDerived(boolean leaseDerived);

        public abstract Builder ackTimeout(Duration ackTimeout);

        public abstract Builder minReplicas(int minReplicas);

        public abstract Builder ackPolicy(AckPolicy ackPolicy);

        public abstract Builder catchUpBytesPerSecond(long catchUpBytesPerSecond);

        public abstract Builder authentication(Authentication authentication);

        public abstract Builder tls(TlsSettings tls);

        public abstract Builder traceDirectory(Optional<Path> directory);

        abstract List<NodeAddress> addresses();

        abstract PoolSettings autoBuild();

        public final PoolSettings build() {
            addresses(Collections.unmodifiableList(new ArrayList<>(addresses())));
            PoolSettings settings = autoBuild();
            if (settings.addresses().isEmpty()) {
                throw new IllegalArgumentException("A journal needs at least one pool node's address");
            }
            boolean strange = settings.node()
                    .filter(node -> !settings.addresses().contains(node.address()))
                    .isPresent();
            if (strange) {
                throw new IllegalArgumentException("The node of this process, "
                        + settings.node().get().address() + ", is not among the journal's addresses "
                        + settings.addresses());
            }
            if (settings.lease().toMillis() < 100) {
                throw new IllegalArgumentException("A lease lasts at least 100 ms, got " + settings.lease());
            }
            if (settings.ackTimeout().toMillis() < 10) {
                throw new IllegalArgumentException("An ack timeout is at least 10 ms, got " + settings.ackTimeout());
            }
            if (settings.minReplicas() < 1) {
                // No upper bound: the log says which nodes are the members, and more may join.
                throw new IllegalArgumentException(
                        "At least one replica must be in sync, wanted " + settings.minReplicas());
            }
            return settings;
        }
    }
}
