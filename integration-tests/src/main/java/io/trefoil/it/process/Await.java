/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.process;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Waits for a condition to become true, and explains itself when it does not. */
public final class Await {
    /** How long to wait for events that happen soon on an idle machine. Generous: many JVMs share few cores. */
    public static final Duration TIMEOUT = Duration.ofMinutes(2);

    private static final Duration POLL_INTERVAL = Duration.ofMillis(25);

    private Await() {}

    /**
     * Checks the condition repeatedly, starting at once. An exception from the condition counts as "not yet".
     *
     * @param description the condition in words, as in "nn2 is active"
     * @param limit how long to wait at most
     * @param diagnosis called only after the limit: what a reader needs to see why
     * @throws AssertionError after the limit; names the condition, the limit and the diagnosis, and has the last
     *     exception of the condition as its cause
     */
    public static void until(
            String description, Duration limit, Callable<Boolean> condition, Supplier<String> diagnosis) {
        untilFound(description, limit, () -> condition.call() ? Optional.of(true) : Optional.empty(), diagnosis);
    }

    /**
     * Polls repeatedly, starting at once, and returns the value found, as a second poll may return another one. Otherwise
     * like {@link #until}.
     */
    public static <T> T untilFound(
            String description, Duration limit, Callable<Optional<T>> probe, Supplier<String> diagnosis) {
        long deadline = System.nanoTime() + limit.toNanos();
        Exception last = null;
        while (true) {
            try {
                Optional<T> found = probe.call();
                if (found.isPresent()) {
                    return found.get();
                }
                last = null;
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while waiting until " + description, interrupted);
            } catch (Exception notYet) {
                last = notYet;
            }
            if (System.nanoTime() - deadline >= 0) {
                String message = "not within " + limit.toMillis() + " ms: " + description + "\n" + diagnosis.get();
                throw new AssertionError(message, last == null ? new TimeoutException(description) : last);
            }
            LockSupport.parkNanos(POLL_INTERVAL.toNanos());
        }
    }
}
