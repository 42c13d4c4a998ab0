/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.image;

/**
 * Spreads bytes over time, so that no second takes more than allowed. Unused allowance lasts at most a tenth of a second.
 */
public final class RateLimiter {

    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final long SAVED_UP_NANOS = NANOS_PER_SECOND / 10;

    private final long bytesPerSecond;
    private boolean used;
    private long freeAtNanos;

    public RateLimiter(long bytesPerSecond) {
        if (bytesPerSecond < 1) {
            throw new IllegalArgumentException("At least one byte a second, wanted " + bytesPerSecond);
        }
        this.bytesPerSecond = bytesPerSecond;
    }

    /**
     * Reserves the time that some bytes need; returns how long their sender must wait before sending them, in nanoseconds.
     *
     * @param nowNanos of a monotonic clock
     */
    public long reserve(long bytes, long nowNanos) {
        long earliest = nowNanos - SAVED_UP_NANOS;
        if (!used || freeAtNanos - earliest < 0) {
            used = true;
            freeAtNanos = earliest;
        }
        long waitNanos = Math.max(0, freeAtNanos - nowNanos);
        freeAtNanos += (long) ((double) bytes / bytesPerSecond * NANOS_PER_SECOND);
        return waitNanos;
    }

    /** Returns how long the next bytes would have to wait. */
    public long waitNanos(long nowNanos) {
        return used ? Math.max(0, freeAtNanos - nowNanos) : 0;
    }
}
