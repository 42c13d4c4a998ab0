/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.security;

import io.trefoil.foundation.DaemonThreads;
import io.trefoil.journal.transport.SessionRefusedException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Runs slow look-ups about callers, on a few threads that no other work waits for. Thread-safe. */
final class CallerLookupExecutor {

    private static final int THREADS = 2;
    private static final int WAITING = 256;

    private final ThreadPoolExecutor threads;

    CallerLookupExecutor() {
        threads = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                10,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(WAITING),
                DaemonThreads.newFactory("ssp-principals"));
        threads.allowCoreThreadTimeOut(true);
    }

    /** Fails with {@link SessionRefusedException} if too many are already waiting. */
    <T> CompletableFuture<T> submit(Supplier<T> lookUp) {
        try {
            return CompletableFuture.supplyAsync(lookUp, threads);
        } catch (RejectedExecutionException e) {
            return failedRefusal(SessionRefusedException.Reason.FORBIDDEN, "Too many callers are being looked up");
        }
    }

    /** A refusal, completed at once. */
    static <T> CompletableFuture<T> failedRefusal(SessionRefusedException.Reason reason, String text) {
        CompletableFuture<T> refused = new CompletableFuture<>();
        refused.completeExceptionally(new SessionRefusedException(reason, text));
        return refused;
    }
}
