/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogReport;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.protocol.NewEpochRequest;
import io.trefoil.journal.protocol.PromiseReply;
import io.trefoil.journal.writer.events.WriterEffect;
import io.trefoil.journal.writer.events.WriterSettings;
import io.trefoil.journal.writer.events.WriterStage;
import io.trefoil.journal.writer.peer.MemoryWindow;
import io.trefoil.journal.writer.peer.Peer;
import io.trefoil.journal.writer.peer.Peers;
import io.trefoil.journal.writer.peer.ProgressState;
import io.trefoil.journal.writer.peer.ReadLeases;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Begins a writer's term: epoch, promises, choice of the log (protocol page, "A new writer"; rule R5). */
final class EpochAcquisition {

    /** How long a writer waits for sessions with nodes that may hold an incarnation other than that of a lone node that has answered. */
    static final long SESSIONS_MILLIS = 1_000;

    private EpochAcquisition() {}

    /** Handles the start of a session: the node can now be asked for a promise, if the term is wanted. */
    static void onSessionBegan(WriterStep step, Peer peer, Epoch promisedEpoch) {
        if (promisedEpoch.isAbove(step.state().highestSeen())) {
            step.next().highestSeen(promisedEpoch);
        }
        step.replacePeer(
                peer.toBuilder().promise(Optional.<PromiseReply>empty()).build());
        if (step.state().stage() == WriterStage.MEETING) {
            // A promise would cost the writer before a voter, and may end its lease.
            return;
        }
        if (step.state().epoch().isAbove(step.state().highestSeen())) {
            requestPromise(step, step.state().peers().current(peer));
        } else {
            // The current epoch is not above every one seen, so it may be refused: ask all nodes for a higher one, at
            // once.
            raiseEpoch(step);
            requestAll(step);
        }
    }

    /**
     * Starts asking for promises. What the nodes promised may have grown since the sessions began: then they refuse, as ever. Times count from
     * now, because a writer whose term was not wanted has not been late with anything.
     */
    static void begin(WriterStep step) {
        WriterState met = step.state();
        step.replaceState(met.restart(step.nowNanos()).toBuilder()
                .highestSeen(met.highestSeen())
                .peers(met.peers())
                .build());
        onTick(step);
    }

    /** Retries the acquisition of an epoch, with a higher one if this one was refused. */
    static void onTick(WriterStep step) {
        tryToBegin(step);
        if (step.state().stage() != WriterStage.ACQUIRING_EPOCH
                || step.nowNanos() - step.state().retryNanos() < 0) {
            return;
        }
        scheduleNext(step);
        if (!step.state().epoch().isAbove(step.state().highestSeen())) {
            raiseEpoch(step);
        }
        requestAll(step);
    }

    /**
     * Starts over, as another writer would, because this term cannot begin ({@code CatchUp.isStuck}). What the nodes
     * acknowledged in this term does not count in the next one, neither as entries nor as a lease.
     */
    static void restart(WriterStep step) {
        WriterState state = step.state();
        Peers peers = state.peers();
        Epoch highestSeen = state.epoch();
        for (Peer peer : peers) {
            Epoch promisedEpoch = peer.refusedForEpoch().orElse(Epoch.NONE);
            highestSeen = promisedEpoch.isAbove(highestSeen) ? promisedEpoch : highestSeen;
            peers = peers.with(peer.forgetProgress());
        }
        WriterState anew = state.restart(step.nowNanos());
        step.replaceState(anew.toBuilder()
                .highestSeen(highestSeen)
                .peers(peers.withMembers(anew.members()))
                .build());
        onTick(step);
    }

    private static void requestAll(WriterStep step) {
        for (Peer peer : step.state().peers()) {
            requestPromise(step, peer);
        }
    }

    static void onRefused(WriterStep step, Epoch promisedEpoch) {
        if (promisedEpoch.isAbove(step.state().highestSeen())) {
            step.replaceState(
                    step.state().toBuilder().highestSeen(promisedEpoch).build());
        }
    }

    static void onPromise(WriterStep step, Peer peer, PromiseReply reply) {
        if (!reply.epoch().equals(step.state().epoch())) {
            return;
        }
        step.replacePeer(peer.toBuilder()
                .completeness(reply.completeness())
                .promise(Optional.of(reply))
                .build());
        bestPromise(step.state())
                .ifPresent(best -> connectToMembers(step, best.end().members()));
        tryToBegin(step);
    }

    private static void tryToBegin(WriterStep step) {
        Optional<PromiseReply> best = bestPromise(step.state());
        if (best.isPresent()
                && hasMajority(step.state(), best.get().end())
                && !findMissingCommitted(step.state(), best.get().end()).isPresent()
                && !LogReport.mayBeSuperseded(logs(step.state()), silentNodes(step))) {
            beginTerm(step, best.get());
        }
    }

