/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer.events;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.messages.Messages;

/** Handles the events that can happen to a writer. */
@Messages
public interface WriterEventHandler<X extends Exception> {
    /** A session with a node began; the node reported its id and its promise. */
    void peerConnected(NodeAddress address, NodeId node, boolean formatted, Epoch promised) throws X;

    /** A session broke; unanswered requests may or may not have arrived. */
    void peerDisconnected(NodeAddress address) throws X;

    /** A node refuses this cluster: its journal of this name belongs to another one, and has incarnation {@code kept}. */
    void peerRefused(NodeAddress address, Incarnation kept) throws X;

    /** A node answered a request that was sent at {@code sentNanos}, and granted a lease of {@code leaseMillis} if it was an append. */
    void replied(NodeAddress address, PoolReply reply, long sentNanos, long leaseMillis) throws X;

    /** The writer's user wants the term to begin: as far as it knows, no other writer still holds the lease. */
    void termRequested() throws X;

    /** The writer's user wants an entry appended. */
    void appendRequested(EntryKind kind, TxRange txIds, Bytes payload) throws X;

    /** The writer's user no longer needs transactions below {@code minTxId}. */
    void purgeRequested(long minTxId) throws X;

    /**
     * The entries up to {@code sn} were committed a moment ago; unless an append has announced that to the nodes since, it must be
     * announced now.
     */
    void announceDelayPassed(long sn) throws X;

    /** A part of what a node lacks was read from another node and is in transit; its last entry is {@code lastSn}. */
    void partSent(NodeAddress address, long lastSn, long payloadBytes) throws X;

    /** Entries for the node at {@code address} could not be read from {@code source}. */
    void loadFailed(NodeAddress address, NodeAddress source) throws X;

    /** The source of entries for a node has purged them: its log begins after {@code base}. */
    void loadPurged(NodeAddress address, LogSummary base) throws X;

    /** The writer's user is about to answer readers, and must know that it is the only writer (protocol page, "Lease"). */
    void answersWanted() throws X;

    /** An observer wants to answer reads next to a node without asking this writer (near-reads page). */
    void readsWanted(NodeId node) throws X;

    /** The pauses of this host ask for a lease of this length (protocol page, "A derived lease"). */
    void leaseWanted(long millis) throws X;

    /** A short time has passed. */
    void ticked() throws X;

    /** The writer's user ends the term. */
    void stepDownRequested() throws X;
}
