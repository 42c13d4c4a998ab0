/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.Standing;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.protocol.NewEpochRequest;
import io.trefoil.journal.protocol.PromiseReply;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** How a writer gets its term: epoch, promises, choice of the log (protocol page, "A new writer"; rule R5). */
final class Promising {

    private Promising() {}

    /** A node can be asked now. */
    static void met(Turn turn, Peer peer, Epoch promised) {
        WriterState state = turn.state();
        if (promised.isAbove(state.highestSeen())) {
            state = state.toBuilder().highestSeen(promised).build();
        }
        turn.become(state.with(
                peer.toBuilder().promise(Optional.<PromiseReply>empty()).build()));
        if (turn.state().epoch().isAbove(turn.state().highestSeen())) {
            ask(turn, turn.state().peers().at(peer.address()));
        } else {
            // Nobody will promise what was asked for so far: ask everybody for more, at once.
            takeHigherEpoch(turn);
            askAll(turn);
        }
    }

    /** Asks again, with a higher epoch where this one was refused. */
    static void ticked(Turn turn) {
        if (turn.nowNanos() - turn.state().askAgainNanos() < 0) {
            return;
        }
        scheduleNext(turn);
        if (!turn.state().epoch().isAbove(turn.state().highestSeen())) {
            takeHigherEpoch(turn);
        }
        askAll(turn);
    }

    /**
     * Begins anew, as another writer would: what this term's log needs cannot be had any more. What the nodes
     * acknowledged in this term counts for nothing in the next one, neither as entries nor as a lease.
     */
    static void beginAgain(Turn turn) {
        WriterState state = turn.state();
        Peers peers = state.peers();
        Epoch highestSeen = state.epoch();
        for (Peer peer : peers) {
            Epoch promised = peer.refusedFor().orElse(Epoch.NONE);
            highestSeen = promised.isAbove(highestSeen) ? promised : highestSeen;
            peers = peers.with(peer.anew());
        }
        turn.become(WriterState.begin(state.settings(), turn.nowNanos()).toBuilder()
                .purgedBelow(state.purgedBelow())
                .highestSeen(highestSeen)
                .peers(peers)
                .build());
        ticked(turn);
    }

    private static void askAll(Turn turn) {
        for (Peer peer : turn.state().peers()) {
            ask(turn, peer);
        }
    }

    static void refused(Turn turn, Epoch promised) {
        if (promised.isAbove(turn.state().highestSeen())) {
            turn.become(turn.state().toBuilder().highestSeen(promised).build());
        }
    }

    static void promised(Turn turn, Peer peer, PromiseReply reply) {
        if (!reply.epoch().equals(turn.state().epoch())) {
            return;
        }
        turn.become(peer.toBuilder()
                .standing(reply.standing())
                .promise(Optional.of(reply))
                .build());
        Optional<PromiseReply> best = best(turn.state());
        if (best.isPresent()) {
            meet(turn, best.get().end().members());
        }
        if (best.isPresent()
                && hasMajority(turn.state(), best.get().end())
                && !lacking(turn.state(), best.get().end()).isPresent()) {
            beginTerm(turn, best.get());
        }
    }

    /** Members that are not among the addresses are asked, too. */
    private static void meet(Turn turn, Members members) {
        for (Member member : members.list()) {
            if (!turn.state().peers().of(member.id()).isPresent()) {
                turn.add(WriterEffect.meet(member.address()));
            }
        }
    }

    private static void scheduleNext(Turn turn) {
        WriterSettings settings = turn.state().settings();
        // Two writers that refuse each other in turns must not go on in step.
        long spreadMillis = Math.floorMod(
                settings.writer().text().hashCode() + turn.state().epoch().number() * 31, settings.retryMillis());
        turn.become(turn.state().toBuilder()
                .askAgainNanos(turn.nowNanos() + (settings.retryMillis() + spreadMillis) * WriterState.NANOS_PER_MILLI)
                .build());
    }

    private static void takeHigherEpoch(Turn turn) {
        Peers peers = turn.state().peers();
        for (Peer peer : peers) {
            peers = peers.with(
                    peer.toBuilder().promise(Optional.<PromiseReply>empty()).build());
        }
        turn.become(turn.state().toBuilder()
                .epoch(turn.state().highestSeen().next())
                .peers(peers)
                .build());
    }

    /** With an epoch above every one that was seen. */
    private static void ask(Turn turn, Peer peer) {
        WriterState state = turn.state();
        // Also those that were empty when they were greeted: another writer may have given them storage since.
        if (peer.up() && !peer.promise().isPresent()) {
            turn.send(
                    peer.address(),
                    NewEpochRequest.of(
                            state.epoch(),
                            state.settings().writer(),
                            state.settings().leaseMillis()));
        }
    }

    /**
     * The promise with the highest log; a refetching node is never a source (rule R9), and one with an older beginning of the
     * journal neither, while there is any with the newer one (rule R11).
     */
    private static Optional<PromiseReply> best(WriterState state) {
        PromiseReply best = null;
        for (Peer peer : state.peers()) {
            if (peer.promise().isPresent()
                    && peer.promise().get().standing() == Standing.WHOLE
                    && (best == null || peer.promise().get().end().isAheadOf(best.end()))) {
                best = peer.promise().get();
            }
        }
        return Optional.ofNullable(best);
    }

