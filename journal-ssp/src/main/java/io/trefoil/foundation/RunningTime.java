/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

/**
 * A clock of the time in which this process runs: it stands still while all threads do, because the process or the machine is
 * stopped, or garbage is collected. Nobody is late with what he could not do meanwhile.
 *
 * <p>One thread looks at it periodically and moves it; any thread may read it.
 */
public final class RunningTime {
    private final long longestNanos;
    private long seenNanos;
    private long countedNanos;
    /** The same, for all threads. */
    private volatile long nanos;

    /** @param longestNanos between two looks, if nothing stands still */
    public RunningTime(long longestNanos, long nowNanos) {
        this.longestNanos = longestNanos;
        this.seenNanos = nowNanos;
    }

    /** Looks once more, and gives how long the process has run since the last time. */
    public long look(long nowNanos) {
        long ranNanos = Math.min(nowNanos - seenNanos, longestNanos);
        seenNanos = nowNanos;
        countedNanos += ranNanos;
        nanos = countedNanos;
        return ranNanos;
    }

    /** How long the process has run, up to the last look. */
    public long nanos() {
        return nanos;
    }
}
