/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Watches waiting calls, and makes them leave a member that does not answer as soon as another one is active.
 *
 * <p>If a call waits longer than {@code suspectNanos}, all members are asked. While the call's own member says that it
 * is active, the call is just slow, and the next question follows when it has waited twice as long. While it says nothing, others are
 * asked when they want to be, too. A call whose member does not answer also ends when its time is up.
 *
 * <p>Checks its calls on a single thread that all clients of a process share; the thread lives while there are calls,
 * and a little longer.
 *
 * @param <M> what stands for a member
 */
public final class HangWatch<M> {
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final ScheduledExecutorService thread;
    private final ActiveFinder<M> finder;
    private final long suspectNanos;
    private final long budgetNanos;
    private final Set<CallInFlight<M>> calls = ConcurrentHashMap.newKeySet();
    private volatile boolean watching;
    private volatile boolean closed;
    // Of the executor's thread only.
    private long busyAt;
    private long nextQuestion;
    /** When the next look at members that want to be asked is due. */
    private long nextInvited;

    private boolean invitedIsDue;

    /** @param thread one thread, which all clients of the process may share; nothing waits in it */
    public HangWatch(ScheduledExecutorService thread, ActiveFinder<M> finder, long suspectNanos, long budgetNanos) {
        this.thread = thread;
        this.finder = finder;
        this.suspectNanos = suspectNanos;
        this.budgetNanos = budgetNanos;
        finder.onNews(this::lookSoon);
    }

    /** The current thread is about to call a member. {@link #end} must follow. */
    public CallInFlight<M> begin(M member) {
        CallInFlight<M> call = new CallInFlight<>(member);
        calls.add(call);
        if (!watching) {
            beginWatch();
        }
        return call;
    }

    /** The call has ended; says why. */
    public CallInFlight.End end(CallInFlight<M> call) {
        calls.remove(call);
        return call.end();
    }

    /** Ends the watch. Waiting calls go on waiting. */
    public void close() {
        closed = true;
    }

    private synchronized void beginWatch() {
        if (watching || closed) {
            return;
        }
        watching = true;
        thread.execute(() -> {
            busyAt = System.nanoTime();
            nextQuestion = busyAt;
            watch();
        });
    }

    private void lookSoon() {
        if (!calls.isEmpty()) {
            thread.execute(this::look);
        }
    }

    private void watch() {
        if (closed) {
            return;
        }
        try {
            look();
        } finally {
            // Rescheduled even if there was no memory for a question: calls depend on this one watch.
            if (System.nanoTime() - busyAt <= IDLE_NANOS || !mayEnd()) {
                thread.schedule(this::watch, tick(System.nanoTime()), TimeUnit.NANOSECONDS);
            }
        }
    }

    private void lookAtInvited() {
        invitedIsDue = false;
        look();
    }

    private void look() {
        long now = System.nanoTime();
        if (!calls.isEmpty()) {
            busyAt = now;
            see(now);
        }
    }

    /**
     * The time until the oldest call may be suspect; at most until a call that begins now may be, so that an idle
     * client hardly wakes up.
     */
    private long tick(long now) {
        long shortest = Math.min(TimeUnit.MILLISECONDS.toNanos(100), Math.max(suspectNanos / 5, 1));
        long left = suspectNanos;
        for (CallInFlight<M> call : calls) {
            left = Math.min(left, suspectNanos - (now - call.began()));
        }
        return Math.max(shortest, left);
    }

    private synchronized boolean mayEnd() {
        watching = false;
        if (calls.isEmpty()) {
            return true;
        }
        // A call came in between and saw that the watch runs.
        watching = true;
        return false;
    }

    /** Looks once at all calls. */
    private void see(long now) {
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
        if (longest > 0 && now - nextQuestion >= 0) {
            finder.look(longest);
            nextQuestion = now + (slowOnly ? longest : Waits.nanosAfter(longest));
        }
        if (longest > 0 && !slowOnly) {
            acceptInvitations(now, now - longest);
        }
    }

    /** A standby knows when it may take over from a member that does not answer, and says so; a tick may be later. */
    private void acceptInvitations(long now, long troubleSince) {
        long left = finder.lookAtInvited(troubleSince);
        if (left == Long.MAX_VALUE || (invitedIsDue && nextInvited - (now + left) <= 0)) {
            return;
        }
        invitedIsDue = true;
        nextInvited = now + left;
        thread.schedule(this::lookAtInvited, left, TimeUnit.NANOSECONDS);
    }
}
