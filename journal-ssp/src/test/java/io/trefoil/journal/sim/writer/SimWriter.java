/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.writer;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.sim.history.Fact;
import io.trefoil.journal.sim.world.SimHost;
import io.trefoil.journal.writer.WriterState;
import java.util.List;
import java.util.function.Consumer;

/** A writer with its user, in a process of a simulated host. */
public interface SimWriter {

    WriterId id();

    SimHost host();

    WriterState state();

    List<NodeAddress> addresses();

    boolean isAlive();

    boolean isWriting();

    boolean isAcquiringEpoch();

    /** Whether it continues another incarnation of the journal than the one in force. */
    boolean isStranger();

    /** Whether the incarnation that it writes was formatted by a host that knew of no other. */
    boolean isLone();

    /**
     * Reports a fact. Of a writer whose journal is not in force, only the beginning of a term is reported: it should
     * not begin one.
     */
    void report(Fact fact);

    void start();

    /** Does something later, if this writer is then still alive. */
    void schedule(long nanos, Object what, Runnable happening);

    /** The writer's process dies, or this writer in it. */
    void die(String how);

    void stepDown();

    /** The connection to a node is reset. */
    void resetSession(NodeAddress address);

    /** Asks every node to purge transactions below this one. */
    void purge(long minTxId);

    /** The pauses of the writer's host ask for a lease of this length. */
    void lengthenLease(int millis);

    /** An observer beside a node wants to read by a lease; it gets the epoch if that is granted. */
    void requestReads(NodeId node, Consumer<Epoch> whenGranted);

    void append(EntryKind kind, TxRange txIds, Bytes payload, Consumer<Entry> whenPlaced);
}
