/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.forward;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ActiveAbsenceTest {
    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);
    private final ActiveAbsence absence = new ActiveAbsence(10, clock::get);

    private void missedFor(int nanos) {
        for (int i = 0; i < nanos; i++) {
            absence.missed();
            clock.incrementAndGet();
        }
    }

    @Test
    void absenceIsShortUntilActiveIsMissedForTooLong() {
        assertThat(absence.isShort()).isTrue();
        missedFor(9);
        assertThat(absence.isShort()).isTrue();
        missedFor(1);
        assertThat(absence.isShort()).isFalse();
        missedFor(100);
        assertThat(absence.isShort()).isFalse();
    }

    @Test
    void answerEndsAbsence() {
        missedFor(20);
        absence.answered();
        assertThat(absence.isShort()).isTrue();
        missedFor(9);
        assertThat(absence.isShort()).isTrue();
    }

    @Test
    void troubleLongAgoBelongsToEarlierFailover() {
        missedFor(20);
        clock.addAndGet(10);
        assertThat(absence.isShort()).isTrue();
        missedFor(9);
        assertThat(absence.isShort()).isTrue();
    }
}
