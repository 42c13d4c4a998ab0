/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import io.trefoil.foundation.Step;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Standing;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.protocol.AppendedReply;
import io.trefoil.journal.protocol.ChangeReply;
import io.trefoil.journal.protocol.ChangesReply;
import io.trefoil.journal.protocol.DoneReply;
import io.trefoil.journal.protocol.EntriesReply;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.ImagePartReply;
import io.trefoil.journal.protocol.ImagesReply;
import io.trefoil.journal.protocol.LeaseHeldReply;
import io.trefoil.journal.protocol.MismatchReply;
import io.trefoil.journal.protocol.NotFormattedReply;
import io.trefoil.journal.protocol.OtherIncarnationReply;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PromiseReply;
import io.trefoil.journal.protocol.PurgeRequest;
import io.trefoil.journal.protocol.PurgedReply;
import io.trefoil.journal.protocol.SegmentsReply;
import io.trefoil.journal.protocol.StaleEpochReply;
import io.trefoil.journal.protocol.StartedOverReply;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.journal.protocol.StepDownRequest;
import java.util.Optional;

/**
 * The rules of a writer (protocol page, "Writing" and "A new writer"; paper §4.1.2, "coordinator").
 *
 * <p>A pure function of state, event and time. The stages and what leads from one to the next:
 *
 * <ul>
 *   <li>PROMISING to RECOVERING: a majority of the voters of the highest log has promised;
 *   <li>RECOVERING to PROMISING: the node whose log was chosen went away before a majority had it;
 *   <li>RECOVERING to WRITING: the term's first entries are committed and enough voters are in sync;
 *   <li>RECOVERING or WRITING to FENCED: so many voters promised a higher epoch, or were formatted again, that no majority is
 *       left;
 *   <li>any but FENCED to STEPPED_DOWN: the user ends the term.
 * </ul>
 *
 * <p>While PROMISING, a refusal leads to a higher epoch, not to an end.
 */
public final class Writer {

    /** A longer time between two ticks than this means that the writer itself stood still, whatever the time-outs. */
    private static final long LONG_PAUSE_MILLIS = 300;

    /** A shorter one is that of a busy machine. */
    private static final long SHORT_PAUSE_MILLIS = 50;

    private Writer() {}

    /** What follows from an event; {@code nowNanos} is the writer's own monotonic clock. */
    public static Step<WriterState, WriterEffect> step(WriterState state, WriterEvent event, long nowNanos) {
        if (state.isOver()) {
            return Step.quiet(state);
        }
        Turn turn = new Turn(state, nowNanos);
        event.dispatch(new OnEvent(turn));
        becomeReady(turn);
        Acknowledging.acknowledge(turn);
        return turn.end();
    }

    private static void becomeReady(Turn turn) {
        WriterState state = turn.state();
        boolean ready = state.stage() == WriterStage.RECOVERING
                && state.committedSn() >= state.recoveredSn()
                && state.inSyncVoters() >= state.settings().minReplicas();
        if (ready) {
            turn.become(state.with(WriterStage.WRITING));
            turn.add(WriterEffect.ready());
        }
    }

    /** One branch per event; what each comes to is in the classes that it calls. */
    private static final class OnEvent implements WriterEvent.Handler<Void> {
        private final Turn turn;

        OnEvent(Turn turn) {
            this.turn = turn;
        }

        @Override
        public Void peerUp(NodeAddress address, NodeId node, boolean formatted, Epoch promised) {
            // A new session: the node may have been restarted, so nothing that was known of it counts any more.
            Peer peer = turn.state().peers().at(address).probing().toBuilder()
                    .up(true)
                    .node(node)
                    .formatted(formatted)
                    .matchedSn(0)
                    .sentSn(0)
                    .standing(Standing.WHOLE)
                    .refusedFor(Optional.<Epoch>empty())
                    .other(Optional.<Incarnation>empty())
                    .unreadableSinceNanos(Optional.<Long>empty())
                    .build();
            turn.become(peer);
            if (!turn.state().isServing()) {
                Promising.met(turn, peer, promised);
            } else if (promised.isAbove(turn.state().epoch())
                    && turn.state().members().find(node).isPresent()) {
                Replicating.refused(turn, peer, promised);
            } else if (turn.state().peers().at(address).isServed()) {
                Replicating.probe(turn, peer);
            }
            return null;
        }

        @Override
        public Void peerDown(NodeAddress address) {
            Peer peer = turn.state().peers().at(address);
            turn.become(peer.probing().toBuilder()
                    .up(false)
                    .promise(Optional.<PromiseReply>empty())
                    .build());
            return null;
        }

