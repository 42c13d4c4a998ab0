/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.load;

import java.util.concurrent.locks.LockSupport;
import java.util.function.DoubleFunction;
import java.util.function.LongSupplier;

/**
 * Decides when the threads of a load request their next change.
 *
 * @param perSecond of all threads together; infinite if they ask as fast as they are answered
 * @param ofOneThread gives the times at which one thread asks, from its share of {@code perSecond}
 */
record LoadPace(double perSecond, DoubleFunction<LongSupplier> ofOneThread) {
    /** Limits the changes per second of a load that does not set its own rate. */
    static final String MAX_CHANGES_PROPERTY = "trefoil.it.changes.per-second";

    private static final double NANOS_PER_SECOND = 1e9;

    static final LoadPace UNLIMITED = new LoadPace(Double.POSITIVE_INFINITY, share -> System::nanoTime);

    /** Returns the limit that {@link #MAX_CHANGES_PROPERTY} sets; without it, clients are as fast as they are answered. */
    static LoadPace ofThisRun() {
        int most = Integer.getInteger(MAX_CHANGES_PROPERTY, 0);
        return most == 0 ? UNLIMITED : atMost(most);
    }

    static LoadPace atFixedRate(double perSecond) {
        return new LoadPace(perSecond, share -> new FixedRate(share)::awaitNext);
    }

    static LoadPace atMost(double perSecond) {
        return new LoadPace(perSecond, share -> new LimitedRate((long) (NANOS_PER_SECOND / share))::awaitNext);
    }

    /**
     * The pace of one of this many threads: waits until the next change is due, and returns the time from which the
     * change counts, in {@link System#nanoTime}.
     */
    LongSupplier forOneThread(int threads) {
        return ofOneThread.apply(perSecond / threads);
    }

    /** Times at least one interval apart. A thread that was held up does not catch up. */
    private static final class LimitedRate {
        private final long interval;
        private long last;

        LimitedRate(long interval) {
            this.interval = interval;
            this.last = System.nanoTime() - interval;
        }

        long awaitNext() {
            long due = last + interval;
            for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            last = System.nanoTime();
            return last;
        }
    }
}
