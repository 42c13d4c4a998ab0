/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.foundation.GoldenFiles;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class MoveProgressTest {

    private static final Instant BEGAN = Instant.parse("2026-11-26T08:00:00Z");

    private final SettableClock clock = new SettableClock(BEGAN);
    private final MoveCounts counts = new MoveCounts("move1", clock);

    private static Amount amount(long files, int directories, int blocks) {
        return Amount.builder()
                .files(files)
                .directories(directories)
                .blocks(blocks)
                .build();
    }

    @Test
    void reportsAmountTotalAndRate() {
        clock.advance(Duration.ofSeconds(60));
        counts.beginStep("Round 1", MoveStep.COPYING, amount(1000, 0, 1500));
        counts.add(amount(199, 0, 300));
        counts.add(amount(1, 0, 1));
        clock.advance(Duration.ofSeconds(4));

        assertThat(counts.currentProgress().text())
                .isEqualTo("Round 1, copying: 200 of 1000 files, 301 of 1500 blocks; 50 a second, 4 s, 64 s in all");
    }

    @Test
    void newStepStartsAtZero() {
        counts.beginStep("Round 1", MoveStep.READING, amount(10, 2, 0));
        counts.add(amount(10, 2, 0));
        counts.beginStep("Round 1", MoveStep.COPYING, amount(10, 0, 10));

        assertThat(counts.currentProgress().done()).isEqualTo(Amount.zero());
        assertThat(counts.currentProgress().text())
                .isEqualTo("Round 1, copying: 0 of 10 files, 0 of 10 blocks; 0 a second, 0 s, 0 s in all");
    }

    /** Clients make files while they are read, and it is not known beforehand what changes in a pause. */
    @Test
    void countBeyondTotalIsShownWithoutTotal() {
        counts.beginStep("Round 2", MoveStep.READING, amount(10, 2, 0));
        counts.add(amount(12, 1, 0));
        assertThat(counts.currentProgress().text()).contains("reading: 12 files, 1 of 2 directories;");

        counts.beginStep("Pause", MoveStep.PAUSED, Amount.zero());
        assertThat(counts.currentProgress().text()).contains("paused: nothing to count;");
    }

    @Test
    void progressRoundTrips() {
        counts.beginStep("Last round", MoveStep.COMPARING, amount(10, 2, 3));
        counts.add(amount(4, 1, 2));
        clock.advance(Duration.ofSeconds(7));
        MoveProgress progress = counts.currentProgress();

        assertThat(MoveProgress.decode(progress.encode())).isEqualTo(progress);
        assertThat(progress.measuredAt()).isEqualTo(BEGAN.plusSeconds(7));
    }

    @Test
    void progressFormatIsUnchanged() throws IOException {
        counts.beginStep("Last round", MoveStep.COMPARING, amount(10, 2, 3));
        counts.add(amount(4, 1, 2));
        clock.advance(Duration.ofSeconds(7));
        StringBuilder lines = new StringBuilder();
        counts.currentProgress().encode().forEach((key, value) -> lines.append(key + "=" + value + "\n"));
        GoldenFiles golden = GoldenFiles.forCurrentModule();
        golden.assertMatchesNewestRelease("moves/progress", lines.toString());

        for (String text : golden.readAllReleasesAsText("moves/progress").values()) {
            Map<String, String> read = Arrays.stream(text.split("\n"))
                    .map(line -> line.split("=", 2))
                    .collect(Collectors.toMap(line -> line[0], line -> line[1]));
            assertThat(MoveProgress.decode(read)).isEqualTo(counts.currentProgress());
        }
    }

    @Test
    void rejectsMalformedProgress() {
        for (String key : counts.currentProgress().encode().keySet()) {
            SortedMap<String, String> lines = counts.currentProgress().encode();
            lines.remove(key);
            assertThatThrownBy(() -> MoveProgress.decode(lines))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'" + key + "'");
        }
        SortedMap<String, String> lines = counts.currentProgress().encode();
        lines.put("at", "yesterday");
        assertThatThrownBy(() -> MoveProgress.decode(lines)).isInstanceOf(IllegalArgumentException.class);
    }
}
