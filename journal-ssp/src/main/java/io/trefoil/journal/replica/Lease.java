/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.replica;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Promise;

/**
 * How long a writer may believe that it is alone, as one node sees it (protocol page, "Lease"). The safety of the log
 * never depends on it, only how long a deposed active may answer reads with old data. Immutable.
 */
@AutoValue
public abstract class Lease {

    private static final long NANOS_PER_MILLI = 1_000_000L;

    /** Nobody holds it. */
    public static final Lease FREE = new AutoValue_Lease(0, 0);

    static Lease of(long fromNanos, long lengthMillis) {
        return new AutoValue_Lease(fromNanos, lengthMillis);
    }

    /** The same, but over as soon as the writer may no longer believe that it is alone. */
    final Lease ofAWriterThatSeemsGone() {
        return of(fromNanos(), Math.min(lengthMillis(), Promise.ALONE_MILLIS));
    }

    /** By the node's own monotonic clock. */
    abstract long fromNanos();

    abstract long lengthMillis();

    /** How long it still runs, in milliseconds, rounded up; 0 if it is over. */
    public final long remainingMillis(long nowNanos) {
        long leftNanos = lengthMillis() * NANOS_PER_MILLI - (nowNanos - fromNanos());
        // A clock may show less than 0: nobody's lease began at no time.
        return lengthMillis() == 0 ? 0 : Math.max(0, (leftNanos + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI);
    }
}
