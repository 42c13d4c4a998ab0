/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.protocol.PoolReply;

/** Everything that can happen to a writer; the family is closed by {@link Handler}. Immutable values. */
public abstract class WriterEvent {

    private WriterEvent() {}

    abstract <R> R dispatch(Handler<R> handler);

    /** One method per event. */
    interface Handler<R> {
        R peerUp(NodeAddress address, NodeId node, boolean formatted, Epoch promised);

        R peerDown(NodeAddress address);

        R replied(NodeAddress address, PoolReply reply, long sentNanos);

        R appendAsked(EntryKind kind, TxRange txIds, Bytes payload);

        R purgeAsked(long minTxId);

        R announceDue(long sn);

        R memoryTrimmed(long firstSn);

        R memoryLacked(NodeAddress address);

        R partSent(NodeAddress address, long lastSn, long payloadBytes);

        R loadFailed(NodeAddress address, NodeAddress source);

        R loadPurged(NodeAddress address, LogSummary base);

        R answersWanted();

        R ticked();

        R stepDownAsked();
    }

    /** A session with a node began; the node says who it is, and what it promised. */
    public static WriterEvent peerUp(NodeAddress address, NodeId node, boolean formatted, Epoch promised) {
        return new WriterEvent() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.peerUp(address, node, formatted, promised);
            }
        };
    }

    /** A session broke; what was sent and not answered may or may not have arrived. */
    public static WriterEvent peerDown(NodeAddress address) {
        return new WriterEvent() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.peerDown(address);
            }
        };
    }

    /** A node answered a request that was sent at {@code sentNanos}. */
    public static WriterEvent replied(NodeAddress address, PoolReply reply, long sentNanos) {
        return new WriterEvent() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.replied(address, reply, sentNanos);
            }
        };
    }

    /** The writer's user wants an entry appended. */
    public static WriterEvent appendAsked(EntryKind kind, TxRange txIds, Bytes payload) {
        return new WriterEvent() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.appendAsked(kind, txIds, payload);
            }
        };
    }

    /** The writer's user does not need transactions below {@code minTxId} any more. */
    public static WriterEvent purgeAsked(long minTxId) {
        return new WriterEvent() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.purgeAsked(minTxId);
            }
        };
    }

    /** The entries up to {@code sn} were committed a moment ago; if no append has told the nodes since, it is due. */
    public static WriterEvent announceDue(long sn) {
        return new WriterEvent() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.announceDue(sn);
            }
        };
    }

    /** The entries below {@code firstSn} are not in memory any more. */
    public static WriterEvent memoryTrimmed(long firstSn) {
        return new WriterEvent() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.memoryTrimmed(firstSn);
            }
        };
    }

    /** Entries for a node were not in memory any more when they were to be sent from there. */
    public static WriterEvent memoryLacked(NodeAddress address) {
        return new WriterEvent() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.memoryLacked(address);
            }
        };
    }

    /** A part of what a node lacks is on its way to it; its last entry is {@code lastSn}. */
    public static WriterEvent partSent(NodeAddress address, long lastSn, long payloadBytes) {
        return new WriterEvent() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.partSent(address, lastSn, payloadBytes);
            }
        };
    }

    /** Entries for the node at {@code address} could not be read at {@code source}. */
    public static WriterEvent loadFailed(NodeAddress address, NodeAddress source) {
        return new WriterEvent() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.loadFailed(address, source);
            }
        };
    }

    /** The entries for a node are not kept any more where they were to come from: the log begins behind {@code base}. */
    public static WriterEvent loadPurged(NodeAddress address, LogSummary base) {
        return new WriterEvent() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.loadPurged(address, base);
            }
        };
    }

    /** The writer's user answers readers, and so has to know that it is alone (protocol page, "Lease"). */
    public static WriterEvent answersWanted() {
        return new WriterEvent() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.answersWanted();
            }
        };
    }

    /** A little time has passed. */
    public static WriterEvent ticked() {
        return new WriterEvent() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.ticked();
            }
        };
    }

    /** The writer's user ends the term. */
    public static WriterEvent stepDownAsked() {
        return new WriterEvent() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.stepDownAsked();
            }
        };
    }
}
