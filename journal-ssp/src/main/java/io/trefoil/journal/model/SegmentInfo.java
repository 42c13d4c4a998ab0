/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.model;

import com.google.auto.value.AutoValue;

/** An HDFS edit log segment in the committed part of a journal. Immutable. */
@AutoValue
public abstract class SegmentInfo {

    public static SegmentInfo of(TxRange txIds, boolean finalized, int layoutVersion, TxRange found, long foundSn) {
        return new AutoValue_SegmentInfo(txIds, finalized, layoutVersion, found, foundSn);
    }

    /** All committed transactions of the segment. */
    public abstract TxRange txIds();

    /** Whether its SEGMENT_END is committed. */
    public abstract boolean finalized();

    /** HDFS layout version of the edits inside. */
    public abstract int layoutVersion();

    /**
     * What remains of {@link #txIds} for a reader who begins at the entry {@link #foundSn}: it contains the
     * transaction that was asked for, or is the whole segment if that lies before it.
     */
    public abstract TxRange found();

    /** Serial number of an entry at or before which {@link #found} begins; nothing before it is needed. */
    public abstract long foundSn();
}
