/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.edits;

import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.pool.writer.JournalWriter;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;

/**
 * The progress of one {@link Term}: up to which transaction it is committed, and whether another process may have
 * become the writer. Made for code that answers clients, which is notified of progress and does its own waiting.
 *
 * <p>Thread-safe; locks only where an append may return before it is committed.
 */
public final class CommitWatch {
    private final JournalWriter writer;
    private final Runnable watcher;
    /**
     * The transactions that are acknowledged and not yet committed: with {@code trefoil.journal.ack.policy=one}, or where
     * observers are read from.
     */
    private final Queue<AcknowledgedTxId> ahead = new ArrayDeque<>();

    private volatile boolean isAhead;
    private volatile long committedTxId;
    private volatile boolean over;

    private static final class AcknowledgedTxId {
        final long sn;
        final long txId;

        AcknowledgedTxId(long sn, long txId) {
            this.sn = sn;
            this.txId = txId;
        }
    }

    /** @param watcher runs, on any thread, when there may be progress; must not block */
    CommitWatch(JournalWriter writer, Runnable watcher) {
        this.writer = writer;
        this.watcher = watcher;
        this.committedTxId = writer.end().lastTxId();
        writer.setAdvanceWatcher(this::notifyWatcher);
    }

    /** The last transaction that a majority has on disk. */
    public long committedTxId() {
        return committedTxId;
    }

    /** See {@link JournalWriter#wasSoleWriterAt}. */
    public boolean wasSoleWriterAt(long atNanos) {
        return !over && writer.wasSoleWriterAt(atNanos);
    }

    /** See {@link JournalWriter#hasMajorityAnsweredSince}. */
    public boolean hasMajorityAnsweredSince(long sinceNanos) {
        return !over && writer.hasMajorityAnsweredSince(sinceNanos);
    }

    /** See {@link JournalWriter#trackExclusivity}. */
    public void trackExclusivity() {
        writer.trackExclusivity();
    }

    /**
     * The epoch in which the writer lets observers next to a node answer reads; empty if it does not. See {@link JournalWriter#grantReads}.
     */
    public Optional<Epoch> grantReads(NodeId node) {
        return !over && writer.grantReads(node) ? Optional.of(writer.epoch()) : Optional.<Epoch>empty();
    }

    /** Whether nothing more will be committed in this term. */
    public boolean hasEnded() {
        return over || writer.hasEnded();
    }

    /** Takes note that an append returned, of entry {@code sn} up to transaction {@code txId}. */
    void recordAppended(long sn, long txId) {
        if (writer.committedSn() >= sn) {
            setCommitted(txId);
            return;
        }
        synchronized (this) {
            ahead.add(new AcknowledgedTxId(sn, txId));
            isAhead = true;
        }
        notifyWatcher();
    }

    private void notifyWatcher() {
        if (isAhead) {
            synchronized (this) {
                long committedSn = writer.committedSn();
                while (!ahead.isEmpty() && ahead.peek().sn <= committedSn) {
                    committedTxId = Math.max(committedTxId, ahead.poll().txId);
                }
                isAhead = !ahead.isEmpty();
            }
        }
        watcher.run();
    }

    /** Sets the last committed transaction; lower than before only if committed transactions became void. */
    void setCommitted(long txId) {
        synchronized (this) {
            // What is committed now comes after everything that was appended before.
            ahead.clear();
            isAhead = false;
            committedTxId = txId;
        }
        watcher.run();
    }

    /** Ends the term, in which no more will be committed. */
    void end() {
        over = true;
        watcher.run();
    }
}
