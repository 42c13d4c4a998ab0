/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.AppendedReply;
import io.trefoil.journal.protocol.CommitRequest;
import io.trefoil.journal.protocol.MismatchReply;
import io.trefoil.journal.protocol.RebaseRequest;
import java.util.Collections;
import java.util.Optional;

/** How a writer gets entries to the nodes and learns what is committed (protocol page, "Writing", steps 1 to 6). */
final class Replicating {

    /** A node that lacks no more than these may have them sent at once, with all that follows. */
    private static final long SMALL_GAP_ENTRIES = 32;

    /** Who answered readers lately will soon do so again: they do not wait for a renewal then. */
    static final long ANSWERS_WANTED_MILLIS = 2_000;

    private Replicating() {}

    /** Serves every node by what is known of it; called when the term begins. */
    static void resume(Turn turn) {
        for (Peer peer : turn.state().peers()) {
            if (peer.isServed() && peer.pace() == Pace.CATCHING_UP) {
                catchUp(turn, peer);
            } else if (peer.isServed()) {
                probe(turn, peer);
            }
        }
    }

    /** Sends what was appended to every node in sync. */
    static void push(Turn turn) {
        long lastSn = turn.state().lastSn();
        boolean all = true;
        for (Peer listed : turn.state().peers()) {
            // One that is taken back on the way is sent to, and so is everybody else.
            Peer peer = turn.state().peers().at(listed.address());
            if (peer.isServed() && peer.pace() == Pace.IN_SYNC && peer.sentSn() < lastSn) {
                sendEntries(turn, peer, EntryRange.of(peer.sentSn(), lastSn));
            } else if (isIdleBehind(peer)) {
                catchUp(turn, peer);
            } else {
                all &= peer.pace() != Pace.IN_SYNC;
            }
        }
        if (all) {
            turn.become(turn.state().toBuilder()
                    .announcedSn(turn.state().committedSn())
                    .build());
        }
    }

    /** Whether it owes no answer: it had everything and has to prove itself, or has to wait for its next part. */
    private static boolean isIdleBehind(Peer peer) {
        return peer.isServed() && peer.pace() == Pace.CATCHING_UP && !peer.owesPart();
    }

    /** Tells what is committed, unless appends have told it up to {@code sn}. */
    static void announce(Turn turn, long sn) {
        WriterState state = turn.state();
        if (state.announcedSn() >= sn) {
            return;
        }
        for (Peer peer : state.peers()) {
            if (peer.isServed() && peer.pace() == Pace.IN_SYNC) {
                turn.send(
                        peer.address(),
                        CommitRequest.of(state.epoch(), state.committedSn())
                                .in(state.end().incarnation()));
            }
        }
        turn.become(state.toBuilder().announcedSn(state.committedSn()).build());
    }

    static void appended(Turn turn, Peer peer, AppendedReply reply, long sentNanos) {
        long ackTimeoutMillis = turn.state().settings().ackTimeoutMillis();
        Peer heard = peer.toBuilder()
                .standing(reply.standing())
                .probeCount(0)
                .lapses(peer.lapses().answered(sentNanos, turn.nowNanos(), ackTimeoutMillis))
                .leaseFromNanos(Optional.of(Math.max(peer.leaseFromNanos().orElse(Long.MIN_VALUE), sentNanos)))
                .build();
        turn.become(heard);
        if (reply.matchedSn() == LogPosition.ORIGIN.sn()
                || (peer.owesPart() && reply.matchedSn() <= peer.matchedSn())) {
            // The answer to a heartbeat or to something older; the answer to what was sent last is still owed.
            return;
        }
        long matchedSn = Math.max(peer.matchedSn(), reply.matchedSn());
        boolean owesMore = peer.pace() == Pace.IN_SYNC && matchedSn < peer.sentSn();
        // Late answers to what was sent before it was put aside: the answer to its part is still owed.
        boolean owesPart = peer.owesPart() && matchedSn < peer.waitingSn();
        boolean owesTheSame = owesPart || (owesMore && matchedSn < peer.waitingSn());
        Peer matched = heard.toBuilder()
                .matchedSn(matchedSn)
                .sentSn(Math.max(peer.sentSn(), matchedSn))
                .waitingSinceNanos(owesTheSame ? peer.waitingSinceNanos() : Optional.<Long>empty())
                .build();
        if (owesMore) {
            matched = matched.waitingFor(matched.sentSn(), turn.nowNanos());
        }
        turn.become(matched);
        commit(turn);
        if (matched.pace() != Pace.IN_SYNC && !owesPart) {
            catchUp(turn, matched);
        }
    }

