/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates threads that do not keep a process alive. */
public final class DaemonThreads {
    private static final Logger LOG = LoggerFactory.getLogger(DaemonThreads.class);

    private DaemonThreads() {}

    /** Gives all its threads the same name: for an executor with one thread, or with threads that are alike. */
    public static ThreadFactory newFactory(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    /**
     * A task that an executor runs periodically, made safe to fail: any exception or error, even an out-of-memory error,
     * is logged, and the next run takes place. Without this, the executor would silently never run the task again.
     */
    public static Runnable logFailures(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                LOG.error(
                        "thread={} failed; it runs again at its next interval; do: report the cause if this recurs",
                        Thread.currentThread().getName(),
                        e);
                if (e instanceof OutOfMemoryError) {
                    // A process that must end when out of memory does so in this handler; otherwise the task runs
                    // again.
                    Thread thread = Thread.currentThread();
                    thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
                }
            }
        };
    }
}
