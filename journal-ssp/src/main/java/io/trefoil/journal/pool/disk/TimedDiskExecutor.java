/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.disk;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Runs work for one replica's disk on other threads, and waits for it only as long as the caller can. Thread-safe. */
public final class TimedDiskExecutor {

    private final String name;
    private final Supplier<Duration> silence;

    /**
     * @param name of the replica, for messages
     * @param silence how long its disk has not answered
     */
    public TimedDiskExecutor(String name, Supplier<Duration> silence) {
        this.name = name;
        this.silence = silence;
    }

    /**
     * Does work on another thread. Work that has not begun when the timeout is over is cancelled.
     *
     * @param thread runs what it is given, or refuses
     * @throws IOException that of the work, or if the work takes longer
     */
    public <T> T callWithin(Duration timeout, Consumer<Runnable> thread, Callable<T> diskTask) throws IOException {
        FutureTask<T> task = new FutureTask<>(diskTask);
        try {
            return await(timeout, thread, task);
        } finally {
            task.cancel(false);
        }
    }

    /** Does work on another thread, and does not cancel it: the work completes in any case, however late. */
    public <T> T await(Duration timeout, Consumer<Runnable> thread, FutureTask<T> task) throws IOException {
        try {
            thread.accept(task);
            return task.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException(name + ": interrupted while waiting for the disk");
        } catch (RejectedExecutionException | TimeoutException e) {
            throw new IOException(
                    name + ": the disk did not answer within " + timeout.toMillis() + " ms, it has been silent "
                            + "for "
                            + silence.get().toMillis() + " ms",
                    e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException) {
                throw (IOException) e.getCause();
            }
            if (e.getCause() instanceof Error) {
                throw (Error) e.getCause();
            }
            throw new IllegalStateException(name + ": " + e.getCause(), e.getCause());
        }
    }
}
