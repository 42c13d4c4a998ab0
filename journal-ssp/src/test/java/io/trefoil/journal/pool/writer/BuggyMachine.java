/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer;

import io.trefoil.foundation.Step;
import io.trefoil.journal.pool.writer.term.WriterMachine;
import io.trefoil.journal.writer.WriterState;
import io.trefoil.journal.writer.WriterTrace;
import io.trefoil.journal.writer.events.WriterEffect;
import io.trefoil.journal.writer.events.WriterEvent;
import java.util.function.BooleanSupplier;

/** Runs in this process; its rules have a bug, if told so. */
public record BuggyMachine(BooleanSupplier isBug) implements WriterMachine {
    @Override
    public Step<WriterState, WriterEffect> step(WriterState state, WriterEvent event, long nowNanos) {
        if (isBug.getAsBoolean()) {
            throw new ArithmeticException("planted");
        }
        return REAL.step(state, event, nowNanos);
    }

    @Override
    public long nanoTime() {
        return REAL.nanoTime();
    }

    @Override
    public long wallMillis() {
        return REAL.wallMillis();
    }

    @Override
    public void parkNanos(Object blocker, long nanos) {
        REAL.parkNanos(blocker, nanos);
    }

    @Override
    public void unpark(Thread thread) {
        REAL.unpark(thread);
    }

    @Override
    public WriterTrace trace() {
        return WriterTrace.NONE;
    }
}
