/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.model;

import com.google.auto.value.AutoValue;

/** Consecutive HDFS transaction ids, inclusive at both ends; empty if {@code last == first - 1}. Immutable. */
@AutoValue
public abstract class TxRange {

    /** The empty range, of entries that have nothing to do with transactions. */
    public static final TxRange NONE = new AutoValue_TxRange(0, -1);

    public static TxRange of(long first, long last) {
        if (first < 0 || last < first - 1) {
            throw new IllegalArgumentException("Not a range of txids: " + first + ".." + last);
        }
        return new AutoValue_TxRange(first, last);
    }

    /** Creates the range that starts at {@code first} and holds nothing yet. */
    public static TxRange emptyRangeAt(long first) {
        return of(first, first - 1);
    }

    public abstract long first();

    public abstract long last();

    public final boolean isEmpty() {
        return last() < first();
    }

    public final long count() {
        return last() - first() + 1;
    }

    public final boolean contains(long txId) {
        return txId >= first() && txId <= last();
    }

    @Override
    public final String toString() {
        return first() + ".." + last();
    }
}
