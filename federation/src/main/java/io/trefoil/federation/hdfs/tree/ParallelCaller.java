/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.tree;

import io.trefoil.federation.move.SubtreeMover.Pace;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/** Runs calls that wait for servers, several at a time. Each nameservice has its own, since tasks must not wait for tasks. */
public final class ParallelCaller implements Closeable {

    private final ExecutorService threads;
    private final Pace pace;

    public ParallelCaller(int atATime, Pace pace) {
        this.pace = pace;
        threads = Executors.newFixedThreadPool(atATime, task -> {
            Thread thread = new Thread(task, "subtree-move");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * The results in the order of the calls.
     *
     * @throws IOException that of the first call that failed; those that had not begun then are left out
     */
    public <T> List<T> callAll(List<Callable<T>> calls) throws IOException {
        AtomicBoolean hasFailed = new AtomicBoolean();
        List<Callable<T>> paced = new ArrayList<>();
        for (Callable<T> call : calls) {
            paced.add(() -> {
                if (hasFailed.get()) {
                    throw new CancellationException();
                }
                pace.await();
                boolean isDone = false;
                try {
                    T result = call.call();
                    isDone = true;
                    return result;
                } finally {
                    if (!isDone) {
                        hasFailed.set(true);
                    }
                }
            });
        }
        List<T> results = new ArrayList<>();
        try {
            for (Future<T> future : threads.invokeAll(paced)) {
                addResult(future, results);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while the subtree was moved");
        }
        return results;
    }

    /** Skips a call that was not made: the one that failed may be a later one, if this one's thread was slow to start. */
    private static <T> void addResult(Future<T> future, List<T> results) throws IOException, InterruptedException {
        try {
            results.add(future.get());
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof CancellationException)) {
                throw CallFailures.unwrap(e);
            }
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
