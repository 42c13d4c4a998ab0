/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Writes log lines for threads that must not wait for the log: its disk may hang, which may be the very problem they must handle. Keeps the
 * order of lines. While the disk hangs, it queues a limited number of lines. Thread-safe.
 */
public final class LogThread {
    private static final int MAX_QUEUED_LINES = 1_000;

    private final ThreadPoolExecutor thread;

    /** @param name of the thread, which ends when it has nothing to write */
    public LogThread(String name) {
        this(DaemonThreads.newFactory(name));
    }

    LogThread(ThreadFactory threads) {
        thread = new ThreadPoolExecutor(
                1,
                1,
                1,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(MAX_QUEUED_LINES),
                threads,
                new ThreadPoolExecutor.DiscardPolicy());
        thread.allowCoreThreadTimeOut(true);
    }

    /** Queues a line to be written, without waiting. Never fails: if the queue is full or no thread can start, the line is lost. */
    public void write(Runnable logCall) {
        try {
            thread.execute(logCall);
        } catch (OutOfMemoryError e) {
            // No thread can be started. What the caller is doing matters more than the line about it, and continues.
        }
    }

    /** Waits until all lines are written, but no longer than {@code limit}. */
    public void awaitWritten(Duration limit) {
        FutureTask<Void> last = new FutureTask<>(() -> null);
        write(last);
        try {
            last.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // The waiting thread has more important things to do.
            last.cancel(false);
        }
    }

    /** Accepts no more lines; those already queued are still written. */
    public void shutDown() {
        thread.shutdown();
    }
}
