/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.tailing;

import io.trefoil.journal.pool.Journal;
import java.util.Optional;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp;

/**
 * Finds the edit that a NameNode cannot apply: HDFS stopped reading a stream at it, and never got past it. Notes it with the pool node of
 * this process, for operators, because the NameNode ends.
 *
 * <p>While a NameNode starts, HDFS reads each stream to its end, unless an edit fails. Later it also ends early after a number of
 * edits, so then the thread that tails says whether it failed ({@link Left#failed}).
 *
 * <p>Uses {@code FSEditLogOp.getTransactionId} and its text. Not thread-safe: HDFS applies edits on one thread at a time, under a lock.
 */
final class UnappliedEditFinder implements EditsObserver {
    private final EditsObserver next;
    private final Journal journal;
    private final TailingGate gate;

    UnappliedEditFinder(EditsObserver next, Journal journal, TailingGate gate) {
        this.next = next;
        this.journal = journal;
        this.gate = gate;
    }

    @Override
    public void onEdit(FSEditLogOp edit) {
        next.onEdit(edit);
    }

    @Override
    public void onStreamAbandoned(FSEditLogOp edit) {
        if (gate.isFollowing()) {
            gate.setStoppedAt(Optional.of(new StopPoint(edit.getTransactionId(), edit.toString())));
        } else {
            journal.unappliedEdit().ifPresent(note -> note.record(edit.getTransactionId(), edit.toString(), ""));
        }
    }

    @Override
    public void onStreamFinished() {
        next.onStreamFinished();
    }

    @Override
    public void onSegmentStart() {
        next.onSegmentStart();
    }

    /** An edit at which HDFS stopped reading a stream. HDFS reuses its own object for later ones. */
    static final class StopPoint {
        private final long txId;
        private final String text;

        StopPoint(long txId, String text) {
            this.txId = txId;
            this.text = text;
        }

        /** Whether the edit itself failed, rather than being the last one before the stream became unreadable. */
        boolean isNextAfter(long appliedTxId) {
            return txId == appliedTxId + 1;
        }

        void note(Journal journal, Throwable cause) {
            journal.unappliedEdit()
                    .ifPresent(note ->
                            note.record(txId, text, cause.getClass().getSimpleName() + ": " + cause.getMessage()));
        }
    }
}
