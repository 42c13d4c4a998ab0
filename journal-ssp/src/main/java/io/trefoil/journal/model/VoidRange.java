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
 * Which images belong to a void line of transactions: those of certain transactions whose plain block ids have reached
 * certain values. Each line starts its ids above all ids of earlier lines, so the ids tell which line an image belongs
 * to. Immutable.
 */
@AutoValue
public abstract class VoidRange {

    /** No more than these are carried on: by a barrier from one restore to the next, and by the members from one promotion to the next. */
    public static final int MAX_COUNT = 8;

    /**
     * @param behindTxId the last transaction before it
     * @param toTxId its last transaction
     * @param fromBlockId the lowest id to which an image of it may have counted
     * @param belowBlockId above the highest
     */
    public static VoidRange of(long behindTxId, long toTxId, long fromBlockId, long belowBlockId) {
        return new AutoValue_VoidRange(behindTxId, toTxId, fromBlockId, belowBlockId);
    }

    public abstract long behindTxId();

    public abstract long toTxId();

    public abstract long fromBlockId();

    public abstract long belowBlockId();

    /** Whether an image of a transaction that has counted plain blocks to an id is in it. */
    public final boolean has(long txId, long blockId) {
        return txId > behindTxId() && txId <= toTxId() && blockId >= fromBlockId() && blockId < belowBlockId();
    }

    /** As words: its four numbers. */
    final String toWords() {
        return behindTxId() + " " + toTxId() + " " + fromBlockId() + " " + belowBlockId();
    }

    private boolean covers(VoidRange other) {
        return around(other).equals(this);
    }

    /** The smallest that covers both. */
    private VoidRange around(VoidRange other) {
        return of(
                Math.min(behindTxId(), other.behindTxId()),
                Math.max(toTxId(), other.toTxId()),
                Math.min(fromBlockId(), other.fromBlockId()),
                Math.max(belowBlockId(), other.belowBlockId()));
    }

    /**
     * The fewest that say the same, and no more than {@link #MAX_COUNT}: of more, the oldest become one that covers them all. It may
     * cover images that are not void, but none that was saved since the newest of these lines ended, which has counted further.
     */
    public static List<VoidRange> merged(Collection<VoidRange> all) {
        List<VoidRange> merged = new ArrayList<>();
        for (VoidRange next : all) {
            if (merged.stream().noneMatch(one -> one.covers(next))) {
                merged.removeIf(next::covers);
                merged.add(next);
            }
        }
        merged.sort(Comparator.comparingLong(VoidRange::belowBlockId));
        while (merged.size() > MAX_COUNT) {
            VoidRange oldest = merged.remove(0);
            merged.set(0, oldest.around(merged.get(0)));
        }
        return Collections.unmodifiableList(merged);
    }
}
