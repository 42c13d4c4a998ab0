/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.lease;

import java.util.concurrent.TimeUnit;

/** The longest pause of the last hour, five minutes more or less. Not thread-safe. */
final class PauseWindow {
    private static final int SLOTS = 13;
    private static final long SLOT_NANOS = TimeUnit.MINUTES.toNanos(5);

    private final long beganNanos;
    private final long[] longestMillis = new long[SLOTS];
    private long newestSlot;

    PauseWindow(long nowNanos) {
        this.beganNanos = nowNanos;
    }

    /** Records a pause that has just ended; returns the longest of the window. */
    long record(long millis, long nowNanos) {
        long slot = (nowNanos - beganNanos) / SLOT_NANOS;
        while (newestSlot < slot) {
            newestSlot++;
            longestMillis[(int) (newestSlot % SLOTS)] = 0;
        }
        int index = (int) (newestSlot % SLOTS);
        longestMillis[index] = Math.max(longestMillis[index], millis);
        long longest = 0;
        for (long each : longestMillis) {
            longest = Math.max(longest, each);
        }
        return longest;
    }
}
