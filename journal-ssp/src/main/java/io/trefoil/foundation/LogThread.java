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
 * Writes log lines for threads that must not wait for the log: its disk may hang, and that may be the very trouble to
 * act on. Keeps the order; while the disk hangs, the number of lines kept is limited. Thread-safe.
 */
public final class LogThread {
    private static final int MOST_LINES = 1_000;

    private final ThreadPoolExecutor thread;

    /** @param name of the thread, which ends when there is nothing to write */
    public LogThread(String name) {
        this(DaemonThreads.named(name));
    }

    LogThread(ThreadFactory threads) {
        thread = new ThreadPoolExecutor(
                1,
                1,
                1,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(MOST_LINES),
                threads,
                new ThreadPoolExecutor.DiscardPolicy());
        thread.allowCoreThreadTimeOut(true);
    }

    /** Has a line written; waits for nothing. Never fails: a line for which there is no room, or no thread, is lost. */
    public void write(Runnable line) {
        try {
            thread.execute(line);
        } catch (OutOfMemoryError e) {
            // No thread is to be had. What the line is about counts for more than the line, and goes on.
        }
    }

    /** Waits until all lines are written, or for so long. */
    public void settle(Duration limit) {
        FutureTask<Void> last = new FutureTask<>(() -> null);
        write(last);
        try {
            last.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // The waiting threads have more important things to do.
            last.cancel(false);
        }
    }

    /** Takes no more; what is here is written yet. */
    public void end() {
        thread.shutdown();
    }
}
