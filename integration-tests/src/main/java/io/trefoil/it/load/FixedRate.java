/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.load;

import java.util.concurrent.locks.LockSupport;

/** The fixed times at which one thread has work to do, whether it keeps up or not. */
public final class FixedRate {
    private static final double NANOS_PER_SECOND = 1e9;

    private final double perSecond;
    private final long begun = System.nanoTime();
    private long count;

    public FixedRate(double perSecond) {
        this.perSecond = perSecond;
    }

    /** Waits for the next time and returns it, in {@link System#nanoTime}. It lies in the past if the thread is late. */
    public long awaitNext() {
        long due = begun + (long) (count++ * NANOS_PER_SECOND / perSecond);
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        return due;
    }
}
