/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.server;

import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.pool.disk.DiskStallLogger;
import io.trefoil.journal.pool.replica.JournalReplica;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A replica on a pool node, and whether the node keeps it or a caller only named it. Thread-safe, except for what
 * {@link HostedReplicas} guards.
 */
final class HostedReplica {

    private static final Logger LOG = LoggerFactory.getLogger(HostedReplica.class);

    /** How long callers wait for a replica to open before they get the reply that it is not open yet. */
    private static final Duration OPENING_TIMEOUT = Duration.ofSeconds(5);

    private final JournalId journal;
    private final JournalReplica replica;
    private final AtomicBoolean shown = new AtomicBoolean();
    /** Whether this process keeps the replica for good. */
    private volatile boolean kept;

    private int sessions;
    /** Completes when the replica is open or has failed. */
    private final CompletableFuture<Void> openFuture;

    private volatile boolean tooLate;

    private final DiskStallLogger stallLogger;

    HostedReplica(
            JournalId journal,
            JournalReplica replica,
            CompletableFuture<Void> openFuture,
            DiskStallLogger stallLogger) {
        this.journal = journal;
        this.replica = replica;
        this.openFuture = openFuture;
        this.stallLogger = stallLogger;
    }

    JournalId journal() {
        return journal;
    }

    JournalReplica replica() {
        return replica;
    }

    CompletableFuture<Void> openFuture() {
        return openFuture;
    }

    void markKept() {
        kept = true;
    }

    boolean isUnknown() {
        return !kept && !replica.isFormatted();
    }

    /** Called under the monitor of {@link HostedReplicas}, like {@link #sessionEnded} and {@link #isUnused}. */
    void sessionBegan() {
        sessions++;
    }

    void sessionEnded() {
        sessions--;
    }

    /** Whether the replica was only named by callers, and none of them still uses it. */
    boolean isUnused() {
        return isUnknown() && sessions == 0 && openFuture.isDone();
    }

    /** Whether the caller should report the replica to the observer now; true only once. */
    boolean claimFirstReport() {
        return !isUnknown() && shown.compareAndSet(false, true);
    }

    /** Reports a hanging disk. */
    void checkDisk() {
        stallLogger.check(replica.diskStallTime());
    }

    /** Waits for the full timeout only once: later callers learn at once that it is not open. */
    void awaitOpened() {
        if (tooLate || openFuture.isDone()) {
            return;
        }
        try {
            openFuture.get(OPENING_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException e) {
            tooLate = true;
            LOG.warn(
                    "A replica could not be opened in time, as its disk does not respond: timeoutMillis={}; "
                            + "do: check that disk",
                    OPENING_TIMEOUT.toMillis());
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }
}
