/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Watches calls that wait, and makes them leave a member that does not answer as soon as another one is active.
 *
 * <p>One thread, which exists only while there are calls and a little longer. A call that waits for longer than
 * {@code suspectNanos} makes it ask all members. As long as the call's own member says that it is active the call is merely
 * slow, and the next question comes when it has waited twice as long. A call whose member says nothing is also left when
 * its budget is used up.
 *
 * @param <M> what stands for a member
 */
public final class HangWatch<M> {
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final String name;
    private final ActiveFinder<M> finder;
    private final long suspectNanos;
    private final long budgetNanos;
    private final Set<CallInFlight<M>> calls = ConcurrentHashMap.newKeySet();
    private volatile boolean running;
    private volatile boolean closed;

    public HangWatch(String name, ActiveFinder<M> finder, long suspectNanos, long budgetNanos) {
        this.name = name;
        this.finder = finder;
        this.suspectNanos = suspectNanos;
        this.budgetNanos = budgetNanos;
    }

    /** The current thread is about to call a member. {@link #end} must follow. */
    public CallInFlight<M> begin(M member) {
        CallInFlight<M> call = new CallInFlight<>(member);
        calls.add(call);
        if (!running) {
            startThread();
        }
        return call;
    }

    /** The call has ended; says why. */
    public CallInFlight.End end(CallInFlight<M> call) {
        calls.remove(call);
        return call.end();
    }

    /** Ends the thread. Calls that wait go on waiting. */
    public void close() {
        closed = true;
    }

    private synchronized void startThread() {
        if (running || closed) {
            return;
        }
        running = true;
        Thread thread = new Thread(this::watch, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void watch() {
        long busyAt = System.nanoTime();
        long nextLook = busyAt;
        while (!closed) {
            try {
                finder.awaitNews(tick(System.nanoTime()));
            } catch (InterruptedException nobodyDoesThat) {
                return;
            }
            long now = System.nanoTime();
            if (!calls.isEmpty()) {
                busyAt = now;
                nextLook = see(now, nextLook);
            } else if (now - busyAt > IDLE_NANOS && mayEnd()) {
                return;
            }
        }
    }

    /** Until the oldest call may be suspect; not longer than until one is that begins now, so that a calm client hardly wakes up. */
    private long tick(long now) {
        long shortest = Math.min(TimeUnit.MILLISECONDS.toNanos(100), Math.max(suspectNanos / 5, 1));
        long left = suspectNanos;
        for (CallInFlight<M> call : calls) {
            left = Math.min(left, suspectNanos - (now - call.began()));
        }
        return Math.max(shortest, left);
    }

    private synchronized boolean mayEnd() {
        running = false;
        if (calls.isEmpty()) {
            return true;
        }
        // A call came in between and saw a thread that runs.
        running = true;
        return false;
    }

    /** Looks at all calls once; says when to ask next. */
    private long see(long now, long nextLook) {
        Optional<M> active = finder.known();
        long longest = 0;
        boolean slowOnly = true;
        for (CallInFlight<M> call : calls) {
            long age = now - call.began();
            if (age < suspectNanos) {
                continue;
            }
            if (active.isPresent() && !active.get().equals(call.member())) {
                call.leave(CallInFlight.End.LEFT);
                continue;
            }
            longest = Math.max(longest, age);
            boolean answers = finder.saidActiveSince(call.member(), call.began());
            slowOnly &= answers;
            if (!answers && age > suspectNanos + budgetNanos) {
                call.leave(CallInFlight.End.GIVEN_UP);
            }
        }
        if (longest == 0 || now - nextLook < 0) {
            return nextLook;
        }
        finder.look(longest);
        return now + (slowOnly ? longest : Waits.nanosAfter(longest));
    }
}
