/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.load;

import java.util.concurrent.locks.LockSupport;
import java.util.function.DoubleFunction;
import java.util.function.LongSupplier;

/**
 * When the threads of a load ask for their next change.
 *
 * @param perSecond of all threads together; infinite if they ask as fast as they are answered
 * @param ofOneThread the times at which one thread asks, from its share of that
 */
record Pace(double perSecond, DoubleFunction<LongSupplier> ofOneThread) {
    /** The most that a load asks for in a second unless it says how many it wants. */
    static final String MOST = "trefoil.it.changes.per-second";

    private static final double NANOS_PER_SECOND = 1e9;

    static final Pace AS_FAST_AS_ANSWERED = new Pace(Double.POSITIVE_INFINITY, share -> System::nanoTime);

    /** What {@link #MOST} says, or as fast as they are answered. */
    static Pace ofThisRun() {
        int most = Integer.getInteger(MOST, 0);
        return most == 0 ? AS_FAST_AS_ANSWERED : atMost(most);
    }

    static Pace atFixedRate(double perSecond) {
        return new Pace(perSecond, share -> new FixedRate(share)::awaitNext);
    }

    static Pace atMost(double perSecond) {
        return new Pace(perSecond, share -> new LimitedRate((long) (NANOS_PER_SECOND / share))::awaitNext);
    }

    /** For one of so many threads: waits until it has to ask; gives the time from which its change counts, in {@link System#nanoTime}. */
    LongSupplier ofOneOf(int threads) {
        return ofOneThread.apply(perSecond / threads);
    }

    /** Times of which two are never closer to each other than the interval. A thread that was kept waiting does not catch up. */
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