    /** The logs of the nodes that promised, or are known to hold nothing. */
    private static List<LogReport> logs(WriterState state) {
        List<LogReport> logs = new ArrayList<>();
        for (Peer peer : state.peers()) {
            if (peer.promise().isPresent()) {
                PromiseReply promise = peer.promise().get();
                logs.add(LogReport.of(peer.address(), promise.node(), promise.end()));
            } else if (isEmpty(peer)) {
                logs.add(LogReport.empty(peer.address(), peer.node().get()));
            }
        }
        return logs;
    }

    private static boolean isEmpty(Peer peer) {
        return peer.connected() && !peer.formatted() && peer.node().isPresent();
    }

    /** The nodes about which nothing is known yet. Those without a session are waited for a while only: they may be no more. */
    private static List<NodeAddress> silentNodes(WriterStep step) {
        boolean isLate = step.hasElapsedMoreThan(step.state().termBeganNanos(), SESSIONS_MILLIS);
        List<NodeAddress> silent = new ArrayList<>();
        for (Peer peer : step.state().peers()) {
            boolean isAwaited = peer.connected() ? !isEmpty(peer) : !isLate;
            if (isAwaited && !peer.promise().isPresent()) {
                silent.add(peer.address());
            }
        }
        return silent;
    }

    /** Updates the peers to the members, and also asks members that are not among the addresses. */
    private static void connectToMembers(WriterStep step, Members members) {
        Peers peers = step.state().peers().withMembers(members);
        for (Member member : members.list()) {
            if (!peers.findByNode(member.id()).isPresent()) {
                step.add(WriterEffect.meet(member.address()));
            }
        }
    }

    private static void scheduleNext(WriterStep step) {
        WriterSettings settings = step.state().settings();
        // Two writers that outbid each other in turn must not stay in lockstep.
        long spreadMillis = Math.floorMod(
                settings.writer().text().hashCode() + step.state().epoch().number() * 31, settings.retryMillis());
        step.replaceState(step.state().toBuilder()
                .retryNanos(step.nowNanos() + (settings.retryMillis() + spreadMillis) * WriterState.NANOS_PER_MILLI)
                .build());
    }

    private static void raiseEpoch(WriterStep step) {
        Peers peers = step.state().peers();
        for (Peer peer : peers) {
            peers = peers.with(
                    peer.toBuilder().promise(Optional.<PromiseReply>empty()).build());
        }
        step.replaceState(step.state().toBuilder()
                .epoch(step.state().highestSeen().next())
                .peers(peers)
                .build());
    }

    /** Asks for a promise of an epoch above every epoch seen so far. */
    private static void requestPromise(WriterStep step, Peer peer) {
        WriterState state = step.state();
        // Includes nodes that were empty when the session began: another writer may have given them storage since.
        if (peer.connected() && !peer.promise().isPresent()) {
            step.send(
                    peer.address(),
                    NewEpochRequest.of(state.epoch(), state.settings().writer(), state.leaseMillis()));
        }
    }

    /**
     * The promise with the highest log. A refetching node is never the source (rule R9), nor is one of another incarnation
     * than the one in force (rule R11).
     */
    private static Optional<PromiseReply> bestPromise(WriterState state) {
        LogSummary inForce = LogReport.endInForce(logs(state));
        PromiseReply best = null;
        for (Peer peer : state.peers()) {
            if (peer.promise().isPresent()
                    && peer.promise().get().end().hasSameIncarnation(inForce)
                    && peer.promise().get().completeness() == LogCompleteness.COMPLETE
                    && (best == null || peer.promise().get().end().isAheadOf(best.end()))) {
                best = peer.promise().get();
            }
        }
        return Optional.ofNullable(best);
    }

    private static boolean hasMajority(WriterState state, LogSummary end) {
        Members members = end.members();
        Peers peers = state.peers().withMembers(members);
        int count = 0;
        for (Member member : members.list()) {
            Optional<Peer> peer = peers.findByNode(member.id());
            boolean counts = member.isVoter()
                    && peer.isPresent()
                    && peer.get().promise().isPresent()
                    && peer.get().promise().get().completeness() == LogCompleteness.COMPLETE
                    && peer.get().promise().get().end().hasSameIncarnation(end);
            if (counts) {
                count++;
            }
        }
        return count >= members.majority();
    }

    /** The newest entry that any promising node of this incarnation has learned to be committed, even a node that lost entries. */
    private static LogPosition highestKnownCommitted(WriterState state, LogSummary end) {
        LogPosition heard = LogPosition.ORIGIN;
        for (Peer peer : state.peers()) {
            boolean ours =
                    peer.promise().isPresent() && peer.promise().get().end().hasSameIncarnation(end);
            if (ours && peer.promise().get().knownCommitted().compareTo(heard) > 0) {
                heard = peer.promise().get().knownCommitted();
            }
        }
        return heard;
    }

