/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.near;

import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.pool.replica.AcknowledgedLog;
import io.trefoil.journal.writer.peer.ReadLeases;
import java.util.Optional;

/** The right to answer reads for a while, as known to its holder. Immutable; times by {@link System#nanoTime()}. */
final class ReadLease {
    private static final long USED_NANOS = ReadLeases.USED_MILLIS * 1_000_000L;

    /** The node whose log the lease vouches for; empty for a lease that vouches for no log. */
    private final Optional<NodeId> node;

    private final Epoch epoch;
    private final long askedNanos;

    /**
     * @param node the node whose log counts
     * @param epoch the epoch of the writer that granted it
     * @param askedNanos when this NameNode asked for it: the active counts from a later time
     */
    ReadLease(NodeId node, Epoch epoch, long askedNanos) {
        this(Optional.of(node), epoch, askedNanos);
    }

    private ReadLease(Optional<NodeId> node, Epoch epoch, long askedNanos) {
        this.node = node;
        this.epoch = epoch;
        this.askedNanos = askedNanos;
    }

    /** Returns a lease that vouches for no log. */
    static ReadLease none(long nowNanos) {
        return new ReadLease(Optional.<NodeId>empty(), Epoch.NONE, nowNanos);
    }

    /**
     * Whether the lease is running.
     *
     * @param trustedSinceNanos since when the clock has shown all time that passes
     */
    boolean isValid(long nowNanos, long trustedSinceNanos) {
        return nowNanos - askedNanos < USED_NANOS && askedNanos - trustedSinceNanos >= 0;
    }

    /**
     * Whether the lease vouches for a log: that of the node it was granted to, while the node still obeys the writer
     * that granted it. Another writer's grant is void, and a node whose storage was replaced is another node.
     */
    boolean covers(AcknowledgedLog log) {
        return node.equals(Optional.of(log.node())) && epoch.equals(log.promisedEpoch());
    }

    /** The lease that expires later. */
    ReadLease laterOf(ReadLease other) {
        return other.askedNanos - askedNanos > 0 ? other : this;
    }
}