        @Override
        public Void replied(NodeAddress address, PoolReply reply, long sentNanos) {
            Peer peer = turn.state().peers().at(address);
            if (peer.up()) {
                reply.dispatch(new OnReply(turn, peer, sentNanos));
            }
            return null;
        }

        @Override
        public Void appendAsked(EntryKind kind, TxRange txIds, Bytes payload) {
            if (turn.state().stage() != WriterStage.WRITING) {
                throw new IllegalStateException("A writer appends when it is ready, not in stage "
                        + turn.state().stage());
            }
            turn.append(kind, txIds, payload);
            Replicating.push(turn);
            return null;
        }

        @Override
        public Void purgeAsked(long minTxId) {
            long floor = turn.state().purgeableBelow(minTxId);
            for (Peer peer : turn.state().peers()) {
                if (turn.state().isServing() && peer.up()) {
                    turn.send(
                            peer.address(),
                            PurgeRequest.of(turn.state().epoch(), floor)
                                    .in(turn.state().end().incarnation()));
                }
            }
            turn.become(turn.state().toBuilder()
                    .purgedBelow(Math.max(turn.state().purgedBelow(), floor))
                    .build());
            return null;
        }

        @Override
        public Void announceDue(long sn) {
            Replicating.announce(turn, sn);
            return null;
        }

        @Override
        public Void memoryTrimmed(long firstSn) {
            turn.become(turn.state().toBuilder().memoryFirstSn(firstSn).build());
            return null;
        }

        @Override
        public Void memoryLacked(NodeAddress address) {
            turn.become(turn.state().peers().at(address).probing().toBuilder()
                    .lastSentNanos(Optional.of(turn.nowNanos()))
                    .build());
            return null;
        }

        @Override
        public Void partSent(NodeAddress address, long lastSn, long payloadBytes) {
            Peer peer = turn.state().peers().at(address);
            if (peer.owesPart()) {
                // It may be shorter than what was asked for.
                turn.become(peer.toBuilder().waitingSn(lastSn).build());
            }
            turn.become(turn.state().toBuilder()
                    .throttle(turn.state().throttle().sent(payloadBytes, turn.nowNanos()))
                    .build());
            return null;
        }

        @Override
        public Void loadFailed(NodeAddress address, NodeAddress source) {
            turn.become(turn.state().peers().at(source).toBuilder()
                    .unreadableSinceNanos(Optional.of(turn.nowNanos()))
                    .build());
            return memoryLacked(address);
        }

        @Override
        public Void loadPurged(NodeAddress address, LogSummary base) {
            Peer peer = turn.state().peers().at(address);
            if (turn.state().isServing() && peer.isServed()) {
                Replicating.purged(turn, peer, base);
            }
            return null;
        }

        @Override
        public Void answersWanted() {
            turn.become(turn.state().toBuilder()
                    .answersWantedNanos(Optional.of(turn.nowNanos()))
                    .build());
            for (Peer peer : turn.state().peers()) {
                Replicating.renew(turn, peer);
            }
            return null;
        }

        @Override
        public Void ticked() {
            forgiveOwnPause();
            turn.become(turn.state().toBuilder().tickedNanos(turn.nowNanos()).build());
            if (turn.state().stage() == WriterStage.PROMISING) {
                Promising.ticked(turn);
                return null;
            }
            for (Peer peer : turn.state().peers()) {
                Replicating.ticked(turn, peer);
            }
            Membership.ticked(turn);
            if (Replicating.isStuck(turn)) {
                Promising.beginAgain(turn);
            }
            return null;
        }

        @Override
        public Void stepDownAsked() {
            // Nobody else would tell, until there is another writer.
            Replicating.announce(turn, turn.state().committedSn());
            for (Peer peer : turn.state().peers()) {
                if (peer.up() && peer.formatted() && turn.state().isServing()) {
                    turn.send(
                            peer.address(),
                            StepDownRequest.of(turn.state().epoch())
                                    .in(turn.state().end().incarnation()));
                }
            }
            turn.become(turn.state().with(WriterStage.STEPPED_DOWN));
            return null;
        }

        /** While this process stood still it could not hear answers: nobody is late for that. */
        private void forgiveOwnPause() {
            WriterState state = turn.state();
            long halfTimeout = state.settings().ackTimeoutMillis() / 2;
            long pauseMillis = Math.max(SHORT_PAUSE_MILLIS, Math.min(LONG_PAUSE_MILLIS, halfTimeout));
            if (!turn.isPast(state.tickedNanos(), pauseMillis)) {
                return;
            }
            Peers peers = state.peers();
            for (Peer peer : peers) {
                if (peer.waitingSinceNanos().isPresent()) {
                    peers = peers.with(peer.toBuilder()
                            .waitingSinceNanos(Optional.of(turn.nowNanos()))
                            .build());
                }
            }
            turn.become(state.toBuilder().peers(peers).build());
        }
    }

