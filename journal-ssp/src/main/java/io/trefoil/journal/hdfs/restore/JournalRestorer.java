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
 * Restores a journal to a barrier (paper §4.3), as its writer in a new epoch. That fences any earlier writer; the
 * caller has made sure that there is none. Not thread-safe.
 */
public final class JournalRestorer implements Closeable {

    private final Journal journal;
    private final Term term;

    private JournalRestorer(Journal journal, Term term) {
        this.journal = journal;
        this.term = term;
    }

    /**
     * Becomes the writer, which commits everything that may have been acknowledged. Waits for a majority of the pool
     * nodes, however long that takes. Adds and removes no transaction.
     *
     * @throws IOException as {@link Journal#openWriter}
     */
    public static JournalRestorer begin(Journal journal) throws IOException {
        return new JournalRestorer(journal, new Term(journal.openWriter(1), () -> {}));
    }

    /** The epoch in which this restores. */
    public long epoch() {
        return term.epoch();
    }

    /** The barriers at the very end of the journal. */
    public Barriers barriers() {
        return term.end().barriers();
    }

    /** The edits of the journal up to its very end. */
    public EditsExport editsExport() {
        return EditsExport.of(journal, term);
    }

    /**
     * Makes every transaction after a barrier void, permanently, by an entry of the log: a node that was down receives that entry before it
     * counts again. A new timeline begins with edits that raise block ids and stamps above all those ever assigned after the barrier, in
     * this timeline and in earlier void ones, because DataNodes still have block replicas under these. The barrier stays, with a new text;
     * those after it are gone. When this returns, a majority knows the result. It can be repeated, whether or not it completed; each
     * repetition counts further.
     *
     * @param knownCounters the highest counters of images, at least those of the image that is kept for the barrier
     * @param underWay the barrier's text from before any other change: it tells a reader that the timeline may be
     *     incomplete
     * @param resultText the barrier's text once the restore is complete
     * @throws IOException if there is no such barrier, it is not the end of a segment, a text is too long, or the log
     *     cannot be read: nothing was written; or as {@link io.trefoil.journal.pool.writer.JournalWriter#append}: then
     *     any of the entries may be in the log, and if one is, the barrier says that the restore is in progress
     */
    public Timeline restoreToBarrier(
            Barrier barrier, NamespaceCounters knownCounters, String underWay, Function<Timeline, String> resultText)
            throws IOException {
        return restoreTo(barrier, Optional.<RevertedRestore>empty(), knownCounters, underWay, resultText);
    }

    /**
     * Makes every transaction after a barrier void, and repeats those that a restore to it had made void, with the
     * barriers among them. Then the timeline counts on as after a restore.
     *
     * @param epochBefore the epoch of the last restore before the one that is undone; 0 if there was none
     * @param restoredInEpoch the epoch of that restore's attempt that completed
     * @throws IOException as {@link #restoreToBarrier}; or if the transactions are no longer in the log: nothing was written
     */
    public Timeline undo(
            Barrier barrier,
            long epochBefore,
            long restoredInEpoch,
            NamespaceCounters knownCounters,
            String underWay,
            Function<Timeline, String> resultText)
            throws IOException {
        RevertedRestore revertedRestore = RevertedRestore.of(barrier, epochBefore, restoredInEpoch);
        return restoreTo(barrier, Optional.of(revertedRestore), knownCounters, underWay, resultText);
    }

    /**
     * Checks the edits that an undo would repeat; changes nothing, and does not require being the writer.
     *
     * @return why it cannot be done; empty if it can
     */
    public static Optional<String> undoRefusalReason(
            Journal journal, Barrier barrier, long epochBefore, long restoredInEpoch) {
        try {
            CommittedSegments committed = new CommittedSegments(journal);
            Optional<Term> nobody = Optional.empty();
            segmentsKeptFor(barrier, committed, nobody);
            RevertedRestore revertedRestore = RevertedRestore.of(barrier, epochBefore, restoredInEpoch);
            findVoidedTimeline(
                    journal, committed, nobody, journal.committedPosition().sn(), revertedRestore);
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(e.getMessage());
        }
    }

