/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.forward;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.pool.server.ForwardedCalls;
import java.io.Closeable;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.thirdparty.protobuf.Message;

/**
 * Calls that this NameNode executes later. No handler waits: a call is kept as if it were to be forwarded, and is then
 * executed as if another NameNode had forwarded it, as its client's own, under the same ids. So the limits are those of
 * {@link CallForwarder}; a call whose client has gone is never executed; and one that is repeated is recognized.
 *
 * <p>A call that waits too long is refused with a {@code RetriableException}, upon which its client repeats it. Thread-safe.
 */
public final class DeferredCalls implements Closeable {
    private static final long ANSWER_BYTES = 64L << 20;

    private final Duration maxHold;
    private final CallForwarder answers;
    private final ForwardedCallExecutor executed;
    private final Queue<DeferredCall> waiting = new ConcurrentLinkedQueue<>();

    /** @param maxHold how long a call waits at most */
    public DeferredCalls(NameNode nameNode, Duration maxHold) {
        this.maxHold = maxHold;
        this.executed = ForwardedCallExecutor.forLocalCalls(nameNode);
        CallForwarder.ForwardingChannel queue = new LocalQueue();
        this.answers = new CallForwarder(
                () -> Optional.of(queue),
                () -> false,
                nameNode.getFSImage()::getLastAppliedOrWrittenTxId,
                ANSWER_BYTES);
    }

    /** Starts watching the calls; must be called once. */
    public void start() {
        answers.start();
    }

    /**
     * Holds the call that the calling handler thread is executing. If it returns true, the call is answered later, and the handler
     * returns nothing.
     *
     * @param answer of the type of the call's answer
     * @return false if there is no room
     */
    public boolean tryHold(String method, Message request, Message answer) throws RetriableException {
        return answers.tryForward(method, request, answer);
    }

    private CompletableFuture<Bytes> hold(Bytes call, BooleanSupplier isWanted) {
        DeferredCall held = new DeferredCall(call, isWanted);
        waiting.add(held);
        return held.answer;
    }

    /** Returns the number of calls that are held, or being executed after having been held. */
    public int calls() {
        return answers.calls();
    }

    /** Executes all waiting calls. */
    public void release() {
        for (DeferredCall one = waiting.poll(); one != null; one = waiting.poll()) {
            executed.execute(one.call, one);
        }
    }

    /** Refuses calls that have waited too long; must be called repeatedly. */
    public void sweep() {
        long nowNanos = System.nanoTime();
        waiting.removeIf(call -> {
            if (!call.isWanted.getAsBoolean()) {
                call.accept(CallCodec.encode(SerializedResponse.notExecuted("its client has left")));
            } else if (nowNanos - call.heldNanos > maxHold.toNanos()) {
                call.accept(CallCodec.encode(SerializedResponse.failed(
                        0,
                        RetriableException.class.getName(),
                        "What the call would change has been frozen for " + maxHold.toMillis() + " ms")));
            }
            return !call.isWaiting();
        });
    }

    @Override
    public void close() {
        answers.close();
        executed.close();
    }

    /** The only channel, which leads to {@link #waiting}. */
    private final class LocalQueue implements CallForwarder.ForwardingChannel {
        @Override
        public CompletableFuture<Bytes> forward(Bytes call, BooleanSupplier isWanted) {
            return hold(call, isWanted);
        }

        @Override
        public CompletableFuture<Void> probe() {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void select() {
            throw new AssertionError("There is one channel");
        }
    }

    private static final class DeferredCall implements ForwardedCalls.Forwarder {
        final Bytes call;
        final BooleanSupplier isWanted;
        final long heldNanos = System.nanoTime();
        final CompletableFuture<Bytes> answer = new CompletableFuture<>();

        DeferredCall(Bytes call, BooleanSupplier isWanted) {
            this.call = call;
            this.isWanted = isWanted;
        }

        @Override
        public void accept(Bytes outcome) {
            answer.complete(outcome);
        }

        @Override
        public boolean isWaiting() {
            return !answer.isDone() && isWanted.getAsBoolean();
        }
    }
}
