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
 * Shows every few seconds how far a move is, and has it kept where others can look. A move never waits for that, and does not fail because
 * of it; why it could not be kept is shown, as that may be because somebody else has the move now. Must be closed.
 */
public final class ProgressReports implements Closeable {

    private final MoveCounts counts;
    private final ProgressStore keeper;
    private final Consumer<String> lines;
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("move-progress"));

    /** The reason why the progress was not kept the last time; belongs to the timer. */
    private String lastFailure = "";

    ProgressReports(MoveCounts counts, ProgressStore keeper, Consumer<String> lines) {
        this.counts = counts;
        this.keeper = keeper;
        this.lines = lines;
    }

    /**
     * Begins to report.
     *
     * @param lines receives a line each time, by a thread of its own
     */
    public static ProgressReports every(
            Duration period, MoveCounts counts, ProgressStore keeper, Consumer<String> lines) {
        ProgressReports reports = new ProgressReports(counts, keeper, lines);
        reports.timer.scheduleWithFixedDelay(
                DaemonThreads.logFailures(reports::report),
                period.toMillis(),
                period.toMillis(),
                TimeUnit.MILLISECONDS);
        return reports;
    }

    /** Keeps how far a move is. */
    public interface ProgressStore {

        /** @throws IOException if it is not kept, for example because this process does not have the move any more */
        void keep(MoveProgress now) throws IOException;
    }

    void report() {
        MoveProgress now = counts.now();
        lines.accept(now.text());
        if (!now.step().isKept()) {
            return;
        }
        try {
            keeper.keep(now);
            lastFailure = "";
        } catch (IOException e) {
            String failure = String.valueOf(e.getMessage()).split("\n", 2)[0];
            // Of a command that is over nobody wants to know.
            if (!timer.isShutdown() && !failure.equals(lastFailure)) {
                lines.accept("Others cannot see how far the move is: " + failure);
            }
            lastFailure = failure;
        }
    }

    /** Does not wait for a server that is just being told. */
    @Override
    public void close() {
        timer.shutdown();
    }
}
