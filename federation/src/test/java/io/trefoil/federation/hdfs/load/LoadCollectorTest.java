/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoadCollectorTest {
    private final AtomicLong clock = new AtomicLong();
    private final LoadCollector collector = new LoadCollector(3, clock::get);

    @AfterEach
    void close() {
        collector.close();
    }

    private long reads() {
        return collector.read((counts, time) -> counts.reads());
    }

    private Duration currentTime() {
        return collector.read((counts, time) -> time);
    }

    private void advance(Duration time) {
        clock.addAndGet(time.toNanos());
    }

    @Test
    void concurrentCallsAreAllCounted() throws InterruptedException {
        List<Thread> handlers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Thread handler = new Thread(() -> {
                for (int call = 0; call < 20_000; call++) {
                    collector.count("open", "/a/b", null);
                }
            });
            handlers.add(handler);
            handler.start();
        }
        while (handlers.stream().anyMatch(Thread::isAlive)) {
            reads();
        }
        for (Thread handler : handlers) {
            handler.join();
        }

        assertThat(reads()).isEqualTo(8 * 20_000);
        assertThat(collector.<List<SubtreeCalls>>read((counts, time) -> counts.heaviest(1)))
                .extracting(SubtreeCalls::reads)
                .containsExactly(8L * 20_000);
    }

    @Test
    void forgetsCallsOlderThanTenMinutes() {
        collector.count("open", "/a", null);
        for (int minute = 0; minute < LoadCollector.WINDOWS; minute++) {
            advance(LoadCollector.WINDOW);
            collector.collect();
            assertThat(reads()).isEqualTo(1);
        }
        assertThat(currentTime()).isEqualTo(LoadCollector.WINDOW.multipliedBy(LoadCollector.WINDOWS));

        advance(LoadCollector.WINDOW);
        collector.collect();

        assertThat(reads()).isZero();
        assertThat(currentTime()).isEqualTo(LoadCollector.WINDOW.multipliedBy(LoadCollector.WINDOWS));
    }

    @Test
    void readingDoesNotCreateWindows() {
        collector.count("open", "/a", null);
        for (int second = 0; second < 50; second++) {
            advance(Duration.ofSeconds(1));
            assertThat(reads()).isEqualTo(1);
        }

        assertThat(currentTime()).isEqualTo(Duration.ofSeconds(50));
    }
}
