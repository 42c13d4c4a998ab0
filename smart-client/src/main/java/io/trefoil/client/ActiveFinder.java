/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client;

import io.trefoil.client.SharedProbeResults.SharedProbe;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntToLongFunction;
import java.util.function.Supplier;

/**
 * Finds the active member: probes all members at once, takes the first that reports to be active, and does not wait for slow ones.
 *
 * <p>For any number of threads. The first waiting thread asks on behalf of all, so a process with a thousand waiting
 * threads asks no more than one with a single thread. A member that owes an answer is not asked again, one that answers
 * slowly is asked less often, one that expects to become active when it says, and answers to other clients' questions count as well
 * ({@link SharedProbeResults}).
 *
 * @param <M> what stands for a member
 */
public final class ActiveFinder<M> {
    private static final long LONG_AGO_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Supplier<List<M>> members;
    private final MemberProbe<M> probe;
    private final ExecutorService threads;
    private final SharedProbeResults<MemberAnswer> answers;
    private final IntToLongFunction busyPause;
    private final long timeoutNanos;
    private final long trustNanos;

    // Everything below is guarded by this.
    private final Map<M, LastProbe> asked = new HashMap<>();
    /** The last answer of each member that has ever answered. */
    private final Map<M, MemberAnswer> lastAnswers = new HashMap<>();
    /** The time at which each member first reported itself active after a period without answers. */
    private final Map<M, Long> backAt = new HashMap<>();
    /** Members that are not configured but have answered once: this client can reach them. */
    private final Set<M> reached = new HashSet<>();
    /** The active member, null while none is known; written only with the lock held. */
    private volatile M active;

    /** {@link #onActiveOrInvited}. */
    private volatile Runnable news = () -> {};

    private boolean somebodyAsks;
    /** The time at which the probing thread starts the next round on its own. */
    private long nextRound;

    private boolean everFound;
    private long lostAt = System.nanoTime();
    private long believedSince = lostAt - LONG_AGO_NANOS;
    private long rounds;

    /** The last probe of one member, by this client or another one. */
    private static final class LastProbe {
        final SharedProbe<MemberAnswer> question;
        /** The time of the first probe in the current run of unanswered probes. */
        final long silentSince;
        /**
         * The number of times in a row that the member reported to be busy, and the time for which it is not probed if it does so again.
         */
        final int busyBefore;

        final long busyNanos;
        /** The thread of the probe; null if another client sent it. */
        Future<?> thread;

        LastProbe(
                SharedProbe<MemberAnswer> question, LastProbe before, long timeoutNanos, IntToLongFunction busyPause) {
            this.question = question;
            boolean stillSilent = before != null && before.isSilentFor(timeoutNanos / 2);
            this.silentSince = stillSilent ? before.silentSince : question.startedNanos();
            this.busyBefore = before != null && before.isBusy() ? before.busyBefore + 1 : 0;
            this.busyNanos = busyPause.applyAsLong(busyBefore + 1);
        }

        /** Whether the member has not answered for this long. */
        boolean isSilentFor(long nanos) {
            return question.isAnswered()
                    ? hasReported(MemberAnswer.ReportedRole.UNKNOWN)
                            && question.answeredAt() - question.startedNanos() >= nanos
                    : System.nanoTime() - question.startedNanos() >= nanos;
        }

        boolean hasReported(MemberAnswer.ReportedRole role) {
            return question.isAnswered() && question.answer().role() == role;
        }

        boolean isBusy() {
            return hasReported(MemberAnswer.ReportedRole.BUSY);
        }
    }

