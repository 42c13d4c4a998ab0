/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.load.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ExpectationsTest {
    private final ChangeLedger ledger = new ChangeLedger();
    private long now;

    @Test
    void expectsAcknowledgedFiles() {
        record(new LedgerChange.MakeDirectory("/a"), ChangeAnswer.ACKNOWLEDGED);

        assertThat(expectedAt("/a")).isEqualTo(ExpectedEntry.DIRECTORY);
    }

    @Test
    void movesRenamedFiles() {
        FileContent content = new FileContent(7, 100);
        record(new LedgerChange.WriteFile("/a", content), ChangeAnswer.ACKNOWLEDGED);
        record(new LedgerChange.Rename("/a", "/b"), ChangeAnswer.ACKNOWLEDGED);

        assertThat(expectedAt("/a")).isEqualTo(ExpectedEntry.ABSENT);
        assertThat(expectedAt("/b")).isEqualTo(ExpectedEntry.file(content));
    }

    @Test
    void renameWithoutAnswerLeavesBothPathsUncertain() {
        record(new LedgerChange.MakeDirectory("/a"), ChangeAnswer.ACKNOWLEDGED);
        record(new LedgerChange.Rename("/a", "/b"), ChangeAnswer.UNKNOWN);

        assertThat(expectedAt("/a")).isEqualTo(ExpectedEntry.UNCERTAIN);
        assertThat(expectedAt("/b")).isEqualTo(ExpectedEntry.UNCERTAIN);
    }

    @Test
    void contradictedAnswerLeavesPathUncertain() {
        record(new LedgerChange.MakeDirectory("/a"), ChangeAnswer.ACKNOWLEDGED);
        record(new LedgerChange.Delete("/a"), ChangeAnswer.CONTRADICTED);

        assertThat(expectedAt("/a")).isEqualTo(ExpectedEntry.UNCERTAIN);
    }

    @Test
    void findsGapsWithoutAcknowledgement() {
        record(new LedgerChange.MakeDirectory("/a"), ChangeAnswer.ACKNOWLEDGED);
        now += Duration.ofSeconds(3).toNanos();
        record(new LedgerChange.MakeDirectory("/b"), ChangeAnswer.UNKNOWN);
        now += Duration.ofSeconds(2).toNanos();
        record(new LedgerChange.MakeDirectory("/c"), ChangeAnswer.ACKNOWLEDGED);

        assertThat(ledger.gaps(Duration.ofSeconds(1)))
                .extracting(ChangeLedger.Gap::length)
                .containsExactly(Duration.ofSeconds(5));
    }

    private ExpectedEntry expectedAt(String path) {
        return Expectations.of(ledger).byPath().get(path);
    }

    private void record(LedgerChange change, ChangeAnswer answer) {
        ledger.add(new ChangeLedger.Recorded(change, answer, now, Duration.ZERO, ""));
    }
}
