/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica.storage;

/**
 * The schedule by which failed storage is reopened: by one caller at a time, a second after the failure, and after
 * twice as long for each failed attempt, up to 5 s. By the nanoseconds of any monotonic clock; not thread-safe.
 */
final class ReopenSchedule {

    private static final long FIRST_WAIT_NANOS = 1_000_000_000L;

    private static final long LAST_WAIT_NANOS = 5_000_000_000L;

    private long failedNanos;
    private long waitNanos = FIRST_WAIT_NANOS;
    private boolean underWay;

    /** The storage failed, or there is none. */
    void failedAt(long nowNanos) {
        failedNanos = nowNanos;
    }

    /** Whether the caller is to open it now; the caller then reports {@link #finish} or {@link #endedInVain}. */
    boolean begins(long nowNanos) {
        boolean due = !underWay && nowNanos - failedNanos >= waitNanos;
        underWay |= due;
        return due;
    }

    /** The first opening has begun. */
    void underWay() {
        underWay = true;
    }

    void finish() {
        underWay = false;
    }

    void endedInVain() {
        underWay = false;
        waitNanos = Math.min(2 * waitNanos, LAST_WAIT_NANOS);
    }

    /** The storage works again: the next failure counts as the first. */
    void works() {
        waitNanos = FIRST_WAIT_NANOS;
    }
}
