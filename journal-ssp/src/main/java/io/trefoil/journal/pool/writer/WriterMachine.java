/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer;

import io.trefoil.foundation.Step;
import io.trefoil.journal.writer.Writer;
import io.trefoil.journal.writer.WriterEffect;
import io.trefoil.journal.writer.WriterEvent;
import io.trefoil.journal.writer.WriterState;
import java.util.concurrent.locks.LockSupport;

/** What a writer runs on: rules, time, a way to wait, memory. The simulator has one of its own, where nothing happens by chance. */
public interface WriterMachine {

    /** This process. */
    WriterMachine REAL = new WriterMachine() {
        @Override
        public Step<WriterState, WriterEffect> step(WriterState state, WriterEvent event) {
            return Writer.step(state, event, nanoTime());
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
        public long windowBytes() {
            return 8L << 20;
        }

        @Override
        public int partBytes() {
            return 256 << 10;
        }
    };

    /** What follows from an event, now. */
    Step<WriterState, WriterEffect> step(WriterState state, WriterEvent event);

    /** Monotonic, as {@link System#nanoTime}. */
    long nanoTime();

    /** As {@link System#currentTimeMillis}. */
    long wallMillis();

    /** As {@link LockSupport#parkNanos(Object, long)}. */
    void parkNanos(Object blocker, long nanos);

    /** As {@link LockSupport#unpark}. */
    void unpark(Thread thread);

    /** For the newest entries. What is older is read from a node: every collection of garbage moves what is kept here. */
    long windowBytes();

    /** Of a node that is behind: what stands in the way of a commit, on the network's thread, takes a fraction of it. */
    int partBytes();
}
