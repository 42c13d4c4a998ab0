/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer.peer;

import io.trefoil.journal.model.NodeId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongUnaryOperator;

/** Peers and read leases as the explorer keeps them. */
public final class PeerTimes {

    private PeerTimes() {}

    /** Leases of which each ends at another time. */
    public static ReadLeases moved(ReadLeases leases, LongUnaryOperator times) {
        Map<NodeId, ReadLeases.HeldLease> moved = new LinkedHashMap<>();
        leases.heldLeases.forEach((node, lease) -> moved.put(
                node, new ReadLeases.HeldLease(times.applyAsLong(lease.untilNanos), lease.fromSn, lease.toldSn)));
        return new ReadLeases(moved);
    }

    /** A peer whose timeouts and pace are forgotten, and which remembers for what it waited only while it waits. */
    public static Peer withoutHistory(Peer peer) {
        return peer.toBuilder()
                .timeouts(TimeoutHistory.NONE)
                .readerLagCheck(ReaderLagCheck.NONE)
                .waitingSn(peer.waitingSinceNanos().isPresent() ? peer.waitingSn() : 0)
                .build();
    }
}