    static void mismatched(Turn turn, Peer peer, MismatchReply reply) {
        long sameSn = sameSn(turn.state(), reply);
        // A node that opened its storage again within the session may have found that it lost something (rule R9).
        boolean lost = reply.last().sn() < peer.matchedSn();
        long matchedSn = lost ? sameSn : Math.max(peer.matchedSn(), sameSn);
        if (peer.owesPart() && matchedSn == peer.matchedSn()) {
            // One of many answers to what was sent while it still seemed in sync: it is being caught up already.
            turn.become(peer.toBuilder().standing(reply.standing()).build());
            return;
        }
        Peer heard = peer.toBuilder()
                .matchedSn(matchedSn)
                .sentSn(matchedSn)
                .standing(reply.standing())
                .pace(Pace.CATCHING_UP)
                .waitingSinceNanos(Optional.<Long>empty())
                .build();
        turn.become(heard);
        commit(turn);
        catchUp(turn, heard);
    }

    /** How far the log of a node that lacks our last entry is the same as ours. */
    private static long sameSn(WriterState state, MismatchReply reply) {
        LogPosition last = reply.last();
        if (last.epoch().equals(state.epoch())) {
            return last.sn();
        }
        // Two logs that end in one epoch are written by one writer: the shorter is the beginning of the longer.
        boolean endsLikeTheChosen = last.epoch().equals(state.chosenLast().epoch());
        return endsLikeTheChosen ? Math.min(last.sn(), state.chosenLast().sn()) : reply.committedSn();
    }

    static void purged(Turn turn, Peer peer, LogSummary base) {
        WriterState state = turn.state();
        turn.become(peer.toBuilder()
                .waitingSinceNanos(Optional.of(turn.nowNanos()))
                .lastSentNanos(Optional.of(turn.nowNanos()))
                .build());
        turn.send(
                peer.address(),
                RebaseRequest.of(
                        state.epoch(),
                        state.settings().writer(),
                        state.settings().leaseMillis(),
                        base));
    }

    static void refused(Turn turn, Peer peer, Epoch promised) {
        if (!promised.isAbove(turn.state().epoch())) {
            return;
        }
        turn.become(peer.toBuilder().refusedFor(Optional.of(promised)).build());
        if (isLost(turn.state())) {
            turn.become(turn.state().with(WriterStage.FENCED));
            turn.add(WriterEffect.fenced(promised));
        }
    }

    /** A node's storage goes back to another beginning of the journal: it takes nothing from this term (rule R11). */
    static void strange(Turn turn, Peer peer, Incarnation other) {
        turn.become(peer.probing().toBuilder()
                .other(Optional.of(other))
                .lastSentNanos(Optional.of(turn.nowNanos()))
                .build());
        if (isLost(turn.state())) {
            turn.become(turn.state().with(WriterStage.FENCED));
            turn.add(WriterEffect.beganAnew(other));
        }
    }

    private static boolean isLost(WriterState state) {
        return Quorum.isLost(state.members(), state.peers(), state.end().incarnation());
    }

    /** Time-outs, repeated questions and heartbeats for one node. */
    static void ticked(Turn turn, Peer peer) {
        WriterSettings settings = turn.state().settings();
        if (isEmptyMember(turn.state(), peer) && isQuiet(turn, peer, settings.heartbeatMillis())) {
            probe(turn, peer);
        }
        if (!peer.isServed()) {
            return;
        }
        boolean late = peer.waitingSinceNanos().isPresent()
                && turn.isPast(
                        peer.waitingSinceNanos().get(),
                        peer.pace() == Pace.IN_SYNC ? settings.ackTimeoutMillis() : 4 * settings.ackTimeoutMillis());
        if (late) {
            putAside(turn, peer);
        } else if (peer.pace() == Pace.PROBING) {
            if (isQuiet(turn, peer, probeMillis(settings, peer))) {
                probe(turn, peer);
            }
        } else {
            continueWith(turn, peer);
        }
    }

    /** One that waits for its next part is not left without a heartbeat meanwhile. */
    private static void continueWith(Turn turn, Peer peer) {
        if (isIdleBehind(peer)) {
            catchUp(turn, peer);
        }
        Peer next = turn.state().peers().at(peer.address());
        if (isQuiet(turn, next, turn.state().settings().heartbeatMillis())) {
            heartbeat(turn, next);
        } else if (turn.state()
                .answersWantedNanos()
                .filter(wanted -> !turn.isPast(wanted, ANSWERS_WANTED_MILLIS))
                .isPresent()) {
            renew(turn, next);
        }
    }

    /** Lets a voter be heard by, soon enough that who answers readers always knows that it is alone. */
    static void renew(Turn turn, Peer peer) {
        WriterState state = turn.state();
        boolean isVoter =
                peer.node().isPresent() && state.members().isVoter(peer.node().get());
        if (isVoter
                && peer.isServed()
                && peer.pace() != Pace.PROBING
                && isQuiet(turn, peer, state.settings().aloneMillis() / 4)) {
            heartbeat(turn, peer);
        }
    }

