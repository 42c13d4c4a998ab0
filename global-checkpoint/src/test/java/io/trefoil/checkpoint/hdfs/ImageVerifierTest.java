/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.foundation.ExhaustibleThreadFactory;
import io.trefoil.foundation.OrderRefusedException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ImageVerifierTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final CheckpointId ID = CheckpointId.of("c", "00000001");

    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicLong clock = new AtomicLong();
    private final AtomicInteger read = new AtomicInteger();
    private final ExhaustibleThreadFactory threads = new ExhaustibleThreadFactory();

    @Test
    void longReadReturnsEmptyAndReadsImageOnce() throws IOException {
        try (ImageVerifier readings = new ImageVerifier(this::readSlowly, Duration.ofMillis(10), LONG)) {
            assertThat(readings.poll(ID, "a")).isEmpty();
            assertThat(readings.poll(ID, "a")).isEmpty();
            end.countDown();
            Optional<Long> answer = Optional.empty();
            while (answer.isEmpty()) {
                answer = readings.poll(ID, "a");
            }

            assertThat(answer).contains(7L);
            assertThat(read).hasValue(1);
        }
    }

    @Test
    void rereadsImageForNextQuery() throws IOException {
        end.countDown();
        try (ImageVerifier readings = new ImageVerifier(this::readSlowly, Duration.ofSeconds(20), LONG)) {
            assertThat(readings.poll(ID, "a")).contains(7L);
            assertThat(readings.poll(ID, "b")).contains(7L);
            assertThat(read).hasValue(2);
        }
    }

    @Test
    void reportsDamagedImage() throws IOException {
        ImageVerifier.ImageRead damaged = (id, progress) -> {
            throw new OrderRefusedException("damaged");
        };
        try (ImageVerifier readings = new ImageVerifier(damaged, Duration.ofSeconds(20), LONG)) {
            assertThatThrownBy(() -> readings.poll(ID, "a"))
                    .isInstanceOf(OrderRefusedException.class)
                    .hasMessage("damaged");
        }
    }

    @Test
    void reportsReadError() {
        ImageVerifier.ImageRead failing = (id, progress) -> {
            throw new OutOfMemoryError("Java heap space");
        };
        try (ImageVerifier readings = new ImageVerifier(failing, Duration.ofSeconds(20), LONG)) {
            assertThatThrownBy(() -> readings.poll(ID, "a"))
                    .isInstanceOf(IOException.class)
                    .hasRootCauseMessage("Java heap space");
        }
    }

    @Test
    void limitsWaitingImagesAndForgetsAbandonedOnes() throws IOException {
        try (ImageVerifier readings = new ImageVerifier(this::readSlowly, Duration.ofMillis(1), LONG)) {
            for (int i = 0; i < 64; i++) {
                assertThat(readings.poll(ID, "a" + i)).isEmpty();
            }
            assertThatThrownBy(() -> readings.poll(ID, "one more"))
                    .hasMessageContaining("64 images are already waiting");
            end.countDown();
            await().ignoreExceptions().until(() -> readings.poll(ID, "one more").isPresent());
            assertThat(read).hasValueGreaterThan(1);
        }
    }

    @Test
    void abandonsHungReadAndReadsNextImages() throws Exception {
        CheckpointId hanging = CheckpointId.of("h", "00000002");
        Semaphore begun = new Semaphore(0);
        ImageVerifier.ImageRead reading = (id, progress) -> {
            if (!id.equals(hanging)) {
                return 8;
            }
            begun.release();
            return readSlowly(id, progress);
        };
        try (ImageVerifier readings = new ImageVerifier(reading, Duration.ofMillis(1), LONG, clock::get, threads)) {
            for (int i = 0; i < 4; i++) {
                String asking = "h" + i;
                assertThat(readings.poll(hanging, asking)).isEmpty();
                begun.acquire();
                clock.addAndGet(LONG.toNanos() + 1);
                assertThatThrownBy(() -> readings.poll(hanging, asking))
                        .hasMessageContaining("Reading the image of checkpoint h.00000002");
                if (i < 3) {
                    String next = "next" + i;
                    await().until(() -> readings.poll(ID, next).equals(Optional.of(8L)));
                }
            }
            assertThatThrownBy(() -> readings.poll(ID, "another"))
                    .hasMessageContaining("4 images whose reading has stalled are open on this host");
            end.countDown();
            await().ignoreExceptions().until(() -> readings.poll(ID, "at last").isPresent());
        }
    }

    /** Only who asks could be helped, so nothing has to give it up by itself. */
    @Test
    void abandonsHungReadWithoutFurtherQuery() throws Exception {
        CheckpointId hanging = CheckpointId.of("h", "00000002");
        Semaphore begun = new Semaphore(0);
        ImageVerifier.ImageRead reading = (id, progress) -> {
            if (!id.equals(hanging)) {
                return 8;
            }
            begun.release();
            return readSlowly(id, progress);
        };
        try (ImageVerifier readings = new ImageVerifier(reading, Duration.ofMillis(1), LONG, clock::get, threads)) {
            assertThat(readings.poll(hanging, "never again")).isEmpty();
            begun.acquire();
            assertThat(readings.poll(ID, "waits")).isEmpty();
            clock.addAndGet(LONG.toNanos() + 1);

            await().until(() -> readings.poll(ID, "waits").equals(Optional.of(8L)));
            end.countDown();
        }
    }

    @Test
    void reportsMissingThreadAndReadsOnceAvailable() throws IOException {
        end.countDown();
        try (ImageVerifier readings =
                new ImageVerifier(this::readSlowly, Duration.ofSeconds(20), LONG, clock::get, threads)) {
            threads.exhaust();
            assertThatThrownBy(() -> readings.poll(ID, "a"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContainingAll("no thread", "c.00000001");

            threads.restore();
            assertThat(readings.poll(ID, "a")).contains(7L);
        }
    }

    @Test
    void keepsReadThatMakesProgress() throws Exception {
        Semaphore parts = new Semaphore(0);
        Semaphore read = new Semaphore(0);
        ImageVerifier.ImageRead reading = (id, progress) -> {
            for (int i = 0; i < 5; i++) {
                parts.acquireUninterruptibly();
                progress.run();
                read.release();
            }
            return 9;
        };
        try (ImageVerifier readings = new ImageVerifier(reading, Duration.ofMillis(1), LONG, clock::get, threads)) {
            assertThat(readings.poll(ID, "a")).isEmpty();
            for (int i = 0; i < 4; i++) {
                clock.addAndGet(LONG.toNanos() - 1);
                parts.release();
                read.acquire();
                assertThat(readings.poll(ID, "a")).isEmpty();
            }
            parts.release();
            await().until(() -> readings.poll(ID, "a").equals(Optional.of(9L)));
        }
    }

    private long readSlowly(CheckpointId id, Runnable progress) {
        try {
            end.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        read.incrementAndGet();
        return 7;
    }
}
