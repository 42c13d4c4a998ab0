/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.failover;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.load.ledger.ChangeAnswer;
import io.trefoil.it.load.ledger.ChangeLedger;
import io.trefoil.it.load.ledger.LedgerChange;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class AdversityWindowTest {
    /** Any time of {@link System#nanoTime}, which may be below 0. */
    private static final long BEGAN = -3_000_000_000L;

    private static final int SECONDS = 15;

    private final ChangeLedger ledger = new ChangeLedger();

    @Test
    void rateAndPercentilesBeginAfterSettling() {
        addAnswers(1, 1_000, 400);
        addAnswers(6, 1_000, 10);
        add(14_000, 90, ChangeAnswer.ACKNOWLEDGED);

        assertThat(window().figures())
                .containsEntry(AdversityWindow.PER_SECOND, 100.1)
                .containsEntry(AdversityWindow.P50, 10.0)
                .containsEntry(AdversityWindow.P99, 10.0);
    }

    @Test
    void p99IsExceededByOneWaitInHundred() {
        addAnswers(6, 99, 10);
        add(14_000, 90, ChangeAnswer.ACKNOWLEDGED);
        assertThat(window().figures()).containsEntry(AdversityWindow.P99, 10.0);

        add(14_001, 91, ChangeAnswer.ACKNOWLEDGED);

        assertThat(window().figures()).containsEntry(AdversityWindow.P99, 90.0);
    }

    @Test
    void longestCallCountsUntilDisturbanceEnds() {
        addAnswers(6, 1_000, 10);
        add(2_000, 1_900, ChangeAnswer.ACKNOWLEDGED);
        assertThat(window().figures()).containsEntry(AdversityWindow.LONGEST, 1_900.0);

        add(18_000, 5_500, ChangeAnswer.UNKNOWN);

        assertThat(window().figures()).containsEntry(AdversityWindow.LONGEST, 2_500.0);
    }

    @Test
    void callsOutsideWindowCountNowhere() {
        add(-10, 8_000, ChangeAnswer.UNKNOWN);
        add(16_000, 900, ChangeAnswer.UNKNOWN);

        assertThat(window().figures())
                .containsEntry(AdversityWindow.PER_SECOND, 0.0)
                .containsEntry(AdversityWindow.LONGEST, 0.0)
                .containsEntry(AdversityWindow.ERRORS, 0.0)
                .doesNotContainKey(AdversityWindow.P99);
    }

    @Test
    void errorsCountFromBeginning() {
        add(100, 10, ChangeAnswer.UNKNOWN);
        add(200, 10, ChangeAnswer.CONTRADICTED);

        assertThat(window().figures()).containsEntry(AdversityWindow.ERRORS, 1.0);
    }

    @Test
    void curveRisesBySecondWhileNothingIsAnswered() {
        addAnswers(0, 100, 7);
        addAnswers(3, 50, 8);

        List<AdversityWindow.Point> curve = window().curve();

        assertThat(curve).hasSize(SECONDS);
        assertThat(curve.subList(0, 4))
                .containsExactly(
                        new AdversityWindow.Point(0.5, 100, 7),
                        new AdversityWindow.Point(1.5, 0, 1_007),
                        new AdversityWindow.Point(2.5, 0, 2_007),
                        new AdversityWindow.Point(3.5, 50, 8));
    }

    private AdversityWindow window() {
        return new AdversityWindow(
                ledger.entries(), BEGAN, BEGAN + Duration.ofSeconds(SECONDS).toNanos());
    }

    /** Adds acknowledgements within one second. */
    private void addAnswers(int second, int count, int tookMillis) {
        for (int i = 0; i < count; i++) {
            add(1_000L * second + i * 1_000L / count, tookMillis, ChangeAnswer.ACKNOWLEDGED);
        }
    }

    private void add(long answeredMillis, int tookMillis, ChangeAnswer answer) {
        ledger.add(new ChangeLedger.Recorded(
                new LedgerChange.MakeDirectory("/a"),
                answer,
                BEGAN + Duration.ofMillis(answeredMillis).toNanos(),
                Duration.ofMillis(tookMillis),
                ""));
    }
}
