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

    private String lineAfter(long moreMillis, long completed) {
        terminal.getBuffer().setLength(0);
        millis += moreMillis;
        task.reportDone(completed);
        return terminal.toString();
    }

    @Test
    void quickTaskDoesNotShowProgress() {
        task.reportTotal(100);
        assertThat(lineAfter(1_999, 99)).isEmpty();
        task.close();
        assertThat(terminal.toString()).isEmpty();
    }

    @Test
    void showsRateAndRemainingTimeForLongTask() {
        task.reportTotal(200_000);
        assertThat(lineAfter(4_000, 50_000))
                .isEqualTo("\rverify: 25%, 50,000 of 200,000 entries, 12,500 per second, 0:12 left");
    }

    @Test
    void showsHours() {
        task.reportTotal(10_000);
        assertThat(lineAfter(10_000, 10)).endsWith("1 per second, 2:46:30 left");
    }

    @Test
    void omitsPercentageWithoutTotal() {
        assertThat(lineAfter(4_000, 8)).isEqualTo("\rverify: 8 entries, 2 per second");
    }

    @Test
    void refreshesAtMostFiveTimesPerSecond() {
        task.reportTotal(100_000);
        assertThat(lineAfter(2_000, 1_000)).isNotEmpty();
        assertThat(lineAfter(199, 2_000)).isEmpty();
        assertThat(lineAfter(1, 2_000)).isNotEmpty();
    }

    @Test
    void shorterLineOverwritesLongerLine() {
        task.reportTotal(1_000_000);
        int longer = lineAfter(2_000, 1).length();
        assertThat(lineAfter(10_000, 1_000_000)).hasSizeGreaterThanOrEqualTo(longer);
    }

    @Test
    void clearsLineAtEnd() {
        int width = lineAfter(4_000, 8).length() - 1;
        terminal.getBuffer().setLength(0);

        task.close();

        assertThat(terminal.toString()).isEqualTo("\r" + " ".repeat(width) + "\r");
    }
}
