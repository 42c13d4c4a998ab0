/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.StorageRecord;

/** A place between two entries of a log, and the layout version of edits there. Immutable. */
@AutoValue
public abstract class LogBoundary {

    /** The boundary before the first entry of a log. */
    public static final LogBoundary ORIGIN = of(0, 0, 0);

    public static LogBoundary of(long sn, long lastTxId, int layoutVersion) {
        return new AutoValue_LogBoundary(sn, lastTxId, layoutVersion);
    }

    /** Creates the boundary behind which a log begins whose older part is no longer kept. */
    public static LogBoundary of(LogSummary base) {
        return of(
                base.position().sn(),
                base.lastTxId(),
                base.storage()
                        .map(StorageRecord::version)
                        .map(StorageRecord.Version::layoutVersion)
                        .orElse(0));
    }

    /** The last entry before it. */
    public abstract long sn();

    /** The last transaction before it that is not void there. */
    public abstract long lastTxId();

    /** HDFS's layout version of edits that follow without a beginning of a segment; 0 if it is not known. */
    public abstract int layoutVersion();

    /**
     * The place behind the next entry.
     *
     * @throws IllegalArgumentException if the entry is not the next one
     */
    public final LogBoundary next(Entry entry) {
        if (entry.sn() != sn() + 1) {
            throw new IllegalArgumentException("Wanted entry " + (sn() + 1) + ", found " + entry);
        }
        long lastTxId = lastTxId();
        int layoutVersion = layoutVersion();
        switch (entry.kind()) {
            case SEGMENT_START:
                layoutVersion = Integer.parseInt(entry.payload().utf8().trim());
                break;
            case EDITS:
                lastTxId = entry.txIds().last();
                break;
            default:
                lastTxId = VoidPoint.of(entry)
                        .map(point -> Math.min(lastTxId(), point.fromTxId() - 1))
                        .orElse(lastTxId);
                break;
        }
        return of(entry.sn(), lastTxId, layoutVersion);
    }

    @Override
    public final String toString() {
        return sn() + " " + lastTxId() + " " + layoutVersion();
    }

    /**
     * Parses the result of {@link #toString}.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static LogBoundary parse(String text) {
        long[] numbers = NumberList.parse(text, 3);
        return of(numbers[0], numbers[1], (int) numbers[2]);
    }
}
