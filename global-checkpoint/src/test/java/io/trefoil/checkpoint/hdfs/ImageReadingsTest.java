/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.run.RefusedException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ImageReadingsTest {
    private static final CheckpointId ID = CheckpointId.of("c", "00000001");

    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicInteger read = new AtomicInteger();

    @Test
    void whoAsksForALongImageIsToldToAskAgainAndItIsReadOnce() throws IOException {
        try (ImageReadings readings = new ImageReadings(this::readSlowly, Duration.ofMillis(10))) {
            assertThat(readings.ask(ID, "a")).isEmpty();
            assertThat(readings.ask(ID, "a")).isEmpty();
            end.countDown();
            Optional<Long> answer = Optional.empty();
            while (answer.isEmpty()) {
                answer = readings.ask(ID, "a");
            }

            assertThat(answer).contains(7L);
            assertThat(read).hasValue(1);
        }
    }

    @Test
    void anotherQuestionReadsItAgain() throws IOException {
        end.countDown();
        try (ImageReadings readings = new ImageReadings(this::readSlowly, Duration.ofSeconds(20))) {
            assertThat(readings.ask(ID, "a")).contains(7L);
            assertThat(readings.ask(ID, "b")).contains(7L);
            assertThat(read).hasValue(2);
        }
    }

    @Test
    void damageIsAnAnswer() throws IOException {
        ImageReadings.Reading damaged = id -> {
            throw new RefusedException("damaged");
        };
        try (ImageReadings readings = new ImageReadings(damaged, Duration.ofSeconds(20))) {
            assertThatThrownBy(() -> readings.ask(ID, "a"))
                    .isInstanceOf(RefusedException.class)
                    .hasMessage("damaged");
        }
    }

    @Test
    void manyWhoDoNotComeBackAreNotRememberedForEver() throws IOException {
        try (ImageReadings readings = new ImageReadings(this::readSlowly, Duration.ofMillis(1))) {
            for (int i = 0; i < 64; i++) {
                assertThat(readings.ask(ID, "a" + i)).isEmpty();
            }
            assertThatThrownBy(() -> readings.ask(ID, "one more")).hasMessageContaining("64 images are waiting");
            end.countDown();
            await().ignoreExceptions().until(() -> readings.ask(ID, "one more").isPresent());
            assertThat(read).hasValueGreaterThan(1);
        }
    }

    private long readSlowly(CheckpointId id) {
        try {
            end.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        read.incrementAndGet();
        return 7;
    }
}
