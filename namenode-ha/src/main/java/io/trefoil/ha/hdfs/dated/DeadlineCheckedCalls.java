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
 * Executes forwarded calls at the active, unless a call has been on its way for so long that it may have been given up,
 * or this process has stood still since it came. The client of such a call was told to ask again, and may have changed
 * more since: for what HDFS considers idempotent, it remembers no call. Tells what the clock shows. Calls without a
 * time, from an older version, may have been on their way for any time. Thread-safe.
 */
public final class DeadlineCheckedCalls implements ForwardedCalls, Closeable {
    /** The network's part of the silence after which a forwarder gives its calls up; the rest is for a standstill afterwards. */
    static final long LONGEST_NANOS = CallLink.SILENCE.toNanos() / 2;

    /** How often this process shows itself that it runs. */
    private static final long TICK_MILLIS = 100;

    private final ForwardedCalls calls;
    private final ProcessClock clock;
    private final ScheduledExecutorService ticking =
            Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("mams-call-clock"));

    /** @param calls executes them, and asks each call's {@link ForwardedCalls.Forwarder} just before it does */
    public DeadlineCheckedCalls(ForwardedCalls calls) {
        this(calls, new ProcessClock(System::nanoTime, System::currentTimeMillis));
    }

    DeadlineCheckedCalls(ForwardedCalls calls, ProcessClock clock) {
        this.calls = calls;
        this.clock = clock;
    }

    /** Begins to watch whether this process runs; once, before the first call. */
    public void start() {
        ticking.scheduleWithFixedDelay(
                DaemonThreads.logFailures(clock::pauseCount), TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    @Override
    public void execute(Bytes bytes, Forwarder asker) {
        // Before the age is looked at: a standstill in between is one of those since.
        Forwarder unlessItStoodStill = new StableForwarder(asker);
        ClockReading now = clock.reading();
        if (ActiveClockCodec.isQuestion(bytes)) {
            asker.accept(ActiveClockCodec.answer(now));
        } else if (ActiveClockCodec.isDated(bytes)) {
            executeDated(bytes, now, unlessItStoodStill);
        } else {
            calls.execute(bytes, unlessItStoodStill);
        }
    }

    private void executeDated(Bytes bytes, ClockReading now, Forwarder asker) {
        ClockReading sent;
        try {
            sent = ActiveClockCodec.sent(bytes);
        } catch (IllegalArgumentException e) {
            asker.accept(ActiveClockCodec.refusal("the active does not take it: " + e.getMessage()));
            return;
        }
        if (isWithinDeadline(sent, now)) {
            calls.execute(ActiveClockCodec.call(bytes), asker);
        } else {
            asker.accept(ActiveClockCodec.refusal(
                    "it was on its way to the active for too long, or the active was restarted, or slept, meanwhile"));
        }
    }

    /** Whether a call that was sent then, by this clock, is not given up when it arrives now. */
    static boolean isWithinDeadline(ClockReading sent, ClockReading now) {
        return sent.process().equals(now.process()) && now.nanos() - sent.nanos() < LONGEST_NANOS;
    }

    /** Ends the watch; to be called when no more calls are wanted. */
    @Override
    public void close() {
        ticking.shutdownNow();
    }

    /** An asker that waits no longer than until this process stands still: a forwarder that hears nothing for so long gives the call up. */
    private final class StableForwarder implements Forwarder {
        private final Forwarder asker;
        private final long standstillsBefore = clock.pauseCount();

        StableForwarder(Forwarder asker) {
            this.asker = asker;
        }

        @Override
        public void accept(Bytes answer) {
            asker.accept(answer);
        }

        @Override
        public boolean isWaiting() {
            return asker.isWaiting() && clock.pauseCount() == standstillsBefore;
        }
    }
}
