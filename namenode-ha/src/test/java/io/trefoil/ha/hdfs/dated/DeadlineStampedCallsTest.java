/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.dated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.client.CallLink;
import io.trefoil.journal.pool.client.CallNotExecutedException;
import io.trefoil.journal.pool.server.ForwardedCalls;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** A forwarder and actives, each with a clock of its own, and a network in the hands of the test. */
class DeadlineStampedCallsTest {
    private static final NodeAddress ACTIVE = NodeAddress.of("h1", 8485);
    private static final NodeAddress NEXT = NodeAddress.of("h2", 8485);
    private static final Bytes CALL = Bytes.wrap(new byte[] {1, 'x'});
    private static final long MILLI = 1_000_000L;
    private static final long HOUR = 3_600_000;

    /** What is on its way to an active. */
    private static final class CallInTransit {
        final NodeAddress to;
        final Bytes bytes;
        final BooleanSupplier isWanted;
        final CompletableFuture<Bytes> answer = new CompletableFuture<>();

        CallInTransit(NodeAddress to, Bytes bytes, BooleanSupplier isWanted) {
            this.to = to;
            this.bytes = bytes;
            this.isWanted = isWanted;
        }
    }

    private final Deque<CallInTransit> network = new ArrayDeque<>();
    private final List<Bytes> executed = new ArrayList<>();
    private final List<ForwardedCalls.Forwarder> askers = new ArrayList<>();
    private final ForwardedCalls executor = (call, asker) -> {
        executed.add(call);
        askers.add(asker);
        asker.accept(Bytes.wrap(new byte[] {1, 'y'}));
    };
    private long nowMillis = 1_000;
    /** By how much the clock of the active shows more, which has its origin elsewhere. */
    private long aheadMillis = -700_000;
    /** For how long the host of the active slept, which only its wall clock shows. */
    private long sleptMillis;

    private ProcessClock clock;
    private ForwardedCalls active = newForwarder();

    private final DeadlineStampedCalls calls = new DeadlineStampedCalls(
            (node, call, wanted) -> {
                CallInTransit sent = new CallInTransit(node, call, wanted);
                network.add(sent);
                return sent.answer;
            },
            () -> nowMillis * MILLI);

    private ForwardedCalls newForwarder() {
        clock = new ProcessClock(() -> (nowMillis + aheadMillis - sleptMillis) * MILLI, () -> nowMillis + aheadMillis);
        return new DeadlineCheckedCalls(executor, clock);
    }

    private void suspendActiveHost(long millis) {
        nowMillis += millis;
        sleptMillis += millis;
    }

    private CompletableFuture<Bytes> forward() {
        return calls.forward(ACTIVE, CALL, () -> true);
    }

    /** The oldest of what is on its way arrives, and is answered. */
    private void deliverOldest() {
        CallInTransit sent = network.remove();
        active.execute(sent.bytes, sent.answer::complete);
    }

    private void expectNotExecuted(CompletableFuture<Bytes> answer, String reason) {
        assertThatThrownBy(answer::get)
                .hasCauseInstanceOf(CallNotExecutedException.class)
                .hasMessageContaining(reason);
    }

    private void readClock() {
        CompletableFuture<Bytes> first = forward();
        deliverOldest();
        deliverOldest();
        assertThat(first).isCompletedWithValueMatching(answer -> answer.get(1) == 'y');
        executed.clear();
    }

    @Test
    void sendsCallsOnceClockIsRead() {
        CompletableFuture<Bytes> first = forward();
        CompletableFuture<Bytes> second = forward();
        assertThat(network).hasSize(1);
        deliverOldest();
        assertThat(executed).isEmpty();
        assertThat(network).hasSize(2);
        deliverOldest();
        deliverOldest();
        assertThat(first).isCompleted();
        assertThat(second).isCompleted();
        assertThat(executed).containsExactly(CALL, CALL);
        forward();
        deliverOldest();
        assertThat(executed).hasSize(3);
    }

    /** Its client was told to ask again, and may have changed more since. */
    @Test
    void rejectsCallInTransitTooLong() {
        readClock();
        CompletableFuture<Bytes> late = forward();
        nowMillis += DeadlineCheckedCalls.MAX_DEADLINE_NANOS / MILLI;
        deliverOldest();
        assertThat(executed).isEmpty();
        expectNotExecuted(late, "on its way");
        // A session is given up after this silence at the earliest.
        assertThat(DeadlineCheckedCalls.MAX_DEADLINE_NANOS).isLessThan(CallLink.SILENCE.toNanos());
    }

    @Test
    void executesCallDelayedBriefly() {
        readClock();
        forward();
        nowMillis += 900;
        deliverOldest();
        assertThat(executed).hasSize(1);
    }

