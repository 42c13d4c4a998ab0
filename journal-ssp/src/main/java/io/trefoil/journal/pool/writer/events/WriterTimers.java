/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer.events;

import io.trefoil.journal.pool.writer.term.TermEnd;
import io.trefoil.journal.pool.writer.term.TermProgress;
import io.trefoil.journal.pool.writer.term.WriterDriver;
import io.trefoil.journal.transport.Transport;
import io.trefoil.journal.writer.events.WriterEvent;
import java.time.Duration;

/**
 * A writer's periodic work, on the transport's thread. A writer without timers is broken: without ticks no late node is
 * dropped from the in-sync set, and without announcements standbys hear of a commit only with the next batch.
 */
public final class WriterTimers {
    private static final Duration TICK = Duration.ofMillis(10);
    /**
     * A standby hears of a commit after at most twice this, if no append tells it sooner. Well above the time of a
     * batch: while batches follow one another, each announces the previous one, and an extra message would only cost.
     */
    private static final Duration ANNOUNCE_AFTER = Duration.ofMillis(2);

    private final Object monitor;
    private final WriterDriver driver;
    private final Transport transport;
    private final TermProgress progress;
    private final TermEnd end;
    private final WriterExclusivity alone;
    private boolean announcing;

    /** @param monitor of the writer */
    public WriterTimers(
            Object monitor,
            WriterDriver driver,
            Transport transport,
            TermProgress progress,
            TermEnd end,
            WriterExclusivity alone) {
        this.monitor = monitor;
        this.driver = driver;
        this.transport = transport;
        this.progress = progress;
        this.end = end;
        this.alone = alone;
    }

    /** Ticks now, and from then on until the term is over. */
    public void tick() {
        if (end.isOver()) {
            return;
        }
        try {
            alone.compareClocks();
            driver.handle(WriterEvent.ticked());
            progress.advanced();
        } finally {
            schedule(this::tick, TICK);
        }
    }

    /** Tells the nodes soon what is committed, if no append does; under the monitor. */
    public void announce(long sn) {
        if (!announcing) {
            announcing = true;
            announceLater(sn);
        }
    }

    /** Schedules the announcement of a commit. One timer serves all commits: it continues while there are new ones. */
    private void announceLater(long sn) {
        schedule(
                () -> {
                    driver.handle(WriterEvent.announceDelayPassed(sn));
                    long newestSn;
                    synchronized (monitor) {
                        newestSn = progress.committedSn();
                        announcing = newestSn > sn;
                    }
                    if (newestSn > sn) {
                        announceLater(newestSn);
                    }
                },
                ANNOUNCE_AFTER);
    }

    private void schedule(Runnable task, Duration delay) {
        try {
            transport.schedule(task, delay);
        } catch (RuntimeException | Error e) {
            driver.broke(e);
        }
    }
}
