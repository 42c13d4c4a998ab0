/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.dated;

import io.trefoil.journal.pool.client.CallLink;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The clock of this process, and how often the process was paused, alone or with its host.
 *
 * <p>On Linux, the monotonic clock stops while the host sleeps, and a call would seem younger by that time. The wall clock continues, so
 * whenever the two come apart, as also if the wall clock is set, this is another clock from then on: times that were told by the former
 * one mean nothing. What a hypervisor hides from both cannot be seen from inside. Thread-safe.
 */
final class ProcessClock {
    /**
     * The pause after which forwarders may have given up on this process: shorter than the silence after which they do, as delays of the
     * network are silence, too.
     */
    static final long STANDSTILL_NANOS = CallLink.SILENCE.toNanos() * 3 / 8;

    /**
     * The time by which a call may seem younger than it is. With the longest way and the longest standstill that are
     * allowed, such a call is still younger than the silence after which forwarders give it up.
     */
    static final long APART_NANOS = CallLink.SILENCE.toNanos() / 8;

    private final LongSupplier nanoTime;
    private final LongSupplier wallMillis;

    private UUID identity = UUID.randomUUID();
    /** The moment at which this clock was last replaced by a new one. */
    private ClockSample begun;
    /** The moment at which this process was last seen running. */
    private ClockSample seen;

    private long standstills;

    /** A moment, by both clocks. */
    private static final class ClockSample {
        private final long nanos;
        private final long wallNanos;

        ClockSample(long nanos, long wallNanos) {
            this.nanos = nanos;
            this.wallNanos = wallNanos;
        }

        long nanosSince(ClockSample earlierSample) {
            return nanos - earlierSample.nanos;
        }

        long wallNanosSince(ClockSample earlierSample) {
            return wallNanos - earlierSample.wallNanos;
        }
    }

    /**
     * @param nanoTime as {@code System.nanoTime}
     * @param wallMillis as {@code System.currentTimeMillis}
     */
    ProcessClock(LongSupplier nanoTime, LongSupplier wallMillis) {
        this.nanoTime = nanoTime;
        this.wallMillis = wallMillis;
        this.begun = now();
        this.seen = begun;
    }

    private ClockSample now() {
        // The wall clock first: if this thread is stopped in between, a difference is noticed by the next look at the
        // latest.
        long wallNanos = TimeUnit.MILLISECONDS.toNanos(wallMillis.getAsLong());
        return new ClockSample(nanoTime.getAsLong(), wallNanos);
    }

    /** The time that the clock shows now. */
    synchronized ClockReading reading() {
        sample();
        return ClockReading.of(identity, seen.nanos);
    }

    /**
     * Returns how often this process was paused, according to either clock. A question is a sign that it runs: to be asked far more
     * often than every {@link #STANDSTILL_NANOS}.
     */
    synchronized long pauseCount() {
        sample();
        return standstills;
    }

    private void sample() {
        ClockSample now = now();
        if (Math.max(now.nanosSince(seen), now.wallNanosSince(seen)) >= STANDSTILL_NANOS) {
            standstills++;
        }
        if (Math.abs(now.wallNanosSince(begun) - now.nanosSince(begun)) >= APART_NANOS) {
            identity = UUID.randomUUID();
            begun = now;
        }
        seen = now;
    }
}
