/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.dated;

import io.trefoil.foundation.DaemonThreads;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.pool.client.CallLink;
import io.trefoil.journal.pool.server.ForwardedCalls;
import java.io.Closeable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Executes forwarded calls at the active, unless a call has been in transit for so long that its forwarder may have given up on it, or this
 * process has been paused since it arrived. The client of such a call was told to ask again, and may have changed more since: for what HDFS
 * considers idempotent, it remembers no call. Tells what the clock shows. Calls without a time, from an older version, may have been on
 * their way for any time. Thread-safe.
 */
public final class DeadlineCheckedCalls implements ForwardedCalls, Closeable {
    /** The network's share of the silence after which a forwarder gives up on its calls; the rest is for a pause afterwards. */
    static final long MAX_DEADLINE_NANOS = CallLink.SILENCE.toNanos() / 2;

    /** How often this process checks that it is running. */
    private static final long TICK_MILLIS = 100;

    private final ForwardedCalls calls;
    private final ProcessClock clock;
    private final ScheduledExecutorService ticking =
            Executors.newSingleThreadScheduledExecutor(DaemonThreads.newFactory("mams-call-clock"));

    /** @param calls executes them, and asks each call's {@link ForwardedCalls.Forwarder} just before it does */
    public DeadlineCheckedCalls(ForwardedCalls calls) {
        this(calls, new ProcessClock(System::nanoTime, System::currentTimeMillis));
    }

    DeadlineCheckedCalls(ForwardedCalls calls, ProcessClock clock) {
        this.calls = calls;
        this.clock = clock;
    }

    /** Starts watching whether this process is running; must be called once, before the first call. */
    public void start() {
        ticking.scheduleWithFixedDelay(
                DaemonThreads.logFailures(clock::pauseCount), TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    @Override
    public void execute(Bytes bytes, Forwarder forwarder) {
        // Before the age is looked at: a standstill in between is one of those since.
        Forwarder unlessItStoodStill = new StableForwarder(forwarder);
        ClockReading currentReading = clock.reading();
        if (ActiveClockCodec.isQuestion(bytes)) {
            forwarder.accept(ActiveClockCodec.encodeReading(currentReading));
        } else if (ActiveClockCodec.isTimestampedCall(bytes)) {
            executeTimestamped(bytes, currentReading, unlessItStoodStill);
        } else {
            calls.execute(bytes, unlessItStoodStill);
        }
    }

    private void executeTimestamped(Bytes bytes, ClockReading currentReading, Forwarder forwarder) {
        ClockReading sentReading;
        try {
            sentReading = ActiveClockCodec.decodeSentTime(bytes);
        } catch (IllegalArgumentException e) {
            forwarder.accept(ActiveClockCodec.encodeRefusal("the active does not take it: " + e.getMessage()));
            return;
        }
        if (isWithinDeadline(sentReading, currentReading)) {
            calls.execute(ActiveClockCodec.decodeCall(bytes), forwarder);
        } else {
            forwarder.accept(ActiveClockCodec.encodeRefusal(
                    "it was on its way to the active for too long, or the active was restarted, or slept, meanwhile"));
        }
    }

    /** Whether a call that was sent at the given time of this clock and arrives now cannot have been given up. */
    static boolean isWithinDeadline(ClockReading sentReading, ClockReading currentReading) {
        return sentReading.process().equals(currentReading.process())
                && currentReading.nanos() - sentReading.nanos() < MAX_DEADLINE_NANOS;
    }

    /** Stops watching; must be called when no more calls are wanted. */
    @Override
    public void close() {
        ticking.shutdownNow();
    }

    /** A caller that waits only until this process is paused: a forwarder that hears nothing for that long gives up on the call. */
    private final class StableForwarder implements Forwarder {
        private final Forwarder forwarder;
        private final long standstillsBefore = clock.pauseCount();

        StableForwarder(Forwarder forwarder) {
            this.forwarder = forwarder;
        }

        @Override
        public void accept(Bytes answer) {
            forwarder.accept(answer);
        }

        @Override
        public boolean isWaiting() {
            return forwarder.isWaiting() && clock.pauseCount() == standstillsBefore;
        }
    }
}
