/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.replica;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Promise;

/**
 * Describes how long a writer may consider itself the only writer, from the point of view of one node (protocol page, "Lease"). The safety
 * of the log never depends on it; only how long a deposed active may answer reads with old data does. Immutable.
 */
@AutoValue
public abstract class Lease {

    private static final long NANOS_PER_MILLI = 1_000_000L;

    /** The lease without a holder. */
    public static final Lease FREE = new AutoValue_Lease(0, 0);

    static Lease of(long fromNanos, long lengthMillis) {
        return new AutoValue_Lease(fromNanos, lengthMillis);
    }

    /** A copy cut short to the time in which the writer may still consider itself the only one. */
    final Lease shortenForSuspectedWriter() {
        return of(fromNanos(), Math.min(lengthMillis(), Promise.ALONE_MILLIS));
    }

    /** The time at which the lease began, by the node's own monotonic clock. */
    abstract long fromNanos();

    abstract long lengthMillis();

    /** Returns how long the lease still runs, in milliseconds, rounded up; 0 if it has expired. */
    public final long remainingMillis(long nowNanos) {
        long leftNanos = lengthMillis() * NANOS_PER_MILLI - (nowNanos - fromNanos());
        // The clock may be negative, so FREE, which begins at 0, must not be taken for a lease that still runs.
        return lengthMillis() == 0 ? 0 : Math.max(0, (leftNanos + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI);
    }
}
