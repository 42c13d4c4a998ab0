/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.RebaseRequest;
import io.trefoil.journal.writer.events.EntryRange;
import io.trefoil.journal.writer.events.WriterEffect;
import io.trefoil.journal.writer.events.WriterStage;
import io.trefoil.journal.writer.peer.Peer;
import io.trefoil.journal.writer.peer.ProgressState;
import io.trefoil.journal.writer.peer.Quorum;
import java.util.Optional;

/**
 * Sends a lagging node the entries that it lacks (protocol page, "Catching up"; renewing from the journal, paper §4.2.3):
 * from memory, or read from a node that has them, one part at a time and only as fast as commits allow.
 */
final class CatchUp {

    /** The number of missing entries up to which a lagging node may get all of them at once, with all later ones. */
    private static final long SMALL_GAP_ENTRIES = 32;

    private CatchUp() {}

    /** Whether a lagging node owes no answer: it has everything and must prove that it keeps up, or must wait for its next part. */
    static boolean isBetweenParts(Peer peer) {
        return peer.isServed() && peer.progress() == ProgressState.CATCHING_UP && !peer.hasPendingPart();
    }

    /** Whether a lagging node holds all of this writer's log, so that it only has to prove that it keeps up. */
    static boolean hasEverything(WriterState state, Peer peer) {
        return isBetweenParts(peer) && peer.matchedSn() == state.lastSn();
    }

    static void onPurged(WriterStep step, Peer peer, LogSummary base) {
        WriterState state = step.state();
        step.replacePeer(peer.toBuilder()
                .waitingSinceNanos(Optional.of(step.nowNanos()))
                .lastSentNanos(Optional.of(step.nowNanos()))
                .build());
        step.send(
                peer.address(), RebaseRequest.of(state.epoch(), state.settings().writer(), state.leaseMillis(), base));
    }

    /** Whether a node need not prove first that it keeps up, because the writer is not ready yet and serves no client. */
    private static boolean mayKeepUp(WriterStep step, Peer peer) {
        return step.state().stage() != WriterStage.WRITING
                || peer.timeouts()
                        .isProven(step.nowNanos(), step.state().settings().ackTimeoutMillis());
    }

    static void catchUp(WriterStep step, Peer peer) {
        WriterState state = step.state();
        long missing = state.lastSn() - peer.matchedSn();
        boolean inMemory = state.window().reachesBackTo(peer.matchedSn());
        if ((missing == 0 || (inMemory && missing <= SMALL_GAP_ENTRIES)) && mayKeepUp(step, peer)) {
            step.replacePeer(peer.toBuilder()
                    .progress(ProgressState.IN_SYNC)
                    .sentSn(peer.matchedSn())
                    .timeouts(peer.timeouts().withInSync(step.nowNanos()))
                    .build());
            if (peer.timeouts().isOutOfSyncSinceTimeout()) {
                step.add(WriterEffect.reportInSync(peer.address()));
            }
            Replication.sendToInSync(step);
            return;
        }
        Peer behind = peer.toBuilder().progress(ProgressState.CATCHING_UP).build();
        step.replacePeer(behind);
        if (missing == 0 || !maySendNextPart(step)) {
            return;
        }
        if (inMemory) {
            sendPart(step, behind, EntryRange.of(peer.matchedSn(), state.lastSn()));
            return;
        }
        Optional<Peer> source = findSource(state, behind).filter(found -> mayRequestFrom(step, found));
        if (source.isPresent()) {
            // After its matched entries the source may have other entries than those that this term continues.
            long lastSn = Math.min(source.get().matchedSn(), state.window().firstSn() - 1);
            loadPart(
                    step,
                    behind,
                    EntryRange.of(peer.matchedSn(), lastSn),
                    source.get().address());
        } else {
            reportMissing(step, behind);
        }
    }

    /**
     * Whether a lagging node may be sent its next part now. It is never held back while commits may wait for it: before
     * the writer is ready, and while the voters in sync are not a majority.
     */
    private static boolean maySendNextPart(WriterStep step) {
        WriterState state = step.state();
        boolean needed = state.stage() != WriterStage.WRITING
                || Quorum.inSyncVoters(state.members(), state.peers(), 0)
                        < state.members().majority();
        return needed || state.catchUpBudget().allows(step.nowNanos());
    }

