/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.image;

/**
 * Spreads bytes over time, so that no second takes more than allowed. Unused allowance is saved for a tenth of a second
 * at most.
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
     * Takes the time that some bytes need; says how long their sender has to wait before he sends them.
     *
     * @param nowNanos of a clock that never goes back
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

    /** How long the next bytes will have to wait. */
    public long waitNanos(long nowNanos) {
        return used ? Math.max(0, freeAtNanos - nowNanos) : 0;
    }
}
