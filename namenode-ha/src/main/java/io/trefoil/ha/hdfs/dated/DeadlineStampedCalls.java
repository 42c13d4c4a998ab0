/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.dated;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.client.CallNotExecutedException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Sends forwarded calls with the time of the active's clock, which it reads before the first one and from time to time. The
 * active thus knows how long a call was on its way ({@link DeadlineCheckedCalls}). An active that does not tell its
 * time, as it has an older version, gets calls without one. Thread-safe.
 */
public final class DeadlineStampedCalls {
    /** The connection to other NameNodes. */
    public interface ForwardingChannel {
        /** Forwards a call, once. Fails with a {@link CallNotExecutedException} if it was certainly not executed. Waits for nothing. */
        CompletableFuture<Bytes> forward(NodeAddress node, Bytes call, BooleanSupplier isWanted);
    }

    private final ForwardingChannel channel;
    private final LongSupplier nanoTime;

    /** The node whose clock this is; guarded by this, like the next two fields, as handlers and the transport's thread use them. */
    private Optional<NodeAddress> node = Optional.empty();

    private ActiveClock clock = new ActiveClock();
    /** Completes when the clock was read; empty if it is not being read. */
    private Optional<CompletableFuture<Void>> reading = Optional.empty();

    public DeadlineStampedCalls(ForwardingChannel channel) {
        this(channel, System::nanoTime);
    }

    DeadlineStampedCalls(ForwardingChannel channel, LongSupplier nanoTime) {
        this.channel = channel;
        this.nanoTime = nanoTime;
    }

    /**
     * Forwards a call over the connection, when the clock of its node is known.
     *
     * @param isWanted whether the call may still be sent; on any thread
     */
    public CompletableFuture<Bytes> forward(NodeAddress to, Bytes call, BooleanSupplier isWanted) {
        return readClock(to).thenCompose(known -> send(to, call, isWanted));
    }

    /** Switches to a node; calls waiting until the clock of another node is read are not executed. */
    public synchronized void switchTo(NodeAddress to) {
        if (!isCurrentNode(to)) {
            dropWaitingCalls();
            node = Optional.of(to);
        }
    }

    /** Drops the node; calls waiting until a clock is read are not executed, and the next call first reads the clock of its node. */
    public synchronized void dropWaitingCalls() {
        node = Optional.empty();
        clock = new ActiveClock();
        reading = Optional.empty();
    }

    private CompletableFuture<Bytes> send(NodeAddress to, Bytes call, BooleanSupplier isWanted) {
        Optional<ClockReading> sent;
        synchronized (this) {
            if (!isCurrentNode(to)) {
                return failNotSent("another node is called now");
            }
            if (!clock.hasAnswered()) {
                return failNotSent("the clock of " + to + " must be read again");
            }
            sent = clock.now(nanoTime.getAsLong());
        }
        CompletableFuture<Bytes> future = channel.forward(
                to,
                sent.map(time -> ActiveClockCodec.encodeTimestampedCall(time, call))
                        .orElse(call),
                isWanted);
        CompletableFuture<Bytes> answer = new CompletableFuture<>();
        future.whenComplete((bytes, failure) -> {
            Optional<String> refusal = failure == null && sent.isPresent()
                    ? ActiveClockCodec.decodeRefusal(bytes)
                    : Optional.<String>empty();
            if (failure != null || refusal.isPresent()) {
                // The next one may be asked after a restart, and has another clock.
                forget(to);
            }
            if (failure != null) {
                answer.completeExceptionally(causeOf(failure));
            } else if (refusal.isPresent()) {
                answer.completeExceptionally(new CallNotExecutedException(refusal.get()));
            } else {
                answer.complete(bytes);
            }
        });
        return answer;
    }

    private static CompletableFuture<Bytes> failNotSent(String reason) {
        CompletableFuture<Bytes> failed = new CompletableFuture<>();
        failed.completeExceptionally(new CallNotExecutedException(reason));
        return failed;
    }

    private boolean isCurrentNode(NodeAddress to) {
        return node.filter(to::equals).isPresent();
    }

    private synchronized void forget(NodeAddress to) {
        if (isCurrentNode(to)) {
            clock.forget();
        }
    }

    /** Completes when a call can be sent; fails with a {@link CallNotExecutedException} if the node does not answer. */
    private CompletableFuture<Void> readClock(NodeAddress to) {
        CompletableFuture<Void> newReading = new CompletableFuture<>();
        CompletableFuture<Void> known;
        ActiveClock currentClock;
        ActiveClock.ClockRequest question;
        synchronized (this) {
            switchTo(to);
            long nowNanos = nanoTime.getAsLong();
            boolean isKnown = clock.isKnown(nowNanos);
            if (reading.isPresent() || !clock.isReadDue(nowNanos)) {
                return isKnown ? CompletableFuture.completedFuture(null) : reading.get();
            }
            reading = Optional.of(newReading);
            known = isKnown ? CompletableFuture.completedFuture(null) : newReading;
            currentClock = clock;
            question = clock.beginRequest(nowNanos);
        }
        read(to, newReading, currentClock, question);
        return known;
    }

    private void read(
            NodeAddress to, CompletableFuture<Void> reading, ActiveClock clock, ActiveClock.ClockRequest question) {
        CompletableFuture<Bytes> answer;
        try {
            answer = channel.forward(to, ActiveClockCodec.encodeQuestion(), () -> true);
        } catch (RuntimeException | Error e) {
            endReading(reading);
            reading.completeExceptionally(new CallNotExecutedException(String.valueOf(e.getMessage())));
            return;
        }
        answer.whenComplete((bytes, failure) -> {
            synchronized (this) {
                if (failure == null) {
                    clock.recordAnswer(question, ActiveClockCodec.decodeReading(bytes), nanoTime.getAsLong());
                }
                endReading(reading);
            }
            if (failure == null) {
                reading.complete(null);
            } else {
                reading.completeExceptionally(toNotExecuted(causeOf(failure)));
            }
        });
    }

    private static CallNotExecutedException toNotExecuted(Throwable cause) {
        return cause instanceof CallNotExecutedException
                ? (CallNotExecutedException) cause
                : new CallNotExecutedException(String.valueOf(cause.getMessage()));
    }

    private synchronized void endReading(CompletableFuture<Void> newReading) {
        if (reading.filter(newReading::equals).isPresent()) {
            reading = Optional.empty();
        }
    }

    private static Throwable causeOf(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
