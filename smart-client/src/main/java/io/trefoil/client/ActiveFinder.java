/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Knows which member is active, and finds out when it is not known: all members are asked at once, the first that says it is
 * active counts, and those that are slow are waited for by nobody.
 *
 * <p>For any number of threads. Whoever waits first asks for all that wait, so that a process with a thousand waiting threads
 * asks like one with a single thread; and a member that owes an answer is not asked a second time.
 *
 * @param <M> what stands for a member
 */
public final class ActiveFinder<M> {
    private final Supplier<List<M>> members;
    private final MemberProbe<M> probe;
    private final ExecutorService threads;
    private final Runnable nobodyIsActive;
    private final long patienceNanos;
    private final long trustNanos;

    // All below is guarded by this.
    private final Map<M, Question> questions = new HashMap<>();
    /** Written with the lock only; null while nobody is known to be active. */
    private volatile M active;

    private boolean somebodyAsks;
    private long lostAt = System.nanoTime();
    private long rounds;

    /** What one member was asked last, and said. */
    private static final class Question {
        final long askedAt = System.nanoTime();
        Future<?> thread;
        MemberAnswer answer;
    }

    /**
     * @param members those to ask; read anew for each round
     * @param nobodyIsActive called, without a lock held, after each round in which nobody was
     * @param patienceNanos after how long a member that owes an answer is asked again
     * @param trustNanos for how long the active that is known may owe an answer before another may claim its role
     */
    public ActiveFinder(
            Supplier<List<M>> members,
            MemberProbe<M> probe,
            ExecutorService threads,
            Runnable nobodyIsActive,
            long patienceNanos,
            long trustNanos) {
        this.members = members;
        this.probe = probe;
        this.threads = threads;
        this.nobodyIsActive = nobodyIsActive;
        this.patienceNanos = patienceNanos;
        this.trustNanos = trustNanos;
    }

    /** The active, as far as is known; asks nobody. */
    public Optional<M> known() {
        return Optional.ofNullable(active);
    }

    /**
     * The active; waits until there is one.
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
        while (true) {
            synchronized (this) {
                while (active == null && somebodyAsks && left(deadlineNanos) > 0) {
                    waitFor(left(deadlineNanos));
                }
                if (active != null) {
                    return active;
                }
                if (left(deadlineNanos) <= 0) {
                    throw new TimeoutException(describe());
                }
                somebodyAsks = true;
            }
            try {
                askUntil(deadlineNanos);
            } finally {
                synchronized (this) {
                    somebodyAsks = false;
                    // Whoever waits takes over, should this thread have been interrupted.
                    notifyAll();
                }
            }
        }
    }

    private void askUntil(long deadlineNanos) throws InterruptedException {
        for (boolean first = true; ; first = false) {
            if (!first) {
                nobodyIsActive.run();
            }
            synchronized (this) {
                if (active != null || left(deadlineNanos) <= 0) {
                    return;
                }
                askAll();
                long nextRound = System.nanoTime() + Waits.nanosAfter(System.nanoTime() - lostAt);
                while (active == null && left(nextRound) > 0 && left(deadlineNanos) > 0) {
                    waitFor(Math.min(left(nextRound), left(deadlineNanos)));
                }
            }
        }
    }

    /** Waits until somebody is found to be active who was not, or for that long. */
    synchronized void awaitNews(long nanos) throws InterruptedException {
        waitFor(nanos);
    }

    /** Asks all members, but waits for none: for the case that the active is known and does not answer. */
    public synchronized void look() {
        askAll();
    }

    /** A member turned out not to be active, or not to be in reach. Does nothing if another one is known by now. */
    public synchronized void lost(M member) {
        if (member.equals(active)) {
            active = null;
            lostAt = System.nanoTime();
        }
    }

    /** Whether the member said that it is active when it was asked last, at or after that time. */
    public synchronized boolean saidActiveSince(M member, long nanos) {
        Question question = questions.get(member);
        return question != null
                && question.askedAt - nanos >= 0
                && question.answer != null
                && question.answer.isActive();
    }

    /** What each member answered last, for a message. */
    public synchronized String describe() {
        List<String> lines = new ArrayList<>();
        long now = System.nanoTime();
        for (M member : members.get()) {
            Question question = questions.get(member);
            if (question == null) {
                lines.add(member + ": not asked");
            } else if (question.answer == null) {
                lines.add(member + ": no answer for " + TimeUnit.NANOSECONDS.toMillis(now - question.askedAt) + " ms");
            } else {
                lines.add(member + ": " + question.answer.text());
            }
        }
        return rounds + (rounds == 1 ? " round" : " rounds") + " of questions; " + String.join("; ", lines);
    }

    /** Asks each member that owes no answer; called with the lock. */
    private void askAll() {
        rounds++;
        List<M> all = members.get();
        questions.keySet().retainAll(all);
        long now = System.nanoTime();
        for (M member : all) {
            Question question = questions.get(member);
            if (question == null || question.answer != null) {
                ask(member);
            } else if (now - question.askedAt > patienceNanos) {
                question.thread.cancel(true);
                ask(member);
            }
        }
    }

    private void ask(M member) {
        Question question = new Question();
        questions.put(member, question);
        try {
            question.thread = threads.submit(() -> answered(member, question, answerOf(member)));
        } catch (RejectedExecutionException closed) {
            question.answer = MemberAnswer.none("the client is closed");
        }
    }

    private MemberAnswer answerOf(M member) {
        try {
            return probe.ask(member);
        } catch (IOException | RuntimeException e) {
            return MemberAnswer.none(e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }

    private synchronized void answered(M member, Question question, MemberAnswer answer) {
        if (questions.get(member) != question) {
            return;
        }
        question.answer = answer;
        if (answer.isActive() && !member.equals(active) && (active == null || mayBeReplaced())) {
            active = member;
            notifyAll();
        }
    }

    /**
     * Whether somebody else may claim the role of the active that is known. Not while that one answers: who claims it may have
     * been deposed itself and not know it yet.
     */
    private boolean mayBeReplaced() {
        Question question = questions.get(active);
        if (question == null) {
            return false;
        }
        return question.answer == null
                ? System.nanoTime() - question.askedAt >= trustNanos
                : !question.answer.isActive();
    }

    private static long left(long deadlineNanos) {
        return deadlineNanos - System.nanoTime();
    }

    private void waitFor(long nanos) throws InterruptedException {
        TimeUnit.NANOSECONDS.timedWait(this, Math.max(nanos, 1));
    }
}
