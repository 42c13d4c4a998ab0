/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.dated;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.pool.client.CallLink;
import io.trefoil.journal.pool.server.ForwardedCalls;
import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * At the active: executes a call that another NameNode forwarded only if it has not been on its way for so long that it may have been
 * given up. Its client was told to ask again then, and may have changed more since: for what HDFS considers idempotent, it
 * remembers no call. Tells what the clock shows. Calls without a time, from an older version, are executed. Thread-safe.
 */
public final class PunctualCalls implements ForwardedCalls {
    /** Less than the silence after which a forwarder gives its calls up. */
    static final long LONGEST_NANOS = CallLink.SILENCE.toNanos() * 3 / 4;

    private static final UUID THIS_PROCESS = UUID.randomUUID();

    private final ForwardedCalls calls;
    private final UUID process;
    private final LongSupplier nanoTime;

    /** @param calls executes them */
    public PunctualCalls(ForwardedCalls calls) {
        this(calls, THIS_PROCESS, System::nanoTime);
    }

    PunctualCalls(ForwardedCalls calls, UUID process, LongSupplier nanoTime) {
        this.calls = calls;
        this.process = process;
        this.nanoTime = nanoTime;
    }

    @Override
    public void execute(Bytes bytes, Asker asker) {
        ClockReading now = ClockReading.of(process, nanoTime.getAsLong());
        if (ClockWords.isQuestion(bytes)) {
            asker.accept(ClockWords.answer(now));
        } else if (ClockWords.isDated(bytes)) {
            executeDated(bytes, now, asker);
        } else {
            calls.execute(bytes, asker);
        }
    }

    private void executeDated(Bytes bytes, ClockReading now, Asker asker) {
        ClockReading sent;
        try {
            sent = ClockWords.sent(bytes);
        } catch (IllegalArgumentException e) {
            asker.accept(ClockWords.refusal("the active does not take it: " + e.getMessage()));
            return;
        }
        if (isPunctual(sent, now)) {
            calls.execute(ClockWords.call(bytes), asker);
        } else {
            asker.accept(ClockWords.refusal(
                    "it was on its way to the active for too long, or the active was restarted meanwhile"));
        }
    }

    /** Whether a call that was sent then, by this clock, is not given up when it arrives now. */
    static boolean isPunctual(ClockReading sent, ClockReading now) {
        return sent.process().equals(now.process()) && now.nanos() - sent.nanos() < LONGEST_NANOS;
    }
}
