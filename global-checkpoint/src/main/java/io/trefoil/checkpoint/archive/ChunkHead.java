/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Entry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The index of a chunk: where its entries begin and end, when they were committed, the transactions that they make void, and barriers. Immutable. */
@AutoValue
public abstract class ChunkHead {

    /** @throws IllegalArgumentException if it describes no entries, or not the same ones */
    public static ChunkHead of(
            LogBoundary before,
            LogBoundary after,
            List<VoidPoint> voids,
            List<ArchivedBarrier> barriers,
            List<CommitMark> marks) {
        boolean ended = !marks.isEmpty()
                && marks.get(marks.size() - 1).sn() == after.sn()
                && marks.get(marks.size() - 1).txId() == after.lastTxId();
        if (after.sn() <= before.sn() || !ended) {
            throw new IllegalArgumentException(
                    "Wanted entries after " + before + " up to " + after + ", found marks " + marks);
        }
        return new AutoValue_ChunkHead(
                before,
                after,
                Collections.unmodifiableList(new ArrayList<>(voids)),
                Collections.unmodifiableList(new ArrayList<>(barriers)),
                Collections.unmodifiableList(new ArrayList<>(marks)));
    }

    /**
     * Creates the head of a chunk of committed entries.
     *
     * @param millis when they were known to be committed
     * @param sinceMillis when none of them was known to be; empty if it is not known
     */
    public static ChunkHead of(LogBoundary before, List<Entry> entries, long millis, Optional<Long> sinceMillis) {
        LogBoundary after = before;
        List<VoidPoint> voids = new ArrayList<>();
        List<ArchivedBarrier> barriers = new ArrayList<>();
        for (Entry entry : entries) {
            after = after.next(entry);
            VoidPoint.of(entry).ifPresent(voids::add);
            ArchivedBarrier.of(entry).ifPresent(barriers::add);
        }
        CommitMark mark = CommitMark.of(after.sn(), after.lastTxId(), millis, sinceMillis);
        return of(before, after, voids, barriers, Collections.singletonList(mark));
    }

    /**
     * The index of this chunk's entries and those of the next.
     *
     * @throws IllegalArgumentException if the next does not begin where this one ends
     */
    public final ChunkHead mergeWith(ChunkHead next) {
        if (!next.before().equals(after())) {
            throw new IllegalArgumentException("Wanted entries after " + after() + ", found " + next.before());
        }
        List<VoidPoint> voids = new ArrayList<>(voids());
        voids.addAll(next.voids());
        List<ArchivedBarrier> barriers = new ArrayList<>(barriers());
        barriers.addAll(next.barriers());
        List<CommitMark> marks = new ArrayList<>(marks());
        marks.addAll(next.marks());
        return of(before(), next.after(), voids, barriers, marks);
    }

    public abstract LogBoundary before();

    public abstract LogBoundary after();

    public abstract List<VoidPoint> voids();

    public abstract List<ArchivedBarrier> barriers();

    /** Returns the marks in the order of entries; the last one is at {@link #after}. */
    public abstract List<CommitMark> marks();
}
