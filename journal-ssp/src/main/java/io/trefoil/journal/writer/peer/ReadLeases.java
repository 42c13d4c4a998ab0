/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer.peer;

import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeId;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The nodes next to which an observer may answer reads without asking the writer, and for how long (near-reads page). A
 * lease counts until the writer knows that it has run out. Immutable; times are by the writer's monotonic clock, in
 * nanoseconds.
 */
public final class ReadLeases {

    /** The empty set of leases. */
    public static final ReadLeases NONE = new ReadLeases(Collections.<NodeId, HeldLease>emptyMap());

    /** How long a lease is valid for the writer, from when it is asked for one. */
    public static final long HELD_MILLIS = 1_000;

    /**
     * How long a lease is valid for a reader, from when it asked: a fifth less, because clocks run at different rates. Both times
     * are the same for all versions and hosts, because a new writer waits for leases that another one granted.
     */
    public static final long USED_MILLIS = 800;

    /** How long a lease is remembered after its end: a node that asks again soon need not be added to the members again. */
    private static final long KEPT_MILLIS = 10_000;

    private static final long NANOS_PER_MILLI = 1_000_000L;

    final Map<NodeId, HeldLease> heldLeases;

    ReadLeases(Map<NodeId, HeldLease> heldLeases) {
        this.heldLeases = heldLeases;
    }

    /** The lease of one node. */
    static final class HeldLease {
        final long untilNanos;
        /** The last entry that others may have shown before this lease began: the node must have it before it may be read from. */
        final long fromSn;
        /** The last entry that was announced as committed to this node ahead of all others. */
        final long toldSn;

        HeldLease(long untilNanos, long fromSn, long toldSn) {
            this.untilNanos = untilNanos;
            this.fromSn = fromSn;
            this.toldSn = toldSn;
        }

        @Override
        public String toString() {
            return "until=" + untilNanos + " from=" + fromSn + " told=" + toldSn;
        }
    }

    /** Returns the leases that earlier writers may have granted to the readers in the members, when a term begins. */
    public static ReadLeases ofEarlierWriters(Members members, long nowNanos) {
        ReadLeases leases = NONE;
        for (NodeId reader : members.readers()) {
            // This writer grants no reads by such a lease.
            leases = leases.with(reader, new HeldLease(nowNanos + HELD_MILLIS * NANOS_PER_MILLI, Long.MAX_VALUE, 0));
        }
        return leases;
    }

    public boolean isEmpty() {
        return heldLeases.isEmpty();
    }

    /**
     * Begins or renews the lease of a node.
     *
     * @param lastSn the last entry of the log: no node was told that a later one is committed
     */
    public ReadLeases renew(NodeId node, long lastSn, long nowNanos) {
        HeldLease before = heldLeases.get(node);
        boolean runs = before != null && isRunning(before, nowNanos) && before.fromSn != Long.MAX_VALUE;
        return with(
                node,
                new HeldLease(
                        nowNanos + HELD_MILLIS * NANOS_PER_MILLI,
                        runs ? before.fromSn : lastSn,
                        runs ? before.toldSn : 0));
    }

    /** Whether an observer that asked at {@code askedNanos} may read from a node. */
    public boolean isGranted(NodeId node, Peers peers, long askedNanos) {
        HeldLease lease = heldLeases.get(node);
        return lease != null
                && lease.untilNanos - askedNanos >= HELD_MILLIS * NANOS_PER_MILLI
                && matchedSn(node, peers) >= lease.fromSn;
    }

    /** The entry up to which every node with a lease has the log. */
    public long matchedSn(Peers peers, long nowNanos) {
        long sn = Long.MAX_VALUE;
        for (Map.Entry<NodeId, HeldLease> each : heldLeases.entrySet()) {
            if (isRunning(each.getValue(), nowNanos)) {
                sn = Math.min(sn, matchedSn(each.getKey(), peers));
            }
        }
        return sn;
    }

    /** The entry up to which every other node with a lease has the log. */
    private long matchedSnExcept(NodeId node, Peers peers, long nowNanos) {
        return new ReadLeases(without(node)).matchedSn(peers, nowNanos);
    }

    /**
     * The entry up to which commits may be announced to a node ahead of all others: every other node with a lease has the entries. 0 if the
     * node was told already, or may not be read from.
     *
     * @param node one of {@link #nodes}
     */
    public long announceableSn(NodeId node, Peers peers, long majoritySn, long nowNanos) {
        HeldLease lease = heldLeases.get(node);
        if (!isRunning(lease, nowNanos) || lease.fromSn == Long.MAX_VALUE) {
            return 0;
        }
        long sn = Math.min(majoritySn, matchedSnExcept(node, peers, nowNanos));
        return sn > lease.toldSn ? sn : 0;
    }

    public ReadLeases withAnnounced(NodeId node, long sn) {
        HeldLease lease = heldLeases.get(node);
        return with(node, new HeldLease(lease.untilNanos, lease.fromSn, sn));
    }

    /** The nodes that hold these leases, expired or not. */
    public Iterable<NodeId> nodes() {
        return heldLeases.keySet();
    }

    public boolean contains(NodeId node) {
        return heldLeases.containsKey(node);
    }

    /** A copy without the leases that expired long ago. */
    public ReadLeases withoutExpired(long nowNanos) {
        ReadLeases next = this;
        for (Map.Entry<NodeId, HeldLease> each : heldLeases.entrySet()) {
            if (nowNanos - each.getValue().untilNanos > KEPT_MILLIS * NANOS_PER_MILLI) {
                next = new ReadLeases(next.without(each.getKey()));
            }
        }
        return next;
    }

    private static boolean isRunning(HeldLease lease, long nowNanos) {
        return lease.untilNanos - nowNanos > 0;
    }

    private static long matchedSn(NodeId node, Peers peers) {
        return peers.findByNode(node)
                .filter(peer -> peer.completeness() == LogCompleteness.COMPLETE)
                .map(Peer::matchedSn)
                .orElse(0L);
    }

    private ReadLeases with(NodeId node, HeldLease lease) {
        Map<NodeId, HeldLease> next = new LinkedHashMap<>(heldLeases);
        next.put(node, lease);
        return new ReadLeases(next);
    }

    private Map<NodeId, HeldLease> without(NodeId node) {
        Map<NodeId, HeldLease> next = new LinkedHashMap<>(heldLeases);
        next.remove(node);
        return next;
    }

    @Override
    public String toString() {
        return heldLeases.toString();
    }
}
