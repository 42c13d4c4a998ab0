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

/** Decides when an append of edits may return (protocol page, "Policies"); what is committed does not depend on it. */
final class Acknowledgement {

    /** The number of entries that may be acknowledged with {@code AckPolicy.ONE}, and not committed, before the writer waits. */
    static final long MAX_AHEAD_ENTRIES = 256;

    /**
     * How many entries a majority may have that a node with a read lease lacks before the writer waits: what a fast journal
     * writes within a round trip to the other end of the world, and little memory.
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
        switch (state.settings().ack()) {
            case QUORUM:
                return ofMajority(state);
            case ALL:
                return Math.min(ofMajority(state), ofAllInSync(state));
            case ONE:
                return Math.max(state.committedSn(), Math.min(ofOne(state), state.committedSn() + MAX_AHEAD_ENTRIES));
            default:
                throw new AssertionError(state.settings().ack());
        }
    }

    /**
     * The serial number that is committed, or would be but for nodes with a read lease, if those who answer users wait
     * for these themselves.
     */
    private static long ofMajority(WriterState.Builder state) {
        long committedSn = state.committedSn();
        if (state.readLeases().isEmpty() || !state.settings().answersHeld()) {
            return committedSn;
        }
        long majoritySn = Quorum.matchedSn(state.members(), state.peers());
        return Math.max(committedSn, Math.min(majoritySn, committedSn + MAX_AHEAD_OF_READERS_ENTRIES));
    }

    private static long ofAllInSync(WriterState.Builder state) {
        long sn = Long.MAX_VALUE;
        for (Member member : state.members().list()) {
            Optional<Peer> peer = state.peers().of(member.id());
            if (member.isVoter() && peer.isPresent() && peer.get().isInSync()) {
                sn = Math.min(sn, peer.get().matchedSn());
            }
        }
        return sn;
    }

    private static long ofOne(WriterState.Builder state) {
        Optional<NodeAddress> local = state.settings().local();
        long sn = 0;
        for (Member member : state.members().list()) {
            Optional<Peer> peer = state.peers().of(member.id());
            boolean counts = member.isVoter()
                    && peer.isPresent()
                    && peer.get().completeness() == LogCompleteness.COMPLETE
                    && (!local.isPresent() || local.get().equals(peer.get().address()));
            sn = counts ? Math.max(sn, peer.get().matchedSn()) : sn;
        }
        return sn;
    }
}