    /**
     * @param members the members to ask; read again for each round
     * @param answers shared with all clients whose questions also count for this one
     * @param busyPause how many nanoseconds a member is left alone, by how many times in a row it was busy
     * @param timeoutNanos after how long a member that owes an answer is asked again
     * @param trustNanos how long the known active may owe an answer before another member may claim its role
     */
    public ActiveFinder(
            Supplier<List<M>> members,
            MemberProbe<M> probe,
            ExecutorService threads,
            SharedProbeResults<MemberAnswer> answers,
            IntToLongFunction busyPause,
            long timeoutNanos,
            long trustNanos) {
        this.members = members;
        this.probe = probe;
        this.threads = threads;
        this.answers = answers;
        this.busyPause = busyPause;
        this.timeoutNanos = timeoutNanos;
        this.trustNanos = trustNanos;
    }

    /** The active, as far as known; probes no member. */
    public Optional<M> knownActive() {
        return Optional.ofNullable(active);
    }

    /**
     * Returns the active; waits until there is one. If all reachable members refuse this client, returns one of them, so that
     * the call is refused, too.
     *
     * @param deadlineNanos by {@link System#nanoTime}
     * @throws TimeoutException if none was found by then; the text says what each member answered
     * @throws InterruptedException if the waiting thread was interrupted
     */
    public M awaitActive(long deadlineNanos) throws InterruptedException, TimeoutException {
        M known = active;
        if (known != null) {
            return known;
        }
        long startNanos = System.nanoTime();
        while (true) {
            synchronized (this) {
                while (active == null
                        && somebodyAsks
                        && remainingNanos(deadlineNanos) > 0
                        && !findRefusing(startNanos).isPresent()) {
                    waitFor(remainingNanos(deadlineNanos));
                }
                if (active != null) {
                    return active;
                }
                Optional<M> refusing = findRefusing(startNanos);
                if (refusing.isPresent()) {
                    return refusing.get();
                }
                if (remainingNanos(deadlineNanos) <= 0) {
                    throw new TimeoutException(describe());
                }
                somebodyAsks = true;
            }
            try {
                probeUntil(deadlineNanos, startNanos);
            } finally {
                synchronized (this) {
                    somebodyAsks = false;
                    // Another waiting thread takes over if this one was interrupted.
                    notifyAll();
                }
            }
        }
    }

    private void probeUntil(long deadlineNanos, long startNanos) throws InterruptedException {
        for (boolean first = true; ; first = false) {
            synchronized (this) {
                if (first && everFound) {
                    waitUntil(System.nanoTime() + RetryDelays.nanosBeforeFirstProbe(), deadlineNanos, startNanos);
                }
                if (active != null
                        || remainingNanos(deadlineNanos) <= 0
                        || findRefusing(startNanos).isPresent()) {
                    return;
                }
                probeAllNow(System.nanoTime() - lostAt);
                waitUntil(
                        System.nanoTime() + RetryDelays.nanosAfter(System.nanoTime() - lostAt),
                        deadlineNanos,
                        startNanos);
            }
        }
    }

    /**
     * Waits until a member is active, all refuse, or the time is up, and sends the probes that members asked for; called with the lock
     * held.
     */
    private void waitUntil(long nanos, long deadlineNanos, long startNanos) throws InterruptedException {
        nextRound = nanos;
        while (active == null
                && remainingNanos(nanos) > 0
                && remainingNanos(deadlineNanos) > 0
                && !findRefusing(startNanos).isPresent()) {
            waitFor(Math.min(
                    probeDueMembers(believedSince, lostAt),
                    Math.min(remainingNanos(nanos), remainingNanos(deadlineNanos))));
        }
    }

    /**
     * Probes each member whose invitation is due, and returns the time until the next check: zero if it sent a probe, as an answer to
     * another client may already have arrived. Called with the lock.
     *
     * @param startNanos invitations in answers to earlier questions do not count
     * @param troubleSince since when the client has had no active
     */
    private long probeDueMembers(long startNanos, long troubleSince) {
        long least = Long.MAX_VALUE;
        for (M member : members.get()) {
            LastProbe lastProbe = asked.get(member);
            if (lastProbe == null || !hasInvitedProbe(lastProbe, startNanos)) {
                continue;
            }
            long left = remainingNanos(invitedAt(lastProbe, troubleSince));
            if (left <= 0) {
                probe(member, justAfter(lastProbe));
            }
            least = Math.min(least, Math.max(0, left));
        }
        return least;
    }

