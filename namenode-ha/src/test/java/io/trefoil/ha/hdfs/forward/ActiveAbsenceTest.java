/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.forward;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ActiveAbsenceTest {
    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);
    private final ActiveOutageTimer absence = new ActiveOutageTimer(10, clock::get);

    private void advanceWithoutAnswer(int nanos) {
        for (int i = 0; i < nanos; i++) {
            absence.recordMiss();
            clock.incrementAndGet();
        }
    }

    @Test
    void absenceIsShortUntilActiveIsMissedForTooLong() {
        assertThat(absence.isShort()).isTrue();
        advanceWithoutAnswer(9);
        assertThat(absence.isShort()).isTrue();
        advanceWithoutAnswer(1);
        assertThat(absence.isShort()).isFalse();
        advanceWithoutAnswer(100);
        assertThat(absence.isShort()).isFalse();
    }

    @Test
    void answerEndsAbsence() {
        advanceWithoutAnswer(20);
        absence.recordAnswer();
        assertThat(absence.isShort()).isTrue();
        advanceWithoutAnswer(9);
        assertThat(absence.isShort()).isTrue();
    }

    @Test
    void oldFailureBelongsToEarlierFailover() {
        advanceWithoutAnswer(20);
        clock.addAndGet(10);
        assertThat(absence.isShort()).isTrue();
        advanceWithoutAnswer(9);
        assertThat(absence.isShort()).isTrue();
    }
}
