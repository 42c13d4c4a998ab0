/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class LogThreadTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final List<Integer> lines = new CopyOnWriteArrayList<>();

    @Test
    void keepsOrder() {
        LogThread log = new LogThread("test");
        IntStream.range(0, 100).forEach(line -> log.write(() -> lines.add(line)));
        log.awaitWritten(TIMEOUT);
        log.shutDown();
        assertThat(lines).hasSize(100).isSorted();
    }

    @Test
    void dropsLinesWhileDiskHangs() throws InterruptedException {
        CountDownLatch hanging = new CountDownLatch(1);
        CountDownLatch thawed = new CountDownLatch(1);
        LogThread log = new LogThread("test");
        log.write(() -> {
            hanging.countDown();
            awaitUninterrupted(thawed);
        });
        hanging.await();

        IntStream.range(0, 10_000).forEach(line -> log.write(() -> lines.add(line)));
        thawed.countDown();
        await().until(() -> lines.size() == 1_000);

        log.awaitWritten(TIMEOUT);
        log.shutDown();
        assertThat(lines).hasSize(1_000).startsWith(0).isSorted();
    }

    @Test
    void writesLinesOnceThreadIsAvailable() {
        AtomicBoolean lacksThreads = new AtomicBoolean(true);
        LogThread log = new LogThread(task -> {
            if (lacksThreads.get()) {
                throw new OutOfMemoryError("planted");
            }
            return DaemonThreads.newFactory("test").newThread(task);
        });
        log.write(() -> lines.add(1));
        lacksThreads.set(false);
        log.write(() -> lines.add(2));
        log.awaitWritten(TIMEOUT);
        log.shutDown();
        assertThat(lines).containsExactly(2);
    }

    @Test
    void writesNothingAfterEnd() {
        LogThread log = new LogThread("test");
        log.write(() -> lines.add(1));
        log.shutDown();
        log.write(() -> lines.add(2));
        log.awaitWritten(Duration.ofMillis(50));
        assertThat(lines).doesNotContain(2);
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