    /**
     * Whether the member asked to be probed again, in answer to a probe sent after the loss of the active. An earlier
     * answer does not count: a member that expected to become active then was on to something else.
     */
    private static boolean hasInvitedProbe(LastProbe lastProbe, long startNanos) {
        return lastProbe.question.isAnswered()
                && lastProbe.question.startedNanos() - startNanos >= 0
                && lastProbe.question.answer().probeAfter().isPresent();
    }

    private static long invitedAt(LastProbe lastProbe, long troubleSince) {
        long answeredAt = lastProbe.question.answeredAt();
        long after = lastProbe.question.answer().probeAfter().get().toNanos();
        return answeredAt + RetryDelays.nanosAfterInvitation(after, answeredAt - troubleSince);
    }

    /**
     * A member that refuses this client, if a call begun at the given time would be refused whichever member becomes active: one has
     * refused the client since, and none has admitted it. A silent member may still let it in, for as long as its answer is awaited at all.
     * After a loss, a member that cannot tell yet may be about to become active, so that takes as long too. Called with the lock.
     */
    private Optional<M> findRefusing(long startNanos) {
        long now = System.nanoTime();
        Optional<M> refusing = Optional.empty();
        for (M member : members.get()) {
            LastProbe lastProbe = asked.get(member);
            if (!countsAsSilent(member)) {
                continue;
            }
            if (lastProbe == null) {
                return Optional.empty();
            }
            if (!lastProbe.question.isAnswered()) {
                if (now - lastProbe.silentSince < timeoutNanos) {
                    return Optional.empty();
                }
            } else if (lastProbe.hasReported(MemberAnswer.ReportedRole.REFUSED)) {
                if (lastProbe.thread == null || lastProbe.question.answeredAt() - startNanos < 0) {
                    return Optional.empty();
                }
                refusing = Optional.of(member);
            } else if (!lastProbe.hasReported(MemberAnswer.ReportedRole.UNKNOWN)) {
                return Optional.empty();
            }
        }
        return everFound && now - lostAt < timeoutNanos ? Optional.<M>empty() : refusing;
    }

    /** Whether the member's silence counts; called with the lock held. */
    private boolean countsAsSilent(M member) {
        return probe.isConfigured(member) || reached.contains(member);
    }

    /**
     * The number of members that have owed an answer for so long that no call waits for them any longer, although they did not refuse the
     * connection. Does not count members that the client only learned of and never heard from.
     */
    public synchronized int silentCount() {
        long now = System.nanoTime();
        int silent = 0;
        for (M member : members.get()) {
            LastProbe lastProbe = asked.get(member);
            boolean quiet = lastProbe != null
                    && countsAsSilent(member)
                    && (!lastProbe.question.isAnswered() || lastProbe.isSilentFor(timeoutNanos / 2));
            if (quiet && now - lastProbe.silentSince >= timeoutNanos) {
                silent++;
            }
        }
        return silent;
    }

    /**
     * Probes the members that asked to be probed again by now, without waiting for them, for when the known active does not answer.
     *
     * @param troubleSince since when it does not, by {@link System#nanoTime}
     * @return how many nanoseconds until the next one wants to be asked; {@code Long.MAX_VALUE} if none does
     */
    public synchronized long probeDueMembers(long troubleSince) {
        long left = probeDueMembers(troubleSince, troubleSince);
        // A member that was just asked tells the callback when it wants to be asked again, unless its answer to another
        // client was there.
        return left > 0 ? left : probeDueMembers(troubleSince, troubleSince);
    }

    /**
     * Sets a callback that runs each time a member is newly found to be active, or asks to be probed again while another one is known to be
     * active; it may run with this object's lock held, so it must not wait. One callback at most.
     */
    void onActiveOrInvited(Runnable onFound) {
        news = onFound;
    }

