/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import io.trefoil.foundation.Step;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.protocol.AppendedReply;
import io.trefoil.journal.protocol.ChangesReply;
import io.trefoil.journal.protocol.DoneReply;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.LeaseHeldReply;
import io.trefoil.journal.protocol.MismatchReply;
import io.trefoil.journal.protocol.NotFormattedReply;
import io.trefoil.journal.protocol.OtherIncarnationReply;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PromiseReply;
import io.trefoil.journal.protocol.PurgeRequest;
import io.trefoil.journal.protocol.StaleEpochReply;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.journal.protocol.StepDownRequest;
import io.trefoil.journal.protocol.WriterReply;
import io.trefoil.journal.writer.events.WriterEffect;
import io.trefoil.journal.writer.events.WriterEvent;
import io.trefoil.journal.writer.events.WriterEventHandler;
import io.trefoil.journal.writer.events.WriterStage;
import io.trefoil.journal.writer.peer.Peer;
import io.trefoil.journal.writer.peer.Peers;
import java.util.Optional;

/**
 * The rules of a writer (protocol page, "Writing" and "A new writer"; paper §4.1.2, "coordinator").
 *
 * <p>A pure function of state, event and time. These are the transitions between the stages ({@link WriterStage#transitionTo} allows
 * no others):
 *
 * <ul>
 *   <li>MEETING to ACQUIRING_EPOCH: the user wants the term;
 *   <li>ACQUIRING_EPOCH to RECOVERING: a majority of the voters of the highest log has promised;
 *   <li>RECOVERING to ACQUIRING_EPOCH: the node whose log was chosen went away before a majority had it, or a voter
 *       promised a higher epoch to a rival before anything of this term was committed;
 *   <li>RECOVERING to WRITING: the term's first entries are committed and enough voters are in sync;
 *   <li>RECOVERING or WRITING to FENCED: so many voters promised a higher epoch, or were formatted again, that no majority is
 *       left;
 *   <li>any but FENCED to STEPPED_DOWN: the user ends the term.
 * </ul>
 *
 * <p>While ACQUIRING_EPOCH, a refusal leads to a higher epoch, not to the end of the writer.
 */
public final class Writer {

    /** The time between two ticks above which the writer itself must have been paused, whatever the timeouts. */
    private static final long LONG_PAUSE_MILLIS = 300;

    /** The time between two ticks below which the machine was merely busy. */
    private static final long SHORT_PAUSE_MILLIS = 50;

    private Writer() {}

    /** Applies an event to a state; {@code nowNanos} is the writer's own monotonic clock. */
    public static Step<WriterState, WriterEffect> step(WriterState state, WriterEvent event, long nowNanos) {
        if (state.hasEnded()) {
            return Step.withoutEffects(state);
        }
        WriterStep step = new WriterStep(state, nowNanos);
        event.dispatch(new EventDispatch(step));
        becomeReady(step);
        Acknowledgement.acknowledge(step);
        return step.toStep();
    }

    private static void becomeReady(WriterStep step) {
        if (step.next().stage() != WriterStage.RECOVERING) {
            return;
        }
        WriterState state = step.state();
        boolean ready = state.committedSn() >= state.recoveredSn()
                && state.inSyncVoters() >= state.settings().minReplicas();
        if (ready) {
            step.replaceState(state.with(WriterStage.WRITING));
            step.add(WriterEffect.acceptAppends());
        }
    }

    /** The dispatch of events, one method each; the classes that it calls contain the rules. */
    private static final class EventDispatch implements WriterEventHandler<RuntimeException> {
        private final WriterStep step;

        EventDispatch(WriterStep step) {
            this.step = step;
        }

