/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** Two clocks of different pace, and a process that may freeze anywhere. */
class AnswerLeaseTest {
    private static final long MILLI = 1_000_000L;
    private static final AnswerLease LEASE = AnswerLease.ofMillis(1_000);
    /** How much faster or slower than true time a clock may be, in percent. */
    private static final int PACE_PERCENT = 10;

    @Test
    void coversLessThanNewWriterWaits() {
        assertThat(LEASE.covers(799 * MILLI, 0, 0)).isTrue();
        assertThat(LEASE.covers(801 * MILLI, 0, 0)).isFalse();
    }

    @Test
    void coversNothingWhenClockWasStoppedSince() {
        assertThat(LEASE.covers(100 * MILLI, 0, 1)).isFalse();
    }

    @Test
    void neverAnswersBesideNewWriter() {
        assertThat(overlaps(LEASE)).isZero();
    }

    /** Planted: an old writer that uses what the new one waits, and more. */
    @Test
    void detectsLeaseThatIsTooLong() {
        assertThat(overlaps(AnswerLease.ofMillis(1_300))).isPositive();
    }

    /** How often an old writer with this lease answers after the new one may, who waits for the right one. */
    private static int overlaps(AnswerLease ofOld) {
        Random random = new Random(1);
        int overlaps = 0;
        for (int i = 0; i < 100_000; i++) {
            // In true time: the add was sent, then the recovery-open was done, then the new writer has waited.
            long sent = random.nextInt(1_000) * MILLI;
            long recovered = sent + random.nextInt(300) * MILLI;
            long newAnswers = recovered + pace(random, LEASE.millis() * MILLI);
            long answered = recovered + random.nextInt(2_000) * MILLI;
            long oldClock = sent + pace(random, answered - sent);
            overlaps += answered >= newAnswers && ofOld.covers(oldClock, sent, 0) ? 1 : 0;
        }
        return overlaps;
    }

    /** A time as a clock shows it. */
    private static long pace(Random random, long trueNanos) {
        return trueNanos / 100 * (100 - PACE_PERCENT + random.nextInt(2 * PACE_PERCENT + 1));
    }
}