    /**
     * Probes all members without waiting for them, for when the known active does not answer.
     *
     * @param troubleNanos how long there has been a reason to ask
     */
    public synchronized void probeAll(long troubleNanos) {
        probeAllNow(troubleNanos);
    }

    /**
     * Probes all members whose last answer is older than this, without waiting for them.
     *
     * @param nanosAgo how old an answer to another client may be
     */
    public synchronized void refresh(long nanosAgo) {
        probeAllSince(System.nanoTime() - nanosAgo);
    }

    /** Records that a member turned out not to be active, or to be unreachable. Does nothing if another one is known already. */
    public synchronized void markInactive(M member) {
        if (member.equals(active)) {
            active = null;
            lostAt = System.nanoTime();
            believedSince = lostAt;
        }
    }

    /** Whether the member reported to be active when last probed at or after that time. */
    public synchronized boolean reportedActiveSince(M member, long nanos) {
        LastProbe lastProbe = asked.get(member);
        return lastProbe != null
                && lastProbe.question.startedNanos() - nanos >= 0
                && lastProbe.question.isAnswered()
                && lastProbe.question.answer().isActive();
    }

    /** The time at which the member first reported itself active after it had not answered; empty if it has always answered. */
    public synchronized Optional<Long> recoveredAtNanos(M member) {
        return Optional.ofNullable(backAt.get(member));
    }

    /** Each member's last answer, for a message. */
    public synchronized String describe() {
        List<String> lines = new ArrayList<>();
        long now = System.nanoTime();
        for (M member : members.get()) {
            LastProbe lastProbe = asked.get(member);
            if (lastProbe == null) {
                lines.add(member + ": not asked");
            } else if (lastProbe.question.isAnswered()) {
                lines.add(member + ": " + lastProbe.question.answer().text());
            } else {
                MemberAnswer before = lastAnswers.get(member);
                lines.add(member + ": " + (before == null ? "" : before.text() + ", then ") + "no answer for "
                        + TimeUnit.NANOSECONDS.toMillis(now - lastProbe.question.startedNanos()) + " ms");
            }
        }
        return rounds + (rounds == 1 ? " round" : " rounds") + " of questions; " + String.join("; ", lines);
    }

    private void probeAllNow(long troubleNanos) {
        probeAllSince(System.nanoTime() - RetryDelays.minNanosAfter(troubleNanos));
    }

    /** Probes each member that owes no answer; called with the lock held. */
    private void probeAllSince(long young) {
        rounds++;
        List<M> all = members.get();
        asked.keySet().retainAll(all);
        lastAnswers.keySet().retainAll(all);
        backAt.keySet().retainAll(all);
        reached.retainAll(all);
        long now = System.nanoTime();
        for (M member : all) {
            LastProbe lastProbe = asked.get(member);
            // An answer from before the loss says nothing about the time after it.
            if (lastProbe == null) {
                probe(member, laterOf(young, believedSince));
            } else if (lastProbe.question.isAnswered()) {
                if (now - lastProbe.question.answeredAt() >= pauseAfter(lastProbe)) {
                    probe(member, countedSince(lastProbe, laterOf(young, believedSince)));
                }
            } else if (now - lastProbe.question.startedNanos() > timeoutNanos) {
                if (lastProbe.thread != null) {
                    lastProbe.thread.cancel(true);
                }
                probe(member, justAfter(lastProbe));
            }
        }
    }

    private static long pauseAfter(LastProbe lastProbe) {
        long took = lastProbe.question.answeredAt() - lastProbe.question.startedNanos();
        return lastProbe.isBusy() ? lastProbe.busyNanos : RetryDelays.nanosAfterSlowAnswer(took);
    }