        @Override
        public void peerConnected(NodeAddress address, NodeId node, boolean formatted, Epoch promisedEpoch) {
            // A new session: the node may have been restarted, so nothing that was known about it counts any longer.
            Peer peer = step.state().peers().findByAddress(address).withProbing().toBuilder()
                    .connected(true)
                    .node(node)
                    .formatted(formatted)
                    .matchedSn(0)
                    .sentSn(0)
                    .completeness(LogCompleteness.COMPLETE)
                    .refusedForEpoch(Optional.<Epoch>empty())
                    .otherIncarnation(Optional.<Incarnation>empty())
                    .otherLogEnd(Optional.<LogSummary>empty())
                    .unreadableSinceNanos(Optional.<Long>empty())
                    .build();
            step.replacePeer(peer);
            if (!step.state().isServing()) {
                EpochAcquisition.onSessionBegan(step, peer, promisedEpoch);
            } else if (promisedEpoch.isAbove(step.state().epoch())
                    && step.state().members().find(node).isPresent()) {
                Fencing.onRefused(step, peer, promisedEpoch);
            } else if (step.state().peers().findByAddress(address).isServed()) {
                Heartbeats.probe(step, peer);
            }
        }

        @Override
        public void peerDisconnected(NodeAddress address) {
            Peer peer = step.state().peers().findByAddress(address);
            step.replacePeer(peer.withProbing().toBuilder()
                    .connected(false)
                    .promise(Optional.<PromiseReply>empty())
                    .build());
        }

        @Override
        public void peerRefused(NodeAddress address, Incarnation kept) {
            peerDisconnected(address);
            if (step.state().isServing()) {
                Fencing.recordOtherIncarnation(step, step.state().peers().findByAddress(address), kept);
            }
        }

        @Override
        public void replied(NodeAddress address, PoolReply reply, long sentNanos, long leaseMillis) {
            Peer peer = step.next().peers().findByAddress(address);
            // Before the term is wanted, nothing is asked.
            boolean requested = peer.connected() && step.next().stage() != WriterStage.MEETING;
            if (requested && reply instanceof WriterReply) {
                ((WriterReply) reply).dispatch(new ReplyDispatch(step, peer, sentNanos, leaseMillis));
            }
        }

        @Override
        public void termRequested() {
            EpochAcquisition.begin(step);
        }

        @Override
        public void appendRequested(EntryKind kind, TxRange txIds, Bytes payload) {
            WriterStage stage = step.next().stage();
            if (stage != WriterStage.WRITING) {
                throw new IllegalStateException("A writer appends when it is ready, not in stage " + stage);
            }
            step.append(kind, txIds, payload);
            Replication.sendToInSync(step);
        }

        @Override
        public void purgeRequested(long minTxId) {
            if (!step.state().isWriting()) {
                // The log may end with the release of a barrier which no majority has: it is not known here what that
                // kept.
                return;
            }
            long floor = step.state().purgeableBelow(minTxId);
            for (Peer peer : step.state().peers()) {
                if (peer.connected()) {
                    step.send(
                            peer.address(),
                            PurgeRequest.of(step.state().epoch(), floor)
                                    .withIncarnation(step.state().end().incarnation()));
                }
            }
            step.replaceState(step.state().toBuilder()
                    .purgedBelow(Math.max(step.state().purgedBelow(), floor))
                    .build());
        }

        @Override
        public void announceDelayPassed(long sn) {
            Replication.announce(step, sn);
        }

        @Override
        public void partSent(NodeAddress address, long lastSn, long payloadBytes) {
            CatchUp.onPartSent(step, step.state().peers().findByAddress(address), lastSn, payloadBytes);
        }

        @Override
        public void loadFailed(NodeAddress address, NodeAddress source) {
            step.replacePeer(step.state().peers().findByAddress(source).toBuilder()
                    .unreadableSinceNanos(Optional.of(step.nowNanos()))
                    .build());
            CatchUp.reportMissing(step, step.state().peers().findByAddress(address));
        }

        @Override
        public void loadPurged(NodeAddress address, LogSummary base) {
            Peer peer = step.state().peers().findByAddress(address);
            if (step.state().isServing() && peer.isServed()) {
                CatchUp.onPurged(step, peer, base);
            }
        }

