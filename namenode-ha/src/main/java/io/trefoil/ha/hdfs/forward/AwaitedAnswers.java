/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.forward;

import io.trefoil.ha.hdfs.forward.ForwardingCounters.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The forwarded calls whose clients are waiting: first for the active's answer, then until this NameNode has applied the
 * changes revealed by the answer, as the client must see them here. Not thread-safe: one thread owns it.
 */
final class AwaitedAnswers {
    static final String FULL = "too many answers are waiting here until what they reveal is applied";

    /** The memory of an answer in addition to its message. */
    private static final int OVERHEAD_BYTES = 256;

    /** A client waiting for an answer. */
    interface Caller {
        /** Whether the client is still waiting. */
        boolean isWaiting();

        void answer(SerializedResponse answer);

        /** Closes the client's connection without an answer, as the outcome of its call cannot be reported: HDFS's client retries. */
        void abortForRetry(String reason);
    }

    /** A forwarded call. */
    static final class Call {
        private final Caller caller;
        private final Consumer<Outcome> onEnd;
        private final long begunNanos;
        private Optional<SerializedResponse> answer = Optional.empty();

        private Call(Caller caller, Consumer<Outcome> onEnd, long begunNanos) {
            this.caller = caller;
            this.onEnd = onEnd;
            this.begunNanos = begunNanos;
        }
    }

    private final long timeoutNanos;
    private final long silenceNanos;
    private final long maxHeldBytes;
    private final LongSupplier appliedTxId;
    private final LongSupplier nanoTime;
    private final Set<Call> calls = new LinkedHashSet<>();
    private final PriorityQueue<Call> answered =
            new PriorityQueue<>(Comparator.comparingLong(AwaitedAnswers::lastTxId));
    /** The bytes of waiting answers; read by threads that want to forward more. */
    private final AtomicLong heldBytes = new AtomicLong();
    /** The time at which the active was last heard from, or at which the first of the waiting answers came, whichever was later. */
    private long heardNanos;
    /** The last transaction that was applied at the last check; {@code seenNanos} is the time since which it has been the last. */
    private long seenTxId;

    private long seenNanos;

    /**
     * Creates an instance in which nothing waits yet.
     *
     * @param timeoutNanos the longest time that a client waits
     * @param silenceNanos how long an answer waits to be applied while the active is not heard from, or nothing is applied:
     *     this NameNode may be cut off from the journal
     * @param maxHeldBytes the limit for all waiting answers together; a single one may be larger
     */
    AwaitedAnswers(
            long timeoutNanos, long silenceNanos, long maxHeldBytes, LongSupplier appliedTxId, LongSupplier nanoTime) {
        this.timeoutNanos = timeoutNanos;
        this.silenceNanos = silenceNanos;
        this.maxHeldBytes = maxHeldBytes;
        this.appliedTxId = appliedTxId;
        this.nanoTime = nanoTime;
    }

    /** @param onEnd is told when the client is answered, or no longer waits: the active's answer is not needed any longer then */
    Call begin(Caller caller, Consumer<Outcome> onEnd) {
        Call call = new Call(caller, onEnd, nanoTime.getAsLong());
        calls.add(call);
        return call;
    }

    /** Records the active's answer. */
    void recordAnswer(Call call, SerializedResponse answer) {
        if (!calls.contains(call)) {
            return;
        }
        boolean waits = answer.lastTxId() > appliedTxId.getAsLong();
        if (waits && heldBytes.get() > 0 && heldBytes.get() + size(answer) > maxHeldBytes) {
            // It was executed: a client that retries a rejected call under a new id would have it executed twice.
            drop(call, Outcome.NO_ROOM, () -> call.caller.abortForRetry(FULL));
            return;
        }
        if (answered.isEmpty()) {
            onActiveReachable();
            seenTxId = appliedTxId.getAsLong();
            seenNanos = nanoTime.getAsLong();
        }
        call.answer = Optional.of(answer);
        heldBytes.addAndGet(size(answer));
        answered.add(call);
        sendReady();
    }

