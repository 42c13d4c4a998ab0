/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Entry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The index of a chunk: where its entries begin and end, when they were committed, and what they make void. Immutable. */
@AutoValue
public abstract class ChunkHead {

    /** @throws IllegalArgumentException if it describes no entries, or not the same ones */
    public static ChunkHead of(LinePoint before, LinePoint after, List<VoidPoint> voids, List<Mark> marks) {
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
                Collections.unmodifiableList(new ArrayList<>(marks)));
    }

    /**
     * The index of committed entries.
     *
     * @param millis when they were known to be committed
     */
    public static ChunkHead of(LinePoint before, List<Entry> entries, long millis) {
        LinePoint after = before;
        List<VoidPoint> voids = new ArrayList<>();
        for (Entry entry : entries) {
            after = after.after(entry);
            VoidPoint.of(entry).ifPresent(voids::add);
        }
        return of(before, after, voids, Collections.singletonList(Mark.of(after.sn(), after.lastTxId(), millis)));
    }

    /**
     * The index of this chunk's entries and those of the next.
     *
     * @throws IllegalArgumentException if the next does not begin where this one ends
     */
    public final ChunkHead mergedWith(ChunkHead next) {
        if (!next.before().equals(after())) {
            throw new IllegalArgumentException("Wanted entries after " + after() + ", found " + next.before());
        }
        List<VoidPoint> voids = new ArrayList<>(voids());
        voids.addAll(next.voids());
        List<Mark> marks = new ArrayList<>(marks());
        marks.addAll(next.marks());
        return of(before(), next.after(), voids, marks);
    }

    public abstract LinePoint before();

    public abstract LinePoint after();

    public abstract List<VoidPoint> voids();

    /** In the order of entries; the last one is at {@link #after}. */
    public abstract List<Mark> marks();
}
