/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs;

import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.SegmentInfo;
import io.trefoil.journal.pool.Journal;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

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
     * it counts again. A new line begins with edits that count the ids and stamps of blocks above all that were ever given out
     * behind the barrier, by this line and those that were taken back before: DataNodes still have replicas under these. The
     * barrier stays, with a new text; those behind it are gone. What was done is known to a majority when this returns. It can be
     * done again, whether it came to its end or not; each time counts further.
     *
     * @param known the counters of images; the highest are enough, and of the image that is kept for the barrier at least
     * @param textIn what the barrier shall say from now on
     * @throws IOException if there is no such barrier, it is not the end of a segment, or what is in the log cannot be read:
     *     nothing was written; or as {@link io.trefoil.journal.pool.JournalWriter#append}: then each of the entries is in the log,
     *     or not
     */
    public NewLine toBarrier(Barrier barrier, BlockCounters known, Function<NewLine, String> textIn)
            throws IOException {
        term.requireBarrier(barrier.name());
        CommittedSegments committed = new CommittedSegments(journal);
        List<SegmentInfo> kept = keptFor(barrier, committed);
        VoidLines before = VoidLines.read(
                journal, kept.get(0).foundSn(), term.end().position().sn(), known);
        BlockCounters counters = before.counters().leap();
        FirstEdits first = FirstEdits.of(
                barrier.txId() + 1, counters, kept.get(kept.size() - 1).layoutVersion());
        term.discardSegments(committed, barrier.txId() + 1);
        term.startSegment(first.txIds().first(), first.layoutVersion());
        term.appendEdits(first.txIds(), first.edits());
        term.endSegment(first.txIds());
        NewLine line = NewLine.of(epoch(), first.txIds().last(), counters);
        term.replace(barrier.afterRestore(Math.max(before.lastTxId(), barrier.txId()), textIn.apply(line)));
        return line;
    }

    /** The segments from the image that belongs to the barrier up to the barrier. */
    private List<SegmentInfo> keptFor(Barrier barrier, CommittedSegments committed) throws IOException {
        List<SegmentInfo> kept = new ArrayList<>();
        for (SegmentInfo segment : committed.from(Math.min(barrier.keepFrom(), barrier.txId()), Optional.of(term))) {
            if (segment.txIds().first() > barrier.txId()) {
                break;
            }
            kept.add(segment);
        }
        long last = kept.isEmpty() ? 0 : kept.get(kept.size() - 1).txIds().last();
        if (last != barrier.txId()) {
            throw new IOException("Cannot go back to transaction " + barrier.txId()
                    + ": only whole segments can be taken" + " back, and the journal has the segments " + kept);
        }
        return kept;
    }

    /** Ends the term; the next writer need not wait for the lease. */
    @Override
    public void close() {
        term.close();
    }
}
