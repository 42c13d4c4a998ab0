/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.model;

import com.google.auto.value.AutoValue;

/**
 * The place of one entry in a journal: the epoch that wrote it and its serial number.
 *
 * <p>Ordered by epoch first: of two logs, a new writer continues the one with the higher last position (protocol page,
 * "A new writer", step 2). Immutable.
 */
@AutoValue
public abstract class LogPosition implements Comparable<LogPosition> {

    /** The place before the first entry. */
    public static final LogPosition ORIGIN = of(Epoch.NONE, 0);

    public static LogPosition of(Epoch epoch, long sn) {
        if (sn < 0) {
            throw new IllegalArgumentException("A serial number is never negative, got " + sn);
        }
        return new AutoValue_LogPosition(epoch, sn);
    }

    public abstract Epoch epoch();

    /** Serial number, contiguous from 1; 0 is the place before the first entry. */
    public abstract long sn();

    /** Whether an entry here may directly follow one there. */
    final boolean isNextAfter(LogPosition other) {
        return sn() == other.sn() + 1 && !epoch().isBelow(other.epoch());
    }

    @Override
    public final int compareTo(LogPosition other) {
        int byEpoch = epoch().compareTo(other.epoch());
        return byEpoch != 0 ? byEpoch : Long.compare(sn(), other.sn());
    }

    @Override
    public final String toString() {
        return epoch() + "/" + sn();
    }
}