    private static boolean hasMajority(WriterState state, LogSummary end) {
        Members members = end.members();
        int count = 0;
        for (Member member : members.list()) {
            Optional<Peer> peer = state.peers().of(member.id());
            boolean counts = member.isVoter()
                    && peer.isPresent()
                    && peer.get().promise().isPresent()
                    && peer.get().promise().get().standing() == Standing.WHOLE
                    && peer.get().promise().get().end().isOfSameJournal(end);
            if (counts) {
                count++;
            }
        }
        return count >= members.majority();
    }

    /** The newest entry of this journal that anybody who promised heard to be committed; also those who have lost entries. */
    private static LogPosition heard(WriterState state, LogSummary end) {
        LogPosition heard = LogPosition.ORIGIN;
        for (Peer peer : state.peers()) {
            boolean ours =
                    peer.promise().isPresent() && peer.promise().get().end().isOfSameJournal(end);
            if (ours && peer.promise().get().heard().compareTo(heard) > 0) {
                heard = peer.promise().get().heard();
            }
        }
        return heard;
    }

    /**
     * A committed entry that a log does not have; empty if none is known. The highest log of a majority has every one, unless a
     * disk lost what it had acknowledged and nothing on it tells (D-9). Of two positions the epochs come first, as everywhere:
     * a log whose last entry is of a later epoch was begun by a writer that had all that was committed before, and one whose last
     * entry is of an earlier epoch ends before that entry, however long it is.
     */
    private static Optional<LogPosition> lacking(WriterState state, LogSummary end) {
        LogPosition heard = heard(state, end);
        boolean has = heard.compareTo(end.position()) <= 0
                && heard.sn() <= end.position().sn();
        return has ? Optional.<LogPosition>empty() : Optional.of(heard);
    }

    static Optional<String> whatIsMissing(WriterState state) {
        return best(state).filter(best -> hasMajority(state, best.end())).flatMap(best -> lacking(state, best.end())
                .map(lacking -> "entry " + lacking + " is committed, as a node heard, and the highest log in reach"
                        + " ends at " + best.end().position() + ", at " + best.node()));
    }

    private static void beginTerm(Turn turn, PromiseReply best) {
        Peers peers = turn.state().peers();
        LogPosition committed = heard(turn.state(), best.end());
        for (Peer peer : peers) {
            if (peer.promise().isPresent()) {
                boolean ours = peer.promise().get().end().isOfSameJournal(best.end());
                peers = peers.with(ours ? placed(peer, best.end().position()) : peer.anew());
            }
        }
        long purgedBelow = purgedBelow(turn.state(), best.end());
        LogPosition last = best.end().position();
        turn.become(turn.state().toBuilder()
                .stage(WriterStage.RECOVERING)
                .peers(peers.among(best.end().members()))
                .end(best.end())
                .committedSn(committed.sn())
                .inherited(committed)
                .announcedSn(committed.sn())
                .chosenLast(last)
                .termFirstSn(last.sn() + 1)
                .termBeganNanos(turn.nowNanos())
                .memoryFirstSn(last.sn() + 1)
                .purgedBelow(Math.max(turn.state().purgedBelow(), purgedBelow))
                .build());
        appendFirstEntries(turn, best.end());
        Replicating.resume(turn);
    }

    /**
     * What earlier terms let the nodes purge: a transaction counts as kept if a majority of the voters says so. A barrier that
     * needs a lower one is refused (rule R10), also by an active whose own image is older.
     */
    private static long purgedBelow(WriterState state, LogSummary end) {
        List<Long> first = new ArrayList<>();
        for (Member member : end.members().list()) {
            Optional<PromiseReply> promise = state.peers().of(member.id()).flatMap(Peer::promise);
            boolean counts = member.isVoter()
                    && promise.isPresent()
                    && promise.get().standing() == Standing.WHOLE
                    && promise.get().end().isOfSameJournal(end);
            if (counts) {
                first.add(promise.get().firstTxId());
            }
        }
        Collections.sort(first);
        return first.get(end.members().majority() - 1);
    }

    /** What a promise says about how far a node's log is the same as the chosen one. */
    private static Peer placed(Peer peer, LogPosition last) {
        PromiseReply promise = peer.promise().get();
        LogPosition own = promise.end().position();
        // Two logs that end in one epoch are written by one writer: the shorter is the beginning of the longer.
        long matchedSn = own.epoch().equals(last.epoch()) ? Math.min(own.sn(), last.sn()) : promise.committedSn();
        return peer.toBuilder()
                .promise(Optional.<PromiseReply>empty())
                .matchedSn(matchedSn)
                .sentSn(matchedSn)
                .pace(Pace.CATCHING_UP)
                .build();
    }

    private static void appendFirstEntries(Turn turn, LogSummary before) {
        WriterSettings settings = turn.state().settings();
        Entry newest = turn.append(
                EntryKind.EPOCH_START,
                TxRange.NONE,
                Bytes.ofUtf8(settings.writer().text()));
        if (before.openSegment().isPresent()) {
            long first = before.openSegment().get();
            newest = turn.append(
                    EntryKind.SEGMENT_END, TxRange.of(first, Math.max(first - 1, before.lastTxId())), Bytes.EMPTY);
        }
        turn.become(turn.state().toBuilder().recoveredSn(newest.sn()).build());
    }
}
