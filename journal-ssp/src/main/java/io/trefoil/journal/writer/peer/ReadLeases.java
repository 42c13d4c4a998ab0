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
 * The nodes beside which somebody may read without asking the writer, and for how long (near-reads page). What a writer
 * does not know to have run out runs. Immutable; times are by the writer's monotonic clock, in nanoseconds.
 */
public final class ReadLeases {

    /** Nobody reads. */
    public static final ReadLeases NONE = new ReadLeases(Collections.<NodeId, Held>emptyMap());

    /** A writer counts on a lease for so long from when it is asked for one. */
    public static final long HELD_MILLIS = 1_000;

    /**
     * A reader uses it for so long from when it asked: a fifth less, as clocks run at different rates. Both are the same for
     * all versions and hosts: a new writer waits for leases that another one granted.
     */
    public static final long USED_MILLIS = 800;

    /** Remembered for so long behind its end: who asks again soon need not be written into the members again. */
    private static final long KEPT_MILLIS = 10_000;

    private static final long NANOS_PER_MILLI = 1_000_000L;

    private final Map<NodeId, Held> held;

    private ReadLeases(Map<NodeId, Held> held) {
        this.held = held;
    }

    /** One node's lease. */
    private static final class Held {
        final long untilNanos;
        /** What others may have shown before the node was counted on: it must have that before it may be read from. */
        final long fromSn;
        /** Up to here the node was told what is committed, before everybody was. */
        final long toldSn;

        Held(long untilNanos, long fromSn, long toldSn) {
            this.untilNanos = untilNanos;
            this.fromSn = fromSn;
            this.toldSn = toldSn;
        }
    }

    /** What earlier writers may have granted to those that the members name as readers, when a term begins. */
    public static ReadLeases inherited(Members members, long nowNanos) {
        ReadLeases leases = NONE;
        for (NodeId reader : members.readers()) {
            // Nobody reads by it from this writer.
            leases = leases.with(reader, new Held(nowNanos + HELD_MILLIS * NANOS_PER_MILLI, Long.MAX_VALUE, 0));
        }
        return leases;
    }

    public boolean isEmpty() {
        return held.isEmpty();
    }

    /**
     * From now on a node is counted on.
     *
     * @param lastSn the last entry of the log: nobody was told that a later one is committed
     */
    public ReadLeases asked(NodeId node, long lastSn, long nowNanos) {
        Held before = held.get(node);
        boolean runs = before != null && runs(before, nowNanos) && before.fromSn != Long.MAX_VALUE;
        return with(
                node,
                new Held(
                        nowNanos + HELD_MILLIS * NANOS_PER_MILLI,
                        runs ? before.fromSn : lastSn,
                        runs ? before.toldSn : 0));
    }

    /** Whether a node that was counted on when somebody asked at that time may be read from. */
    public boolean isGranted(NodeId node, Peers peers, long askedNanos) {
        Held lease = held.get(node);
        return lease != null
                && lease.untilNanos - askedNanos >= HELD_MILLIS * NANOS_PER_MILLI
                && matchedSn(node, peers) >= lease.fromSn;
    }

    /** What every node that may be read from has. */
    public long matchedSn(Peers peers, long nowNanos) {
        long sn = Long.MAX_VALUE;
        for (Map.Entry<NodeId, Held> each : held.entrySet()) {
            if (runs(each.getValue(), nowNanos)) {
                sn = Math.min(sn, matchedSn(each.getKey(), peers));
            }
        }
        return sn;
    }

    /** What every other one has. */
    private long matchedSnBut(NodeId node, Peers peers, long nowNanos) {
        return new ReadLeases(without(node)).matchedSn(peers, nowNanos);
    }

    /**
     * How far a node may be told what is committed before everybody is, as nobody else can be read from that lacks it; 0 if
     * it was told already, or may not be read from.
     */
    public long tellableSn(NodeId node, Peers peers, long majoritySn, long nowNanos) {
        Held lease = held.get(node);
        if (lease == null || !runs(lease, nowNanos) || lease.fromSn == Long.MAX_VALUE) {
            return 0;
        }
        long sn = Math.min(majoritySn, matchedSnBut(node, peers, nowNanos));
        return sn > lease.toldSn ? sn : 0;
    }

    public ReadLeases told(NodeId node, long sn) {
        Held lease = held.get(node);
        return with(node, new Held(lease.untilNanos, lease.fromSn, sn));
    }

    /** Those to whom these leases belong, run out or not. */
    public Iterable<NodeId> nodes() {
        return held.keySet();
    }

    public boolean contains(NodeId node) {
        return held.containsKey(node);
    }

    /** Without those that ran out long ago. */
    public ReadLeases at(long nowNanos) {
        ReadLeases next = this;
        for (Map.Entry<NodeId, Held> each : held.entrySet()) {
            if (nowNanos - each.getValue().untilNanos > KEPT_MILLIS * NANOS_PER_MILLI) {
                next = new ReadLeases(next.without(each.getKey()));
            }
        }
        return next;
    }

    private static boolean runs(Held lease, long nowNanos) {
        return lease.untilNanos - nowNanos > 0;
    }

    private static long matchedSn(NodeId node, Peers peers) {
        return peers.of(node)
                .filter(peer -> peer.completeness() == LogCompleteness.COMPLETE)
                .map(Peer::matchedSn)
                .orElse(0L);
    }

    private ReadLeases with(NodeId node, Held lease) {
        Map<NodeId, Held> next = new LinkedHashMap<>(held);
        next.put(node, lease);
        return new ReadLeases(next);
    }

    private Map<NodeId, Held> without(NodeId node) {
        Map<NodeId, Held> next = new LinkedHashMap<>(held);
        next.remove(node);
        return next;
    }

    @Override
    public String toString() {
        return held.keySet().toString();
    }
}
