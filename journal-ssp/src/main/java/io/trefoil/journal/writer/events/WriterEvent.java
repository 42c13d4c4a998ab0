/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer.events;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.protocol.PoolReply;

/** Everything that can happen to a writer; {@link Handler} closes the family. Immutable values. */
public abstract class WriterEvent {

    private WriterEvent() {}

    public abstract <X extends Exception> void dispatch(Handler<X> handler) throws X;

    /** One method per event. */
    public interface Handler<X extends Exception> {
        void peerUp(NodeAddress address, NodeId node, boolean formatted, Epoch promised) throws X;

        void peerDown(NodeAddress address) throws X;

        void peerStrange(NodeAddress address, Incarnation kept) throws X;

        void replied(NodeAddress address, PoolReply reply, long sentNanos) throws X;

        void termAsked() throws X;

        void appendAsked(EntryKind kind, TxRange txIds, Bytes payload) throws X;

        void purgeAsked(long minTxId) throws X;

        void announceDue(long sn) throws X;

        void partSent(NodeAddress address, long lastSn, long payloadBytes) throws X;

        void loadFailed(NodeAddress address, NodeAddress source) throws X;

        void loadPurged(NodeAddress address, LogSummary base) throws X;

        void answersWanted() throws X;

        void readsWanted(NodeId node) throws X;

        void ticked() throws X;

        void stepDownAsked() throws X;
    }

    /** A session with a node began; the node gave its id, and what it promised. */
    public static WriterEvent peerUp(NodeAddress address, NodeId node, boolean formatted, Epoch promised) {
        return new AutoValue_WriterEvent_PeerUp(address, node, formatted, promised);
    }

    /** A session broke; unanswered requests may or may not have arrived. */
    public static WriterEvent peerDown(NodeAddress address) {
        return new AutoValue_WriterEvent_PeerDown(address);
    }

    /** A node refuses this cluster: its journal of this name belongs to another one, and has incarnation {@code kept}. */
    public static WriterEvent peerStrange(NodeAddress address, Incarnation kept) {
        return new AutoValue_WriterEvent_PeerStrange(address, kept);
    }

    /** A node answered a request that was sent at {@code sentNanos}. */
    public static WriterEvent replied(NodeAddress address, PoolReply reply, long sentNanos) {
        return new AutoValue_WriterEvent_Replied(address, reply, sentNanos);
    }

    /** The writer's user wants the term to begin: as far as it knows, nobody holds the lease any more. */
    public static WriterEvent termAsked() {
        return new AutoValue_WriterEvent_TermAsked();
    }

    /** The writer's user wants an entry appended. */
    public static WriterEvent appendAsked(EntryKind kind, TxRange txIds, Bytes payload) {
        return new AutoValue_WriterEvent_AppendAsked(kind, txIds, payload);
    }

    /** The writer's user no longer needs transactions below {@code minTxId}. */
    public static WriterEvent purgeAsked(long minTxId) {
        return new AutoValue_WriterEvent_PurgeAsked(minTxId);
    }

    /** The entries up to {@code sn} were committed a moment ago; if no append has told the nodes since, they must be told now. */
    public static WriterEvent announceDue(long sn) {
        return new AutoValue_WriterEvent_AnnounceDue(sn);
    }

    /** A part of what a node lacks was read from another node and is on its way; its last entry is {@code lastSn}. */
    public static WriterEvent partSent(NodeAddress address, long lastSn, long payloadBytes) {
        return new AutoValue_WriterEvent_PartSent(address, lastSn, payloadBytes);
    }

    /** Entries for the node at {@code address} could not be read from {@code source}. */
    public static WriterEvent loadFailed(NodeAddress address, NodeAddress source) {
        return new AutoValue_WriterEvent_LoadFailed(address, source);
    }

    /** The source of entries for a node has purged them: its log begins after {@code base}. */
    public static WriterEvent loadPurged(NodeAddress address, LogSummary base) {
        return new AutoValue_WriterEvent_LoadPurged(address, base);
    }

    /** The writer's user is about to answer readers, and must know that it is alone (protocol page, "Lease"). */
    public static WriterEvent answersWanted() {
        return new AutoValue_WriterEvent_AnswersWanted();
    }

    /** An observer wants to answer reads beside a node without asking this writer (near-reads page). */
    public static WriterEvent readsWanted(NodeId node) {
        return new AutoValue_WriterEvent_ReadsWanted(node);
    }

    /** A little time has passed. */
    public static WriterEvent ticked() {
        return new AutoValue_WriterEvent_Ticked();
    }

    /** The writer's user ends the term. */
    public static WriterEvent stepDownAsked() {
        return new AutoValue_WriterEvent_StepDownAsked();
    }

    @AutoValue
    abstract static class PeerUp extends WriterEvent {
        abstract NodeAddress address();

        abstract NodeId node();

        abstract boolean formatted();

        abstract Epoch promised();

        @Override
        public final <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.peerUp(address(), node(), formatted(), promised());
        }
    }

    @AutoValue
    abstract static class PeerDown extends WriterEvent {
        abstract NodeAddress address();

        @Override
        public final <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.peerDown(address());
        }
    }

    @AutoValue
    abstract static class PeerStrange extends WriterEvent {
        abstract NodeAddress address();

        abstract Incarnation kept();

        @Override
        public final <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.peerStrange(address(), kept());
        }
    }

    @AutoValue
    public abstract static class Replied extends WriterEvent {
        public abstract NodeAddress address();

        public abstract PoolReply reply();

        public abstract long sentNanos();

        @Override
        public final <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.replied(address(), reply(), sentNanos());
        }
    }

    @AutoValue
    abstract static class TermAsked extends WriterEvent {
        @Override
        public final <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.termAsked();
        }
    }

    @AutoValue
    public abstract static class AppendAsked extends WriterEvent {
        public abstract EntryKind kind();

        public abstract TxRange txIds();

        public abstract Bytes payload();

        @Override
        public final <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.appendAsked(kind(), txIds(), payload());
        }
    }

    @AutoValue
    abstract static class PurgeAsked extends WriterEvent {
        abstract long minTxId();

        @Override
        public final <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.purgeAsked(minTxId());
        }
    }

    @AutoValue
    abstract static class AnnounceDue extends WriterEvent {
        abstract long sn();

        @Override
        public final <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.announceDue(sn());
        }
    }

    @AutoValue
    abstract static class PartSent extends WriterEvent {
        abstract NodeAddress address();

        abstract long lastSn();

        abstract long payloadBytes();

        @Override
        public final <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.partSent(address(), lastSn(), payloadBytes());
        }
    }

    @AutoValue
    abstract static class LoadFailed extends WriterEvent {
        abstract NodeAddress address();

        abstract NodeAddress source();

        @Override
        public final <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.loadFailed(address(), source());
        }
    }

    @AutoValue
    abstract static class LoadPurged extends WriterEvent {
        abstract NodeAddress address();

        abstract LogSummary base();

        @Override
        public final <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.loadPurged(address(), base());
        }
    }

    @AutoValue
    abstract static class AnswersWanted extends WriterEvent {
        @Override
        public final <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.answersWanted();
        }
    }

    @AutoValue
    public abstract static class ReadsWanted extends WriterEvent {
        public abstract NodeId node();

        @Override
        public final <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.readsWanted(node());
        }
    }

    @AutoValue
    abstract static class Ticked extends WriterEvent {
        @Override
        public final <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.ticked();
        }
    }

    @AutoValue
    abstract static class StepDownAsked extends WriterEvent {
        @Override
        public final <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.stepDownAsked();
        }
    }
}
