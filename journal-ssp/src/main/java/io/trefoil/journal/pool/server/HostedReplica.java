/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.server;

import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.pool.disk.DiskAlarm;
import io.trefoil.journal.pool.replica.JournalReplica;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A replica, and whether it is known what it has. Thread-safe, but for what {@link HostedReplicas} guards. */
final class HostedReplica {

    private static final Logger LOG = LoggerFactory.getLogger(HostedReplica.class);

    /** How long it may take to open a replica until those who ask for it are told that it is not open yet. */
    private static final Duration OPENING_PATIENCE = Duration.ofSeconds(5);

    private final JournalId journal;
    private final JournalReplica replica;
    private final AtomicBoolean shown = new AtomicBoolean();
    /** Somebody in this process has it for good. */
    private volatile boolean kept;

    private int sessions;
    /** Done when it is open, or has failed. */
    private final CompletableFuture<Void> opened;

    private volatile boolean tooLate;

    private final DiskAlarm alarm;

    HostedReplica(JournalId journal, JournalReplica replica, CompletableFuture<Void> opened, DiskAlarm alarm) {
        this.journal = journal;
        this.replica = replica;
        this.opened = opened;
        this.alarm = alarm;
    }

    JournalId journal() {
        return journal;
    }

    JournalReplica replica() {
        return replica;
    }

    CompletableFuture<Void> opened() {
        return opened;
    }

    void keep() {
        kept = true;
    }

    boolean isUnknown() {
        return !kept && !replica.isFormatted();
    }

    /** Under the monitor of {@link HostedReplicas}, as {@link #sessionEnded} and {@link #isForgettable}. */
    void sessionBegan() {
        sessions++;
    }

    void sessionEnded() {
        sessions--;
    }

    /** Whether it was named only, and nobody asks for it any more. */
    boolean isForgettable() {
        return isUnknown() && sessions == 0 && opened.isDone();
    }

    /** Whether it is to be shown now, by the one who asks; said once. */
    boolean isToBeShown() {
        return !isUnknown() && shown.compareAndSet(false, true);
    }

    /** Has a hanging disk reported. */
    void look() {
        alarm.look(replica.diskSilent());
    }

    /** Only once for as long as that: who comes later finds out that it is not open. */
    void awaitOpened() {
        if (tooLate || opened.isDone()) {
            return;
        }
        try {
            opened.get(OPENING_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException e) {
            tooLate = true;
            LOG.warn("The disk has not opened a replica within {} ms", OPENING_PATIENCE.toMillis());
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }
}
