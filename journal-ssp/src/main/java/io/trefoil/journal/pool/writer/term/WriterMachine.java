/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer.term;

import io.trefoil.foundation.Step;
import io.trefoil.journal.writer.Writer;
import io.trefoil.journal.writer.WriterState;
import io.trefoil.journal.writer.WriterTrace;
import io.trefoil.journal.writer.events.WriterEffect;
import io.trefoil.journal.writer.events.WriterEvent;
import java.util.concurrent.locks.LockSupport;

/** The machine that a writer runs on: rules, clocks, a way to wait, and a trace. The simulator has its own, in which nothing happens by chance. */
public interface WriterMachine {

    /** The machine of this process, with its own clocks and threads, without a trace. */
    WriterMachine REAL = withTrace(WriterTrace.NONE);

    /** Creates the machine of this process, with its own clocks and threads. */
    static WriterMachine withTrace(WriterTrace trace) {
        return new WriterMachine() {
            @Override
            public Step<WriterState, WriterEffect> step(WriterState state, WriterEvent event, long nowNanos) {
                return Writer.step(state, event, nowNanos);
            }

            @Override
            public long nanoTime() {
                return System.nanoTime();
            }

            @Override
            public long wallMillis() {
                return System.currentTimeMillis();
            }

            @Override
            public void parkNanos(Object blocker, long nanos) {
                LockSupport.parkNanos(blocker, nanos);
            }

            @Override
            public void unpark(Thread thread) {
                LockSupport.unpark(thread);
            }

            @Override
            public WriterTrace trace() {
                return trace;
            }
        };
    }

    /** The step that follows from an event at this time. */
    Step<WriterState, WriterEffect> step(WriterState state, WriterEvent event, long nowNanos);

    /** Monotonic, as {@link System#nanoTime}. */
    long nanoTime();

    /** The wall clock, as {@link System#currentTimeMillis}. */
    long wallMillis();

    /** Parks the calling thread, as {@link LockSupport#parkNanos(Object, long)}. */
    void parkNanos(Object blocker, long nanos);

    /** Unparks a thread, as {@link LockSupport#unpark}. */
    void unpark(Thread thread);

    /** Records the events that the rules get and the effects that are performed for them. */
    WriterTrace trace();
}
