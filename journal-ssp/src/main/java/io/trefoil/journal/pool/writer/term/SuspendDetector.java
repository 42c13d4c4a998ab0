/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer.term;

import java.util.function.LongSupplier;

/**
 * Detects that this host was suspended: on Linux, the clock that leases are based on then stops, while the wall clock does not.
 * Java lacks {@code CLOCK_BOOTTIME}, so a suspension shows only as drift between the two clocks. Setting the wall clock
 * looks the same, which costs a question to the pool. What a hypervisor hides from both clocks cannot be detected from
 * inside.
 *
 * <p>Thread-safe; takes a lock only when it detects something, or once in a while.
 */
public final class SuspendDetector {
    private static final long NANOS_PER_MILLI = 1_000_000L;
    /** Drift that is ignored: the clocks are read one after the other, and the wall clock counts milliseconds. */
    private static final long UNSEEN_NANOS = 5 * NANOS_PER_MILLI;
    /** The divisor for how much of the elapsed time a clock may be slewed by: no daemon slews more than a twelfth. */
    private static final long SLEWED_PART = 10;
    /** How long the same earlier reading is used for comparison; the slew since then must stay small. */
    private static final long KEPT_NANOS = 100 * NANOS_PER_MILLI;

    private final LongSupplier nanoTime;
    private final LongSupplier wallMillis;
    private volatile ClockReading kept;
    private volatile long trustedSinceNanos;

    private static final class ClockReading {
        final long nanos;
        final long wallNanos;

        ClockReading(long nanos, long wallNanos) {
            this.nanos = nanos;
            this.wallNanos = wallNanos;
        }
    }

    public SuspendDetector(LongSupplier nanoTime, LongSupplier wallMillis) {
        this.nanoTime = nanoTime;
        this.wallMillis = wallMillis;
        this.kept = new ClockReading(nanoTime.getAsLong(), wallMillis.getAsLong() * NANOS_PER_MILLI);
        this.trustedSinceNanos = kept.nanos;
    }

    /**
     * The time since which knowledge based on the monotonic clock can be trusted; by {@link System#nanoTime()}. Must be
     * called every few milliseconds: the longer the interval, the more drift counts as slew.
     */
    public long trustedSinceNanos() {
        ClockReading before = kept;
        long first = nanoTime.getAsLong();
        long wallNanos = wallMillis.getAsLong() * NANOS_PER_MILLI;
        long last = nanoTime.getAsLong();
        // The wall clock was read somewhere between the two.
        long ahead = wallNanos - before.wallNanos - (last - before.nanos);
        long behind = first - before.nanos - (wallNanos - before.wallNanos);
        boolean separate = Math.max(ahead, behind) > UNSEEN_NANOS + (last - before.nanos) / SLEWED_PART;
        if (separate || last - before.nanos > KEPT_NANOS) {
            keep(before, new ClockReading(first, wallNanos), separate);
        }
        return trustedSinceNanos;
    }

    /** Keeps the compared reading, and no newer one: this host may have been suspended in between. */
    private synchronized void keep(ClockReading before, ClockReading comparedReading, boolean separate) {
        if (separate) {
            // Another thread that detects it at the same time sets the same, a moment later.
            trustedSinceNanos = nanoTime.getAsLong();
        }
        if (kept == before) {
            kept = comparedReading;
        }
    }
}
