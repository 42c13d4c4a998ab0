/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.forward;

import java.util.function.LongSupplier;

/**
 * Measures how long there has been no active that answers: since the first failure after its last answer. Calls wait for the next one in a
 * failover, and are refused at once where none has been found for longer. Thread-safe.
 */
final class ActiveOutageTimer {
    private final long longestNanos;
    private final LongSupplier nanoTime;

    private boolean missed;
    private long sinceNanos;
    private long lastNanos;

    /** @param longestNanos how long a failover may take; trouble that is as old as that belongs to an earlier one */
    ActiveOutageTimer(long longestNanos, LongSupplier nanoTime) {
        this.longestNanos = longestNanos;
        this.nanoTime = nanoTime;
    }

    /** Records that there was no active, or that it gave no answer. */
    synchronized void recordNoActive() {
        long nowNanos = nanoTime.getAsLong();
        if (!missed || nowNanos - lastNanos >= longestNanos) {
            missed = true;
            sinceNanos = nowNanos;
        }
        lastNanos = nowNanos;
    }

    synchronized void recordAnswer() {
        missed = false;
    }

    /** Whether there is an active, or may soon be one. */
    synchronized boolean isTolerable() {
        long nowNanos = nanoTime.getAsLong();
        return !missed || nowNanos - sinceNanos < longestNanos || nowNanos - lastNanos >= longestNanos;
    }
}
