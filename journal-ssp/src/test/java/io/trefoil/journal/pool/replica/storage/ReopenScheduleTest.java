/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ReopenScheduleTest {

    private final ReopenSchedule reopening = new ReopenSchedule();
    private long nowNanos = -TimeUnit.SECONDS.toNanos(3);

    private void assertBeginsAfter(long millis) {
        reopening.recordFailure(nowNanos);
        nowNanos += TimeUnit.MILLISECONDS.toNanos(millis) - 1;
        assertThat(reopening.tryBegin(nowNanos)).isFalse();
        nowNanos++;
        assertThat(reopening.tryBegin(nowNanos)).isTrue();
    }

    @Test
    void waitGrowsWithFailedReopeningsAndResetsOnSuccess() {
        for (long millis : new long[] {1000, 2000, 4000, 5000, 5000}) {
            assertBeginsAfter(millis);
            reopening.recordFailedAttempt();
        }
        assertBeginsAfter(5000);
        reopening.finish();
        reopening.recordRecovery();
        assertBeginsAfter(1000);
    }

    @Test
    void allowsSingleConcurrentReopening() {
        assertBeginsAfter(1000);
        nowNanos += TimeUnit.HOURS.toNanos(1);
        assertThat(reopening.tryBegin(nowNanos)).isFalse();
        reopening.finish();
        assertThat(reopening.tryBegin(nowNanos)).isTrue();
    }
}
