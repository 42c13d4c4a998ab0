/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.calls;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers that may not be sent yet: a majority must have what they reveal, and this process must have been the only
 * writer when they were made. Dedicated threads send them; a commit only hands them to these threads.
 *
 * <p>Bounded in number and bytes, including those being sent. An answer whose connection is closed is dropped. One that
 * waits too long becomes a refusal, so that its client looks for another NameNode. Thread-safe; holds no lock while it
 * sends.
 */
final class PendingResponses {
    private static final Logger LOG = LoggerFactory.getLogger(PendingResponses.class);

    /** The memory of a call in addition to its message: the call, its request, and what HDFS keeps for it. */
    private static final long CALL_BYTES = 1_024;
    /** The size below which answers are sent together; a larger one is sent separately, so that it does not delay others. */
    private static final long LARGE_BYTES = 32 << 10;

    private final int maxCalls;
    private final long maxBytes;
    private final long maxNanos;
    private final Executor senders;
    private final LongSupplier nanoTime;

    private final PriorityQueue<PendingAnswer> uncommitted =
            new PriorityQueue<>(Comparator.comparingLong((PendingAnswer pendingAnswer) -> pendingAnswer.txId));
    /** Committed answers for which it is not yet known whether another writer had taken over. */
    private final Queue<PendingAnswer> unproven = new ArrayDeque<>();

    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();

    /** An answer that is held. Its methods are called by one thread. */
    interface HeldAnswer {
        /** Whether the client is still waiting. */
        boolean isClientWaiting();

        void send();

        /** Tells the client to ask another NameNode. */
        void refuse(String reason);
    }

    /** The term in which answers are made. */
    interface ServingTerm {
        long committedTxId();

        boolean wasSoleWriterAt(long nanos);

        boolean isOver();
    }

    private static final class PendingAnswer {
        final HeldAnswer answer;
        final ServingTerm term;
        final long txId;
        final long madeNanos;
        final long bytes;

        PendingAnswer(HeldAnswer answer, ServingTerm term, long txId, long madeNanos, long bytes) {
            this.answer = answer;
            this.term = term;
            this.txId = txId;
            this.madeNanos = madeNanos;
            this.bytes = bytes;
        }
    }

    /**
     * @param maxMillis the longest time that an answer waits
     * @param senders runs the sending, which may wait for a client
     */
    PendingResponses(int maxCalls, long maxBytes, long maxMillis, Executor senders, LongSupplier nanoTime) {
        this.maxCalls = maxCalls;
        this.maxBytes = maxBytes;
        this.maxNanos = maxMillis * 1_000_000L;
        this.senders = senders;
        this.nanoTime = nanoTime;
    }

    /**
     * Whether there is room to execute another call whose answer may have to wait. Calls already executing come on top.
     */
    boolean hasCapacity() {
        return calls.get() < maxCalls && bytes.get() < maxBytes;
    }

    int calls() {
        return calls.get();
    }

    long bytes() {
        return bytes.get();
    }

    /** The age of the oldest waiting answer; zero if none is waiting. */
    synchronized long oldestNanos() {
        long nowNanos = nanoTime.getAsLong();
        long oldest = 0;
        for (PendingAnswer pendingAnswer : uncommitted) {
            oldest = Math.max(oldest, nowNanos - pendingAnswer.madeNanos);
        }
        for (PendingAnswer pendingAnswer : unproven) {
            oldest = Math.max(oldest, nowNanos - pendingAnswer.madeNanos);
        }
        return oldest;
    }

    /**
     * Holds an answer until it may be sent.
     *
     * @param txId the last transaction that it may reveal
     * @param madeNanos when it was made, by {@link System#nanoTime()}
     */
    void hold(HeldAnswer answer, ServingTerm term, long txId, long madeNanos, long messageBytes) {
        PendingAnswer pendingAnswer = new PendingAnswer(answer, term, txId, madeNanos, messageBytes + CALL_BYTES);
        calls.incrementAndGet();
        bytes.addAndGet(pendingAnswer.bytes);
        synchronized (this) {
            uncommitted.add(pendingAnswer);
        }
        // The commit that it waits for may have come just before.
        releaseReady();
    }

