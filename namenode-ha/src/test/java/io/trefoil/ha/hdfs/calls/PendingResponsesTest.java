/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.calls;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Which answers leave, and which do not; by a clock that the test moves. */
class PendingResponsesTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long MIB = 1 << 20;

    private final Queue<Runnable> sending = new ArrayDeque<>();
    private final List<String> sent = new ArrayList<>();
    private final FakeTerm term = new FakeTerm();
    private long nowNanos = 1_000;
    private final PendingResponses held = new PendingResponses(3, MIB, 30_000, sending::add, () -> nowNanos);

    /** One that this process writes in, alone until a moment. */
    private static final class FakeTerm implements PendingResponses.ServingTerm {
        private final AtomicLong committedTxId = new AtomicLong(10);
        private volatile long aloneUntilNanos = Long.MAX_VALUE;
        private volatile boolean over;

        @Override
        public long committedTxId() {
            return committedTxId.get();
        }

        @Override
        public boolean wasSoleWriterAt(long nanos) {
            return !over && nanos <= aloneUntilNanos;
        }

        @Override
        public boolean isOver() {
            return over;
        }
    }

    private class FakeAnswer implements PendingResponses.HeldAnswer {
        private final String name;
        private boolean wanted = true;

        FakeAnswer(String name) {
            this.name = name;
        }

        @Override
        public boolean isClientWaiting() {
            return wanted;
        }

        @Override
        public void send() {
            sent.add(name);
        }

        @Override
        public void refuse(String reason) {
            sent.add(name + " refused");
        }
    }

    private FakeAnswer hold(String name, long txId, long bytes) {
        FakeAnswer answer = new FakeAnswer(name);
        held.hold(answer, term, txId, nowNanos, bytes);
        return answer;
    }

    private void assertAllSent() {
        while (!sending.isEmpty()) {
            sending.remove().run();
        }
    }

    @Test
    void responseIsSentOnlyOnceMajorityHasTransaction() {
        hold("a", 12, 100);
        hold("b", 11, 100);
        held.releaseReady();
        assertThat(sending).isEmpty();

        term.committedTxId.set(11);
        held.releaseReady();
        assertThat(sent).as("not by the thread that commits").isEmpty();
        assertAllSent();
        assertThat(sent).containsExactly("b");

        term.committedTxId.set(12);
        held.releaseReady();
        assertAllSent();
        assertThat(sent).containsExactly("b", "a");
    }

    @Test
    void responsesAreSentOnceThreadIsAvailable() {
        AtomicInteger threads = new AtomicInteger();
        PendingResponses starved = new PendingResponses(
                3,
                MIB,
                30_000,
                task -> {
                    if (threads.get() == 0) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    sending.add(task);
                },
                () -> nowNanos);

        starved.hold(new FakeAnswer("a"), term, 10, nowNanos, 100);
        starved.releaseReady();
        assertThat(starved.calls()).isEqualTo(1);

        threads.set(1);
        starved.releaseReady();
        assertAllSent();
        assertThat(sent).containsExactly("a");
        assertThat(starved.calls()).isZero();
        assertThat(starved.bytes()).isZero();
    }

    @Test
    void failingResponseNeitherBlocksOthersNorKeepsSpace() {
        hold("a", 11, 100);
        held.hold(
                new FakeAnswer("broken") {
                    @Override
                    public void send() {
                        throw new IllegalStateException("planted");
                    }
                },
                term,
                11,
                nowNanos,
                100);
        hold("b", 11, 100);

        term.committedTxId.set(11);
        held.releaseReady();
        assertAllSent();

        assertThat(sent).containsExactlyInAnyOrder("a", "b");
        assertThat(held.calls()).isZero();
        assertThat(held.bytes()).isZero();
    }

    @Test
    void responseRejectedDuringShutdownFreesSpace() {
        PendingResponses stopping = new PendingResponses(
                3,
                MIB,
                30_000,
                task -> {
                    throw new RejectedExecutionException("planted");
                },
                () -> nowNanos);
        stopping.hold(new FakeAnswer("a"), term, 5, nowNanos, 100);

        assertThat(stopping.calls()).isZero();
        assertThat(stopping.bytes()).isZero();
    }

    @Test
    void responseAfterLeaseWaitsUntilMajorityAnswers() {
        term.aloneUntilNanos = 900;
        hold("made after the lease", 5, 100);
        held.releaseReady();
        held.sweep();
        assertThat(sending).isEmpty();

        // A majority was heard again, by something that was sent since.
        term.aloneUntilNanos = 2_000;
        held.releaseReady();
        assertAllSent();
        assertThat(sent).containsExactly("made after the lease");
    }

    @Test
    void refusesPendingResponsesWhenTermEnds() {
        term.aloneUntilNanos = 900;
        hold("unproven", 5, 100);
        hold("uncommitted", 12, 100);

        term.over = true;
        held.releaseReady();
        assertAllSent();

        assertThat(sent).containsExactlyInAnyOrder("unproven refused", "uncommitted refused");
        assertThat(held.calls()).isZero();
        assertThat(held.bytes()).isZero();
    }

    @Test
    void limitsPendingCallsUntilSent() {
        hold("a", 11, 100);
        hold("b", 11, 100);
        assertThat(held.hasCapacity()).isTrue();
        hold("c", 11, 100);
        assertThat(held.hasCapacity()).isFalse();

        term.committedTxId.set(11);
        held.releaseReady();
        assertThat(held.hasCapacity()).as("what is being sent counts").isFalse();
        assertAllSent();
        assertThat(held.hasCapacity()).isTrue();
        assertThat(held.bytes()).isZero();
    }

    @Test
    void limitsPendingBytes() {
        hold("a", 11, MIB - 10_000);
        assertThat(held.hasCapacity()).isTrue();
        hold("b", 11, 10_000);
        assertThat(held.hasCapacity()).isFalse();
    }

    @Test
    void dropsResponsesOfDisconnectedClients() {
        FakeAnswer uncommitted = hold("a", 12, MIB);
        term.aloneUntilNanos = 900;
        FakeAnswer unproven = hold("b", 5, MIB);

        uncommitted.wanted = false;
        unproven.wanted = false;
        held.sweep();

        assertThat(held.bytes()).isZero();
        assertThat(held.hasCapacity()).isTrue();
        term.committedTxId.set(12);
        term.aloneUntilNanos = Long.MAX_VALUE;
        held.releaseReady();
        assertThat(sending).isEmpty();
    }

    @Test
    void refusesResponsesPendingTooLong() {
        hold("early", 12, 100);
        nowNanos += 20 * SECOND;
        hold("late", 12, 100);
        nowNanos += 11 * SECOND;

        held.sweep();
        assertAllSent();

        assertThat(sent).containsExactly("early refused");
        assertThat(held.calls()).isEqualTo(1);
    }

    @Test
    void reportsOldestPendingResponse() {
        assertThat(held.oldestNanos()).isZero();

        term.aloneUntilNanos = 0;
        hold("committed, and perhaps no longer alone", 10, 100);
        nowNanos += 2 * SECOND;
        hold("not committed", 12, 100);
        nowNanos += SECOND;
        assertThat(held.oldestNanos()).isEqualTo(3 * SECOND);

        term.aloneUntilNanos = Long.MAX_VALUE;
        held.releaseReady();
        assertThat(held.oldestNanos()).isEqualTo(SECOND);
    }

    @Test
    void largeResponseDoesNotDelayOthers() {
        hold("small", 11, 100);
        hold("large", 11, 100_000);
        hold("tiny", 11, 10);
        term.committedTxId.set(11);

        held.releaseReady();

        assertThat(sending).hasSize(2);
    }

    @Test
    void responseArrivingDuringCommitIsNotLost() throws Exception {
        int each = 20_000;
        AtomicInteger leavingCount = new AtomicInteger();
        PendingResponses busy =
                new PendingResponses(1_000_000, Long.MAX_VALUE, 30_000, Runnable::run, System::nanoTime);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        CountDownLatch asked = new CountDownLatch(3);
        try {
            for (int i = 0; i < 3; i++) {
                threads.execute(() -> {
                    for (int j = 0; j < each; j++) {
                        busy.hold(
                                new CountingAnswer(leavingCount),
                                term,
                                term.committedTxId()
                                        + ThreadLocalRandom.current().nextInt(3),
                                1,
                                100);
                    }
                    asked.countDown();
                });
            }
            while (!asked.await(0, TimeUnit.SECONDS)) {
                term.committedTxId.incrementAndGet();
                busy.releaseReady();
            }
            term.committedTxId.addAndGet(3);
            busy.releaseReady();
            assertThat(leavingCount).hasValue(3 * each);
            assertThat(busy.calls()).isZero();
        } finally {
            threads.shutdownNow();
        }
    }

    private static final class CountingAnswer implements PendingResponses.HeldAnswer {
        private final AtomicInteger leavingCount;

        CountingAnswer(AtomicInteger leavingCount) {
            this.leavingCount = leavingCount;
        }

        @Override
        public boolean isClientWaiting() {
            return true;
        }

        @Override
        public void send() {
            leavingCount.incrementAndGet();
        }

        @Override
        public void refuse(String reason) {
            throw new AssertionError(reason);
        }
    }
}
