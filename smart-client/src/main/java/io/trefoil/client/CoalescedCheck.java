/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * A check that runs in the background, one at a time, for any number of callers: each caller waits for a check that began after its
 * request, and callers that arrive during a check share the next one. Thread-safe.
 */
public final class CoalescedCheck {
    private final Runnable check;
    private final Executor background;
    private final LongSupplier nanoClock;

    // Guarded by this.
    private CompletableFuture<Void> running;
    private CompletableFuture<Void> next;
    private long beganAt;

    /** @param check handles its own failures: callers learn only that it has ended */
    public CoalescedCheck(Runnable check, Executor background) {
        this(check, background, System::nanoTime);
    }

    CoalescedCheck(Runnable check, Executor background, LongSupplier nanoClock) {
        this.check = check;
        this.background = background;
        this.nanoClock = nanoClock;
    }

    /** Requests a check without waiting for it. */
    public void request() {
        enqueue();
    }

    /**
     * Requests a check, and waits until a check that began after this call has ended, or the timeout. Returns at once if
     * the check in progress has already taken longer: then its target is down, and one waiting caller at a time is
     * enough.
     *
     * @return whether the check has ended
     */
    public boolean await(long timeoutNanos) throws InterruptedException {
        boolean isOverdue;
        synchronized (this) {
            isOverdue = running != null && nanoClock.getAsLong() - beganAt > timeoutNanos;
        }
        CompletableFuture<Void> ownRun = enqueue();
        if (isOverdue) {
            return false;
        }
        try {
            ownRun.get(timeoutNanos, TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException("a check does not fail", e);
        }
    }

    private CompletableFuture<Void> enqueue() {
        CompletableFuture<Void> ownRun;
        synchronized (this) {
            if (running != null) {
                if (next == null) {
                    next = new CompletableFuture<>();
                }
                return next;
            }
            ownRun = new CompletableFuture<>();
            running = ownRun;
            beganAt = nanoClock.getAsLong();
        }
        start(ownRun);
        return ownRun;
    }

    private void start(CompletableFuture<Void> ownRun) {
        try {
            background.execute(() -> run(ownRun));
        } catch (RuntimeException | Error noThread) {
            // Ended like a failed check. If it stayed in progress, no later check would run.
            end(ownRun);
        }
    }

    private void run(CompletableFuture<Void> ownRun) {
        try {
            check.run();
        } finally {
            end(ownRun);
        }
    }

    private void end(CompletableFuture<Void> ownRun) {
        CompletableFuture<Void> following;
        synchronized (this) {
            following = next;
            running = next;
            next = null;
            beganAt = nanoClock.getAsLong();
        }
        ownRun.complete(null);
        if (following != null) {
            start(following);
        }
    }
}
