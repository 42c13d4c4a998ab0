/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.model;

import com.google.auto.value.AutoValue;

/** An HDFS edit log segment in the committed part of a journal. Immutable. */
@AutoValue
public abstract class SegmentInfo {

    public static SegmentInfo of(TxRange txIds, boolean finalized, int layoutVersion, TxRange range, long foundSn) {
        return new AutoValue_SegmentInfo(txIds, finalized, layoutVersion, range, foundSn);
    }

    /** All committed transactions of the segment. */
    public abstract TxRange txIds();

    /** Whether its SEGMENT_END is committed. */
    public abstract boolean finalized();

    /** HDFS layout version of the edits inside. */
    public abstract int layoutVersion();

    /**
     * The part of {@link #txIds} that a reader gets if it begins at the entry {@link #readFromSn}: it contains the requested
     * transaction, or is the whole segment if that transaction lies before the segment.
     */
    public abstract TxRange readableTxIds();

    /** Serial number of the entry at which to begin reading: at or before the beginning of {@link #readableTxIds}. */
    public abstract long readFromSn();
}