    /** Lagging from here on: nobody waits for it, and it is caught up when it answers again. */
    private static void putAside(Turn turn, Peer peer) {
        Peer lagging = peer.probing();
        if (peer.pace() == Pace.IN_SYNC) {
            long ackTimeoutMillis = turn.state().settings().ackTimeoutMillis();
            lagging = lagging.toBuilder()
                    .lapses(peer.lapses().another(turn.nowNanos(), ackTimeoutMillis))
                    .build();
            turn.add(WriterEffect.putAside(peer.address(), peer.waitingSn()));
        }
        turn.become(lagging);
        probe(turn, lagging);
    }

    /** Soon at first, then less and less often: what is asked of a node that stands still waits in front of it. */
    private static long probeMillis(WriterSettings settings, Peer peer) {
        long millis = settings.retryMillis() << Math.min(peer.probeCount(), 10);
        return Math.min(millis, Math.max(settings.retryMillis(), settings.heartbeatMillis()));
    }

    /** Before the term's beginning is committed nobody is left out: a writer that is not ready helps nobody. */
    private static boolean mayKeepUp(Turn turn, Peer peer) {
        return turn.state().stage() != WriterStage.WRITING
                || peer.lapses()
                        .isProven(turn.nowNanos(), turn.state().settings().ackTimeoutMillis());
    }

    /** Another writer may have given it storage since it was greeted. */
    private static boolean isEmptyMember(WriterState state, Peer peer) {
        return peer.up()
                && !peer.formatted()
                && peer.node().flatMap(node -> state.members().find(node)).isPresent();
    }

    private static boolean isQuiet(Turn turn, Peer peer, long millis) {
        return !peer.lastSentNanos().isPresent()
                || turn.isPast(peer.lastSentNanos().get(), millis);
    }

    /** Asks whether a node has our last entry; the answer says where its log ends if it has not. */
    static void probe(Turn turn, Peer peer) {
        WriterState state = turn.state();
        turn.become(peer.toBuilder()
                .lastSentNanos(Optional.of(turn.nowNanos()))
                .probeCount(peer.probeCount() + 1)
                .build());
        turn.send(peer.address(), state.terms().request(state.end().position(), Collections.<Entry>emptyList()));
    }

    private static void heartbeat(Turn turn, Peer peer) {
        if (peer.pace() == Pace.IN_SYNC) {
            sendEntries(turn, peer, EntryRange.of(peer.sentSn(), peer.sentSn()));
            return;
        }
        turn.become(peer.toBuilder().lastSentNanos(Optional.of(turn.nowNanos())).build());
        turn.send(peer.address(), turn.state().terms().request(LogPosition.ORIGIN, Collections.<Entry>emptyList()));
    }

    private static void catchUp(Turn turn, Peer peer) {
        WriterState state = turn.state();
        long missing = state.lastSn() - peer.matchedSn();
        boolean inMemory = peer.matchedSn() + 1 >= state.memoryFirstSn();
        if ((missing == 0 || (inMemory && missing <= SMALL_GAP_ENTRIES)) && mayKeepUp(turn, peer)) {
            turn.become(peer.toBuilder()
                    .pace(Pace.IN_SYNC)
                    .sentSn(peer.matchedSn())
                    .lapses(peer.lapses().inSync(turn.nowNanos()))
                    .build());
            if (peer.lapses().isAside()) {
                turn.add(WriterEffect.takenBack(peer.address()));
            }
            push(turn);
            return;
        }
        Peer behind = peer.toBuilder().pace(Pace.CATCHING_UP).build();
        turn.become(behind);
        if (missing == 0 || !mayHaveMore(turn)) {
            return;
        }
        if (inMemory) {
            sendPart(turn, behind, EntryRange.of(peer.matchedSn(), state.lastSn()), Optional.<NodeAddress>empty());
            return;
        }
        Optional<Peer> source = source(state, behind).filter(found -> mayBeAsked(turn, found));
        if (source.isPresent()) {
            // Behind its matched entries the source may have others than those that this term continues.
            long lastSn = Math.min(source.get().matchedSn(), state.memoryFirstSn() - 1);
            sendPart(turn, behind, EntryRange.of(peer.matchedSn(), lastSn), source.map(Peer::address));
        } else {
            turn.become(behind.probing().toBuilder()
                    .lastSentNanos(Optional.of(turn.nowNanos()))
                    .build());
        }
    }

