/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

/**
 * A clock that counts only the time in which this process runs. It stands still while all threads do, because the
 * process or the machine is stopped, or the garbage collector runs: a pause in which nothing can act makes nothing late.
 *
 * <p>One thread advances it periodically with {@code look}; any thread may read it.
 */
public final class ProcessRunClock {
    private final long longestNanos;
    private long seenNanos;
    private long countedNanos;
    /** The value of {@code countedNanos}, for all threads. */
    private volatile long nanos;

    /** @param longestNanos the longest time between two checks while the process runs */
    public ProcessRunClock(long longestNanos, long nowNanos) {
        this.longestNanos = longestNanos;
        this.seenNanos = nowNanos;
    }

    /** Advances the clock, and returns how long the process has run since the last reading. */
    public long sample(long nowNanos) {
        long ranNanos = Math.min(nowNanos - seenNanos, longestNanos);
        seenNanos = nowNanos;
        countedNanos += ranNanos;
        nanos = countedNanos;
        return ranNanos;
    }

    /** Returns how long the process has run, up to the last reading. */
    public long nanos() {
        return nanos;
    }
}
