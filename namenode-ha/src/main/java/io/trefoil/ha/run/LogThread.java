/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.run;

import io.trefoil.foundation.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Writes log lines for threads that must not wait for the log: its disk may hang, and that may be the very trouble to
 * act on. Keeps the order; while the disk hangs, the number of lines kept is limited. Thread-safe.
 */
final class LogThread {
    private static final int MOST_LINES = 1_000;

    private final ThreadPoolExecutor thread;

    /** @param name of the thread, which ends when there is nothing to write */
    LogThread(String name) {
        thread = new ThreadPoolExecutor(
                1,
                1,
                1,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(MOST_LINES),
                DaemonThreads.named(name),
                new ThreadPoolExecutor.DiscardPolicy());
        thread.allowCoreThreadTimeOut(true);
    }

    /** Has a line written; waits for nothing. */
    void write(Runnable line) {
        thread.execute(line);
    }

    /** Waits until all lines are written, or for so long. */
    void settle(Duration limit) {
        FutureTask<Void> last = new FutureTask<>(() -> null);
        thread.execute(last);
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
    void end() {
        thread.shutdown();
    }
}
