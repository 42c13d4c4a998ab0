/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Watches waiting calls, and makes them abandon an unresponsive member as soon as another one is active.
 *
 * <p>If a call waits longer than {@code suspectNanos}, all members are asked. While the call's own member says that it
 * is active, the call is just slow, and the next question follows when it has waited twice as long, or as soon as a younger call is
 * suspect. While it says nothing, others are asked when they want to be, too. A call whose member does not answer also ends when its
 * time is up. If its member was silent, and is active now, but has answered none of the calls, their connection was lost in a network
 * that dropped packets: TCP would find out after as long again, and a stock client waits for that.
 *
 * <p>Checks its calls on a single thread that all clients of a process share; the thread lives while there are calls,
 * and a little longer.
 *
 * @param <M> what stands for a member
 */
public final class HungCallDetector<M> {
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** How long a member that has resumed after a pause may take to answer at least one of its earlier calls. */
    private static final long LOST_AFTER_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final ScheduledExecutorService thread;
    private final ActiveFinder<M> finder;
    private final long suspectNanos;
    private final long budgetNanos;
    private final Set<InFlightCall<M>> calls = ConcurrentHashMap.newKeySet();
    /** The time at which a call of each member last ended on its own. */
    private final Map<M, Long> answeredAt = new ConcurrentHashMap<>();

    private final AtomicBoolean lookIsQueued = new AtomicBoolean();
    private volatile boolean watching;
    private volatile boolean closed;
    // Of the executor's thread only.
    private long busyAt;
    /** The time of the next probe if all long-waiting calls are merely slow. */
    private long nextWhileSlow;
    /** The time of the next probe if the member of some long-waiting call has sent nothing since the call began. */
    private long nextWhileSilent;
    /** The probe scheduled for the time that a member suggested. */
    private Optional<Future<?>> invitation = Optional.empty();

    private long invitationAt;

    /** @param thread one thread, which all clients of the process may share; nothing waits in it */
    public HungCallDetector(
            ScheduledExecutorService thread, ActiveFinder<M> finder, long suspectNanos, long budgetNanos) {
        this.thread = thread;
        this.finder = finder;
        this.suspectNanos = suspectNanos;
        this.budgetNanos = budgetNanos;
        finder.onActiveOrInvited(this::scheduleCheck);
    }

    /** Records that the current thread is about to call a member. {@link #end} must follow. */
    public InFlightCall<M> begin(M member) {
        InFlightCall<M> call = new InFlightCall<>(member);
        calls.add(call);
        if (!watching) {
            beginWatch();
        }
        return call;
    }

    /** Records the end of the call; returns the reason. */
    public InFlightCall.EndReason end(InFlightCall<M> call) {
        calls.remove(call);
        InFlightCall.EndReason end = call.end();
        if (end == InFlightCall.EndReason.BY_ITSELF) {
            answeredAt.put(call.member(), System.nanoTime());
        }
        return end;
    }

    /** Ends the watch. Waiting calls continue waiting. */
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
            nextWhileSlow = busyAt;
            nextWhileSilent = busyAt;
            watch();
        });
    }

    private void scheduleCheck() {
        // Members may answer all clients of a process at once, again and again.
        if (calls.isEmpty() || !lookIsQueued.compareAndSet(false, true)) {
            return;
        }
        try {
            thread.execute(this::checkNow);
        } catch (RuntimeException | Error e) {
            lookIsQueued.set(false);
            throw e;
        }
    }

    private void checkNow() {
        lookIsQueued.set(false);
        check();
    }

    private void watch() {
        if (closed) {
            return;
        }
        try {
            check();
        } finally {
            // Rescheduled even if there was no memory for a question: calls depend on this one watch.
            if (System.nanoTime() - busyAt <= IDLE_NANOS || !mayStopWatching()) {
                thread.schedule(this::watch, tick(System.nanoTime()), TimeUnit.NANOSECONDS);
            }
        }
    }

    private void check() {
        long now = System.nanoTime();
        // A closed client asks no NameNode: others in the process would wait for the answer.
        if (!closed && !calls.isEmpty()) {
            busyAt = now;
            checkCalls(now);
        }
    }

    /**
     * The time until the oldest call may become suspect, but no longer than until a call that begins now would, so that an idle client
     * hardly wakes up.
     */
    private long tick(long now) {
        long shortest = Math.min(TimeUnit.MILLISECONDS.toNanos(100), Math.max(suspectNanos / 5, 1));
        long left = suspectNanos;
        for (InFlightCall<M> call : calls) {
            left = Math.min(left, suspectNanos - (now - call.startedNanos()));
        }
        return Math.max(shortest, left);
    }

    private synchronized boolean mayStopWatching() {
        watching = false;
        if (calls.isEmpty()) {
            return true;
        }
        // A call came in between and saw that the watch runs.
        watching = true;
        return false;
    }

    /** Checks all calls in flight once. */
    private void checkCalls(long now) {
        Optional<M> active = finder.knownActive();
        long longestWait = 0;
        long longestSilent = 0;
        for (InFlightCall<M> call : calls) {
            long age = now - call.startedNanos();
            if (age < suspectNanos) {
                continue;
            }
            if (active.isPresent() && !active.get().equals(call.member())) {
                call.abort(InFlightCall.EndReason.LEFT);
                continue;
            }
            if (isLost(call, now)) {
                call.abort(InFlightCall.EndReason.LOST);
                continue;
            }
            longestWait = Math.max(longestWait, age);
            if (finder.reportedActiveSince(call.member(), call.startedNanos())) {
                continue;
            }
            longestSilent = Math.max(longestSilent, age);
            if (age > suspectNanos + budgetNanos) {
                call.abort(InFlightCall.EndReason.GIVEN_UP);
            }
        }
        if (longestSilent > 0) {
            probeWhileSilent(now, longestSilent, longestWait);
        } else if (longestWait > 0 && now - nextWhileSlow >= 0) {
            probeMembers(now, longestWait, longestWait);
        }
    }

    private boolean isLost(InFlightCall<M> call, long now) {
        Optional<Long> back = finder.recoveredAtNanos(call.member());
        if (!back.isPresent() || call.startedNanos() - back.get() > 0 || now - back.get() < LOST_AFTER_NANOS) {
            return false;
        }
        Long answered = answeredAt.get(call.member());
        return answered == null || answered - back.get() < 0;
    }

    private void probeWhileSilent(long now, long longestSilent, long longestWait) {
        if (now - nextWhileSilent >= 0) {
            probeMembers(now, longestSilent, longestWait);
        }
        long left = finder.probeDueMembers(now - longestSilent);
        if (left < Long.MAX_VALUE) {
            scheduleEarlyCheck(now + left);
        }
    }

    private void probeMembers(long now, long trouble, long longestWait) {
        finder.probeAll(trouble);
        nextWhileSlow = now + longestWait;
        nextWhileSilent = now + RetryDelays.nanosAfter(trouble);
    }

    /** Schedules a probe: a standby announces when it may take over from an unresponsive member, which may be before the next tick. */
    private void scheduleEarlyCheck(long dueTime) {
        if (invitation.isPresent() && invitationAt - dueTime <= 0) {
            return;
        }
        invitation.ifPresent(later -> later.cancel(false));
        invitationAt = dueTime;
        invitation =
                Optional.of(thread.schedule(this::checkAsInvited, dueTime - System.nanoTime(), TimeUnit.NANOSECONDS));
    }

    private void checkAsInvited() {
        invitation = Optional.empty();
        check();
    }
}
