/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.tailing;

import io.trefoil.journal.pool.Journal;
import java.util.Optional;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp;

/**
 * Finds the edit that a NameNode cannot apply: HDFS left a stream at it, and did not get beyond. Notes it with the pool node of this
 * process, for operators, because the NameNode ends.
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
    public void next(FSEditLogOp edit) {
        next.next(edit);
    }

    @Override
    public void abandonedAfter(FSEditLogOp edit) {
        if (gate.isFollowing()) {
            gate.left(Optional.of(new StoppedAt(edit.getTransactionId(), edit.toString())));
        } else {
            journal.unapplied().ifPresent(note -> note.note(edit.getTransactionId(), edit.toString(), ""));
        }
    }

    @Override
    public void applyFinished() {
        next.applyFinished();
    }

    @Override
    public void segmentStarts() {
        next.segmentStarts();
    }

    /** An edit at which a stream was left. HDFS reuses its own object for later ones. */
    static final class StoppedAt {
        private final long txId;
        private final String text;

        StoppedAt(long txId, String text) {
            this.txId = txId;
            this.text = text;
        }

        /** Whether the edit failed itself, and was not only the last one before a stream could not be read. */
        boolean isNextAfter(long applied) {
            return txId == applied + 1;
        }

        void note(Journal journal, Throwable why) {
            journal.unapplied()
                    .ifPresent(note -> note.note(txId, text, why.getClass().getSimpleName() + ": " + why.getMessage()));
        }
    }
}
