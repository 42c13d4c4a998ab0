/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer.peer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TimeoutHistoryTest {
    private static final long TIMEOUT_MILLIS = 1_000;
    private static final long SECOND = 1_000_000_000L;

    @Test
    void firstTimeoutRequiresNoProof() {
        TimeoutHistory once = TimeoutHistory.NONE.another(SECOND, TIMEOUT_MILLIS);

        assertThat(once.isProven(SECOND, TIMEOUT_MILLIS)).isTrue();
        assertThat(once.isOutOfSyncSinceTimeout()).isTrue();
        assertThat(once.inSync(SECOND).isOutOfSyncSinceTimeout()).isFalse();
    }

    @Test
    void eachFurtherTimeoutDoublesProofTime() {
        TimeoutHistory timeouts = TimeoutHistory.NONE.another(0, TIMEOUT_MILLIS);
        for (long seconds : new long[] {1, 2, 4, 8, 16, 32, 32, 32}) {
            timeouts = timeouts.another(0, TIMEOUT_MILLIS);
            assertThat(timeouts.isProven(100 * SECOND, TIMEOUT_MILLIS)).isFalse();
            TimeoutHistory answered = timeouts.answered(0, 0, TIMEOUT_MILLIS);
            assertThat(answered.isProven(seconds * SECOND, TIMEOUT_MILLIS)).isFalse();
            assertThat(answered.isProven(seconds * SECOND + 1, TIMEOUT_MILLIS)).isTrue();
        }
        assertThat(timeouts.total()).isEqualTo(9);
    }

    @Test
    void answerWithinHalfTimeoutIsInTime() {
        TimeoutHistory twice = TimeoutHistory.NONE.another(0, TIMEOUT_MILLIS).another(0, TIMEOUT_MILLIS);

        assertThat(twice.answered(0, SECOND / 2, TIMEOUT_MILLIS).isProven(9 * SECOND, TIMEOUT_MILLIS))
                .isTrue();
        assertThat(twice.answered(0, SECOND / 2 + 1, TIMEOUT_MILLIS).isProven(9 * SECOND, TIMEOUT_MILLIS))
                .isFalse();
    }

    @Test
    void proofStartsAtFirstTimelyAnswer() {
        TimeoutHistory twice = TimeoutHistory.NONE.another(0, TIMEOUT_MILLIS).another(0, TIMEOUT_MILLIS);
        TimeoutHistory steady = twice.answered(5 * SECOND, 5 * SECOND, TIMEOUT_MILLIS)
                .answered(5 * SECOND + SECOND / 2, 5 * SECOND + SECOND / 2, TIMEOUT_MILLIS);

        assertThat(steady.isProven(6 * SECOND, TIMEOUT_MILLIS)).isFalse();
        assertThat(steady.isProven(6 * SECOND + 1, TIMEOUT_MILLIS)).isTrue();
    }

    @Test
    void lateAnswerRestartsProof() {
        TimeoutHistory twice = TimeoutHistory.NONE.another(0, TIMEOUT_MILLIS).another(0, TIMEOUT_MILLIS);
        TimeoutHistory late =
                twice.answered(0, SECOND / 10, TIMEOUT_MILLIS).answered(SECOND, 2 * SECOND, TIMEOUT_MILLIS);

        assertThat(late.isProven(9 * SECOND, TIMEOUT_MILLIS)).isFalse();
        assertThat(late.answered(9 * SECOND, 9 * SECOND, TIMEOUT_MILLIS).isProven(11 * SECOND, TIMEOUT_MILLIS))
                .isTrue();
    }

    @Test
    void forgetsOldTimeouts() {
        TimeoutHistory many = TimeoutHistory.NONE;
        for (int i = 0; i < 5; i++) {
            many = many.another(0, TIMEOUT_MILLIS);
        }
        assertThat(many.inSync(0).another(60 * SECOND, TIMEOUT_MILLIS).recent()).isEqualTo(6);

        TimeoutHistory later = many.inSync(0).another(61 * SECOND, TIMEOUT_MILLIS);

        assertThat(later.recent()).isEqualTo(1);
        assertThat(later.total()).isEqualTo(6);
        assertThat(many.inSync(50 * SECOND).another(60 * SECOND, TIMEOUT_MILLIS).recent())
                .isEqualTo(6);
    }
}
