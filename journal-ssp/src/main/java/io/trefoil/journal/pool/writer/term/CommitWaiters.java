/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer.term;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The threads that wait for a writer: its appending thread, and occasionally one that adds or releases a barrier. Each
 * parks until its condition holds; any change that may affect a condition wakes all.
 */
public final class CommitWaiters {
    private static final long STALL_REPORT_NANOS = 10_000_000_000L;

    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private final AwaitedWriter writing;
    private final WriterMachine machine;

    public CommitWaiters(AwaitedWriter writing, WriterMachine machine) {
        this.writing = writing;
        this.machine = machine;
    }

    /** Wakes all waiters; any thread calls this after the change. */
    public void wakeAll() {
        threads.forEach(machine::unpark);
    }

    /**
     * Parks until a condition holds, however long that takes; regularly logs what it is waiting for. An interrupt is
     * restored for the caller.
     *
     * @throws IOException if the writer is over
     */
    public void await(BooleanSupplier condition, Supplier<String> operation) throws IOException {
        await(condition, operation, false);
    }

    /** Waits until the condition holds; an interrupt ends the wait. */
    public void awaitInterruptibly(BooleanSupplier condition, Supplier<String> operation) throws IOException {
        await(condition, operation, true);
    }

    private void await(BooleanSupplier condition, Supplier<String> operation, boolean interruptible)
            throws IOException {
        if (condition.getAsBoolean()) {
            return;
        }
        threads.add(Thread.currentThread());
        boolean interrupted = false;
        long reportNanos = machine.nanoTime() + STALL_REPORT_NANOS;
        try {
            while (!condition.getAsBoolean()) {
                writing.throwIfEnded();
                machine.parkNanos(this, STALL_REPORT_NANOS);
                if (Thread.interrupted()) {
                    interrupted = true;
                    if (interruptible) {
                        throw new InterruptedIOException(
                                writing + ": interrupted while waiting for " + operation.get());
                    }
                }
                if (machine.nanoTime() - reportNanos > 0) {
                    reportNanos = machine.nanoTime() + STALL_REPORT_NANOS;
                    writing.logStillWaiting(operation.get());
                }
            }
        } finally {
            threads.remove(Thread.currentThread());
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Parks until a condition holds, the writer's term ends, the time has passed or the thread is interrupted. */
    public void await(BooleanSupplier condition, Duration timeout) {
        long deadlineNanos = machine.nanoTime() + timeout.toNanos();
        threads.add(Thread.currentThread());
        try {
            long leftNanos = timeout.toNanos();
            while (!condition.getAsBoolean()
                    && !writing.hasEnded()
                    && leftNanos > 0
                    && !Thread.currentThread().isInterrupted()) {
                machine.parkNanos(this, leftNanos);
                leftNanos = deadlineNanos - machine.nanoTime();
            }
        } finally {
            threads.remove(Thread.currentThread());
        }
    }

    /** The writer that threads wait for; named by its {@code toString}. */
    public interface AwaitedWriter {
        boolean hasEnded();

        /** @throws IOException with the reason, if it is over */
        void throwIfEnded() throws IOException;

        /** Logs the condition that is still waited for; does not block. */
        void logStillWaiting(String operation);
    }
}
