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
        note(new Change.MakeDirectory("/a"), ChangeAnswer.ACKNOWLEDGED);

        assertThat(expected("/a")).isEqualTo(Expected.DIRECTORY);
    }

    @Test
    void movesRenamedFiles() {
        FileContent content = new FileContent(7, 100);
        note(new Change.WriteFile("/a", content), ChangeAnswer.ACKNOWLEDGED);
        note(new Change.Rename("/a", "/b"), ChangeAnswer.ACKNOWLEDGED);

        assertThat(expected("/a")).isEqualTo(Expected.ABSENT);
        assertThat(expected("/b")).isEqualTo(Expected.file(content));
    }

    @Test
    void renameWithoutAnswerLeavesBothPathsUncertain() {
        note(new Change.MakeDirectory("/a"), ChangeAnswer.ACKNOWLEDGED);
        note(new Change.Rename("/a", "/b"), ChangeAnswer.UNKNOWN);

        assertThat(expected("/a")).isEqualTo(Expected.UNCERTAIN);
        assertThat(expected("/b")).isEqualTo(Expected.UNCERTAIN);
    }

    @Test
    void contradictedAnswerLeavesPathUncertain() {
        note(new Change.MakeDirectory("/a"), ChangeAnswer.ACKNOWLEDGED);
        note(new Change.Delete("/a"), ChangeAnswer.CONTRADICTED);

        assertThat(expected("/a")).isEqualTo(Expected.UNCERTAIN);
    }

    @Test
    void findsGapsWithoutAcknowledgement() {
        note(new Change.MakeDirectory("/a"), ChangeAnswer.ACKNOWLEDGED);
        now += Duration.ofSeconds(3).toNanos();
        note(new Change.MakeDirectory("/b"), ChangeAnswer.UNKNOWN);
        now += Duration.ofSeconds(2).toNanos();
        note(new Change.MakeDirectory("/c"), ChangeAnswer.ACKNOWLEDGED);

        assertThat(ledger.gaps(Duration.ofSeconds(1)))
                .extracting(ChangeLedger.Gap::length)
                .containsExactly(Duration.ofSeconds(5));
    }

    private Expected expected(String path) {
        return Expectations.of(ledger).byPath().get(path);
    }

    private void note(Change change, ChangeAnswer answer) {
        ledger.add(new ChangeLedger.Recorded(change, answer, now, Duration.ZERO, ""));
    }
}
