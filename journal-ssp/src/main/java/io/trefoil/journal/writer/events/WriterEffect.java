/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer.events;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.PoolRequest;

/** What a writer's driver must do, in the order given; {@link Handler} closes the family. Immutable values. */
public abstract class WriterEffect {

    private WriterEffect() {}

    abstract <X extends Exception> void dispatch(Handler<X> handler) throws X;

    /** Calls the handler's method for this effect, and throws what that throws. */
    public final <X extends Exception> void performedBy(Handler<X> handler) throws X {
        dispatch(handler);
    }

    /** One method per effect. */
    public interface Handler<X extends Exception> {
        /** Keeps an entry in memory, from where it is sent. */
        public void remember(Entry entry) throws X;

        /** Drops the entries below {@code firstSn} from memory. */
        public void forget(long firstSn) throws X;

        public void send(NodeAddress to, PoolRequest request) throws X;

        /** Sends entries, all of which are still in memory. */
        public void sendEntries(NodeAddress to, EntryRange range, AppendTerms terms) throws X;

        /**
         * Reads entries from the node {@code from} and sends the first of them, no more than may delay a commit. Later, {@link
         * WriterEvent#partSent} says how much was sent; {@link WriterEvent#loadFailed} or {@link WriterEvent#loadPurged} says
         * that nothing was.
         */
        public void loadAndSend(NodeAddress to, NodeAddress from, EntryRange range, AppendTerms terms) throws X;

        /** Opens a session with a member that was not among the addresses. */
        public void meet(NodeAddress address) throws X;

        /** Everything before this term is committed; entries may be appended. */
        public void ready() throws X;

        /** Everything up to {@code sn} is committed. */
        public void committed(long sn) throws X;

        /** All nodes that {@link AckPolicy} waits for have everything up to {@code sn}. */
        public void acknowledged(long sn) throws X;

        /** A majority has promised this epoch to another writer. */
        public void fenced(Epoch by) throws X;

        /** The journal was initialized again: too few voters still hold this writer's incarnation for anything to be committed. */
        public void beganAnew(Incarnation by) throws X;

        /** A node did not acknowledge {@code sn} in time: it was dropped from the in-sync set, and will be caught up. */
        public void droppedFromInSync(NodeAddress address, long sn) throws X;

        /** A node is in sync again: it is sent each batch as it is written. */
        public void inSyncAgain(NodeAddress address) throws X;

        /** A node claims to be a member that cannot be at its address (rule R12): the writer ignores whatever it says. */
        public void claimed(NodeAddress address, Member member) throws X;
    }

    public static WriterEffect acknowledged(long sn) {
        return new AutoValue_WriterEffect_TellAcknowledged(sn);
    }

    public static WriterEffect droppedFromInSync(NodeAddress address, long sn) {
        return new AutoValue_WriterEffect_NodeDroppedFromInSync(address, sn);
    }

    public static WriterEffect inSyncAgain(NodeAddress address) {
        return new AutoValue_WriterEffect_NodeInSyncAgain(address);
    }

    public static WriterEffect claimed(NodeAddress address, Member member) {
        return new AutoValue_WriterEffect_MemberClaimed(address, member);
    }

    public static WriterEffect remember(Entry entry) {
        return new AutoValue_WriterEffect_Remember(entry);
    }

    public static WriterEffect send(NodeAddress to, PoolRequest request) {
        return new AutoValue_WriterEffect_Send(to, request);
    }

    public static WriterEffect sendEntries(NodeAddress to, EntryRange range, AppendTerms terms) {
        return new AutoValue_WriterEffect_SendEntries(to, range, terms);
    }

    public static WriterEffect loadAndSend(NodeAddress to, NodeAddress from, EntryRange range, AppendTerms terms) {
        return new AutoValue_WriterEffect_LoadAndSend(to, from, range, terms);
    }

    public static WriterEffect forget(long firstSn) {
        return new AutoValue_WriterEffect_Forget(firstSn);
    }

    public static WriterEffect meet(NodeAddress address) {
        return new AutoValue_WriterEffect_Meet(address);
    }

    public static WriterEffect ready() {
        return new AutoValue_WriterEffect_Ready();
    }

    public static WriterEffect committed(long sn) {
        return new AutoValue_WriterEffect_TellCommitted(sn);
    }

    public static WriterEffect beganAnew(Incarnation by) {
        return new AutoValue_WriterEffect_BeganAnew(by);
    }

    public static WriterEffect fenced(Epoch by) {
        return new AutoValue_WriterEffect_Fenced(by);
    }

    @AutoValue
    abstract static class Remember extends WriterEffect {
        abstract Entry entry();

        @Override
        final <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.remember(entry());
        }
    }

    @AutoValue
    abstract static class Send extends WriterEffect {
        abstract NodeAddress to();

        abstract PoolRequest request();

        @Override
        final <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.send(to(), request());
        }
    }

    @AutoValue
    abstract static class SendEntries extends WriterEffect {
        abstract NodeAddress to();

        abstract EntryRange range();

        abstract AppendTerms terms();

        @Override
        final <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.sendEntries(to(), range(), terms());
        }
    }

    @AutoValue
    abstract static class Forget extends WriterEffect {
        abstract long firstSn();

        @Override
        final <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.forget(firstSn());
        }
    }

    @AutoValue
    abstract static class LoadAndSend extends WriterEffect {
        abstract NodeAddress to();

        abstract NodeAddress from();

        abstract EntryRange range();

        abstract AppendTerms terms();

        @Override
        final <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.loadAndSend(to(), from(), range(), terms());
        }
    }

    @AutoValue
    abstract static class Meet extends WriterEffect {
        abstract NodeAddress address();

        @Override
        final <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.meet(address());
        }
    }

    @AutoValue
    abstract static class Ready extends WriterEffect {
        @Override
        final <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.ready();
        }
    }

    @AutoValue
    abstract static class TellCommitted extends WriterEffect {
        abstract long sn();

        @Override
        final <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.committed(sn());
        }
    }

    @AutoValue
    abstract static class TellAcknowledged extends WriterEffect {
        abstract long sn();

        @Override
        final <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.acknowledged(sn());
        }
    }

    @AutoValue
    abstract static class Fenced extends WriterEffect {
        abstract Epoch by();

        @Override
        final <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.fenced(by());
        }
    }

    @AutoValue
    abstract static class BeganAnew extends WriterEffect {
        abstract Incarnation by();

        @Override
        final <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.beganAnew(by());
        }
    }

    @AutoValue
    abstract static class NodeDroppedFromInSync extends WriterEffect {
        abstract NodeAddress address();

        abstract long sn();

        @Override
        final <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.droppedFromInSync(address(), sn());
        }
    }

    @AutoValue
    abstract static class NodeInSyncAgain extends WriterEffect {
        abstract NodeAddress address();

        @Override
        final <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.inSyncAgain(address());
        }
    }

    @AutoValue
    abstract static class MemberClaimed extends WriterEffect {
        abstract NodeAddress address();

        abstract Member member();

        @Override
        final <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.claimed(address(), member());
        }
    }
}
