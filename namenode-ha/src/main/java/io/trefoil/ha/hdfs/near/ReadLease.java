/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.near;

import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.pool.replica.WrittenLog;
import io.trefoil.journal.writer.peer.ReadLeases;
import java.util.Optional;

/** The right to answer reads for a while, as its holder knows it. Immutable; times by {@link System#nanoTime()}. */
final class ReadLease {
    private static final long USED_NANOS = ReadLeases.USED_MILLIS * 1_000_000L;

    /** None for a lease of nobody. */
    private final Optional<NodeId> node;

    private final Epoch epoch;
    private final long askedNanos;

    /**
     * @param node whose log counts
     * @param epoch of the writer that granted it
     * @param askedNanos when this NameNode asked for it: the active counts from later on
     */
    ReadLease(NodeId node, Epoch epoch, long askedNanos) {
        this(Optional.of(node), epoch, askedNanos);
    }

    private ReadLease(Optional<NodeId> node, Epoch epoch, long askedNanos) {
        this.node = node;
        this.epoch = epoch;
        this.askedNanos = askedNanos;
    }

    /** One that vouches for no log. */
    static ReadLease none(long nowNanos) {
        return new ReadLease(Optional.<NodeId>empty(), Epoch.NONE, nowNanos);
    }

    /**
     * Whether it runs.
     *
     * @param trustedSinceNanos since when the clock shows all time that passes
     */
    boolean runs(long nowNanos, long trustedSinceNanos) {
        return nowNanos - askedNanos < USED_NANOS && askedNanos - trustedSinceNanos >= 0;
    }

    /**
     * Whether it vouches for a log: that of the node that it was granted to, which still obeys who granted it. What another writer
     * granted is void, and a node whose storage was exchanged is another node.
     */
    boolean isFor(WrittenLog log) {
        return node.equals(Optional.of(log.node())) && epoch.equals(log.promised());
    }

    /** The one that runs for longer. */
    ReadLease orLater(ReadLease other) {
        return other.askedNanos - askedNanos > 0 ? other : this;
    }
}
