/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.PoolRequest;
import java.util.Optional;

/** What a writer's driver has to do, in the order given; the family is closed by {@link Handler}. Immutable values. */
public abstract class WriterEffect {

    private WriterEffect() {}

    abstract <R> R dispatch(Handler<R> handler);

    /** Carries this effect out. */
    public final <R> R performedBy(Handler<R> handler) {
        return dispatch(handler);
    }

    /** One method per effect. */
    public interface Handler<R> {
        /** Keeps an entry in memory: it will be sent from there. */
        R remember(Entry entry);

        R send(NodeAddress to, PoolRequest request);

        /** Sends entries from memory, all of them. */
        R sendEntries(NodeAddress to, EntryRange range, AppendTerms terms);

        /**
         * Sends the first of these entries from memory, as many as may stand in the way of a commit at once; {@link
         * WriterEvent#partSent} says how much that was.
         */
        R sendPart(NodeAddress to, EntryRange range, AppendTerms terms);

        /** As {@link #sendPart}, with entries that are read at {@code from}. */
        R loadAndSend(NodeAddress to, NodeAddress from, EntryRange range, AppendTerms terms);

        /** A member that was not among the addresses: a session is wanted with it, too. */
        R meet(NodeAddress address);

        /** Everything before this term is committed; entries may be appended. */
        R ready();

        /** Everything up to {@code sn} is committed. */
        R committed(long sn);

        /** Those who have to have edits ({@link AckPolicy}) have everything up to {@code sn}. */
        R acknowledged(long sn);

        /** A majority has promised this epoch to somebody else. */
        R fenced(Epoch by);

        /** The journal was initialized again: so many voters hold this newer beginning of it that nothing can be committed any more. */
        R beganAnew(Incarnation by);

        /** A node did not acknowledge {@code sn} in time: it is not waited for, and is caught up. */
        R putAside(NodeAddress address, long sn);

        /** A node that was put aside is sent every entry at once again. */
        R takenBack(NodeAddress address);
    }

    static WriterEffect acknowledged(long sn) {
        return new WriterEffect() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.acknowledged(sn);
            }
        };
    }

    static WriterEffect putAside(NodeAddress address, long sn) {
        return new WriterEffect() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.putAside(address, sn);
            }
        };
    }

    static WriterEffect takenBack(NodeAddress address) {
        return new WriterEffect() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.takenBack(address);
            }
        };
    }

    static WriterEffect remember(Entry entry) {
        return new WriterEffect() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.remember(entry);
            }
        };
    }

    static WriterEffect send(NodeAddress to, PoolRequest request) {
        return new WriterEffect() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.send(to, request);
            }
        };
    }

    static WriterEffect sendEntries(NodeAddress to, EntryRange range, AppendTerms terms) {
        return new WriterEffect() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.sendEntries(to, range, terms);
            }
        };
    }

    static WriterEffect sendPart(NodeAddress to, Optional<NodeAddress> from, EntryRange range, AppendTerms terms) {
        return new WriterEffect() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return from.isPresent()
                        ? handler.loadAndSend(to, from.get(), range, terms)
                        : handler.sendPart(to, range, terms);
            }
        };
    }

    static WriterEffect meet(NodeAddress address) {
        return new WriterEffect() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.meet(address);
            }
        };
    }

    static WriterEffect ready() {
        return new WriterEffect() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.ready();
            }
        };
    }

    static WriterEffect committed(long sn) {
        return new WriterEffect() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.committed(sn);
            }
        };
    }

    static WriterEffect beganAnew(Incarnation by) {
        return new WriterEffect() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.beganAnew(by);
            }
        };
    }

    static WriterEffect fenced(Epoch by) {
        return new WriterEffect() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.fenced(by);
            }
        };
    }
}
