/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ExpectationsTest {
    private final Ledger ledger = new Ledger();
    private long now;

    @Test
    void expectsWhatWasAcknowledged() {
        note(new Change.MakeDirectory("/a"), Answer.ACKNOWLEDGED);

        assertThat(expected("/a")).isEqualTo(Expected.DIRECTORY);
    }

    @Test
    void movesWhatWasRenamed() {
        FileContent content = new FileContent(7, 100);
        note(new Change.WriteFile("/a", content), Answer.ACKNOWLEDGED);
        note(new Change.Rename("/a", "/b"), Answer.ACKNOWLEDGED);

        assertThat(expected("/a")).isEqualTo(Expected.ABSENT);
        assertThat(expected("/b")).isEqualTo(Expected.file(content));
    }

    @Test
    void knowsNothingOfBothEndsOfARenameWithoutAnAnswer() {
        note(new Change.MakeDirectory("/a"), Answer.ACKNOWLEDGED);
        note(new Change.Rename("/a", "/b"), Answer.UNKNOWN);

        assertThat(expected("/a")).isEqualTo(Expected.UNCERTAIN);
        assertThat(expected("/b")).isEqualTo(Expected.UNCERTAIN);
    }

    @Test
    void knowsNothingAfterAnAnswerThatCannotBeRight() {
        note(new Change.MakeDirectory("/a"), Answer.ACKNOWLEDGED);
        note(new Change.Delete("/a"), Answer.CONTRADICTED);

        assertThat(expected("/a")).isEqualTo(Expected.UNCERTAIN);
    }

    @Test
    void findsTheTimesWithoutAnAcknowledgement() {
        note(new Change.MakeDirectory("/a"), Answer.ACKNOWLEDGED);
        now += Duration.ofSeconds(3).toNanos();
        note(new Change.MakeDirectory("/b"), Answer.UNKNOWN);
        now += Duration.ofSeconds(2).toNanos();
        note(new Change.MakeDirectory("/c"), Answer.ACKNOWLEDGED);

        assertThat(ledger.gaps(Duration.ofSeconds(1)))
                .extracting(Ledger.Gap::length)
                .containsExactly(Duration.ofSeconds(5));
    }

    private Expected expected(String path) {
        return Expectations.of(ledger).byPath().get(path);
    }

    private void note(Change change, Answer answer) {
        ledger.add(new Ledger.Entry(change, answer, now, Duration.ZERO, ""));
    }
}
