/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.writer.peer.Peer;
import io.trefoil.journal.writer.peer.ReadLeases;
import io.trefoil.journal.writer.peer.ReaderLagCheck;
import io.trefoil.journal.writer.peer.ReaderWaits;
import java.util.Optional;

/**
 * Decides next to which nodes an observer may answer reads without asking the writer (near-reads page; paper 4, §3.5):
 * nothing is committed that a node with a read lease lacks. The members name these nodes, so that the next writer waits
 * for their leases.
 */
final class NearReads {

    /** How long a node may owe an answer and still get a lease; a slower one delays users only until its last lease expires. */
    private static final long LATE_MILLIS = ReadLeases.HELD_MILLIS / 2;

    private NearReads() {}

    /** An observer wants to answer reads next to a node. */
    static void onReadLeaseRequested(WriterStep step, NodeId node) {
        WriterState state = step.state();
        Optional<Peer> peer = state.peers().findByNode(node);
        boolean mayHave = state.isWriting()
                && Membership.canChange(state)
                && state.members().find(node).isPresent()
                && peer.filter(Peer::isInSync).isPresent()
                && !isLagging(step, peer.get())
                && isKeepingPace(step, peer.get());
        if (!mayHave) {
            return;
        }
        state = step.state();
        step.replaceState(state.toBuilder()
                .readLeases(state.readLeases().renew(node, state.lastSn(), step.nowNanos()))
                .build());
        Members members = state.members();
        if (!members.isReader(node) && members.canAddReader() && Membership.isSafe(state, members)) {
            Membership.write(step, members.withReader(node));
        }
    }

    /** Checks the node first, so that a node that still lacks entries gets no further lease. */
    private static boolean isKeepingPace(WriterStep step, Peer peer) {
        ReaderLagCheck pace = peer.readerLagCheck().withReadsWanted().evaluate(step.nowNanos());
        step.replacePeer(peer.toBuilder().readerLagCheck(pace).build());
        return pace.isProven(step.nowNanos());
    }

    /** Records which nodes have all entries that a majority has, and whether commits wait for the others (N4). */
    static void recordPace(WriterStep step, long majoritySn, long matchedSn) {
        WriterState.Builder next = step.next();
        if (!next.peers().isAnyWatched() && next.readLeases().isEmpty()) {
            return;
        }
        ReaderWaits waits = next.readerWaits();
        next.peers(next.peers().withPacedReaders(majoritySn, step.nowNanos()))
                .readerWaits(
                        matchedSn < majoritySn ? waits.beginWait(step.nowNanos()) : waits.endWait(step.nowNanos()));
    }

    private static boolean isLagging(WriterStep step, Peer peer) {
        return peer.waitingSinceNanos()
                .filter(since -> step.hasElapsedMoreThan(since, LATE_MILLIS))
                .isPresent();
    }

    /**
     * Ends expired leases, which then no longer delay commits; readers whose lease expired long ago are no longer listed
     * for the next writer.
     */
    static void onTick(WriterStep step) {
        WriterState state = step.state();
        if (state.readLeases().isEmpty() && state.members().readers().isEmpty()) {
            return;
        }
        step.replaceState(state.toBuilder()
                .readLeases(state.readLeases().withoutExpired(step.nowNanos()))
                .build());
        Replication.commit(step);
        state = step.state();
        for (NodeId reader : state.members().readers()) {
            boolean over = !state.readLeases().contains(reader);
            if (over && Membership.canChange(state) && Membership.isSafe(state, state.members())) {
                Membership.write(step, state.members().withoutReader(reader));
                return;
            }
        }
    }

    /**
     * Announces to a node with a read lease the entries that a majority has, if all others with a read lease have them as well: the
     * observer next to it can then apply them before reads need them, without a round trip to the writer.
     */
    static void announceMajority(WriterStep step, long majoritySn) {
        for (NodeId node : step.state().readLeases().nodes()) {
            WriterState state = step.state();
            long sn = state.readLeases().announceableSn(node, state.peers(), majoritySn, step.nowNanos());
            Optional<Peer> peer = state.peers().findByNode(node).filter(Peer::isInSync);
            // All of them are of this term: a lease by which this writer grants reads began when the first was
            // committed.
            if (sn > state.committedSn() && peer.isPresent()) {
                Replication.announce(step, peer.get(), sn);
                step.replaceState(state.toBuilder()
                        .readLeases(state.readLeases().withAnnounced(node, sn))
                        .build());
            }
        }
    }
}