    /** Otherwise a call would seem younger than it is by the time that the answer took. */
    @Test
    void clockReadingLatencyOnlyMakesCallsOlder() {
        CompletableFuture<Bytes> call = forward();
        CallInTransit question = network.remove();
        List<Bytes> answer = new ArrayList<>();
        nowMillis += 300;
        active.execute(question.bytes, answer::add);
        nowMillis += 300;
        question.answer.complete(answer.get(0));
        nowMillis += DeadlineCheckedCalls.MAX_DEADLINE_NANOS / MILLI - 300;
        deliverOldest();
        assertThat(executed).isEmpty();
        expectNotExecuted(call, "on its way");
    }

    @Test
    void rereadsPossiblyDriftedClockAfterIdleHour() {
        readClock();
        nowMillis += HOUR;
        aheadMillis -= 2_000;
        CompletableFuture<Bytes> late = forward();
        deliverOldest();
        assertThat(executed).isEmpty();
        nowMillis += DeadlineCheckedCalls.MAX_DEADLINE_NANOS / MILLI;
        deliverOldest();
        assertThat(executed).isEmpty();
        expectNotExecuted(late, "on its way");
    }

    @Test
    void rereadsClockPeriodicallyAlongsideCalls() {
        readClock();
        nowMillis += ActiveClock.READ_AGAIN_NANOS / MILLI;
        forward();
        assertThat(network).hasSize(2);
        forward();
        assertThat(network).hasSize(3);
        CallInTransit question = network.remove();
        deliverOldest();
        assertThat(executed).containsExactly(CALL);
        // A better reading stays.
        nowMillis += 700;
        active.execute(question.bytes, question.answer::complete);
        deliverOldest();
        network.clear();
        forward();
        assertThat(network).hasSize(1);
    }

    @Test
    void sendsUndatedCallsToActiveWithoutClock() {
        active = (bytes, asker) -> {
            if (bytes.equals(CALL)) {
                executor.execute(bytes, asker);
            } else {
                // As "not executed".
                asker.accept(Bytes.wrap(new byte[] {1, 3}));
            }
        };
        readClock();
        forward();
        deliverOldest();
        assertThat(executed).containsExactly(CALL);
        // It may be upgraded.
        nowMillis += ActiveClock.READ_AGAIN_NANOS / MILLI;
        active = newForwarder();
        forward();
        deliverOldest();
        assertThat(network.element().bytes).isNotEqualTo(CALL);
        deliverOldest();
        assertThat(executed).hasSize(2);
    }

    @Test
    void executesUndatedCallOfOlderVersion() {
        active.execute(CALL, answer -> {});
        assertThat(executed).containsExactly(CALL);
    }

    @Test
    void restartedActiveRejectsCallsDatedByPreviousClock() {
        readClock();
        active = newForwarder();
        CompletableFuture<Bytes> before = forward();
        deliverOldest();
        assertThat(executed).isEmpty();
        expectNotExecuted(before, "on its way");
        readClock();
    }

    /** Its monotonic clock stood still, so the call would seem to have come at once. */
    @Test
    void rejectsCallInTransitWhileActiveHostWasSuspended() {
        readClock();
        CompletableFuture<Bytes> before = forward();
        suspendActiveHost(10_000);
        deliverOldest();
        assertThat(executed).isEmpty();
        expectNotExecuted(before, "slept");
        readClock();
    }

    /** By what the clock showed before, every call would seem to come from the future. */
    @Test
    void rejectsCallDatedByClockBeforeSuspension() {
        readClock();
        suspendActiveHost(10_000);
        CompletableFuture<Bytes> late = forward();
        nowMillis += DeadlineCheckedCalls.MAX_DEADLINE_NANOS / MILLI;
        deliverOldest();
        assertThat(executed).isEmpty();
        expectNotExecuted(late, "slept");
        readClock();
    }

    /** Each of them is too short to be noticed by itself. */
    @Test
    void shortSuspensionsAccumulate() {
        readClock();
        for (int i = 0; i < 8; i++) {
            suspendActiveHost(ProcessClock.APART_NANOS / MILLI / 4);
            clock.pauseCount();
        }
        forward();
        nowMillis += DeadlineCheckedCalls.MAX_DEADLINE_NANOS / MILLI - ProcessClock.APART_NANOS / MILLI;
        deliverOldest();
        assertThat(executed).isEmpty();
        assertThat(DeadlineCheckedCalls.MAX_DEADLINE_NANOS + ProcessClock.STANDSTILL_NANOS + ProcessClock.APART_NANOS)
                .as("the way, a standstill after it, and what was not noticed of the age")
                .isLessThanOrEqualTo(CallLink.SILENCE.toNanos());
    }

