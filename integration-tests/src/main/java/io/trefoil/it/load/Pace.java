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
 * @param ofOneThread gives the times at which one thread asks, from its share of {@code perSecond}
 */
record Pace(double perSecond, DoubleFunction<LongSupplier> ofOneThread) {
    /** Limits the changes per second of a load that does not set its own rate. */
    static final String MOST = "trefoil.it.changes.per-second";

    private static final double NANOS_PER_SECOND = 1e9;

    static final Pace AS_FAST_AS_ANSWERED = new Pace(Double.POSITIVE_INFINITY, share -> System::nanoTime);

    /** The limit that {@link #MOST} sets; without it, as fast as clients are answered. */
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

    /**
     * The pace of one of this many threads: waits until the next change is due, and returns the time from which the
     * change counts, in {@link System#nanoTime}.
     */
    LongSupplier ofOneOf(int threads) {
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