    /** The time from which another client's probe of the member counts for this client. */
    private static long countedSince(LastProbe lastProbe, long young) {
        if (lastProbe.thread == null && lastProbe.hasReported(MemberAnswer.ReportedRole.REFUSED)) {
            // The refusal may have a reason specific to that client, such as an expired ticket: each client must be
            // refused itself.
            return System.nanoTime();
        }
        // The lack of an answer may also be due to the asking client.
        return lastProbe.thread == null && lastProbe.hasReported(MemberAnswer.ReportedRole.UNKNOWN)
                ? justAfter(lastProbe)
                : young;
    }

    /**
     * The time just after the last probe, so that the probe does not count again. Another client may have asked again
     * already, and one question is enough for all: if each of a thousand clients repeated a question that went
     * unanswered, a slow NameNode would be asked a thousand times.
     */
    private static long justAfter(LastProbe lastProbe) {
        return lastProbe.question.startedNanos() + 1;
    }

    private static long laterOf(long one, long other) {
        return one - other > 0 ? one : other;
    }

    /** @param notBefore the earliest time of another client's question that counts */
    private void probe(M member, long notBefore) {
        SharedProbe<MemberAnswer> mine = new SharedProbe<>();
        LastProbe lastProbe = new LastProbe(
                answers.joinOr(mine, probe.sharingKey(member), notBefore), asked.get(member), timeoutNanos, busyPause);
        asked.put(member, lastProbe);
        if (lastProbe.question == mine) {
            try {
                lastProbe.thread = threads.submit(() -> mine.complete(answerOf(member)));
            } catch (RejectedExecutionException closed) {
                mine.complete(MemberAnswer.none("the client is closed"));
            } catch (Error e) {
                // Other clients may wait for this answer.
                mine.complete(MemberAnswer.none("it could not be asked: " + e));
                throw e;
            }
        }
        lastProbe.question.whenAnswered(() -> recordAnswer(member, lastProbe));
    }

    private MemberAnswer answerOf(M member) {
        try {
            return probe.probe(member);
        } catch (IOException | RuntimeException | Error e) {
            return MemberAnswer.none(e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }

    private void recordAnswer(M member, LastProbe lastProbe) {
        MemberAnswer answer = lastProbe.question.answer();
        probe.onAnswer(member, answer);
        synchronized (this) {
            lastAnswers.put(member, answer);
            if (answer.isActive() && lastProbe.silentSince - lastProbe.question.startedNanos() < 0) {
                backAt.put(member, lastProbe.question.answeredAt());
            }
            if (answer.role() != MemberAnswer.ReportedRole.UNKNOWN) {
                reached.add(member);
            }
            // A member that was asked again meanwhile may be too busy ever to answer in time: a late answer counts,
            // too.
            boolean counts = asked.get(member) == lastProbe || lastProbe.question.startedNanos() - believedSince >= 0;
            if (answer.role() == MemberAnswer.ReportedRole.REFUSED
                    || (somebodyAsks
                            && hasInvitedProbe(lastProbe, believedSince)
                            && invitedAt(lastProbe, lostAt) - nextRound < 0)) {
                notifyAll();
            }
            boolean isNew = counts
                    && answer.isActive()
                    && !member.equals(active)
                    && members.get().contains(member)
                    && (active == null || mayBeReplaced());
            if (isNew) {
                active = member;
                everFound = true;
                notifyAll();
            } else if (active == null || !answer.probeAfter().isPresent()) {
                return;
            }
        }
        news.run();
    }

    /**
     * Whether another member may claim the known active's role. Not while that one answers: the claimant may have
     * been deposed itself without knowing it yet.
     */
    private boolean mayBeReplaced() {
        LastProbe lastProbe = asked.get(active);
        if (lastProbe == null) {
            return false;
        }
        return lastProbe.question.isAnswered()
                ? !lastProbe.question.answer().isActive()
                : System.nanoTime() - lastProbe.question.startedNanos() >= trustNanos;
    }

    private static long remainingNanos(long deadlineNanos) {
        return deadlineNanos - System.nanoTime();
    }

    private void waitFor(long nanos) throws InterruptedException {
        TimeUnit.NANOSECONDS.timedWait(this, Math.max(nanos, 1));
    }
}
