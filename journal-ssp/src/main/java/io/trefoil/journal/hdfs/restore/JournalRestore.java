/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.restore;

import io.trefoil.journal.hdfs.edits.CommittedSegments;
import io.trefoil.journal.hdfs.edits.EditsExport;
import io.trefoil.journal.hdfs.edits.NamespaceCounters;
import io.trefoil.journal.hdfs.edits.Term;
import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Barriers;
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
 * Restores a journal to a barrier (paper §4.3), as its writer in a new epoch. Any earlier writer is fenced; the caller
 * has made sure that there is none. Not thread-safe.
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

    /** Those of the journal at its very end. */
    public Barriers barriers() {
        return term.end().barriers();
    }

    /** The edits of the journal to their very end. */
    public EditsExport edits() {
        return EditsExport.of(journal, term);
    }

    /**
     * Makes every transaction behind a barrier void, for good: by an entry of the log, so that a node that was away has it before
     * it counts again. A new line begins with edits that count the ids and stamps of blocks above all that were ever given out
     * behind the barrier, by this line and those that became void before: DataNodes still have replicas under these. The
     * barrier stays, with a new text; those behind it are gone. What was done is known to a majority when this returns. It can be
     * done again, whether it came to its end or not; each time counts further.
     *
     * @param known the counters of images; the highest are enough, and of the image that is kept for the barrier at least
     * @param underWay what the barrier says from before anything else is changed: who finds it knows that the line may not be whole
     * @param done what it says from the end on
     * @throws IOException if there is no such barrier, it is not the end of a segment, a text is too long, or what is in the log
     *     cannot be read: nothing was written; or as {@link io.trefoil.journal.pool.writer.JournalWriter#append}: then each of the
     *     entries is in the log, or not, and with any of them the barrier says that it is under way
     */
    public NewLine toBarrier(Barrier barrier, NamespaceCounters known, String underWay, Function<NewLine, String> done)
            throws IOException {
        return goTo(barrier, Optional.<UndoneRestore>empty(), known, underWay, done);
    }

    /**
     * Makes every transaction behind a barrier void, and repeats those that were there before a restore to it, with the
     * barriers among them. Then the line counts on as after a restore.
     *
     * @param epochBefore in which the journal had been restored last when that restore was begun; 0 if never
     * @param restoredInEpoch the epoch of the restore, of the try that came to its end
     * @throws IOException as {@link #toBarrier}; or if they are not in the log any more: nothing was written
     */
    public NewLine undo(
            Barrier barrier,
            long epochBefore,
            long restoredInEpoch,
            NamespaceCounters known,
            String underWay,
            Function<NewLine, String> done)
            throws IOException {
        UndoneRestore undone = UndoneRestore.to(barrier, epochBefore, restoredInEpoch);
        return goTo(barrier, Optional.of(undone), known, underWay, done);
    }

    /**
     * Looks for what an undo repeats; changes nothing, and needs to be no writer.
     *
     * @return why it cannot be done; empty if it can
     */
    public static Optional<String> undoRefusal(
            Journal journal, Barrier barrier, long epochBefore, long restoredInEpoch) {
        try {
            CommittedSegments committed = new CommittedSegments(journal);
            Optional<Term> nobody = Optional.empty();
            keptFor(barrier, committed, nobody);
            UndoneRestore undone = UndoneRestore.to(barrier, epochBefore, restoredInEpoch);
            voidedLine(journal, committed, nobody, journal.committed().sn(), undone);
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(e.getMessage());
        }
    }

    private NewLine goTo(
            Barrier barrier,
            Optional<UndoneRestore> undone,
            NamespaceCounters known,
            String underWay,
            Function<NewLine, String> done)
            throws IOException {
        term.requireBarrier(barrier.name());
        CommittedSegments committed = new CommittedSegments(journal);
        Optional<Term> writing = Optional.of(term);
        List<SegmentInfo> kept = keptFor(barrier, committed, writing);
        long firstSn = kept.get(0).foundSn();
        long lastSn = term.end().position().sn();
        VoidLines before = VoidLines.read(journal, firstSn, lastSn, known);
        NamespaceCounters counters = before.counters().leap();
        Optional<VoidedLine> repeated = undone.isPresent()
                ? Optional.of(voidedLine(journal, committed, writing, lastSn, undone.get()))
                : Optional.<VoidedLine>empty();
        long forkTxId = repeated.map(VoidedLine::lastTxId).orElse(barrier.txId());
        FirstEdits first =
                FirstEdits.of(forkTxId + 1, counters, kept.get(kept.size() - 1).layoutVersion());
        NewLine line = NewLine.of(epoch(), forkTxId, first.txIds().last(), counters);
        long voidedTxId = Math.max(before.lastTxId(), barrier.txId());
        Barrier marked = after(barrier, voidedTxId, underWay);
        Barrier after = after(barrier, voidedTxId, done.apply(line));
        term.replace(marked);
        term.discardSegments(committed, barrier.txId() + 1);
        if (repeated.isPresent()) {
            repeat(repeated.get());
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

    private static VoidedLine voidedLine(
            Journal journal, CommittedSegments committed, Optional<Term> writing, long lastSn, UndoneRestore undone)
            throws IOException {
        // Not from the barrier's own segments on: the undo of a restore to one before may have repeated them behind it.
        long firstSn = committed.from(1, writing).get(0).foundSn();
        return VoidedLine.find(journal, firstSn, lastSn, undone)
                .orElseThrow(() -> new IOException("The journal has no transactions after " + undone.txId()
                        + " that became void in epoch " + undone.epoch() + ", nor in an earlier one"));
    }

    private void repeat(VoidedLine line) throws IOException {
        for (VoidedLine.Part segment : line.segments()) {
            for (long next = segment.firstSn(); next <= segment.lastSn(); ) {
                for (Entry entry : VoidLines.entries(journal, next)) {
                    next++;
                    if (entry.sn() <= segment.lastSn() && isOfSegment(entry)) {
                        term.repeat(entry);
                    }
                }
            }
        }
        for (Entry entry : line.barriers()) {
            term.repeat(entry);
        }
    }

    private static boolean isOfSegment(Entry entry) {
        switch (entry.kind()) {
            case SEGMENT_START:
            case SEGMENT_END:
            case EDITS:
                return true;
            default:
                return false;
        }
    }

    /** The segments from the image that belongs to the barrier up to the barrier. */
    private static List<SegmentInfo> keptFor(Barrier barrier, CommittedSegments committed, Optional<Term> writing)
            throws IOException {
        List<SegmentInfo> kept = new ArrayList<>();
        for (SegmentInfo segment : committed.from(Math.min(barrier.keepFrom(), barrier.txId()), writing)) {
            if (segment.txIds().first() > barrier.txId()) {
                break;
            }
            kept.add(segment);
        }
        long last = kept.isEmpty() ? 0 : kept.get(kept.size() - 1).txIds().last();
        if (last != barrier.txId()) {
            throw new IOException("Cannot go back to transaction " + barrier.txId()
                    + ": only whole segments can be discarded, and the journal has the segments " + kept);
        }
        return kept;
    }

    /** Ends the term; the next writer need not wait for the lease. */
    @Override
    public void close() {
        term.close();
    }
}
