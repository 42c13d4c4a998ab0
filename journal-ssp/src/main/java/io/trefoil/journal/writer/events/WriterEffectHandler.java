/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer.events;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.messages.Messages;

/** Handles the actions of a writer's driver, in the order given. */
@Messages
public interface WriterEffectHandler<X extends Exception> {
    /** Keeps an entry in memory, from which it is sent. */
    void remember(Entry entry) throws X;

    /** Drops the entries below {@code firstSn} from memory. */
    void forget(long firstSn) throws X;

    /** Sends a request that carries no entries. */
    void send(NodeAddress to, PoolRequest request) throws X;

    /** Sends entries, all of which are still in memory. */
    void sendEntries(NodeAddress to, EntryRange range, AppendTerms terms) throws X;

    /**
     * Reads entries from the node {@code from} and sends the first of them, no more than is allowed to delay a commit. Later, {@link
     * WriterEvent#partSent} says how much was sent; {@link WriterEvent#loadFailed} or {@link WriterEvent#loadPurged} says
     * that nothing was.
     */
    void loadAndSend(NodeAddress to, NodeAddress from, EntryRange range, AppendTerms terms) throws X;

    /** Opens a session with a member that was not among the addresses. */
    void meet(NodeAddress address) throws X;

    /** Accepts appends: everything before this term is committed. */
    void acceptAppends() throws X;

    /** Wakes the threads that wait for a commit: everything up to {@code sn} is committed. */
    void publishCommitted(long sn) throws X;

    /** Wakes the threads that wait for acknowledgement: all nodes that {@link AckPolicy} waits for have everything up to {@code sn}. */
    void publishAcknowledged(long sn) throws X;

    /** Ends the term for good: a majority has promised this epoch to another writer. */
    void endFenced(Epoch higherEpoch) throws X;

    /**
     * Ends the term for good: the journal was initialized again, and too few voters still hold this writer's incarnation for anything to be
     * committed.
     */
    void endReinitialized(Incarnation newIncarnation) throws X;

    /** Logs that a node did not acknowledge {@code sn} in time: it was dropped from the in-sync set, and will be caught up. */
    void reportDropped(NodeAddress address, long sn) throws X;

    /** Logs that a node is in sync again: it is sent each batch as it is written. */
    void reportInSync(NodeAddress address) throws X;

    /** Logs that a node claims to be a member that cannot be at its address (rule R12): the writer ignores everything it sends. */
    void reportImpostor(NodeAddress address, Member member) throws X;
}
