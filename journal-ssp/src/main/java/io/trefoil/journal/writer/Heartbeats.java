/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.writer.events.EntryRange;
import io.trefoil.journal.writer.events.WriterEffect;
import io.trefoil.journal.writer.events.WriterSettings;
import io.trefoil.journal.writer.peer.Peer;
import io.trefoil.journal.writer.peer.ProgressState;
import java.util.Collections;
import java.util.Optional;

/**
 * Timeouts, repeated requests and heartbeats: the periodic work of a writer for a node (protocol page, "Writing"
 * and "Lease").
 */
final class Heartbeats {

    /** How long after an answer to a reader the writer keeps renewing its lease often, so that the next readers need not wait. */
    static final long ANSWERS_WANTED_MILLIS = 2_000;

    private Heartbeats() {}

    /** Timeouts, repeated requests and heartbeats for one node. */
    static void onTick(WriterStep step, Peer peer) {
        WriterSettings settings = step.state().settings();
        if (mustProbeEmptyMember(step.state(), peer) && isQuiet(step, peer, settings.heartbeatMillis())) {
            probe(step, peer);
        }
        if (!peer.isServed()) {
            return;
        }
        boolean late = peer.waitingSinceNanos().isPresent()
                && step.hasElapsedMoreThan(
                        peer.waitingSinceNanos().get(),
                        peer.progress() == ProgressState.IN_SYNC
                                ? settings.ackTimeoutMillis()
                                : 4 * settings.ackTimeoutMillis());
        if (late) {
            dropFromInSync(step, peer);
        } else if (peer.progress() == ProgressState.PROBING) {
            if (isQuiet(step, peer, probeMillis(settings, peer))) {
                probe(step, peer);
            }
        } else {
            keepServing(step, peer);
        }
    }

    /** Continues to serve a node, with heartbeats even while it waits for its next part. */
    private static void keepServing(WriterStep step, Peer peer) {
        if (CatchUp.isBetweenParts(peer)) {
            CatchUp.catchUp(step, peer);
        }
        Peer next = step.state().peers().current(peer);
        if (isQuiet(step, next, step.state().settings().heartbeatMillis())) {
            heartbeat(step, next);
        } else if (step.state()
                .exclusivityRequestedNanos()
                .filter(wanted -> !step.hasElapsedMoreThan(wanted, ANSWERS_WANTED_MILLIS))
                .isPresent()) {
            renew(step, next);
        }
    }

    /**
     * Sends a heartbeat to a voter, early enough for a writer that answers readers to know at any time that it is the only writer. While it
     * knows that for half of the time to come it sends none: each wakes a thread of every node, and each answer one here.
     */
    static void renew(WriterStep step, Peer peer) {
        WriterState state = step.state();
        long halfNanos = state.settings().soleWriterMillis() * WriterState.NANOS_PER_MILLI / 2;
        boolean isAloneForLong = state.soleWriterUntilNanos()
                .filter(until -> until - step.nowNanos() > halfNanos)
                .isPresent();
        if (isAloneForLong) {
            return;
        }
        boolean isVoter =
                peer.node().isPresent() && state.members().isVoter(peer.node().get());
        if (isVoter
                && peer.isServed()
                && peer.progress() != ProgressState.PROBING
                && isQuiet(step, peer, state.settings().soleWriterMillis() / 4)) {
            heartbeat(step, peer);
        }
    }

    /** Marks a node as lagging: commits no longer wait for it, and it is caught up once it answers again. */
    private static void dropFromInSync(WriterStep step, Peer peer) {
        Peer lagging = peer.withProbing();
        if (peer.progress() == ProgressState.IN_SYNC) {
            long ackTimeoutMillis = step.state().settings().ackTimeoutMillis();
            lagging = lagging.toBuilder()
                    .timeouts(peer.timeouts().withTimeout(step.nowNanos(), ackTimeoutMillis))
                    .build();
            step.add(WriterEffect.reportDropped(peer.address(), peer.waitingSn()));
        }
        step.replacePeer(lagging);
        probe(step, lagging);
    }

    /** The time until the next probe: short at first, then longer, because requests queue up in front of a stopped node. */
    private static long probeMillis(WriterSettings settings, Peer peer) {
        long millis = settings.retryMillis() << Math.min(peer.probeCount(), 10);
        return Math.min(millis, Math.max(settings.retryMillis(), settings.heartbeatMillis()));
    }

    /**
     * Whether to probe a member that was empty when its session began: another writer may have given it storage since.
     * A node with another id at a member's address has lost its storage; this writer gives it new storage as long as it
     * can commit the change. If it cannot, the node may meanwhile belong to a newer incarnation, which no other writer
     * would report.
     */
    private static boolean mustProbeEmptyMember(WriterState state, Peer peer) {
        return peer.connected()
                && !peer.formatted()
                && (peer.node().flatMap(node -> state.members().find(node)).isPresent()
                        || (state.members().findByAddress(peer.address()).isPresent()
                                && state.inSyncVoters() < state.members().majority()));
    }

    private static boolean isQuiet(WriterStep step, Peer peer, long millis) {
        return !peer.lastSentNanos().isPresent()
                || step.hasElapsedMoreThan(peer.lastSentNanos().get(), millis);
    }

    /** Asks whether a node has the writer's last entry; if not, the answer shows where the node's log ends. */
    static void probe(WriterStep step, Peer peer) {
        WriterState state = step.state();
        step.replacePeer(peer.toBuilder()
                .lastSentNanos(Optional.of(step.nowNanos()))
                .probeCount(peer.probeCount() + 1)
                .build());
        step.send(peer.address(), step.next().terms().request(state.end().position(), Collections.<Entry>emptyList()));
    }

    private static void heartbeat(WriterStep step, Peer peer) {
        if (peer.progress() == ProgressState.IN_SYNC) {
            EntryRange none = EntryRange.of(peer.sentSn(), peer.sentSn());
            Replication.sendEntries(step, peer, none, step.next().terms());
            return;
        }
        step.replacePeer(
                peer.toBuilder().lastSentNanos(Optional.of(step.nowNanos())).build());
        // What a node holds for certain lets it learn that this is committed; a node that must prove itself may get
        // nothing else for long.
        LogPosition prev =
                CatchUp.hasEverything(step.state(), peer) ? step.state().end().position() : LogPosition.ORIGIN;
        step.send(peer.address(), step.next().terms().request(prev, Collections.<Entry>emptyList()));
    }
}
