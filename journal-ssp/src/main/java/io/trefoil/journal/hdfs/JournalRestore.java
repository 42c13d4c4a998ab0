/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs;

import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Entry;
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
        return new JournalRestore(journal, new Term(journal.openWriter(1), () -> {}));
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
     * @throws IOException if there is no such barrier, it is not the end of a segment, the text is too long, or what is in the log
     *     cannot be read: nothing was written; or as {@link io.trefoil.journal.pool.JournalWriter#append}: then each of the
     *     entries is in the log, or not
     */
    public NewLine toBarrier(Barrier barrier, BlockCounters known, Function<NewLine, String> textIn)
            throws IOException {
        return goTo(barrier, Optional.<Long>empty(), known, textIn);
    }

    /**
     * Makes every transaction behind a barrier void, and repeats those that were there before a restore to it, with the barriers among
     * them. Then the line counts on as after a restore.
     *
     * @param restoredInEpoch the epoch of the restore
     * @throws IOException as {@link #toBarrier}; or if they are not in the log any more: nothing was written
     */
    public NewLine undo(Barrier barrier, long restoredInEpoch, BlockCounters known, Function<NewLine, String> textIn)
            throws IOException {
        return goTo(barrier, Optional.of(restoredInEpoch), known, textIn);
    }

    private NewLine goTo(
            Barrier barrier, Optional<Long> undoneEpoch, BlockCounters known, Function<NewLine, String> textIn)
            throws IOException {
        term.requireBarrier(barrier.name());
        CommittedSegments committed = new CommittedSegments(journal);
        List<SegmentInfo> kept = keptFor(barrier, committed);
        long firstSn = kept.get(0).foundSn();
        long lastSn = term.end().position().sn();
        VoidLines before = VoidLines.read(journal, firstSn, lastSn, known);
        BlockCounters counters = before.counters().leap();
        Optional<VoidedLine> repeated = undoneEpoch.isPresent()
                ? Optional.of(VoidedLine.find(journal, firstSn, lastSn, barrier.txId(), undoneEpoch.get()))
                : Optional.<VoidedLine>empty();
        long forkTxId = repeated.map(VoidedLine::lastTxId).orElse(barrier.txId());
        FirstEdits first =
                FirstEdits.of(forkTxId + 1, counters, kept.get(kept.size() - 1).layoutVersion());
        NewLine line = NewLine.of(epoch(), forkTxId, first.txIds().last(), counters);
        Barrier after = after(barrier, Math.max(before.lastTxId(), barrier.txId()), textIn.apply(line));
        term.discardSegments(committed, barrier.txId() + 1);
        if (repeated.isPresent()) {
            repeat(repeated.get(), barrier);
        }
        term.startSegment(first.txIds().first(), first.layoutVersion());
        term.appendEdits(first.txIds(), first.edits());
        term.endSegment(first.txIds());
        term.replace(after);
        return line;
    }

    private static Barrier after(Barrier barrier, long voidedTxId, String text) throws IOException {
        try {
            return barrier.afterRestore(voidedTxId, text);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage() + ". The journal was not changed.", e);
        }
    }

    private void repeat(VoidedLine line, Barrier barrier) throws IOException {
        for (long next = line.firstSn(); next <= line.lastSn(); ) {
            for (Entry entry : VoidLines.entries(journal, next)) {
                next++;
                if (entry.sn() <= line.lastSn() && isRepeated(entry, barrier)) {
                    term.repeat(entry);
                }
            }
        }
    }

    /** Its edits, and what was done with barriers that the restore voided. */
    private boolean isRepeated(Entry entry, Barrier barrier) {
        switch (entry.kind()) {
            case SEGMENT_START:
            case SEGMENT_END:
            case EDITS:
                return true;
            case BARRIER:
                return Barrier.fromPayload(entry.payload()).txId() > barrier.txId();
            case BARRIER_RELEASE:
                return term.end()
                        .barriers()
                        .find(entry.payload().utf8())
                        .filter(live -> live.txId() > barrier.txId())
                        .isPresent();
            default:
                return false;
        }
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
