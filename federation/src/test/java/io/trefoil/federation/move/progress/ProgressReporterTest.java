/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class ProgressReporterTest {

    private static final Amount FILE = Amount.builder().files(1).build();

    private final MoveCounts counts = new MoveCounts("move1", Clock.systemUTC());
    private final List<String> lines = new ArrayList<>();
    private final List<MoveProgress> kept = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private final ProgressReporter reports = new ProgressReporter(counts, this::store, lines::add);

    private void store(MoveProgress currentProgress) throws IOException {
        if (!failures.isEmpty()) {
            throw new IOException(failures.remove(0));
        }
        kept.add(currentProgress);
    }

    @Test
    void progressIsShownAndStored() {
        counts.beginStep("Round 1", MoveStep.READING, FILE);
        counts.add(FILE);
        reports.report();

        assertThat(lines).hasSize(1);
        assertThat(lines.get(0)).startsWith("Round 1, reading: 1 of 1 files;");
        assertThat(kept).extracting(MoveProgress::done).containsExactly(FILE);
    }

    @Test
    void progressBeforeAndAfterMoveIsShownButNotStored() {
        counts.beginStep("Checks", MoveStep.CHECKING, FILE);
        reports.report();

        counts.beginStep("Afterwards", MoveStep.ENDED, Amount.zero());
        reports.report();

        assertThat(lines).hasSize(2);
        assertThat(kept).isEmpty();
    }

    /** A failure to keep it is no failure of the move, and is not hidden either: perhaps another process has the move. */
    @Test
    void reportsStorageFailureOnce() {
        counts.beginStep("Round 1", MoveStep.READING, FILE);
        failures.addAll(List.of("lost the lock\nat somewhere", "lost the lock", "no NameNode"));
        reports.report();
        reports.report();
        reports.report();
        reports.report();

        assertThat(lines)
                .filteredOn(line -> line.startsWith("Others"))
                .containsExactly(
                        "Others cannot see how far the move is: lost the lock",
                        "Others cannot see how far the move is: no NameNode");
        assertThat(kept).hasSize(1);

        failures.add("no NameNode");
        reports.report();
        assertThat(lines).filteredOn(line -> line.endsWith("no NameNode")).hasSize(2);
    }

    @Test
    void reportsPeriodicallyUntilClosed() {
        List<String> shown = new CopyOnWriteArrayList<>();
        ProgressReporter running = ProgressReporter.startEvery(Duration.ofMillis(1), counts, this::store, shown::add);
        await().until(() -> shown.size() > 2);
        running.close();
        running.close();
    }
}
