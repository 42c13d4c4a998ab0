/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.protocol.AppendedReply;
import io.trefoil.journal.protocol.CommitRequest;
import io.trefoil.journal.protocol.MismatchReply;
import io.trefoil.journal.writer.events.AppendTerms;
import io.trefoil.journal.writer.events.EntryRange;
import io.trefoil.journal.writer.events.WriterEffect;
import io.trefoil.journal.writer.peer.Peer;
import io.trefoil.journal.writer.peer.Peers;
import io.trefoil.journal.writer.peer.ProgressState;
import io.trefoil.journal.writer.peer.Quorum;
import java.util.Optional;

/** Replicates entries to the nodes and determines which are committed (protocol page, "Writing", steps 1 to 6). */
final class Replication {

    private Replication() {}

    /** Starts serving every node, according to its known state; called when the term begins. */
    static void resume(WriterStep step) {
        for (Peer peer : step.state().peers()) {
            if (peer.isServed() && peer.progress() == ProgressState.CATCHING_UP) {
                CatchUp.catchUp(step, peer);
            } else if (peer.isServed()) {
                Heartbeats.probe(step, peer);
            }
        }
    }

    /** Sends the appended entries to every node in sync. */
    static void sendToInSync(WriterStep step) {
        WriterState.Builder next = step.next();
        long lastSn = next.lastSn();
        AppendTerms terms = next.terms();
        int count = next.peers().size();
        boolean all = true;
        for (int index = 0; index < count; index++) {
            // A node that gets in sync during this loop pushes to all nodes again, so look at each one's current state.
            Peer peer = step.next().peers().get(index);
            if (peer.isServed() && peer.progress() == ProgressState.IN_SYNC && peer.sentSn() < lastSn) {
                sendEntries(step, peer, EntryRange.of(peer.sentSn(), lastSn), terms);
            } else if (CatchUp.isBetweenParts(peer)) {
                CatchUp.catchUp(step, peer);
            } else {
                all &= peer.progress() != ProgressState.IN_SYNC;
            }
        }
        if (all) {
            step.next().announcedSn(step.next().committedSn());
        }
    }

    /** Announces the last committed entry, unless appends have already announced it up to {@code sn}. */
    static void announce(WriterStep step, long sn) {
        WriterState state = step.state();
        if (state.announcedSn() >= sn) {
            return;
        }
        for (Peer peer : state.peers()) {
            boolean isInSync = peer.isServed() && peer.progress() == ProgressState.IN_SYNC;
            if (isInSync || CatchUp.hasEverything(state, peer)) {
                announce(step, peer);
            }
        }
        step.replaceState(state.toBuilder().announcedSn(state.committedSn()).build());
    }

    private static void announce(WriterStep step, Peer peer) {
        announce(step, peer, step.state().committedSn());
    }

    /** Announces to a node that it may show entries up to {@code sn}, as decided by the caller. */
    static void announce(WriterStep step, Peer peer, long sn) {
        WriterState state = step.state();
        step.send(
                peer.address(),
                CommitRequest.of(state.epoch(), sn).withIncarnation(state.end().incarnation()));
    }

    static void onAppended(WriterStep step, Peer peer, AppendedReply reply, long sentNanos, long leaseMillis) {
        // A request with a shorter lease than the term's now counts as if it had been sent earlier.
        long fromNanos = sentNanos - (step.next().leaseMillis() - leaseMillis) * WriterState.NANOS_PER_MILLI;
        long ackTimeoutMillis = step.next().settings().ackTimeoutMillis();
        Peer.Builder heard = peer.toBuilder()
                .completeness(reply.completeness())
                .probeCount(0)
                .timeouts(peer.timeouts().withAnswer(sentNanos, step.nowNanos(), ackTimeoutMillis))
                .readerLagCheck(peer.readerLagCheck().withRoundTrip(step.nowNanos() - sentNanos))
                .leaseFromNanos(Optional.of(Math.max(peer.leaseFromNanos().orElse(Long.MIN_VALUE), fromNanos)));
        if (reply.matchedSn() == LogPosition.ORIGIN.sn()
                || (peer.hasPendingPart() && reply.matchedSn() <= peer.matchedSn())) {
            // An answer to a heartbeat or to an older request; the node still owes the answer to the latest one.
            step.replacePeer(heard.build());
            return;
        }
        long matchedSn = Math.max(peer.matchedSn(), reply.matchedSn());
        boolean owesMore = peer.progress() == ProgressState.IN_SYNC && matchedSn < peer.sentSn();
        // A late answer to something sent before the node was dropped from the in-sync set leaves the answer to its
        // part
        // still owed.
        boolean owesPart = peer.hasPendingPart() && matchedSn < peer.waitingSn();
        boolean owesTheSame = owesPart || (owesMore && matchedSn < peer.waitingSn());
        Peer matched = heard.matchedSn(matchedSn)
                .sentSn(Math.max(peer.sentSn(), matchedSn))
                .waitingSinceNanos(owesTheSame ? peer.waitingSinceNanos() : Optional.<Long>empty())
                .build();
        if (owesMore) {
            matched = matched.withPendingAnswer(matched.sentSn(), step.nowNanos());
        }
        step.replacePeer(matched);
        commit(step);
        if (matched.progress() != ProgressState.IN_SYNC && !owesPart) {
            CatchUp.catchUp(step, matched);
            Peer next = step.state().peers().current(matched);
            if (peer.hasPendingPart() && CatchUp.hasEverything(step.state(), next)) {
                // Its part left before the last entries were committed, and no further one may come for long.
                announce(step, next);
            }
        }
    }

