/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.watch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WorkMeterTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long MILLI = 1_000_000L;

    private final WorkMeter meter = new WorkMeter(30 * SECOND);

    @Test
    void constantWorkIsNeverIdle() {
        for (int i = 0; i < 1_000; i++) {
            meter.add(SECOND, SECOND);
            assertThat(meter.idleNanos()).isZero();
        }
    }

    @Test
    void minimalCpuShareCountsAsWork() {
        for (int i = 0; i < 1_000; i++) {
            meter.add(SECOND, 10 * MILLI);
            assertThat(meter.idleNanos()).isLessThan(30 * SECOND);
        }
    }

    @Test
    void pollingCountsAsIdle() {
        for (int i = 0; i < 31; i++) {
            meter.add(SECOND, 5 * MILLI);
        }
        assertThat(meter.idleNanos()).isGreaterThan(30 * SECOND);
    }

    @Test
    void minorWorkDoesNotAccumulateOverHours() {
        for (int i = 0; i < 3_600; i++) {
            meter.add(SECOND, 5 * MILLI);
        }
        assertThat(meter.idleNanos()).isEqualTo(3_600 * SECOND);
    }

    @Test
    void lowCpuShareCountsAsWorkFromStart() {
        for (int i = 0; i < 10; i++) {
            meter.add(SECOND, 15 * MILLI);
            assertThat(meter.hasDoneEnoughWork()).as("in second %d", i).isTrue();
        }
    }

    @Test
    void briefBurstDoesNotCountAsWork() {
        meter.add(SECOND, 200 * MILLI);
        meter.add(SECOND, 0);
        assertThat(meter.hasDoneEnoughWork()).isFalse();
    }

    @Test
    void lockHandoverCountsAsWork() {
        meter.add(20 * SECOND, 0);
        meter.add(SECOND, Long.MAX_VALUE);
        assertThat(meter.idleNanos()).isZero();
    }

    @Test
    void newWaitRestartsClock() {
        meter.add(20 * SECOND, 200 * MILLI);
        meter.reset();
        meter.add(SECOND, 200 * MILLI);
        assertThat(meter.idleNanos()).isEqualTo(SECOND);
    }
}
