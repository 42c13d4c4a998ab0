/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer.term;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SuspendDetectorTest {
    private static final long MILLI = 1_000_000L;

    private long nanos = 77;
    private long wallMillis = 1_700_000_000_000L;
    private final SuspendDetector watch = new SuspendDetector(() -> nanos, () -> wallMillis);

    private void advance(long millis) {
        nanos += millis * MILLI;
        wallMillis += millis;
    }

    private void readClocks(int times) {
        for (int i = 0; i < times; i++) {
            advance(10);
            watch.trustedSinceNanos();
        }
    }

    @Test
    void trustsWholePastWhileClocksAgree() {
        readClocks(1_000);
        advance(60_000);

        assertThat(watch.trustedSinceNanos()).isEqualTo(77);
    }

    @Test
    void distrustsClockReadingsBeforeSuspension() {
        readClocks(100);
        wallMillis += 40;

        assertThat(watch.trustedSinceNanos()).isEqualTo(nanos);
        long resumed = nanos;
        readClocks(100);
        assertThat(watch.trustedSinceNanos()).as("said once").isEqualTo(resumed);
    }

    @Test
    void wallClockSetBackCountsAsSuspension() {
        readClocks(100);
        wallMillis -= 3_000;

        assertThat(watch.trustedSinceNanos()).isEqualTo(nanos);
    }

    @Test
    void trustsSlewedClock() {
        for (int i = 0; i < 1_000; i++) {
            nanos += 12 * MILLI;
            wallMillis += 13;
            watch.trustedSinceNanos();
        }

        assertThat(watch.trustedSinceNanos()).isEqualTo(77);
    }

    @Test
    void pauseBetweenReadingsIsNotSuspension() {
        SuspendDetector slow = new SuspendDetector(
                () -> {
                    advance(30);
                    return nanos;
                },
                () -> wallMillis);
        long begun = slow.trustedSinceNanos();

        for (int i = 0; i < 100; i++) {
            assertThat(slow.trustedSinceNanos()).isEqualTo(begun);
        }
    }
}
