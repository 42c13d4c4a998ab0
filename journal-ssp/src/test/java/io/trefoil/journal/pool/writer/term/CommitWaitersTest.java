/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer.term;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CommitWaitersTest {
    private final FakeWriting writing = new FakeWriting();
    private final CommitWaiters waiters = new CommitWaiters(writing, WriterMachine.REAL);
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final CountDownLatch interruptKept = new CountDownLatch(1);
    private volatile boolean holds;
    private Thread waiting = new Thread(() -> {});

    @AfterEach
    void endIt() throws InterruptedException {
        holds = true;
        waiters.wakeAll();
        waiting.join();
    }

    @Test
    void returnsImmediatelyWhenConditionHolds() throws IOException {
        holds = true;
        writing.over = true;

        waiters.await(() -> holds, () -> "it");
    }

    @Test
    void waiterContinuesWhenConditionHolds() throws InterruptedException {
        begin(() -> waiters.await(() -> holds, () -> "it"));
        waiters.wakeAll();
        awaitParked();

        holds = true;
        waiters.wakeAll();
        waiting.join();

        assertThat(failure).hasNullValue();
    }

    @Test
    void waiterFailsWhenWriterIsOver() throws InterruptedException {
        begin(() -> waiters.await(() -> holds, () -> "it"));

        writing.over = true;
        waiters.wakeAll();
        waiting.join();

        assertThat(failure.get()).hasMessage("over");
    }

    /** HDFS takes an edit that was not flushed for a reason to end; an interrupt is none. */
    @Test
    void keepsInterruptForCaller() throws InterruptedException {
        begin(() -> waiters.await(() -> holds, () -> "it"));

        waiting.interrupt();
        await().until(() -> !waiting.isInterrupted());
        awaitParked();
        holds = true;
        waiters.wakeAll();
        waiting.join();

        assertThat(failure).hasNullValue();
        assertThat(interruptKept.getCount()).isZero();
    }

    @Test
    void interruptEndsInterruptibleWait() throws InterruptedException {
        begin(() -> waiters.awaitInterruptibly(() -> holds, () -> "promises"));

        waiting.interrupt();
        waiting.join();

        assertThat(failure.get())
                .isInstanceOf(InterruptedIOException.class)
                .hasMessage("journal ns1: interrupted while waiting for promises");
        assertThat(interruptKept.getCount()).isZero();
    }

    @Test
    void waitTimesOut() {
        waiters.await(() -> holds, Duration.ofMillis(5));

        assertThat(holds).isFalse();
    }

    @Test
    void timedWaitEndsWhenWriterIsOver() throws InterruptedException {
        begin(() -> waiters.await(() -> holds, Duration.ofDays(1)));

        writing.over = true;
        waiters.wakeAll();
        waiting.join();

        assertThat(failure).hasNullValue();
        assertThatIOException().isThrownBy(writing::throwIfEnded);
    }

    private void begin(Wait wait) {
        waiting = new Thread(() -> {
            try {
                wait.run();
            } catch (IOException e) {
                failure.set(e);
            }
            if (Thread.currentThread().isInterrupted()) {
                interruptKept.countDown();
            }
        });
        waiting.start();
        awaitParked();
    }

    private void awaitParked() {
        await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
    }

    private interface Wait {
        void run() throws IOException;
    }

    private static final class FakeWriting implements CommitWaiters.AwaitedWriter {
        private volatile boolean over;

        @Override
        public boolean hasEnded() {
            return over;
        }

        @Override
        public void throwIfEnded() throws IOException {
            if (over) {
                throw new IOException("over");
            }
        }

        @Override
        public void logStillWaiting(String operation) {}

        @Override
        public String toString() {
            return "journal ns1";
        }
    }
}