    /** Stopped by a signal, for instance: its forwarder gave it up, and its client has changed more since. */
    @Test
    void queuedCallIsDiscardedAfterActivePause() {
        readClock();
        askers.clear();
        forward();
        deliverOldest();
        ForwardedCalls.Forwarder waiting = askers.get(0);
        assertThat(waiting.isWaiting()).isTrue();
        nowMillis += ProcessClock.STANDSTILL_NANOS / MILLI;
        // Whichever thread runs first afterwards, and later.
        assertThat(waiting.isWaiting()).isFalse();
        assertThat(waiting.isWaiting()).isFalse();

        forward();
        deliverOldest();
        assertThat(askers.get(1).isWaiting()).as("came afterwards").isTrue();
        suspendActiveHost(ProcessClock.STANDSTILL_NANOS / MILLI);
        clock.pauseCount();
        assertThat(askers.get(1).isWaiting()).isFalse();
    }

    /** Then only the monotonic clock shows it. */
    @Test
    void detectsPauseAlthoughWallClockIsSetBack() {
        active.execute(CALL, answer -> {});
        nowMillis += ProcessClock.STANDSTILL_NANOS / MILLI;
        aheadMillis -= HOUR;
        sleptMillis -= HOUR;
        assertThat(askers.get(0).isWaiting()).isFalse();
    }

    /** An active of whose queue a call takes long to come up may be busy, which is no reason to give the call up. */
    @Test
    void queuedCallStaysQueuedWhileActiveIsBusy() {
        readClock();
        askers.clear();
        active.execute(CALL, answer -> {});
        for (int i = 0; i < 40; i++) {
            nowMillis += ProcessClock.STANDSTILL_NANOS / MILLI * 9 / 10;
            clock.pauseCount();
        }
        assertThat(askers.get(0).isWaiting()).isTrue();
    }

    @Test
    void forwarderOnceRejectedStaysRejected() {
        active.execute(CALL, new ForwardedCalls.Forwarder() {
            @Override
            public void accept(Bytes answer) {}

            @Override
            public boolean isWaiting() {
                return false;
            }
        });
        assertThat(askers.get(0).isWaiting()).isFalse();
    }

    @Test
    void rereadsClockAfterWallClockIsSet() {
        readClock();
        for (long by : new long[] {HOUR, -HOUR}) {
            aheadMillis += by;
            sleptMillis += by;
            CompletableFuture<Bytes> call = forward();
            deliverOldest();
            assertThat(executed).isEmpty();
            expectNotExecuted(call, "slept");
            readClock();
        }
    }

    @Test
    void unresponsiveNodeGetsNoCall() {
        CompletableFuture<Bytes> unsent = forward();
        network.remove().answer.completeExceptionally(new IOException("the session broke"));
        expectNotExecuted(unsent, "the session broke");
        assertThat(network).isEmpty();
        readClock();
    }

    @Test
    void outcomeIsUnknownWhenSessionBreaks() {
        readClock();
        CompletableFuture<Bytes> unknown = forward();
        network.remove().answer.completeExceptionally(new IOException("the session broke"));
        assertThatThrownBy(unknown::get)
                .hasMessageContaining("the session broke")
                .cause()
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(CallNotExecutedException.class);
        readClock();
    }

    /** It would turn the link back to the former active, and break off what is on its way to the next one. */
    @Test
    void callAwaitingClockOfFormerActiveIsNotExecuted() {
        CompletableFuture<Bytes> former = forward();
        calls.switchTo(NEXT);
        deliverOldest();
        expectNotExecuted(former, "another node is called now");
        calls.forward(NEXT, CALL, () -> true);
        assertThat(network.element().to).isEqualTo(NEXT);
    }

    @Test
    void checksForCancellationBeforeSendingCall() {
        calls.forward(ACTIVE, CALL, () -> false);
        assertThat(network.element().isWanted.getAsBoolean()).isTrue();
        deliverOldest();
        assertThat(network.element().isWanted.getAsBoolean()).isFalse();
    }

    @Test
    void closedPathFailsCallsImmediately() {
        DeadlineStampedCalls closed = new DeadlineStampedCalls((node, call, wanted) -> {
            throw new RejectedExecutionException("closed");
        });
        for (int i = 0; i < 2; i++) {
            expectNotExecuted(closed.forward(ACTIVE, CALL, () -> true), "closed");
        }
    }

    @Test
    void rejectsMalformedCallBytes() {
        List<Bytes> answers = new ArrayList<>();
        active.execute(Bytes.wrap(new byte[] {4, 0}), answers::add);
        assertThat(ActiveClockCodec.decodeRefusal(answers.get(0)))
                .hasValueSatisfying(reason -> assertThat(reason).contains("found 2 bytes"));
        assertThat(executed).isEmpty();
    }
}
