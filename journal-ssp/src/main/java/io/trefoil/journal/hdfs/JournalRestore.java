/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs;

import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.pool.Journal;
import java.io.Closeable;
import java.io.IOException;
import java.util.function.LongFunction;

/**
 * Takes a journal back to a barrier (paper §4.3), as its writer in a new epoch. Whoever wrote it before is fenced: the caller has
 * seen to it that nobody does. Not thread-safe.
 */
public final class JournalRestore implements Closeable {

    private final Journal journal;
    private final Term term;

    private JournalRestore(Journal journal, Term term) {
        this.journal = journal;
        this.term = term;
    }

    /**
     * Becomes the writer, which makes everything committed that may have been acknowledged; waits for a majority of the pool
     * nodes, however long that takes. No transaction is added or taken.
     *
     * @throws IOException as {@link Journal#openWriter}
     */
    public static JournalRestore begin(Journal journal) throws IOException {
        return new JournalRestore(journal, new Term(journal.openWriter(1)));
    }

    /** The epoch. */
    public long epoch() {
        return term.epoch();
    }

    /** The edits of the journal to their very end. */
    public EditsExport edits() {
        return EditsExport.of(journal, term);
    }

    /**
     * Makes every transaction behind a barrier void, for good: by an entry of the log, so that a node that was away has it before
     * it counts again. The barrier stays, with a new text; those behind it are gone. What was done is known to a majority when
     * this returns. Done twice, it changes nothing more.
     *
     * @param textIn what the barrier shall say from now on, by the number of the epoch
     * @throws IOException if there is no such barrier, or it is not the end of a segment: nothing was written; or as
     *     {@link io.trefoil.journal.pool.JournalWriter#append}: then each of the two entries is in the log, or not
     */
    public void toBarrier(Barrier barrier, LongFunction<String> textIn) throws IOException {
        term.requireBarrier(barrier.name());
        term.discardSegments(new CommittedSegments(journal), barrier.txId() + 1);
        term.replace(Barrier.of(barrier.name(), barrier.txId(), barrier.keepFrom(), textIn.apply(epoch())));
    }

    /** Ends the term; the next writer need not wait for the lease. */
    @Override
    public void close() {
        term.close();
    }
}
