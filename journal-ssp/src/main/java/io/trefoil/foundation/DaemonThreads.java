/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Threads that never keep a process alive by themselves. */
public final class DaemonThreads {
    private static final Logger LOG = LoggerFactory.getLogger(DaemonThreads.class);

    private DaemonThreads() {}

    /** All of one name: for an executor of one thread, or of threads that are alike. */
    public static ThreadFactory named(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    /**
     * The same for an executor that runs it again and again: what it throws is logged, also an error such as no memory,
     * and the next time comes all the same. An executor would silently never run it again.
     */
    public static Runnable lasting(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                LOG.error(
                        "{} failed; it runs again at its next interval",
                        Thread.currentThread().getName(),
                        e);
                if (e instanceof OutOfMemoryError) {
                    // Where a process is to end without memory, it hears of it; elsewhere, the next time comes.
                    Thread thread = Thread.currentThread();
                    thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
                }
            }
        };
    }
}