    /**
     * Whether this term is stuck before it begins: no reachable node has entries that a voter still lacks (the nodes that had
     * them went away before they were replicated, so this writer never committed them), or a voter has promised a higher
     * epoch to a rival that may be gone.
     */
    static boolean isStuck(WriterStep step) {
        WriterState state = step.state();
        boolean recovered = state.committedSn() >= state.termFirstSn();
        if (recovered
                || !step.hasElapsedMoreThan(
                        state.termBeganNanos(), 2 * state.settings().ackTimeoutMillis())) {
            return false;
        }
        for (Peer peer : state.peers()) {
            boolean isVoter = !peer.misplaced()
                    && peer.node().isPresent()
                    && state.members().isVoter(peer.node().get());
            boolean lacks = peer.isServed() && !state.window().reachesBackTo(peer.matchedSn());
            boolean cannotBeServed = peer.refusedForEpoch().isPresent()
                    || (lacks && !findSource(state, peer).isPresent());
            if (isVoter && cannotBeServed) {
                return true;
            }
        }
        return false;
    }

    /**
     * A node that has the missing entries of a lagging node which are not in memory: preferably the one in this process,
     * else the one furthest ahead. Nodes from which reading failed come after all others, the most recent failure last.
     */
    private static Optional<Peer> findSource(WriterState state, Peer behind) {
        Optional<Peer> best = Optional.empty();
        for (Peer peer : state.peers()) {
            // A node that is still being probed may not answer at all.
            boolean has = peer.isServed()
                    && peer.progress() != ProgressState.PROBING
                    && peer.matchedSn() > behind.matchedSn();
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

    /** Whether a source may be asked: not again right after a failure, because it would fail in the same way. */
    private static boolean mayRequestFrom(WriterStep step, Peer source) {
        return !source.unreadableSinceNanos().isPresent()
                || step.hasElapsedMoreThan(
                        source.unreadableSinceNanos().get(),
                        step.state().settings().ackTimeoutMillis());
    }

    private static boolean isLocal(WriterState state, Peer peer) {
        return state.settings().localNode().isPresent()
                && state.settings().localNode().get().equals(peer.address());
    }

    /** Sends a part to a lagging node; only one part is in transit at a time. */
    private static void sendPart(WriterStep step, Peer peer, EntryRange missing) {
        WriterState state = step.state();
        EntryRange part = state.window().prefix(missing, state.settings().partBytes());
        step.add(WriterEffect.sendEntries(peer.address(), part, step.next().terms()));
        onPartSent(
                step,
                withPendingPart(step, peer, part.lastSn()),
                part.lastSn(),
                state.window().bytes(part));
    }

    /**
     * Sends a part as {@link #sendPart} does, but one that is read from another node; {@code WriterEvent.partSent} reports how much that
     * is.
     */
    private static void loadPart(WriterStep step, Peer peer, EntryRange missing, NodeAddress source) {
        step.replacePeer(withPendingPart(step, peer, missing.lastSn()));
        step.add(WriterEffect.loadAndSend(
                peer.address(), source, missing, step.next().terms()));
    }

    private static Peer withPendingPart(WriterStep step, Peer peer, long lastSn) {
        return peer.toBuilder()
                .lastSentNanos(Optional.of(step.nowNanos()))
                .build()
                .withPendingAnswer(lastSn, step.nowNanos());
    }

    /** Records that a part is in transit: its answer will name its last entry, and its size is deducted from the budget. */
    static void onPartSent(WriterStep step, Peer peer, long lastSn, long payloadBytes) {
        if (peer.hasPendingPart()) {
            // The part may be shorter than requested.
            step.replacePeer(peer.toBuilder().waitingSn(lastSn).build());
        }
        WriterState state = step.state();
        step.replaceState(state.toBuilder()
                .catchUpBudget(state.catchUpBudget().withSent(payloadBytes, step.nowNanos()))
                .build());
    }

    /** Reports entries that are neither in memory nor on a usable source; the node that lacks them is probed again later. */
    static void reportMissing(WriterStep step, Peer peer) {
        step.replacePeer(peer.withProbing().toBuilder()
                .lastSentNanos(Optional.of(step.nowNanos()))
                .build());
    }
}
