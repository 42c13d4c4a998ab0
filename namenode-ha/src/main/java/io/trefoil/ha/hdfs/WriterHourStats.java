/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trefoil.foundation.DaemonThreads;
import io.trefoil.journal.pool.writer.WriterStatus;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The last hour of this NameNode's writer, for the page: a point for every ten seconds, in memory only, so that it starts over when the
 * NameNode restarts. Thread-safe.
 */
final class WriterHourStats implements AutoCloseable {
    private static final int EVERY_SECONDS = 10;
    static final int POINTS = 360;

    private final Supplier<Optional<WriterStatus>> writer;
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(DaemonThreads.newFactory("mams-last-hour"));
    /** The points, oldest first; empty where there was no writer. */
    private final Deque<Optional<Point>> points = new ArrayDeque<>();

    private Optional<WriterStatus> before = Optional.empty();

    WriterHourStats(Supplier<Optional<WriterStatus>> writer) {
        this.writer = writer;
    }

    /** A sample of the writer's state. Immutable. */
    private static final class Point {
        private final long commits;
        private final long lagMillis;

        Point(long commits, long lagMillis) {
            this.commits = commits;
            this.lagMillis = lagMillis;
        }
    }

    void start() {
        thread.scheduleWithFixedDelay(DaemonThreads.logFailures(this::update), 0, EVERY_SECONDS, TimeUnit.SECONDS);
    }

    /** Adds the difference to the previous sample; the first sample of a term has nothing to be compared with. */
    synchronized void update() {
        Optional<WriterStatus> now = writer.get();
        Optional<WriterStatus> former = before.filter(
                sample -> now.isPresent() && sample.epoch().equals(now.get().epoch()));
        points.addLast(
                former.map(sample -> new Point(now.get().committedSn() - sample.committedSn(), lagMillis(now.get()))));
        if (points.size() > POINTS) {
            points.removeFirst();
        }
        before = now;
    }

    private static long lagMillis(WriterStatus status) {
        return status.nodes().stream()
                .mapToLong(node -> node.lagTime().toMillis())
                .max()
                .orElse(0);
    }

    /** Adds the statistics to a document, unless there was no writer in that hour. */
    synchronized void addTo(ObjectNode document) {
        if (points.stream().noneMatch(Optional::isPresent)) {
            return;
        }
        ObjectNode hour = document.putObject("hour").put("everySeconds", EVERY_SECONDS);
        ArrayNode commits = hour.putArray("commits");
        ArrayNode lags = hour.putArray("lagMillis");
        for (Optional<Point> point : points) {
            commits.add(point.map(sample -> sample.commits).orElse(null));
            lags.add(point.map(sample -> sample.lagMillis).orElse(null));
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
