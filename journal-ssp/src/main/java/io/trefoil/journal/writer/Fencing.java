/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogReport;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.writer.events.WriterEffect;
import io.trefoil.journal.writer.events.WriterStage;
import io.trefoil.journal.writer.peer.Peer;
import io.trefoil.journal.writer.peer.Quorum;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Ends a term when too many voters obey another writer or hold a newer incarnation for a majority to remain, or when an earlier incarnation
 * is in force.
 */
final class Fencing {

    private Fencing() {}

    static void onRefused(WriterStep step, Peer peer, Epoch promisedEpoch) {
        if (!promisedEpoch.isAbove(step.state().epoch())) {
            return;
        }
        step.replacePeer(
                peer.toBuilder().refusedForEpoch(Optional.of(promisedEpoch)).build());
        if (isLost(step.state())) {
            step.replaceState(step.state().with(WriterStage.FENCED));
            step.add(WriterEffect.endFenced(promisedEpoch));
        }
    }

    /** A node's storage belongs to another incarnation of the journal: the node accepts nothing from this term (rule R11). */
    static void recordOtherIncarnation(WriterStep step, Peer peer, Incarnation otherIncarnation) {
        step.replacePeer(peer.withProbing().toBuilder()
                .otherIncarnation(Optional.of(otherIncarnation))
                .otherLogEnd(peer.otherLogEnd().filter(end -> end.incarnation().equals(otherIncarnation)))
                .lastSentNanos(Optional.of(step.nowNanos()))
                .build());
        if (isLost(step.state())) {
            step.replaceState(step.state().with(WriterStage.FENCED));
            step.add(WriterEffect.endReinitialized(otherIncarnation));
        } else if (peer.connected() && mayStillBeInForce(step.state(), otherIncarnation)) {
            step.send(peer.address(), StatusRequest.create());
        }
    }

    /**
     * Whether an earlier incarnation may be the one in force: this one names those that it replaced, unless the host that formatted it knew
     * of no others.
     */
    private static boolean mayStillBeInForce(WriterState state, Incarnation otherIncarnation) {
        LogSummary own = state.end();
        return own.incarnation().isAbove(otherIncarnation)
                && !own.incarnation().isPromoted()
                && !own.members().replacedIncarnations().contains(otherIncarnation);
    }

    /**
     * A node has reported where its log of another incarnation ends. If that one is in force ({@link LogReport}), no process
     * that starts reads or writes this one any longer; so the term has ended, although all its voters obey. They count as
     * its holders even while they are away: a journal that has as many of them as a majority of the other one ends only as
     * any other does.
     */
    static void recordShownLog(WriterStep step, Peer peer, LogSummary end) {
        step.replacePeer(peer.toBuilder().otherLogEnd(Optional.of(end)).build());
        Incarnation inForce = LogReport.endInForce(logs(step.state())).incarnation();
        if (!inForce.equals(step.state().end().incarnation())) {
            step.replaceState(step.state().with(WriterStage.FENCED));
            step.add(WriterEffect.endReinitialized(inForce));
        }
    }

    private static List<LogReport> logs(WriterState state) {
        LogSummary own = state.end();
        List<LogReport> logs = new ArrayList<>();
        for (Member member : own.members().list()) {
            logs.add(LogReport.of(member.address(), member.id(), own));
        }
        for (Peer peer : state.peers()) {
            if (!peer.node().isPresent()
                    || own.members().find(peer.node().get()).isPresent()) {
                continue;
            }
            if (peer.otherLogEnd().isPresent()
                    && mayStillBeInForce(state, peer.otherLogEnd().get().incarnation())) {
                logs.add(LogReport.of(
                        peer.address(), peer.node().get(), peer.otherLogEnd().get()));
            } else if (peer.connected() && !peer.formatted()) {
                logs.add(LogReport.empty(peer.address(), peer.node().get()));
            }
        }
        return logs;
    }

    private static boolean isLost(WriterState state) {
        return Quorum.isLost(state.members(), state.peers(), state.end().incarnation());
    }
}