    private Timeline restoreTo(
            Barrier barrier,
            Optional<RevertedRestore> revertedRestore,
            NamespaceCounters knownCounters,
            String underWay,
            Function<Timeline, String> resultText)
            throws IOException {
        term.requireBarrier(barrier.name());
        CommittedSegments committed = new CommittedSegments(journal);
        Optional<Term> writing = Optional.of(term);
        List<SegmentInfo> kept = segmentsKeptFor(barrier, committed, writing);
        long firstSn = kept.get(0).readFromSn();
        long lastSn = term.end().position().sn();
        VoidTimelines before = VoidTimelines.read(journal, firstSn, lastSn, knownCounters);
        NamespaceCounters counters = before.counters().startOfNextTimeline();
        Optional<VoidedTimeline> repeated = revertedRestore.isPresent()
                ? Optional.of(findVoidedTimeline(journal, committed, writing, lastSn, revertedRestore.get()))
                : Optional.<VoidedTimeline>empty();
        long forkTxId = repeated.map(VoidedTimeline::lastTxId).orElse(barrier.txId());
        TimelineStartEdits first = TimelineStartEdits.of(
                forkTxId + 1, counters, kept.get(kept.size() - 1).layoutVersion());
        Timeline timeline = Timeline.of(epoch(), forkTxId, first.txIds().last(), counters);
        long voidedTxId = Math.max(before.lastTxId(), barrier.txId());
        Barrier marked = barrierAfterRestore(barrier, voidedTxId, underWay);
        Barrier after = barrierAfterRestore(barrier, voidedTxId, resultText.apply(timeline));
        term.replaceBarrier(marked);
        term.discardSegments(committed, barrier.txId() + 1);
        if (repeated.isPresent()) {
            appendAgain(repeated.get());
        }
        term.startSegment(first.txIds().first(), first.layoutVersion());
        term.appendEdits(first.txIds(), first.edits());
        term.endSegment(first.txIds());
        term.replaceBarrier(after);
        return timeline;
    }

    private static Barrier barrierAfterRestore(Barrier barrier, long voidedTxId, String text) throws IOException {
        try {
            return barrier.afterRestore(voidedTxId, text);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage() + ". The journal was not changed.", e);
        }
    }

    private static VoidedTimeline findVoidedTimeline(
            Journal journal,
            CommittedSegments committed,
            Optional<Term> writing,
            long lastSn,
            RevertedRestore revertedRestore)
            throws IOException {
        // Not from the barrier's own segments on: undoing a restore to an earlier barrier may have repeated them later
        // in the log.
        long firstSn = committed.segmentsFrom(1, writing).get(0).readFromSn();
        return VoidedTimeline.find(journal, firstSn, lastSn, revertedRestore)
                .orElseThrow(() -> new IOException("The journal has no transactions after " + revertedRestore.txId()
                        + " that became void in epoch " + revertedRestore.epoch() + ", nor in an earlier one"));
    }

    private void appendAgain(VoidedTimeline timeline) throws IOException {
        for (VoidedTimeline.Part segment : timeline.segments()) {
            for (long next = segment.firstSn(); next <= segment.lastSn(); ) {
                for (Entry entry : VoidTimelines.entries(journal, next)) {
                    next++;
                    if (entry.sn() <= segment.lastSn() && isSegmentEdit(entry)) {
                        term.appendAgain(entry);
                    }
                }
            }
        }
        for (Entry entry : timeline.barriers()) {
            term.appendAgain(entry);
        }
    }

    private static boolean isSegmentEdit(Entry entry) {
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
    private static List<SegmentInfo> segmentsKeptFor(
            Barrier barrier, CommittedSegments committed, Optional<Term> writing) throws IOException {
        List<SegmentInfo> kept = new ArrayList<>();
        for (SegmentInfo segment : committed.segmentsFrom(Math.min(barrier.keepFrom(), barrier.txId()), writing)) {
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

    /** Ends the term, so that the next writer need not wait for the lease. */
    @Override
    public void close() {
        term.close();
    }
}
