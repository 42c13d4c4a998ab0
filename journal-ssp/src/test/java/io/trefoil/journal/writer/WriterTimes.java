/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.writer.events.AddressSource;
import io.trefoil.journal.writer.peer.CatchUpBudget;
import io.trefoil.journal.writer.peer.Peer;
import io.trefoil.journal.writer.peer.PeerTimes;
import io.trefoil.journal.writer.peer.Peers;
import io.trefoil.journal.writer.peer.ReaderWaits;
import java.util.List;
import java.util.Optional;
import java.util.function.LongUnaryOperator;

/**
 * Writers' states as the explorer keeps them: at one time, so that two that differ only by when something happened are one. What
 * only limits the rate of catching up, or the history of timeouts, is left out.
 */
public final class WriterTimes {

    private WriterTimes() {}

    /** A state in which everything happened at {@code then}: no lease is looked at, and every timer is due. */
    public static WriterState resetTimes(WriterState state, long then) {
        Peers peers = state.peers();
        for (Peer peer : state.peers()) {
            Optional<Long> waiting = peer.waitingSinceNanos().map(since -> then);
            peers = peers.with(PeerTimes.withoutHistory(peer).toBuilder()
                    .waitingSinceNanos(waiting)
                    .lastSentNanos(Optional.empty())
                    .leaseFromNanos(Optional.empty())
                    .unreadableSinceNanos(peer.unreadableSinceNanos().map(since -> then))
                    .probeCount(0)
                    .build());
        }
        return withTimes(state, peers, time -> then);
    }

    /** A state in which each time is another one. */
    public static WriterState shiftTimes(WriterState state, LongUnaryOperator times) {
        Peers peers = state.peers();
        for (Peer peer : state.peers()) {
            peers = peers.with(PeerTimes.withoutHistory(peer).toBuilder()
                    .waitingSinceNanos(peer.waitingSinceNanos().map(times::applyAsLong))
                    .lastSentNanos(peer.lastSentNanos().map(times::applyAsLong))
                    .leaseFromNanos(peer.leaseFromNanos().map(times::applyAsLong))
                    .unreadableSinceNanos(peer.unreadableSinceNanos().map(times::applyAsLong))
                    .probeCount(0)
                    .build());
        }
        return withTimes(state, peers, times);
    }

    /** A state in which no timer is due but that of the members: something was sent to all that have storage. */
    public static WriterState resetTimers(WriterState state, long nowNanos) {
        Peers peers = state.peers();
        for (Peer peer : state.peers()) {
            boolean waits = peer.formatted() && !peer.retired();
            peers = peers.with(peer.toBuilder()
                    .waitingSinceNanos(peer.waitingSinceNanos().map(since -> nowNanos))
                    .lastSentNanos(waits ? Optional.of(nowNanos) : Optional.empty())
                    .build());
        }
        return withTimes(state, peers, time -> nowNanos);
    }

    private static WriterState withTimes(WriterState state, Peers peers, LongUnaryOperator times) {
        long ticked = times.applyAsLong(state.lastTickNanos());
        return state.toBuilder()
                .peers(peers)
                .retryNanos(times.applyAsLong(state.retryNanos()))
                .termBeganNanos(times.applyAsLong(state.termBeganNanos()))
                .lastTickNanos(ticked)
                .exclusivityRequestedNanos(state.exclusivityRequestedNanos().map(times::applyAsLong))
                .readLeases(PeerTimes.moved(state.readLeases(), times))
                .readerWaits(ReaderWaits.NONE)
                .pendingChanges(PendingChanges.empty(ticked))
                .catchUpBudget(CatchUpBudget.begin(0, ticked))
                .build();
    }

    /** A state that knows its peers in another order, by which it chooses between equal ones. */
    public static WriterState reorderPeers(WriterState state, List<NodeAddress> order) {
        Peers peers = Peers.create(order, AddressSource.JOURNAL_URI);
        for (Peer peer : state.peers()) {
            peers = peers.with(peer);
        }
        return state.toBuilder().peers(peers).build();
    }

    /** All but the peers. */
    public static String describeWithoutPeers(WriterState state) {
        return state.toBuilder()
                .peers(Peers.create(List.of(), AddressSource.JOURNAL_URI))
                .build()
                .toString();
    }

    public static Peer peer(WriterState state, NodeAddress address) {
        return state.peers().findByAddress(address);
    }

    /** Those whose majority commits. */
    public static Members members(WriterState state) {
        return state.members();
    }

    public static long tickedNanos(WriterState state) {
        return state.lastTickNanos();
    }

    public static boolean isServing(WriterState state) {
        return state.isServing();
    }

    /** Whether a commit was not announced to all nodes yet. */
    public static boolean hasUnannouncedCommit(WriterState state) {
        return state.isServing() && state.announcedSn() < state.committedSn();
    }
}
