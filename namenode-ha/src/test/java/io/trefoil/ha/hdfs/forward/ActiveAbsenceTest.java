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
            absence.recordNoActive();
            clock.incrementAndGet();
        }
    }

    @Test
    void outageIsTolerableUntilActiveIsMissingTooLong() {
        assertThat(absence.isTolerable()).isTrue();
        advanceWithoutAnswer(9);
        assertThat(absence.isTolerable()).isTrue();
        advanceWithoutAnswer(1);
        assertThat(absence.isTolerable()).isFalse();
        advanceWithoutAnswer(100);
        assertThat(absence.isTolerable()).isFalse();
    }

    @Test
    void answerEndsOutage() {
        advanceWithoutAnswer(20);
        absence.recordAnswer();
        assertThat(absence.isTolerable()).isTrue();
        advanceWithoutAnswer(9);
        assertThat(absence.isTolerable()).isTrue();
    }

    @Test
    void oldFailureBelongsToEarlierFailover() {
        advanceWithoutAnswer(20);
        clock.addAndGet(10);
        assertThat(absence.isTolerable()).isTrue();
        advanceWithoutAnswer(9);
        assertThat(absence.isTolerable()).isTrue();
    }
}
