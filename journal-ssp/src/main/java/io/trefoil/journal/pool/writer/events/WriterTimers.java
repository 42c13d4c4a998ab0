/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer.events;

import io.trefoil.journal.pool.writer.term.TermEnd;
import io.trefoil.journal.pool.writer.term.TermProgress;
import io.trefoil.journal.pool.writer.term.WriterDriver;
import io.trefoil.journal.transport.Transport;
import io.trefoil.journal.writer.events.WriterEvent;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A writer's periodic work, on the transport's thread. A writer without timers is broken: without ticks no late node is
 * dropped from the in-sync set, and without announcements standbys learn of a commit only with the next batch.
 */
public final class WriterTimers {
    private static final Duration TICK = Duration.ofMillis(10);
    /**
     * The interval of announcements; a standby learns of a commit after at most twice this, unless an append announces it sooner. Well
     * above the time of a batch: while batches follow one another, each announces the previous one, and an extra message would only cost.
     */
    private static final Duration ANNOUNCE_AFTER = Duration.ofMillis(2);

    private final WriterDriver driver;
    private final Transport transport;
    private final TermProgress progress;
    private final TermEnd end;
    private final WriterExclusivity exclusivity;
    /** Whether a timer for announcements is running. Cleared before the newest commit is read, so that none is missed. */
    private final AtomicBoolean announcing = new AtomicBoolean();

    public WriterTimers(
            WriterDriver driver,
            Transport transport,
            TermProgress progress,
            TermEnd end,
            WriterExclusivity exclusivity) {
        this.driver = driver;
        this.transport = transport;
        this.progress = progress;
        this.end = end;
        this.exclusivity = exclusivity;
    }

    /** Ticks now, and from then on until the term ends. */
    public void tick() {
        if (end.hasEnded()) {
            return;
        }
        try {
            exclusivity.compareClocks();
            driver.handle(WriterEvent.ticked());
            progress.notifyWatcher();
        } finally {
            schedule(this::tick, TICK);
        }
    }

    /**
     * Announces to the nodes soon what is committed, unless an append does; does not block. One timer serves all commits: it
     * continues while there are new ones.
     */
    public void announce(long sn) {
        if (announcing.compareAndSet(false, true)) {
            schedule(() -> recordAnnounced(sn), ANNOUNCE_AFTER);
        }
    }

    private void recordAnnounced(long sn) {
        driver.handle(WriterEvent.announceDelayPassed(sn));
        announcing.set(false);
        long newestSn = progress.committedSn();
        if (newestSn > sn) {
            announce(newestSn);
        }
    }

    private void schedule(Runnable task, Duration delay) {
        try {
            transport.schedule(task, delay);
        } catch (RuntimeException | Error e) {
            driver.fail(e);
        }
    }
}
