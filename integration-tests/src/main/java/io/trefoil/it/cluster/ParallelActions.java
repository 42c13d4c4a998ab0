/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/** Runs slow actions on several servers in parallel. */
public final class ParallelActions {
    private ParallelActions() {}

    /** Runs the action for all; returns when all are done, and throws the exception of the first that failed. */
    public static <T> void forEach(Collection<T> all, Consumer<T> action) {
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<CompletableFuture<Void>> running = all.stream()
                    .map(one -> CompletableFuture.runAsync(() -> action.accept(one), threads))
                    .toList();
            running.forEach(CompletableFuture::join);
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            if (failed.getCause() instanceof Error cause) {
                throw cause;
            }
            throw failed;
        } finally {
            threads.shutdown();
        }
    }
}
