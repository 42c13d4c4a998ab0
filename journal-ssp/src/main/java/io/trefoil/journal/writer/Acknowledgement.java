/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.writer.events.WriterEffect;
import io.trefoil.journal.writer.events.WriterStage;
import io.trefoil.journal.writer.peer.Peer;
import io.trefoil.journal.writer.peer.Quorum;
import java.util.Optional;

/** Decides when an append of edits may return (protocol page, "Policies"); commits do not depend on it. */
final class Acknowledgement {

    /** The number of uncommitted entries that may be acknowledged with {@code AckPolicy.ONE} before the writer waits. */
    static final long MAX_AHEAD_ENTRIES = 256;

    /**
     * The number of entries by which a node with a read lease may lag behind a majority before the writer waits: as many as a fast journal
     * writes in one round trip to the other end of the world, which takes little memory.
     */
    static final long MAX_AHEAD_OF_READERS_ENTRIES = 1_024;

    private Acknowledgement() {}

    /** Runs at the end of each step: dropping a node from the in-sync set may also end the wait for it. */
    static void acknowledge(WriterStep step) {
        WriterState.Builder next = step.next();
        if (next.stage() != WriterStage.WRITING) {
            return;
        }
        long sn = ackedSn(next);
        if (sn > next.ackedSn()) {
            next.ackedSn(sn);
            step.add(WriterEffect.publishAcknowledged(sn));
        }
    }

    private static long ackedSn(WriterState.Builder state) {
        switch (state.settings().ackPolicy()) {
            case QUORUM:
                return majoritySn(state);
            case ALL:
                return Math.min(majoritySn(state), allInSyncSn(state));
            case ONE:
                return Math.max(
                        state.committedSn(), Math.min(singleNodeSn(state), state.committedSn() + MAX_AHEAD_ENTRIES));
            default:
                throw new AssertionError(state.settings().ackPolicy());
        }
    }

    /**
     * The committed serial number; if the code that answers users waits for nodes with a read lease, the one that would be committed
     * without them.
     */
    private static long majoritySn(WriterState.Builder state) {
        long committedSn = state.committedSn();
        if (state.readLeases().isEmpty() || !state.settings().holdsAnswersUntilCommitted()) {
            return committedSn;
        }
        long majoritySn = Quorum.matchedSn(state.members(), state.peers());
        return Math.max(committedSn, Math.min(majoritySn, committedSn + MAX_AHEAD_OF_READERS_ENTRIES));
    }

    private static long allInSyncSn(WriterState.Builder state) {
        long sn = Long.MAX_VALUE;
        for (Member member : state.members().list()) {
            Optional<Peer> peer = state.peers().findByNode(member.id());
            if (member.isVoter() && peer.isPresent() && peer.get().isInSync()) {
                sn = Math.min(sn, peer.get().matchedSn());
            }
        }
        return sn;
    }

    private static long singleNodeSn(WriterState.Builder state) {
        Optional<NodeAddress> local = state.settings().localNode();
        long sn = 0;
        for (Member member : state.members().list()) {
            Optional<Peer> peer = state.peers().findByNode(member.id());
            boolean counts = member.isVoter()
                    && peer.isPresent()
                    && peer.get().completeness() == LogCompleteness.COMPLETE
                    && (!local.isPresent() || local.get().equals(peer.get().address()));
            sn = counts ? Math.max(sn, peer.get().matchedSn()) : sn;
        }
        return sn;
    }
}
