/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica.storage;

/**
 * The schedule by which failed storage is reopened: by one caller at a time, one second after the failure, then with a delay that doubles
 * after each failed attempt, up to 5 s. By the nanoseconds of any monotonic clock; not thread-safe.
 */
final class ReopenSchedule {

    private static final long FIRST_WAIT_NANOS = 1_000_000_000L;

    private static final long LAST_WAIT_NANOS = 5_000_000_000L;

    private long failedNanos;
    private long waitNanos = FIRST_WAIT_NANOS;
    private boolean underWay;

    /** Records that the storage failed, or that there is none. */
    void recordFailure(long nowNanos) {
        failedNanos = nowNanos;
    }

    /** Whether the caller is to open it now; the caller then reports {@link #finish} or {@link #recordFailedAttempt}. */
    boolean tryBegin(long nowNanos) {
        boolean due = !underWay && nowNanos - failedNanos >= waitNanos;
        underWay |= due;
        return due;
    }

    /** Records that the first opening has begun. */
    void markOpening() {
        underWay = true;
    }

    void finish() {
        underWay = false;
    }

    void recordFailedAttempt() {
        underWay = false;
        waitNanos = Math.min(2 * waitNanos, LAST_WAIT_NANOS);
    }

    /** Records that the storage works again: the next failure counts as the first. */
    void recordRecovery() {
        waitNanos = FIRST_WAIT_NANOS;
    }
}