    /**
     * A committed entry that a log lacks; empty if none is known. The highest log of a majority has every committed
     * entry, unless a disk lost what it had acknowledged and shows no trace of the loss (D-9). Positions compare by epoch
     * first, as everywhere: a log whose last entry has a later epoch comes from a writer that had all that was committed
     * before, and a log whose last entry has an earlier epoch ends before the heard entry, however long it is.
     */
    private static Optional<LogPosition> findMissingCommitted(WriterState state, LogSummary end) {
        LogPosition heard = highestKnownCommitted(state, end);
        boolean has = heard.compareTo(end.position()) <= 0
                && heard.sn() <= end.position().sn();
        return has ? Optional.<LogPosition>empty() : Optional.of(heard);
    }

    static Optional<String> missingCondition(WriterState state) {
        return bestPromise(state).filter(best -> hasMajority(state, best.end())).flatMap(best -> findMissingCommitted(
                        state, best.end())
                .map(lacking -> "entry " + lacking + " is committed, as a node has heard, but the highest log in "
                        + "reach ends at " + best.end().position() + ", at " + best.node()));
    }

    private static void beginTerm(WriterStep step, PromiseReply best) {
        Peers peers = step.state().peers();
        LogPosition committed = highestKnownCommitted(step.state(), best.end());
        for (Peer peer : peers) {
            if (peer.promise().isPresent()) {
                boolean ours = peer.promise().get().end().hasSameIncarnation(best.end());
                peers = peers.with(ours ? withMatchedLog(peer, best.end().position()) : peer.forgetProgress());
            }
        }
        long purgedBelow = purgedBelow(step.state(), best.end());
        LogPosition last = best.end().position();
        step.replaceState(step.state().with(WriterStage.RECOVERING).toBuilder()
                .peers(peers.withMembers(best.end().members()))
                .end(best.end())
                .committedSn(committed.sn())
                .inheritedPosition(committed)
                .announcedSn(committed.sn())
                .chosenLogEnd(last)
                .termFirstSn(last.sn() + 1)
                .termBeganNanos(step.nowNanos())
                .readLeases(ReadLeases.ofEarlierWriters(best.end().members(), step.nowNanos()))
                .window(MemoryWindow.emptyWindowAfter(last.sn()))
                .purgedBelow(Math.max(step.state().purgedBelow(), purgedBelow))
                .build());
        appendFirstEntries(step, best.end());
        Replication.resume(step);
    }

    /**
     * The bound up to which earlier terms let the nodes purge: a transaction counts as kept if a majority of the voters has it.
     * A barrier that needs a lower one is refused (rule R10), even if the active's own image is older.
     */
    private static long purgedBelow(WriterState state, LogSummary end) {
        List<Long> first = new ArrayList<>();
        Peers peers = state.peers().withMembers(end.members());
        for (Member member : end.members().list()) {
            Optional<PromiseReply> promise = peers.findByNode(member.id()).flatMap(Peer::promise);
            boolean counts = member.isVoter()
                    && promise.isPresent()
                    && promise.get().completeness() == LogCompleteness.COMPLETE
                    && promise.get().end().hasSameIncarnation(end);
            if (counts) {
                first.add(promise.get().firstTxId());
            }
        }
        Collections.sort(first);
        return first.get(end.members().majority() - 1);
    }

    /** Derives from a promise how far a node's log matches the chosen one. */
    private static Peer withMatchedLog(Peer peer, LogPosition last) {
        PromiseReply promise = peer.promise().get();
        LogPosition own = promise.end().position();
        // One writer wrote two logs that end in the same epoch: the shorter one is the beginning of the longer one.
        long matchedSn = own.epoch().equals(last.epoch()) ? Math.min(own.sn(), last.sn()) : promise.committedSn();
        return peer.toBuilder()
                .promise(Optional.<PromiseReply>empty())
                .matchedSn(matchedSn)
                .sentSn(matchedSn)
                .progress(ProgressState.CATCHING_UP)
                .build();
    }

    private static void appendFirstEntries(WriterStep step, LogSummary previousEnd) {
        WriterSettings settings = step.state().settings();
        Entry newest = step.append(
                EntryKind.EPOCH_START,
                TxRange.NONE,
                Bytes.ofUtf8(settings.writer().text()));
        if (previousEnd.openSegment().isPresent()) {
            long first = previousEnd.openSegment().get();
            newest = step.append(
                    EntryKind.SEGMENT_END, TxRange.of(first, Math.max(first - 1, previousEnd.lastTxId())), Bytes.EMPTY);
        }
        step.replaceState(step.state().toBuilder().recoveredSn(newest.sn()).build());
    }
}
