/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.watch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FlushStallDetectorTest {
    private final FlushStallDetector watch = new FlushStallDetector();

    @Test
    void unfinishedFlushLagsSinceFirstObservation() {
        assertThat(watch.behindNanos(10, 12, 1000)).isZero();
        assertThat(watch.behindNanos(10, 15, 1300)).isEqualTo(300);
    }

    @Test
    void consecutiveFlushesNeverLag() {
        for (int i = 0; i < 100; i++) {
            assertThat(watch.behindNanos(i, i + 5, 1000L * i)).isZero();
        }
    }

    @Test
    void flushAwaitingMajorityDoesNotLag() {
        watch.behindNanos(10, 11, 0);
        assertThat(watch.behindNanos(11, 11, 1000)).isZero();
        assertThat(watch.behindNanos(11, 11, 2000)).isZero();
    }
}