    /** Releases the answers that may be sent; called whenever there is news about a term. */
    void releaseReady() {
        if (calls.get() == 0) {
            return;
        }
        List<PendingAnswer> readyAnswers = new ArrayList<>();
        List<PendingAnswer> over = new ArrayList<>();
        synchronized (this) {
            while (!uncommitted.isEmpty()
                    && uncommitted.peek().txId <= uncommitted.peek().term.committedTxId()) {
                unproven.add(uncommitted.poll());
            }
            for (Iterator<PendingAnswer> each = unproven.iterator(); each.hasNext(); ) {
                PendingAnswer pendingAnswer = each.next();
                if (pendingAnswer.term.wasSoleWriterAt(pendingAnswer.madeNanos)) {
                    readyAnswers.add(pendingAnswer);
                    each.remove();
                } else if (pendingAnswer.term.isOver()) {
                    over.add(pendingAnswer);
                    each.remove();
                }
            }
            while (!uncommitted.isEmpty() && uncommitted.peek().term.isOver()) {
                over.add(uncommitted.poll());
            }
        }
        send(readyAnswers);
        refuse(over, "it has stopped writing the journal, and whether that has what this answer reveals is not known");
    }

    /** Drops answers without a waiting client, and refuses those that have waited too long, or whose term ended without proof. */
    void sweep() {
        List<PendingAnswer> unwantedAnswers = new ArrayList<>();
        List<PendingAnswer> expiredAnswers = new ArrayList<>();
        long nowNanos = nanoTime.getAsLong();
        synchronized (this) {
            takeExpired(uncommitted, nowNanos, unwantedAnswers, expiredAnswers);
            takeExpired(unproven, nowNanos, unwantedAnswers, expiredAnswers);
        }
        unwantedAnswers.forEach(this::forget);
        refuse(
                expiredAnswers,
                "no majority of the journal's nodes has answered it for " + maxNanos / 1_000_000L + " ms");
        releaseReady();
    }

    private void takeExpired(
            Collection<PendingAnswer> from,
            long nowNanos,
            List<PendingAnswer> unwantedAnswers,
            List<PendingAnswer> expiredAnswers) {
        from.removeIf(response -> {
            if (!response.answer.isClientWaiting()) {
                return unwantedAnswers.add(response);
            }
            boolean isLate = nowNanos - response.madeNanos > maxNanos;
            return isLate && expiredAnswers.add(response);
        });
    }

    private void send(List<PendingAnswer> readyAnswers) {
        List<PendingAnswer> together = new ArrayList<>();
        for (PendingAnswer pendingAnswer : readyAnswers) {
            if (pendingAnswer.bytes < LARGE_BYTES) {
                together.add(pendingAnswer);
            } else {
                complete(Collections.singletonList(pendingAnswer), HeldAnswer::send);
            }
        }
        complete(together, HeldAnswer::send);
    }

    private void refuse(List<PendingAnswer> answers, String reason) {
        complete(answers, answer -> answer.refuse(reason));
    }

    private void complete(List<PendingAnswer> answers, Consumer<HeldAnswer> completion) {
        if (answers.isEmpty()) {
            return;
        }
        try {
            senders.execute(() -> answers.forEach(response -> complete(response, completion)));
        } catch (RejectedExecutionException e) {
            LOG.debug("Held responses dropped because the NameNode is stopping: count={}", answers.size());
            answers.forEach(this::forget);
        } catch (Error e) {
            // No thread is available now. The next call tries again.
            LOG.warn(
                    "Cannot send held responses yet: count={} cause={}; no action needed: retried at the "
                            + "next call",
                    answers.size(),
                    e.toString());
            synchronized (this) {
                uncommitted.addAll(answers);
            }
        }
    }

    /** Sends or refuses one answer; a failure affects neither the other answers nor the accounting for them. */
    private void complete(PendingAnswer pendingAnswer, Consumer<HeldAnswer> completion) {
        try {
            completion.accept(pendingAnswer.answer);
        } catch (RuntimeException | Error e) {
            LOG.warn("Cannot send a held response; no action needed: its client retries", e);
        } finally {
            forget(pendingAnswer);
        }
    }

    private void forget(PendingAnswer pendingAnswer) {
        calls.decrementAndGet();
        bytes.addAndGet(-pendingAnswer.bytes);
    }
}