    /** Whether there is no room for further answers. */
    boolean isFull() {
        return heldBytes.get() >= maxHeldBytes;
    }

    /** The size of the waiting answers; may be called by any thread. */
    long heldBytes() {
        return heldBytes.get();
    }

    private static long size(SerializedResponse answer) {
        return OVERHEAD_BYTES + answer.message().size() + 2L * answer.text().length();
    }

    /** Whether the client is still waiting for the call, and may have been waiting that long since it began. */
    boolean mayWait(Call call, long longestNanos) {
        return calls.contains(call) && call.caller.isWaiting() && nanoTime.getAsLong() - call.begunNanos < longestNanos;
    }

    /** Ends a call that will get no answer. */
    void fail(Call call, String reason) {
        if (calls.contains(call)) {
            drop(call, Outcome.UNKNOWN, () -> call.caller.abortForRetry(reason));
        }
    }

    /** Records that the active is alive: changes made there will arrive here. */
    void onActiveReachable() {
        heardNanos = nanoTime.getAsLong();
    }

    /** Whether answers wait for transactions to be applied. */
    boolean hasUnappliedAnswers() {
        return !answered.isEmpty();
    }

    /** Sends the answers for which everything is applied. */
    void sendReady() {
        if (answered.isEmpty()) {
            return;
        }
        long applied = appliedTxId.getAsLong();
        while (!answered.isEmpty() && lastTxId(answered.peek()) <= applied) {
            Call call = answered.element();
            SerializedResponse answer = call.answer.get();
            drop(call, outcome(answer), () -> call.caller.answer(answer));
        }
    }

    private static Outcome outcome(SerializedResponse answer) {
        switch (answer.kind()) {
            case RETURNED:
            case THREW:
                return Outcome.ANSWERED;
            case NOT_EXECUTED:
            case NOT_ACTIVE:
                return Outcome.NOT_EXECUTED;
            default:
                return Outcome.UNKNOWN;
        }
    }

    /**
     * Drops calls whose clients are gone or have waited too long, and answers that wait while the active is silent or nothing is applied
     * here.
     */
    void sweep() {
        long nowNanos = nanoTime.getAsLong();
        long applied = appliedTxId.getAsLong();
        if (applied != seenTxId) {
            seenTxId = applied;
            seenNanos = nowNanos;
        }
        boolean silent = nowNanos - heardNanos > silenceNanos;
        boolean standing = nowNanos - seenNanos > silenceNanos;
        List<Call> gone = new ArrayList<>();
        List<Call> late = new ArrayList<>();
        for (Call call : calls) {
            if (!call.caller.isWaiting()) {
                gone.add(call);
            } else if (nowNanos - call.begunNanos > timeoutNanos || ((silent || standing) && call.answer.isPresent())) {
                late.add(call);
            }
        }
        gone.forEach(call -> drop(call, Outcome.CLIENT_GONE, () -> {}));
        late.forEach(call -> drop(
                call,
                call.answer.isPresent() ? Outcome.NOT_APPLIED : Outcome.NO_ANSWER,
                () -> call.caller.abortForRetry(describeOverdue(call, silent))));
    }

    private static String describeOverdue(Call call, boolean silent) {
        if (!call.answer.isPresent()) {
            return "the active has not answered in time";
        }
        return silent
                ? "it does not hear the active, and has not applied transaction " + lastTxId(call) + " yet"
                : "it has not applied transaction " + lastTxId(call) + " in time";
    }

    private static long lastTxId(Call call) {
        return call.answer.map(SerializedResponse::lastTxId).orElse(0L);
    }

    private void drop(Call call, Outcome outcome, Runnable completion) {
        calls.remove(call);
        if (answered.remove(call)) {
            heldBytes.addAndGet(-call.answer.map(AwaitedAnswers::size).orElse(0L));
        }
        try {
            completion.run();
        } finally {
            call.onEnd.accept(outcome);
        }
    }
}
