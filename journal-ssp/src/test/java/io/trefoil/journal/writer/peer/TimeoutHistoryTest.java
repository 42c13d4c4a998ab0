/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer.peer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TimeoutHistoryTest {
    private static final long TIMEOUT_MILLIS = 1_000;
    private static final long SECOND = 1_000_000_000L;

    @Test
    void firstTimeoutDoesNotRequireProof() {
        TimeoutHistory once = TimeoutHistory.NONE.withTimeout(SECOND, TIMEOUT_MILLIS);

        assertThat(once.isProven(SECOND, TIMEOUT_MILLIS)).isTrue();
        assertThat(once.isOutOfSyncSinceTimeout()).isTrue();
        assertThat(once.withInSync(SECOND).isOutOfSyncSinceTimeout()).isFalse();
    }

    @Test
    void eachFurtherTimeoutDoublesProofTime() {
        TimeoutHistory timeouts = TimeoutHistory.NONE.withTimeout(0, TIMEOUT_MILLIS);
        for (long seconds : new long[] {1, 2, 4, 8, 16, 32, 32, 32}) {
            timeouts = timeouts.withTimeout(0, TIMEOUT_MILLIS);
            assertThat(timeouts.isProven(100 * SECOND, TIMEOUT_MILLIS)).isFalse();
            TimeoutHistory answered = timeouts.withAnswer(0, 0, TIMEOUT_MILLIS);
            assertThat(answered.isProven(seconds * SECOND, TIMEOUT_MILLIS)).isFalse();
            assertThat(answered.isProven(seconds * SECOND + 1, TIMEOUT_MILLIS)).isTrue();
        }
        assertThat(timeouts.totalCount()).isEqualTo(9);
    }

    @Test
    void answerWithinHalfTimeoutIsInTime() {
        TimeoutHistory twice =
                TimeoutHistory.NONE.withTimeout(0, TIMEOUT_MILLIS).withTimeout(0, TIMEOUT_MILLIS);

        assertThat(twice.withAnswer(0, SECOND / 2, TIMEOUT_MILLIS).isProven(9 * SECOND, TIMEOUT_MILLIS))
                .isTrue();
        assertThat(twice.withAnswer(0, SECOND / 2 + 1, TIMEOUT_MILLIS).isProven(9 * SECOND, TIMEOUT_MILLIS))
                .isFalse();
    }

    @Test
    void proofStartsAtFirstTimelyAnswer() {
        TimeoutHistory twice =
                TimeoutHistory.NONE.withTimeout(0, TIMEOUT_MILLIS).withTimeout(0, TIMEOUT_MILLIS);
        TimeoutHistory steady = twice.withAnswer(5 * SECOND, 5 * SECOND, TIMEOUT_MILLIS)
                .withAnswer(5 * SECOND + SECOND / 2, 5 * SECOND + SECOND / 2, TIMEOUT_MILLIS);

        assertThat(steady.isProven(6 * SECOND, TIMEOUT_MILLIS)).isFalse();
        assertThat(steady.isProven(6 * SECOND + 1, TIMEOUT_MILLIS)).isTrue();
    }

    @Test
    void delayedAnswerRestartsProof() {
        TimeoutHistory twice =
                TimeoutHistory.NONE.withTimeout(0, TIMEOUT_MILLIS).withTimeout(0, TIMEOUT_MILLIS);
        TimeoutHistory late =
                twice.withAnswer(0, SECOND / 10, TIMEOUT_MILLIS).withAnswer(SECOND, 2 * SECOND, TIMEOUT_MILLIS);

        assertThat(late.isProven(9 * SECOND, TIMEOUT_MILLIS)).isFalse();
        assertThat(late.withAnswer(9 * SECOND, 9 * SECOND, TIMEOUT_MILLIS).isProven(11 * SECOND, TIMEOUT_MILLIS))
                .isTrue();
    }

    @Test
    void forgetsOldTimeouts() {
        TimeoutHistory many = TimeoutHistory.NONE;
        for (int i = 0; i < 5; i++) {
            many = many.withTimeout(0, TIMEOUT_MILLIS);
        }
        assertThat(many.withInSync(0).withTimeout(60 * SECOND, TIMEOUT_MILLIS).recentCount())
                .isEqualTo(6);

        TimeoutHistory later = many.withInSync(0).withTimeout(61 * SECOND, TIMEOUT_MILLIS);

        assertThat(later.recentCount()).isEqualTo(1);
        assertThat(later.totalCount()).isEqualTo(6);
        assertThat(many.withInSync(50 * SECOND)
                        .withTimeout(60 * SECOND, TIMEOUT_MILLIS)
                        .recentCount())
                .isEqualTo(6);
    }
}
