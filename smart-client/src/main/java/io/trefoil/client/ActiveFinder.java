/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client;

import io.trefoil.client.SharedAnswers.Question;
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
 * Knows which member is active, or finds out: it asks all members at once, takes the first that says it is active, and
 * does not wait for slow ones.
 *
 * <p>For any number of threads. The first thread that waits asks for all, so a process with a thousand waiting threads
 * asks no more than one with a single thread. A member that owes an answer is not asked again, one that answers slowly
 * is asked less often, and answers to other clients' questions count as well ({@link SharedAnswers}).
 *
 * @param <M> what stands for a member
 */
public final class ActiveFinder<M> {
    private static final long LONG_AGO_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Supplier<List<M>> members;
    private final MemberProbe<M> probe;
    private final ExecutorService threads;
    private final SharedAnswers<MemberAnswer> answers;
    private final IntToLongFunction busyPause;
    private final long patienceNanos;
    private final long trustNanos;

    // All below is guarded by this.
    private final Map<M, Asked> asked = new HashMap<>();
    /** Of members that answered at all. */
    private final Map<M, MemberAnswer> lastAnswers = new HashMap<>();
    /** Of those that are not configured, the ones that answered once: they can be reached from here. */
    private final Set<M> reached = new HashSet<>();
    /** Written with the lock only; null while nobody is known to be active. */
    private volatile M active;

    /** Run without the lock. */
    private volatile Runnable news = () -> {};

    private boolean somebodyAsks;
    private boolean everFound;
    private long lostAt = System.nanoTime();
    private long believedSince = lostAt - LONG_AGO_NANOS;
    private long rounds;

    /** What one member was asked last, by this client or another one. */
    private static final class Asked {
        final Question<MemberAnswer> question;
        /** When the first question was asked of those that it has not answered since. */
        final long silentSince;
        /** How many times in a row it was busy before, and for how long it is left alone if it is again. */
        final int busyBefore;

        final long busyNanos;
        /** Null if it is not this client's question. */
        Future<?> thread;

        Asked(Question<MemberAnswer> question, Asked before, long patienceNanos, IntToLongFunction busyPause) {
            this.question = question;
            boolean stillSilent = before != null && before.tookAtLeast(patienceNanos / 2);
            this.silentSince = stillSilent ? before.silentSince : question.askedAt();
            this.busyBefore = before != null && before.isBusy() ? before.busyBefore + 1 : 0;
            this.busyNanos = busyPause.applyAsLong(busyBefore + 1);
        }

        /** Whether no answer came for so long. */
        boolean tookAtLeast(long nanos) {
            return question.isAnswered()
                    ? is(MemberAnswer.ReportedRole.UNKNOWN) && question.answeredAt() - question.askedAt() >= nanos
                    : System.nanoTime() - question.askedAt() >= nanos;
        }

        boolean is(MemberAnswer.ReportedRole role) {
            return question.isAnswered() && question.answer().role() == role;
        }

        boolean isBusy() {
            return is(MemberAnswer.ReportedRole.BUSY);
        }
    }

    /**
     * @param members those to ask; read anew for each round
     * @param answers shared with all clients whose questions are to count for this one, too
     * @param busyPause for how many nanoseconds a member is left alone that was busy so many times in a row
     * @param patienceNanos after how long a member that owes an answer is asked again
     * @param trustNanos for how long the active that is known may owe an answer before another may claim its role
     */
    public ActiveFinder(
            Supplier<List<M>> members,
            MemberProbe<M> probe,
            ExecutorService threads,
            SharedAnswers<MemberAnswer> answers,
            IntToLongFunction busyPause,
            long patienceNanos,
            long trustNanos) {
        this.members = members;
        this.probe = probe;
        this.threads = threads;
        this.answers = answers;
        this.busyPause = busyPause;
        this.patienceNanos = patienceNanos;
        this.trustNanos = trustNanos;
    }

    /** The active, as far as is known; asks nobody. */
    public Optional<M> known() {
        return Optional.ofNullable(active);
    }

    /**
     * The active; waits until there is one. If all that can be reached refuse this client it is one of those, for the call to be
     * refused, too.
     *
     * @param deadlineNanos by {@link System#nanoTime}
     * @throws TimeoutException if none was found until then; the text says what each member answered
     * @throws InterruptedException if the waiting thread was interrupted
     */
    public M await(long deadlineNanos) throws InterruptedException, TimeoutException {
        M known = active;
        if (known != null) {
            return known;
        }
        long began = System.nanoTime();
        while (true) {
            synchronized (this) {
                while (active == null
                        && somebodyAsks
                        && left(deadlineNanos) > 0
                        && !refusing(began).isPresent()) {
                    waitFor(left(deadlineNanos));
                }
                if (active != null) {
                    return active;
                }
                Optional<M> refusing = refusing(began);
                if (refusing.isPresent()) {
                    return refusing.get();
                }
                if (left(deadlineNanos) <= 0) {
                    throw new TimeoutException(describe());
                }
                somebodyAsks = true;
            }
            try {
                askUntil(deadlineNanos, began);
            } finally {
                synchronized (this) {
                    somebodyAsks = false;
                    // Another waiting thread takes over if this one was interrupted.
                    notifyAll();
                }
            }
        }
    }