    /**
     * Whether a node that is behind may be sent its next part now. Nothing holds it back where commits may wait for it:
     * before the term's beginning is committed, and while those in sync are no majority.
     */
    private static boolean mayHaveMore(Turn turn) {
        WriterState state = turn.state();
        boolean needed = state.stage() != WriterStage.WRITING
                || Quorum.inSyncVoters(state.members(), state.peers(), 0)
                        < state.members().majority();
        return needed || state.throttle().allows(turn.nowNanos());
    }

    /**
     * Whether this term cannot be begun as it is: nobody in reach has entries that a majority still lacks (whoever had
     * them went away before they were copied, so they were never committed by us), or a voter that is missing to the
     * majority has promised a higher epoch to a rival that may be gone.
     */
    static boolean isStuck(Turn turn) {
        WriterState state = turn.state();
        boolean recovered = state.committedSn() >= state.termFirstSn();
        if (recovered
                || !turn.isPast(state.termBeganNanos(), 2 * state.settings().ackTimeoutMillis())) {
            return false;
        }
        for (Peer peer : state.peers()) {
            boolean isVoter = peer.node().isPresent()
                    && state.members().isVoter(peer.node().get());
            boolean lacks = peer.isServed() && peer.matchedSn() + 1 < state.memoryFirstSn();
            boolean cannotBeServed = peer.refusedFor().isPresent()
                    || (lacks && !source(state, peer).isPresent());
            if (isVoter && cannotBeServed) {
                return true;
            }
        }
        return false;
    }

    /**
     * Who has the entries that a node lacks and the memory has not: the own host's node first, else the furthest. One at
     * which they could not be read comes after all others, the one that was tried last at the very end.
     */
    private static Optional<Peer> source(WriterState state, Peer behind) {
        Optional<Peer> best = Optional.empty();
        for (Peer peer : state.peers()) {
            // One that is being asked whether it is there at all would only be waited for.
            boolean has = peer.isServed() && peer.pace() != Pace.PROBING && peer.matchedSn() > behind.matchedSn();
            if (has && (!best.isPresent() || isBetterSource(state, peer, best.get()))) {
                best = Optional.of(peer);
            }
        }
        return best;
    }

    private static boolean isBetterSource(WriterState state, Peer one, Peer other) {
        if (one.unreadableSinceNanos().isPresent()
                && other.unreadableSinceNanos().isPresent()) {
            return one.unreadableSinceNanos().get()
                            - other.unreadableSinceNanos().get()
                    < 0;
        }
        if (one.unreadableSinceNanos().isPresent()
                || other.unreadableSinceNanos().isPresent()) {
            return other.unreadableSinceNanos().isPresent();
        }
        return isLocal(state, one) || (!isLocal(state, other) && one.matchedSn() > other.matchedSn());
    }

    /** Whether a source may be asked: not so soon again if it has just failed, for it will fail in the same way. */
    private static boolean mayBeAsked(Turn turn, Peer source) {
        return !source.unreadableSinceNanos().isPresent()
                || turn.isPast(
                        source.unreadableSinceNanos().get(),
                        turn.state().settings().ackTimeoutMillis());
    }

    private static boolean isLocal(WriterState state, Peer peer) {
        return state.settings().local().isPresent()
                && state.settings().local().get().equals(peer.address());
    }

    /** To a node in sync: its next ones follow without an answer. */
    private static void sendEntries(Turn turn, Peer peer, EntryRange range) {
        Peer sent = peer.toBuilder()
                .lastSentNanos(Optional.of(turn.nowNanos()))
                .sentSn(range.lastSn())
                .build();
        turn.become(range.isEmpty() ? sent : sent.waitingFor(range.lastSn(), turn.nowNanos()));
        turn.add(WriterEffect.sendEntries(peer.address(), range, turn.state().terms()));
    }

    /** To a node that is behind: one part under way at a time. */
    private static void sendPart(Turn turn, Peer peer, EntryRange range, Optional<NodeAddress> source) {
        turn.become(peer.toBuilder()
                .lastSentNanos(Optional.of(turn.nowNanos()))
                .build()
                .waitingFor(range.lastSn(), turn.nowNanos()));
        turn.add(WriterEffect.sendPart(
                peer.address(), source, range, turn.state().terms()));
    }

    /** The commit rule (R3, R5): a majority has it, and it is of this term. */
    private static void commit(Turn turn) {
        WriterState state = turn.state();
        long matchedSn = Quorum.matchedSn(state.members(), state.peers());
        if (matchedSn <= state.committedSn() || matchedSn < state.termFirstSn()) {
            return;
        }
        turn.become(state.toBuilder()
                .committedSn(matchedSn)
                .throttle(state.throttle().committed(matchedSn == state.lastSn(), turn.nowNanos()))
                .build());
        turn.add(WriterEffect.committed(matchedSn));
    }
}