        @Override
        public void answersWanted() {
            step.replaceState(step.state().toBuilder()
                    .exclusivityRequestedNanos(Optional.of(step.nowNanos()))
                    .build());
            for (Peer peer : step.state().peers()) {
                Heartbeats.renew(step, peer);
            }
        }

        @Override
        public void readsWanted(NodeId node) {
            NearReads.onReadLeaseRequested(step, node);
        }

        @Override
        public void leaseWanted(long millis) {
            if (millis <= step.state().leaseMillis()) {
                return;
            }
            // What was sent so far asked for the shorter one, and is counted as that.
            long addedNanos = (millis - step.state().leaseMillis()) * WriterState.NANOS_PER_MILLI;
            Peers peers = step.state().peers();
            for (Peer peer : peers) {
                peers = peers.with(peer.toBuilder()
                        .leaseFromNanos(peer.leaseFromNanos().map(from -> from - addedNanos))
                        .build());
            }
            step.replaceState(
                    step.state().toBuilder().peers(peers).leaseMillis(millis).build());
        }

        @Override
        public void ticked() {
            if (step.state().stage() == WriterStage.MEETING) {
                return;
            }
            restartTimeoutsAfterPause();
            step.replaceState(
                    step.state().toBuilder().lastTickNanos(step.nowNanos()).build());
            if (step.state().stage() == WriterStage.ACQUIRING_EPOCH) {
                EpochAcquisition.onTick(step);
                return;
            }
            for (Peer peer : step.state().peers()) {
                Heartbeats.onTick(step, peer);
            }
            Membership.onTick(step);
            NearReads.onTick(step);
            if (CatchUp.isStuck(step)) {
                EpochAcquisition.restart(step);
            }
        }

        @Override
        public void stepDownRequested() {
            // Until there is another writer, no other process would announce this.
            Replication.announce(step, step.state().committedSn());
            for (Peer peer : step.state().peers()) {
                if (peer.connected() && peer.formatted() && step.state().isServing()) {
                    step.send(
                            peer.address(),
                            StepDownRequest.of(step.state().epoch())
                                    .withIncarnation(step.state().end().incarnation()));
                }
            }
            step.replaceState(step.state().with(WriterStage.STEPPED_DOWN));
        }

        /** Restarts the timeouts of all nodes after this process was paused and could not receive their answers. */
        private void restartTimeoutsAfterPause() {
            WriterState state = step.state();
            long halfTimeout = state.settings().ackTimeoutMillis() / 2;
            long pauseMillis = Math.max(SHORT_PAUSE_MILLIS, Math.min(LONG_PAUSE_MILLIS, halfTimeout));
            if (!step.hasElapsedMoreThan(state.lastTickNanos(), pauseMillis)) {
                return;
            }
            Peers peers = state.peers();
            for (Peer peer : peers) {
                peers = peers.with(peer.toBuilder()
                        .readerLagCheck(peer.readerLagCheck().withoutWait())
                        .build());
                if (peer.waitingSinceNanos().isPresent()) {
                    peers = peers.with(peers.current(peer).toBuilder()
                            .waitingSinceNanos(Optional.of(step.nowNanos()))
                            .build());
                }
            }
            step.replaceState(state.toBuilder().peers(peers).build());
        }
    }

    /** The dispatch of replies, one method each. */
    private static final class ReplyDispatch implements WriterReply.Handler {
        private final WriterStep step;
        private final Peer peer;
        private final long sentNanos;
        private final long leaseMillis;

        ReplyDispatch(WriterStep step, Peer peer, long sentNanos, long leaseMillis) {
            this.step = step;
            this.peer = peer;
            this.sentNanos = sentNanos;
            this.leaseMillis = leaseMillis;
        }

        private boolean isCurrentEpoch(Epoch epoch) {
            return step.next().isServing() && epoch.equals(step.next().epoch());
        }

