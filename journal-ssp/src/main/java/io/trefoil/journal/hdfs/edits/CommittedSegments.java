/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.edits;

import io.trefoil.foundation.Pause;
import io.trefoil.foundation.ProcessRunClock;
import io.trefoil.journal.model.SegmentInfo;
import io.trefoil.journal.pool.Journal;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/** The segments that HDFS may read. */
public final class CommittedSegments {

    /** How long the journal may take to show acknowledged entries to its writer: usually milliseconds; more than this would be a bug. */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** The longest time that one request takes, unless the process is paused. */
    private static final Duration QUERY_TIMEOUT = Duration.ofSeconds(10);

    private static final long PAUSE_MILLIS = 5;

    private final Journal journal;
    private final LongSupplier nanoTime;

    public CommittedSegments(Journal journal) {
        this(journal, System::nanoTime);
    }

    /** @param nanoTime a monotonic clock */
    CommittedSegments(Journal journal, LongSupplier nanoTime) {
        this.journal = journal;
        this.nanoTime = nanoTime;
    }

    /**
     * Committed segments with transactions from {@code fromTxId} on, without gaps, none empty. For the writer, waits
     * until they contain everything that had been acknowledged to it when this was called: a NameNode that became active
     * on less than the whole journal would be ended by the next check, and HDFS takes an exception for "nothing there".
     *
     * @throws IOException if they cannot be listed now
     */
    public List<SegmentInfo> segmentsFrom(long fromTxId, Optional<Term> writing) throws IOException {
        return writing.isPresent() ? segmentsUpToAcknowledged(fromTxId, writing.get()) : list(fromTxId);
    }

    private List<SegmentInfo> segmentsUpToAcknowledged(long fromTxId, Term writing) throws IOException {
        // Time for which the process was paused does not count: the journal may answer at once when the process
        // continues.
        ProcessRunClock waited = new ProcessRunClock(QUERY_TIMEOUT.toNanos(), nanoTime.getAsLong());
        // Of this moment: acknowledged entries may be ahead of committed ones (N8), and a loop that ran after them
        // would not end under load.
        long acknowledged = writing.acknowledgedTxId();
        while (true) {
            IOException trouble;
            try {
                List<SegmentInfo> segments = list(fromTxId);
                if (isComplete(segments, fromTxId, acknowledged, writing)) {
                    return segments;
                }
                trouble = new IOException("found no more than " + segments);
            } catch (IOException e) {
                trouble = e;
            }
            waited.sample(nanoTime.getAsLong());
            if (writing.isFenced() || waited.nanos() > TIMEOUT.toNanos()) {
                throw new IOException(
                        "Journal " + journal.id() + " does not show its writer in " + writing
                                + " the transactions from " + fromTxId + " to " + acknowledged
                                + (writing.isFenced() ? ", it was fenced: " : ": ") + trouble.getMessage(),
                        trouble);
            }
            pause();
        }
    }

    private List<SegmentInfo> list(long fromTxId) throws IOException {
        List<SegmentInfo> segments = new ArrayList<>();
        for (SegmentInfo segment : journal.segments(fromTxId)) {
            if (segment.readableTxIds().isEmpty()) {
                continue;
            }
            long before = segments.isEmpty()
                    ? segment.txIds().first() - 1
                    : segments.get(segments.size() - 1).txIds().last();
            if (segment.txIds().first() != before + 1) {
                throw new IOException("Journal " + journal.id() + " has a gap: segment " + segment.txIds()
                        + " follows transaction " + before);
            }
            segments.add(segment);
        }
        return segments;
    }

    private static boolean isComplete(List<SegmentInfo> segments, long fromTxId, long acknowledged, Term writing) {
        if (acknowledged < fromTxId) {
            return true;
        }
        if (segments.isEmpty()) {
            return false;
        }
        SegmentInfo last = segments.get(segments.size() - 1);
        // If no segment is open, the end of the newest one must be visible too.
        boolean endSeen = last.finalized() || writing.end().openSegment().isPresent();
        return last.txIds().last() >= acknowledged && endSeen;
    }

    private static void pause() throws IOException {
        Pause.sleepMillis(PAUSE_MILLIS, "Interrupted while waiting for the committed end of the journal");
    }
}