    private void askUntil(long deadlineNanos, long began) throws InterruptedException {
        for (boolean first = true; ; first = false) {
            synchronized (this) {
                if (first && everFound) {
                    waitUntil(System.nanoTime() + Waits.nanosBeforeTheFirst(), deadlineNanos, began);
                }
                if (active != null
                        || left(deadlineNanos) <= 0
                        || refusing(began).isPresent()) {
                    return;
                }
                askAll(System.nanoTime() - lostAt);
                waitUntil(System.nanoTime() + Waits.nanosAfter(System.nanoTime() - lostAt), deadlineNanos, began);
            }
        }
    }

    /** Waits until somebody is active, or all refuse, or until then; called with the lock. */
    private void waitUntil(long nanos, long deadlineNanos, long began) throws InterruptedException {
        while (active == null
                && left(nanos) > 0
                && left(deadlineNanos) > 0
                && !refusing(began).isPresent()) {
            waitFor(Math.min(left(nanos), left(deadlineNanos)));
        }
    }

    /**
     * One of those that refuse this client, if a call that began then would be refused whoever becomes active: somebody
     * refused the client since, and nobody let it in. One that is silent may still do that, for as long as it is waited
     * for at all. After a loss somebody who cannot tell yet may be about to become active, so that takes as long too.
     * Called with the lock.
     */
    private Optional<M> refusing(long began) {
        long now = System.nanoTime();
        Optional<M> refusing = Optional.empty();
        for (M member : members.get()) {
            Asked its = asked.get(member);
            if (!isWaitedFor(member)) {
                continue;
            }
            if (its == null) {
                return Optional.empty();
            }
            if (!its.question.isAnswered()) {
                if (now - its.silentSince < patienceNanos) {
                    return Optional.empty();
                }
            } else if (its.is(MemberAnswer.ReportedRole.REFUSED)) {
                if (its.thread == null || its.question.answeredAt() - began < 0) {
                    return Optional.empty();
                }
                refusing = Optional.of(member);
            } else if (!its.is(MemberAnswer.ReportedRole.UNKNOWN)) {
                return Optional.empty();
            }
        }
        return everFound && now - lostAt < patienceNanos ? Optional.<M>empty() : refusing;
    }

    /** Whether its silence counts; called with the lock. */
    private boolean isWaitedFor(M member) {
        return probe.isConfigured(member) || reached.contains(member);
    }

    /**
     * How many members have owed an answer for so long that nobody waits for it, though they did not refuse the
     * connection; without those of which the client only learned and never heard.
     */
    public synchronized int silent() {
        long now = System.nanoTime();
        int silent = 0;
        for (M member : members.get()) {
            Asked its = asked.get(member);
            boolean quiet = its != null
                    && isWaitedFor(member)
                    && (!its.question.isAnswered() || its.tookAtLeast(patienceNanos / 2));
            if (quiet && now - its.silentSince >= patienceNanos) {
                silent++;
            }
        }
        return silent;
    }

    /** Has it run, without a lock held, each time that somebody is found to be active who was not. One at most. */
    void onNews(Runnable told) {
        news = told;
    }

    /**
     * Asks all members, but waits for none: for the case that the active is known and does not answer.
     *
     * @param troubleNanos for how long there has been a reason to ask
     */
    public synchronized void look(long troubleNanos) {
        askAll(troubleNanos);
    }

    /**
     * Asks all members of whom there is no answer as young as this, but waits for none.
     *
     * @param nanosAgo how old an answer to another client may be
     */
    public synchronized void refresh(long nanosAgo) {
        askAllSince(System.nanoTime() - nanosAgo);
    }

    /** A member turned out not to be active, or not to be in reach. Does nothing if another one is known by now. */
    public synchronized void lost(M member) {
        if (member.equals(active)) {
            active = null;
            lostAt = System.nanoTime();
            believedSince = lostAt;
        }
    }

    /** Whether the member said that it is active when it was asked last, at or after that time. */
    public synchronized boolean saidActiveSince(M member, long nanos) {
        Asked its = asked.get(member);
        return its != null
                && its.question.askedAt() - nanos >= 0
                && its.question.isAnswered()
                && its.question.answer().isActive();
    }

    /** What each member answered last, for a message. */
    public synchronized String describe() {
        List<String> lines = new ArrayList<>();
        long now = System.nanoTime();
        for (M member : members.get()) {
            Asked its = asked.get(member);
            if (its == null) {
                lines.add(member + ": not asked");
            } else if (its.question.isAnswered()) {
                lines.add(member + ": " + its.question.answer().text());
            } else {
                MemberAnswer before = lastAnswers.get(member);
                lines.add(member + ": " + (before == null ? "" : before.text() + ", then ") + "no answer for "
                        + TimeUnit.NANOSECONDS.toMillis(now - its.question.askedAt()) + " ms");
            }
        }
        return rounds + (rounds == 1 ? " round" : " rounds") + " of questions; " + String.join("; ", lines);
    }

