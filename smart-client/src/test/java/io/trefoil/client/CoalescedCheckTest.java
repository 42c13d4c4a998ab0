/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class CoalescedCheckTest {
    private static final long LONG = TimeUnit.MINUTES.toNanos(1);
    private static final long SHORT = TimeUnit.MILLISECONDS.toNanos(1);

    private final AtomicInteger runs = new AtomicInteger();

    @Test
    void requestDuringCheckIsServedByNextCheck() throws Exception {
        CountDownLatch isUnderWay = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        CoalescedCheck check = new CoalescedCheck(
                () -> {
                    if (runs.incrementAndGet() == 1) {
                        isUnderWay.countDown();
                        awaitUninterrupted(mayEnd);
                    }
                },
                task -> new Thread(task).start());
        check.request();
        isUnderWay.await();
        check.request();
        check.request();
        mayEnd.countDown();

        assertThat(check.await(LONG)).isTrue();
        assertThat(runs.get()).isBetween(2, 3);
    }

    @Test
    void requesterTimesOutOnOverdueCheck() throws Exception {
        Deque<Runnable> neverRun = new ArrayDeque<>();
        AtomicLong clock = new AtomicLong();
        CoalescedCheck check = new CoalescedCheck(runs::incrementAndGet, neverRun::add, clock::get);

        assertThat(check.await(SHORT)).isFalse();
        clock.set(LONG + 1);
        assertThat(check.await(LONG)).isFalse();
        assertThat(neverRun).hasSize(1);
    }

    @Test
    void failedCheckDoesNotBlockNext() throws Exception {
        CoalescedCheck check = new CoalescedCheck(
                () -> {
                    runs.incrementAndGet();
                    throw new IllegalStateException("planned");
                },
                task -> {
                    Thread thread = new Thread(task);
                    thread.setUncaughtExceptionHandler((dying, e) -> {});
                    thread.start();
                });

        assertThat(check.await(LONG)).isTrue();
        assertThat(check.await(LONG)).isTrue();
        assertThat(runs).hasValue(2);
    }

    @Test
    void checkWithoutThreadDoesNotBlockNext() throws Exception {
        AtomicBoolean hasThread = new AtomicBoolean();
        CoalescedCheck check = new CoalescedCheck(runs::incrementAndGet, task -> {
            if (!hasThread.get()) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            task.run();
        });

        assertThat(check.await(LONG)).isTrue();
        hasThread.set(true);
        assertThat(check.await(LONG)).isTrue();
        assertThat(runs).hasValue(1);
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
