/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the looks of a meter show, by a clock of the test's. */
class PauseMeterTest {

    private final List<LeaseChoice> derived = new ArrayList<>();
    private long nowNanos = Long.MAX_VALUE - 1;
    private Duration diskStallTime = Duration.ZERO;
    private final PauseMeter meter = new PauseMeter(() -> nowNanos, () -> diskStallTime, derived::add);

    @AfterEach
    void close() {
        meter.close();
    }

    private void lookAfter(Duration passed) {
        nowNanos += passed.toNanos();
        meter.samplePause();
    }

    private Duration newest() {
        assertThat(derived.get(derived.size() - 1)).isEqualTo(meter.choice());
        return meter.choice().length();
    }

    @Test
    void processWithoutPausesGetsShortestLease() {
        assertThat(meter.choice().length()).isEqualTo(LeaseRule.SHORTEST);
        for (int i = 0; i < 100; i++) {
            lookAfter(Duration.ofMillis(30));
        }

        assertThat(newest()).isEqualTo(LeaseRule.SHORTEST);
        assertThat(meter.choice().reason()).contains("stood still for 5 ms");
    }

    @Test
    void pauseLengthensLeaseForOneHour() {
        lookAfter(Duration.ofMillis(25 + 300));
        assertThat(newest()).isEqualTo(Duration.ofSeconds(2));

        // The meter looks all the time, so that a long wait is no pause.
        lookFor(Duration.ofMinutes(59));
        assertThat(newest()).isEqualTo(Duration.ofSeconds(2));
        lookFor(Duration.ofMinutes(7));
        assertThat(newest()).isEqualTo(LeaseRule.SHORTEST);
    }

    private void lookFor(Duration time) {
        for (long millis = 0; millis < time.toMillis(); millis += 100) {
            lookAfter(Duration.ofMillis(100));
        }
    }

    @Test
    void reportsLongestPauseInsteadOfNewest() {
        lookAfter(Duration.ofMillis(900));
        lookAfter(Duration.ofMillis(300));

        assertThat(newest()).isEqualTo(LeaseRule.LONGEST);
    }

    @Test
    void unresponsiveDiskLengthensLease() {
        diskStallTime = Duration.ofMillis(250);
        lookAfter(Duration.ofMillis(25));

        assertThat(newest()).isEqualTo(Duration.ofSeconds(2));
        assertThat(meter.choice().reason()).contains("disk for 250 ms");
    }

    @Test
    void processPauseDoesNotCountAsDiskSilence() {
        diskStallTime = Duration.ofMillis(300);
        lookAfter(Duration.ofMillis(25 + 300));

        assertThat(meter.choice().reason()).contains("stood still for 300 ms").contains("disk for 0 ms");
    }
}
