/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class DaemonThreadsTest {

    @Test
    void periodicTaskSurvivesErrorsAndReportsOutOfMemory() {
        AtomicInteger times = new AtomicInteger();
        List<Throwable> told = new CopyOnWriteArrayList<>();
        ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = DaemonThreads.newFactory("look").newThread(task);
            thread.setUncaughtExceptionHandler((ended, uncaught) -> told.add(uncaught));
            return thread;
        });
        try {
            Runnable look = DaemonThreads.logFailures(() -> {
                if (times.incrementAndGet() == 1) {
                    throw new IllegalStateException("planted");
                }
                throw new OutOfMemoryError("planted");
            });
            executor.scheduleWithFixedDelay(look, 0, 1, TimeUnit.MILLISECONDS);
            await().until(() -> told.size() > 2);
            assertThat(told).allMatch(OutOfMemoryError.class::isInstance);
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    void threadsAreNamedDaemons() {
        Thread thread = DaemonThreads.newFactory("look").newThread(() -> {});
        assertThat(thread.isDaemon()).isTrue();
        assertThat(thread.getName()).isEqualTo("look");
    }
}