    static void onMismatch(WriterStep step, Peer peer, MismatchReply reply) {
        long sameSn = matchingSn(step.state(), reply);
        // A node that reopened its storage within the session may have found that it lost something (rule R9).
        boolean lost = reply.last().sn() < peer.matchedSn();
        long matchedSn = lost ? sameSn : Math.max(peer.matchedSn(), sameSn);
        if (peer.hasPendingPart() && matchedSn == peer.matchedSn()) {
            // One of many answers to requests sent while the node still seemed in sync: it is already being caught up.
            step.replacePeer(peer.toBuilder().completeness(reply.completeness()).build());
            return;
        }
        Peer heard = peer.toBuilder()
                .matchedSn(matchedSn)
                .sentSn(matchedSn)
                .completeness(reply.completeness())
                .progress(ProgressState.CATCHING_UP)
                .waitingSinceNanos(Optional.<Long>empty())
                .build();
        step.replacePeer(heard);
        commit(step);
        CatchUp.catchUp(step, heard);
    }

    /** Returns how far the log of a node that lacks this writer's last entry matches this writer's. */
    private static long matchingSn(WriterState state, MismatchReply reply) {
        LogPosition last = reply.last();
        if (last.epoch().equals(state.epoch())) {
            return last.sn();
        }
        // One writer wrote two logs that end in the same epoch: the shorter one is the beginning of the longer one.
        boolean endsLikeTheChosen = last.epoch().equals(state.chosenLogEnd().epoch());
        return endsLikeTheChosen ? Math.min(last.sn(), state.chosenLogEnd().sn()) : reply.committedSn();
    }

    /** Sends entries, or a heartbeat, to a node in sync; the next ones follow without waiting for an answer. */
    static void sendEntries(WriterStep step, Peer peer, EntryRange range, AppendTerms terms) {
        if (!step.next().window().reachesBackTo(range.prevSn())) {
            // What was appended in this very step has pushed the entries out of memory.
            CatchUp.reportMissing(step, peer);
            return;
        }
        step.replacePeer(peer.withSent(range.lastSn(), step.nowNanos()));
        step.add(WriterEffect.sendEntries(peer.address(), range, terms));
    }

    /** The commit rule (R3, R5; N1): a majority has the entry, every node with a read lease has it, and it is of this term. */
    static void commit(WriterStep step) {
        Peers peers = step.next().peers();
        long majoritySn = Quorum.matchedSn(step.next().members(), peers);
        long matchedSn = Math.min(majoritySn, step.next().readLeases().matchedSn(peers, step.nowNanos()));
        NearReads.recordPace(step, majoritySn, matchedSn);
        if (matchedSn < majoritySn) {
            NearReads.announceMajority(step, majoritySn);
        }
        WriterState.Builder next = step.next();
        if (matchedSn <= next.committedSn() || matchedSn < next.termFirstSn()) {
            return;
        }
        next.committedSn(matchedSn)
                .catchUpBudget(next.catchUpBudget().withCommitted(matchedSn == next.lastSn(), step.nowNanos()));
        step.add(WriterEffect.publishCommitted(matchedSn));
    }
}
