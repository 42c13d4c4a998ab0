/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.model;

import com.google.auto.value.AutoValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * The images that belong to a void timeline: those at certain transactions whose plain block ids have reached certain
 * values. Each timeline starts its block ids above those of all earlier timelines, so the ids tell which timeline an image belongs
 * to. Immutable.
 */
@AutoValue
public abstract class VoidRange {

    /** The most ranges that a barrier carries from one restore to the next, and the members from one promotion to the next. */
    public static final int MAX_COUNT = 8;

    /**
     * @param behindTxId the last transaction before the range
     * @param toTxId the last transaction of the range
     * @param fromBlockId the lowest block id that an image in the range may have reached
     * @param belowBlockId a bound above the highest such id
     */
    public static VoidRange of(long behindTxId, long toTxId, long fromBlockId, long belowBlockId) {
        return new AutoValue_VoidRange(behindTxId, toTxId, fromBlockId, belowBlockId);
    }

    public abstract long afterTxId();

    public abstract long toTxId();

    public abstract long fromBlockId();

    public abstract long belowBlockId();

    /** Whether the range contains an image at a transaction whose plain block ids have reached {@code blockId}. */
    public final boolean contains(long txId, long blockId) {
        return txId > afterTxId() && txId <= toTxId() && blockId >= fromBlockId() && blockId < belowBlockId();
    }

    /** The four numbers, separated by spaces. */
    final String toTokens() {
        return afterTxId() + " " + toTxId() + " " + fromBlockId() + " " + belowBlockId();
    }

    private boolean covers(VoidRange other) {
        return union(other).equals(this);
    }

    /** The smallest range that covers both. */
    private VoidRange union(VoidRange other) {
        return of(
                Math.min(afterTxId(), other.afterTxId()),
                Math.max(toTxId(), other.toTxId()),
                Math.min(fromBlockId(), other.fromBlockId()),
                Math.max(belowBlockId(), other.belowBlockId()));
    }

    /**
     * Returns the fewest ranges that cover the same images, at most {@link #MAX_COUNT}: if there are more, the oldest merge
     * into one that covers them all. It may cover images that are not void, but none that was saved since the newest of these
     * timelines ended, because the block ids of those images are higher.
     */
    public static List<VoidRange> merge(Collection<VoidRange> all) {
        List<VoidRange> merged = new ArrayList<>();
        for (VoidRange next : all) {
            if (merged.stream().noneMatch(range -> range.covers(next))) {
                merged.removeIf(next::covers);
                merged.add(next);
            }
        }
        merged.sort(Comparator.comparingLong(VoidRange::belowBlockId));
        while (merged.size() > MAX_COUNT) {
            VoidRange oldest = merged.remove(0);
            merged.set(0, oldest.union(merged.get(0)));
        }
        return Collections.unmodifiableList(merged);
    }
}
