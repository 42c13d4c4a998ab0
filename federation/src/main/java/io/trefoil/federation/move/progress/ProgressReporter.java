/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move.progress;

import io.trefoil.foundation.DaemonThreads;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Shows the progress of a move every few seconds, and stores it where others can read it. A move never waits for that, and does not fail
 * because of it; why it could not be kept is shown, as that may be because another process has the move now. Must be closed.
 */
public final class ProgressReporter implements Closeable {

    private final MoveCounts counts;
    private final ProgressStore progressStore;
    private final Consumer<String> lines;
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(DaemonThreads.newFactory("move-progress"));

    /** The reason why the progress could not be stored last time; used only by the timer. */
    private String lastFailure = "";

    ProgressReporter(MoveCounts counts, ProgressStore progressStore, Consumer<String> lines) {
        this.counts = counts;
        this.progressStore = progressStore;
        this.lines = lines;
    }

    /**
     * Begins to report.
     *
     * @param lines receives a line each time, by a thread of its own
     */
    public static ProgressReporter startEvery(
            Duration period, MoveCounts counts, ProgressStore progressStore, Consumer<String> lines) {
        ProgressReporter reports = new ProgressReporter(counts, progressStore, lines);
        reports.timer.scheduleWithFixedDelay(
                DaemonThreads.logFailures(reports::report),
                period.toMillis(),
                period.toMillis(),
                TimeUnit.MILLISECONDS);
        return reports;
    }

    /** Stores the progress of a move. */
    public interface ProgressStore {

        /** @throws IOException if it is not kept, for example because this process does not have the move any longer */
        void save(MoveProgress currentProgress) throws IOException;
    }

    void report() {
        MoveProgress currentProgress = counts.currentProgress();
        lines.accept(currentProgress.text());
        if (!currentProgress.step().isProgressSaved()) {
            return;
        }
        try {
            progressStore.save(currentProgress);
            lastFailure = "";
        } catch (IOException e) {
            String failure = String.valueOf(e.getMessage()).split("\n", 2)[0];
            // After the end of the command, its failures to report no longer matter.
            if (!timer.isShutdown() && !failure.equals(lastFailure)) {
                lines.accept("Others cannot see how far the move is: " + failure);
            }
            lastFailure = failure;
        }
    }

    /** Stops the reports without waiting for a store that is in progress. */
    @Override
    public void close() {
        timer.shutdown();
    }
}
