/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.output;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.foundation.Progress;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TerminalProgressTest {
    private final StringWriter terminal = new StringWriter();
    private long millis;
    private final Progress progress =
            new TerminalProgress(new PrintWriter(terminal), () -> TimeUnit.MILLISECONDS.toNanos(millis));
    private final Progress.Task task = progress.begin("verify", "entries");

    private String after(long moreMillis, long done) {
        terminal.getBuffer().setLength(0);
        millis += moreMillis;
        task.done(done);
        return terminal.toString();
    }

    @Test
    void quickTaskShowsNoProgress() {
        task.total(100);
        assertThat(after(1_999, 99)).isEmpty();
        task.close();
        assertThat(terminal.toString()).isEmpty();
    }

    @Test
    void rateAndRemainingTimeAreShownOnceItTakesLong() {
        task.total(200_000);
        assertThat(after(4_000, 50_000))
                .isEqualTo("\rverify: 25%, 50,000 of 200,000 entries, 12,500 per second, 0:12 left");
    }

    @Test
    void hoursAreShownAsSuch() {
        task.total(10_000);
        assertThat(after(10_000, 10)).endsWith("1 per second, 2:46:30 left");
    }

    @Test
    void showsNoPercentageWithoutTotal() {
        assertThat(after(4_000, 8)).isEqualTo("\rverify: 8 entries, 2 per second");
    }

    @Test
    void refreshesAtMostFiveTimesPerSecond() {
        task.total(100_000);
        assertThat(after(2_000, 1_000)).isNotEmpty();
        assertThat(after(199, 2_000)).isEmpty();
        assertThat(after(1, 2_000)).isNotEmpty();
    }

    @Test
    void shorterLineOverwritesLongerLine() {
        task.total(1_000_000);
        int longer = after(2_000, 1).length();
        assertThat(after(10_000, 1_000_000)).hasSizeGreaterThanOrEqualTo(longer);
    }

    @Test
    void clearsLineAtEnd() {
        int width = after(4_000, 8).length() - 1;
        terminal.getBuffer().setLength(0);

        task.close();

        assertThat(terminal.toString()).isEqualTo("\r" + " ".repeat(width) + "\r");
    }
}
