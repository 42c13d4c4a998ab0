/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer.term;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class LagMeterTest {

    private final LagMeter meter = new LagMeter(10, nanosAt(0));

    private static long nanosAt(long millis) {
        return Duration.ofMillis(millis).toNanos();
    }

    @Test
    void replicaAtEndHasNoLag() {
        meter.recordAppended(11, 100, nanosAt(5));

        assertThat(meter.bytesBehind(11)).isZero();
        assertThat(meter.nanosBehind(11, nanosAt(900))).isZero();
    }

    @Test
    void measuresLagFromOldestMissingEntry() {
        for (int i = 1; i <= 100; i++) {
            meter.recordAppended(10 + i, 1000, nanosAt(i * 100L));
        }

        assertThat(meter.bytesBehind(60)).isEqualTo(50_000);
        assertThat(meter.nanosBehind(60, nanosAt(20_000))).isEqualTo(nanosAt(20_000 - 5_100));
        assertThat(meter.bytesBehind(3)).isEqualTo(100_000);
        assertThat(meter.nanosBehind(3, nanosAt(20_000))).isEqualTo(nanosAt(20_000));
    }

    @Test
    void measuresLagToTenthOfSecond() {
        for (int i = 1; i <= 1000; i++) {
            meter.recordAppended(10 + i, 10, nanosAt(i));
        }

        assertThat(meter.bytesBehind(510)).isBetween(5_000L, 6_000L);
        assertThat(meter.nanosBehind(510, nanosAt(1000))).isBetween(nanosAt(400), nanosAt(500));
    }

    /** They are looked up under the writer's lock, where a commit may wait. */
    @Test
    @Timeout(120)
    void findsEntryWithoutScanningWholeHour() {
        for (int i = 1; i <= 36_000; i++) {
            meter.recordAppended(10 + i, 1, nanosAt(i * 100L));
        }

        long behind = 0;
        // Minutes, if each began there.
        for (int i = 0; i < 2_000_000; i++) {
            behind += meter.bytesBehind(36_000) + meter.nanosBehind(36_000, nanosAt(3_600_000));
        }
        assertThat(behind).isPositive();
    }

    @Test
    void remembersOneHour() {
        for (int i = 1; i <= 40_000; i++) {
            meter.recordAppended(10 + i, 1, nanosAt(i * 100L));
        }

        assertThat(meter.bytesBehind(30_010)).isEqualTo(10_000);
        assertThat(meter.nanosBehind(30_010, nanosAt(4_000_000))).isEqualTo(nanosAt(4_000_000 - 3_000_100));
        assertThat(meter.bytesBehind(0)).isEqualTo(40_000);
        assertThat(meter.nanosBehind(0, nanosAt(4_000_000))).isBetween(nanosAt(3_590_000), nanosAt(3_610_000));
    }
}
