/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.threads;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.process.Await;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThreadUsageTest {
    private static final long BUSY_NANOS = 200_000_000;

    private final CountDownLatch busy = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);
    private final Thread worker = new Thread(this::burnCpu, "hard-worker-7");

    @ParameterizedTest
    @CsvSource({
        "C2 CompilerThre, C2 CompilerThre",
        "IPC Server hand, IPC Server hand",
        "GC Thread#1, GC Thread",
        "pool-3-thread-1, pool",
        "Socket Reader #, Socket Reader #",
        "qtp1234567-20, qtp",
        "2, 2",
    })
    void threadKindIsNameWithoutNumbers(String name, String kind) {
        assertThat(ThreadUsage.kind(name)).isEqualTo(kind);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void reportsUsageOfLiveThread() throws IOException, InterruptedException {
        ThreadUsage before = measureOwnThreads();
        worker.start();
        busy.await();

        ThreadUsage now = measureOwnThreads();

        // The kernel counts up to the last tick.
        assertThat(now.since(before).get("hard-worker").cpuSeconds()).isBetween(0.15, 1.0);
        assertThat(measureOwnThreads().since(now).get("hard-worker").cpuSeconds())
                .isLessThan(0.05);
        end.countDown();
        worker.join();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void keepsUsageOfEndedThread() throws IOException, InterruptedException {
        ThreadUsage before = measureOwnThreads();
        end.countDown();
        worker.start();
        worker.join();

        // The kernel still lists a thread for a moment after Java says that it has ended.
        Await.until(
                "what the thread used is among what ended threads used",
                Await.TIMEOUT,
                () -> measureOwnThreads().since(before).get(ThreadUsage.ENDED).cpuSeconds() > 0.15,
                () -> "worker: " + worker.getState());
    }

    private static ThreadUsage measureOwnThreads() throws IOException {
        return ThreadUsage.of(ProcessHandle.current().pid());
    }

    private void burnCpu() {
        while (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() < BUSY_NANOS) {
            Thread.onSpinWait();
        }
        busy.countDown();
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
