/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.server;

import io.trefoil.foundation.DaemonThreads;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.SessionRefusedException;
import io.trefoil.journal.transport.authentication.Authentication;
import io.trefoil.journal.transport.authentication.AuthenticationExchange;
import java.io.IOException;
import java.net.InetAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Authenticates a node's callers, on few threads with a short queue, so that no loop has to wait for it, and floods of callers are refused
 * before they cost more. Thread-safe.
 */
final class SaslExecutor implements AutoCloseable {

    private static final int THREADS = 4;
    private static final int WAITING = 256;

    private final Authentication authentication;
    private final ThreadPoolExecutor threads;

    SaslExecutor(Authentication authentication) {
        this.authentication = authentication;
        this.threads = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                10,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(WAITING),
                DaemonThreads.newFactory("ssp-dialogue"));
        threads.allowCoreThreadTimeOut(true);
    }

    /** Whether there is no authentication, so that there is nothing to wait for. */
    boolean isDisabled() {
        return authentication.mechanism().equals(Hello.NO_AUTHENTICATION);
    }

    String mechanism() {
        return authentication.mechanism();
    }

    /** Begins to authenticate a caller. */
    AuthenticationExchange begin(InetAddress caller) throws SessionRefusedException {
        try {
            return authentication.beginAsNode(caller);
        } catch (IOException e) {
            throw newRefusal(e.getMessage());
        }
    }

    /** Processes the caller's token and returns the reply to it; fails with a {@link SessionRefusedException}. */
    CompletableFuture<Bytes> process(AuthenticationExchange exchange, Bytes message) {
        return submit(() -> {
            try {
                return exchange.process(message);
            } catch (IOException e) {
                throw new CompletionException(newRefusal(e.getMessage()));
            }
        });
    }

    private static SessionRefusedException newRefusal(String reason) {
        return new SessionRefusedException(SessionRefusedException.Reason.AUTHENTICATION, reason);
    }

    private <T> CompletableFuture<T> submit(Supplier<T> task) {
        try {
            return CompletableFuture.supplyAsync(task, threads);
        } catch (RejectedExecutionException e) {
            CompletableFuture<T> refused = new CompletableFuture<>();
            refused.completeExceptionally(newRefusal("Too many callers are authenticating at once"));
            return refused;
        }
    }

    /** Interrupts the threads; does not wait for them. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
