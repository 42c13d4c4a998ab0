/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer.term;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class LagMeterTest {

    private final LagMeter meter = new LagMeter(10, at(0));

    private static long at(long millis) {
        return Duration.ofMillis(millis).toNanos();
    }

    @Test
    void replicaAtEndHasNoLag() {
        meter.appended(11, 100, at(5));

        assertThat(meter.bytesBehind(11)).isZero();
        assertThat(meter.nanosBehind(11, at(900))).isZero();
    }

    @Test
    void measuresLagFromOldestMissingEntry() {
        for (int i = 1; i <= 100; i++) {
            meter.appended(10 + i, 1000, at(i * 100L));
        }

        assertThat(meter.bytesBehind(60)).isEqualTo(50_000);
        assertThat(meter.nanosBehind(60, at(20_000))).isEqualTo(at(20_000 - 5_100));
        assertThat(meter.bytesBehind(3)).isEqualTo(100_000);
        assertThat(meter.nanosBehind(3, at(20_000))).isEqualTo(at(20_000));
    }

    @Test
    void measuresLagWithinTenthOfSecond() {
        for (int i = 1; i <= 1000; i++) {
            meter.appended(10 + i, 10, at(i));
        }

        assertThat(meter.bytesBehind(510)).isBetween(5_000L, 6_000L);
        assertThat(meter.nanosBehind(510, at(1000))).isBetween(at(400), at(500));
    }

    /** They are looked up under the writer's lock, where a commit may wait. */
    @Test
    @Timeout(120)
    void findsEntryWithoutScanningWholeHour() {
        for (int i = 1; i <= 36_000; i++) {
            meter.appended(10 + i, 1, at(i * 100L));
        }

        long behind = 0;
        // Minutes, if each began there.
        for (int i = 0; i < 2_000_000; i++) {
            behind += meter.bytesBehind(36_000) + meter.nanosBehind(36_000, at(3_600_000));
        }
        assertThat(behind).isPositive();
    }

    @Test
    void remembersOneHour() {
        for (int i = 1; i <= 40_000; i++) {
            meter.appended(10 + i, 1, at(i * 100L));
        }

        assertThat(meter.bytesBehind(30_010)).isEqualTo(10_000);
        assertThat(meter.nanosBehind(30_010, at(4_000_000))).isEqualTo(at(4_000_000 - 3_000_100));
        assertThat(meter.bytesBehind(0)).isEqualTo(40_000);
        assertThat(meter.nanosBehind(0, at(4_000_000))).isBetween(at(3_590_000), at(3_610_000));
    }
}