        /**
         * The peer after a reply that only a node with storage sends. When the session began the node may have had no
         * storage, or could not open it and did not know its own id.
         */
        private Peer respondingPeer(NodeId node) {
            boolean same = peer.node().isPresent() && peer.node().get().equals(node);
            if (same && peer.formatted() && !peer.otherIncarnation().isPresent()) {
                return peer;
            }
            Peer other =
                    peer.forgetProgress().toBuilder().node(node).formatted(true).build();
            step.replacePeer(other);
            return other;
        }

        @Override
        public void on(PromiseReply reply) {
            if (step.state().stage() == WriterStage.ACQUIRING_EPOCH) {
                EpochAcquisition.onPromise(step, respondingPeer(reply.node()), reply);
            }
        }

        @Override
        public void on(AppendedReply reply) {
            if (isCurrentEpoch(reply.epoch()) && !peer.retired()) {
                Replication.onAppended(step, respondingPeer(reply.node()), reply, sentNanos, leaseMillis);
            }
        }

        @Override
        public void on(MismatchReply reply) {
            if (isCurrentEpoch(reply.epoch()) && !peer.retired()) {
                Replication.onMismatch(step, respondingPeer(reply.node()), reply);
            }
        }

        @Override
        public void on(StaleEpochReply reply) {
            if (step.state().stage() == WriterStage.ACQUIRING_EPOCH) {
                EpochAcquisition.onRefused(step, reply.promisedEpoch());
            } else {
                Fencing.onRefused(step, peer, reply.promisedEpoch());
            }
        }

        @Override
        public void on(LeaseHeldReply reply) {
            // The next round asks again: the lease may end earlier than the reply says.
        }

        @Override
        public void on(NotFormattedReply reply) {
            boolean same = peer.node().isPresent() && peer.node().get().equals(reply.node());
            // Another id means that the earlier storage is gone, or was moved aside.
            Peer empty = same ? peer : peer.forgetProgress();
            step.replacePeer(empty.toBuilder()
                    .node(reply.node())
                    .formatted(false)
                    .otherIncarnation(Optional.<Incarnation>empty())
                    .otherLogEnd(Optional.<LogSummary>empty())
                    .build());
        }

        @Override
        public void on(DoneReply reply) {
            boolean adopted = step.state().isServing()
                    && !peer.formatted()
                    && peer.node().isPresent()
                    && peer.node().get().equals(reply.node());
            if (adopted) {
                Peer empty = peer.withProbing().toBuilder().formatted(true).build();
                step.replacePeer(empty);
                Heartbeats.probe(step, empty);
            }
            boolean exchanged =
                    step.state().isServing() && peer.retired() && !peer.node().equals(Optional.of(reply.node()));
            if (exchanged) {
                Heartbeats.probe(step, respondingPeer(reply.node()));
            }
        }

        @Override
        public void on(StatusReply reply) {
            if (step.state().isServing()
                    && peer.otherIncarnation().equals(Optional.of(reply.end().incarnation()))) {
                Fencing.recordShownLog(step, peer, reply.end());
            }
        }

        @Override
        public void on(FailedReply reply) {
            if (step.state().isServing()) {
                step.replacePeer(peer.withProbing().toBuilder()
                        .lastSentNanos(Optional.of(step.nowNanos()))
                        .build());
            }
        }

        @Override
        public void on(OtherIncarnationReply reply) {
            // The reply may be to a request from before this term began, which perhaps continues the node's very log.
            boolean isOther = !reply.incarnation().equals(step.state().end().incarnation());
            if (step.state().isServing() && isOther) {
                Fencing.recordOtherIncarnation(step, peer, reply.incarnation());
            }
        }

        @Override
        public void on(ChangesReply reply) {
            if (step.state().isServing()) {
                MembershipRequestHandler.recordReported(step, reply.changes());
            }
        }
    }
}