    /** One branch per reply. */
    private static final class OnReply implements PoolReply.Handler<Void> {
        private final Turn turn;
        private final Peer peer;
        private final long sentNanos;

        OnReply(Turn turn, Peer peer, long sentNanos) {
            this.turn = turn;
            this.peer = peer;
            this.sentNanos = sentNanos;
        }

        private boolean isOfThisTerm(Epoch epoch) {
            return turn.state().isServing() && epoch.equals(turn.state().epoch());
        }

        /**
         * Such an answer comes from storage. When the session began there may have been none, or it could not be opened
         * and the node did not know its own id.
         */
        private Peer speaking(NodeId node) {
            boolean same = peer.node().isPresent() && peer.node().get().equals(node);
            if (same && peer.formatted() && !peer.other().isPresent()) {
                return peer;
            }
            Peer other = peer.anew().toBuilder().node(node).formatted(true).build();
            turn.become(other);
            return other;
        }

        @Override
        public Void on(PromiseReply reply) {
            if (turn.state().stage() == WriterStage.PROMISING) {
                Promising.promised(turn, speaking(reply.node()), reply);
            }
            return null;
        }

        @Override
        public Void on(AppendedReply reply) {
            if (isOfThisTerm(reply.epoch()) && !peer.retired()) {
                Replicating.appended(turn, speaking(reply.node()), reply, sentNanos);
            }
            return null;
        }

        @Override
        public Void on(MismatchReply reply) {
            if (isOfThisTerm(reply.epoch()) && !peer.retired()) {
                Replicating.mismatched(turn, speaking(reply.node()), reply);
            }
            return null;
        }

        @Override
        public Void on(StaleEpochReply reply) {
            if (turn.state().stage() == WriterStage.PROMISING) {
                Promising.refused(turn, reply.promised());
            } else {
                Replicating.refused(turn, peer, reply.promised());
            }
            return null;
        }

        @Override
        public Void on(LeaseHeldReply reply) {
            // Asked again with the next round: the lease may end earlier than it says.
            return null;
        }

        @Override
        public Void on(NotFormattedReply reply) {
            boolean same = peer.node().isPresent() && peer.node().get().equals(reply.node());
            // Another id: the storage that there was is gone, or was moved aside.
            Peer empty = same ? peer : peer.anew();
            turn.become(empty.toBuilder()
                    .node(reply.node())
                    .formatted(false)
                    .other(Optional.<Incarnation>empty())
                    .build());
            return null;
        }

        @Override
        public Void on(DoneReply reply) {
            boolean adopted = turn.state().isServing()
                    && !peer.formatted()
                    && peer.node().isPresent()
                    && peer.node().get().equals(reply.node());
            if (adopted) {
                Peer empty = peer.probing().toBuilder().formatted(true).build();
                turn.become(empty);
                Replicating.probe(turn, empty);
            }
            boolean exchanged =
                    turn.state().isServing() && peer.retired() && !peer.node().equals(Optional.of(reply.node()));
            if (exchanged) {
                Replicating.probe(turn, speaking(reply.node()));
            }
            return null;
        }

        @Override
        public Void on(EntriesReply reply) {
            return null;
        }

        @Override
        public Void on(PurgedReply reply) {
            return null;
        }

        @Override
        public Void on(StatusReply reply) {
            return null;
        }

        @Override
        public Void on(SegmentsReply reply) {
            return null;
        }

        @Override
        public Void on(StartedOverReply reply) {
            return null;
        }

        @Override
        public Void on(ImagesReply reply) {
            return null;
        }

        @Override
        public Void on(ImagePartReply reply) {
            return null;
        }

        @Override
        public Void on(FailedReply reply) {
            if (turn.state().isServing()) {
                turn.become(peer.probing().toBuilder()
                        .lastSentNanos(Optional.of(turn.nowNanos()))
                        .build());
            }
            return null;
        }

        @Override
        public Void on(OtherIncarnationReply reply) {
            // It may be an answer to what was asked before this term began, perhaps with the very log that the node
            // has.
            boolean isOther = !reply.incarnation().equals(turn.state().end().incarnation());
            if (turn.state().isServing() && isOther) {
                Replicating.strange(turn, peer, reply.incarnation());
            }
            return null;
        }

        @Override
        public Void on(ChangeReply reply) {
            return null;
        }

        @Override
        public Void on(ChangesReply reply) {
            if (turn.state().isServing()) {
                MemberWishes.heard(turn, reply.changes());
            }
            return null;
        }
    }
}