    private void askAll(long troubleNanos) {
        askAllSince(System.nanoTime() - Waits.leastNanosAfter(troubleNanos));
    }

    /** Asks each member that owes no answer; called with the lock. */
    private void askAllSince(long young) {
        rounds++;
        List<M> all = members.get();
        asked.keySet().retainAll(all);
        lastAnswers.keySet().retainAll(all);
        reached.retainAll(all);
        long now = System.nanoTime();
        for (M member : all) {
            Asked its = asked.get(member);
            // An answer from before the loss says nothing of the time after it.
            if (its == null) {
                ask(member, later(young, believedSince));
            } else if (its.question.isAnswered()) {
                if (now - its.question.answeredAt() >= pauseAfter(its)) {
                    ask(member, since(its, later(young, believedSince)));
                }
            } else if (now - its.question.askedAt() > patienceNanos) {
                if (its.thread != null) {
                    its.thread.cancel(true);
                }
                ask(member, behind(its));
            }
        }
    }

    private static long pauseAfter(Asked its) {
        long took = its.question.answeredAt() - its.question.askedAt();
        return its.isBusy() ? its.busyNanos : Waits.nanosAfterAnAnswerOf(took);
    }

    /** Since when somebody else may have asked. */
    private static long since(Asked its, long young) {
        if (its.thread == null && its.is(MemberAnswer.ReportedRole.REFUSED)) {
            // That was for a reason of that one, a ticket that ran out, for instance: everybody must be refused
            // himself.
            return System.nanoTime();
        }
        // No answer may have a reason that was the asker's own, too.
        return its.thread == null && its.is(MemberAnswer.ReportedRole.UNKNOWN) ? behind(its) : young;
    }

    /**
     * Somebody else may have asked again by now, and one question is enough for all: if each of a thousand clients
     * asked for itself what one of them got no answer to, a NameNode that is slow would be asked a thousand times.
     */
    private static long behind(Asked its) {
        return its.question.askedAt() + 1;
    }

    private static long later(long one, long other) {
        return one - other > 0 ? one : other;
    }

    /** @param notBefore since when another client may have asked */
    private void ask(M member, long notBefore) {
        Question<MemberAnswer> mine = new Question<>();
        Asked its = new Asked(
                answers.joinOr(mine, probe.shared(member), notBefore), asked.get(member), patienceNanos, busyPause);
        asked.put(member, its);
        if (its.question == mine) {
            try {
                its.thread = threads.submit(() -> mine.answered(answerOf(member)));
            } catch (RejectedExecutionException closed) {
                mine.answered(MemberAnswer.none("the client is closed"));
            } catch (Error e) {
                // Other clients may wait for the same answer.
                mine.answered(MemberAnswer.none("it could not be asked: " + e));
                throw e;
            }
        }
        its.question.whenAnswered(() -> answered(member, its));
    }

    private MemberAnswer answerOf(M member) {
        try {
            return probe.ask(member);
        } catch (IOException | RuntimeException | Error e) {
            return MemberAnswer.none(e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }

    private void answered(M member, Asked its) {
        MemberAnswer answer = its.question.answer();
        probe.heard(member, answer);
        synchronized (this) {
            lastAnswers.put(member, answer);
            if (answer.role() != MemberAnswer.ReportedRole.UNKNOWN) {
                reached.add(member);
            }
            // One that was asked again meanwhile may be too busy to answer in time, ever: a late answer counts, too.
            boolean counts = asked.get(member) == its || its.question.askedAt() - believedSince >= 0;
            if (answer.role() == MemberAnswer.ReportedRole.REFUSED) {
                notifyAll();
            }
            boolean isNew = counts
                    && answer.isActive()
                    && !member.equals(active)
                    && members.get().contains(member)
                    && (active == null || mayBeReplaced());
            if (!isNew) {
                return;
            }
            active = member;
            everFound = true;
            notifyAll();
        }
        news.run();
    }

    /**
     * Whether somebody else may claim the role of the active that is known. Not while that one answers: who claims it may have
     * been deposed itself and not know it yet.
     */
    private boolean mayBeReplaced() {
        Asked its = asked.get(active);
        if (its == null) {
            return false;
        }
        return its.question.isAnswered()
                ? !its.question.answer().isActive()
                : System.nanoTime() - its.question.askedAt() >= trustNanos;
    }

    private static long left(long deadlineNanos) {
        return deadlineNanos - System.nanoTime();
    }

    private void waitFor(long nanos) throws InterruptedException {
        TimeUnit.NANOSECONDS.timedWait(this, Math.max(nanos, 1));
    }
}
