/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.replica;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.messages.Messages;
import java.util.List;

/** Handles the actions of a node, in the order given. */
@Messages
public interface ReplicaEffectHandler<X extends Exception> {
    /** Makes durable the promise and whether the log is complete, after everything written before. */
    void savePromise(Promise promise, LogCompleteness completeness) throws X;

    /** Truncates the log after {@code lastSn}, durably. */
    void truncate(long lastSn) throws X;

    /** Writes entries at the end; durable with the next sync. */
    void write(List<Entry> entries, long committedSn) throws X;

    /** Starts the log over after {@code base}, durably. */
    void rebase(LogSummary base) throws X;

    /** Moves the whole storage aside; this node is then empty, and gets a new id. */
    void moveAside() throws X;

    /** Shows readers the entries up to {@code sn}. */
    void showCommitted(long sn) throws X;

    /** Sends the reply, once everything before it is durable. */
    void answer(PoolReply reply) throws X;

    /** Halts this node: continuing would break a rule that others rely on. */
    void halt(String reason) throws X;
}
