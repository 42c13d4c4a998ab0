/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer.term;

import io.trefoil.journal.writer.WriterTrace;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * How far a term has come: what is ready, committed and acknowledged. Any thread may read it, wait for it, or be
 * notified. Only the effects of a step write it.
 */
public final class TermProgress {
    private final CommitWaiters waiters;
    private final WriterTrace trace;

    private volatile long committedSn;
    private volatile long ackedSn;
    private volatile boolean ready;
    private volatile Runnable watcher = () -> {};

    public TermProgress(CommitWaiters waiters, WriterTrace trace) {
        this.waiters = waiters;
        this.trace = trace;
    }

    public void recordReady() {
        trace.ready();
        ready = true;
        wakeAll();
    }

    /** Wakes no thread if the entry is still to be acknowledged: waiting threads are woken only once, for both. */
    public void committed(long sn) {
        trace.committed(sn);
        committedSn = sn;
        if (ackedSn >= sn) {
            wakeAll();
        }
    }

    public void acknowledged(long sn) {
        trace.acknowledged(sn);
        ackedSn = sn;
        wakeAll();
    }

    /** Wakes all waiting threads: what they wait for may be there, or will never come. */
    public void wakeAll() {
        waiters.wakeAll();
    }

    public long committedSn() {
        return committedSn;
    }

    /** Sets the one watcher that {@link #advanced} notifies. */
    public void onAdvance(Runnable newWatcher) {
        watcher = newWatcher;
    }

    /** Notifies the watcher that more may be known; outside of any step. */
    public void advanced() {
        watcher.run();
    }

    /** Waits for the writer to be ready; an interrupt ends the wait. */
    public void awaitReady(Supplier<String> what) throws IOException {
        waiters.awaitInterruptibly(() -> ready, what);
    }

    public void awaitAcknowledged(long sn) throws IOException {
        waiters.await(() -> ackedSn >= sn, () -> "entry " + sn + " to be acknowledged");
    }

    /** Waits for both, since with some policies either may come first. */
    public void awaitAcknowledgedAndCommitted(long sn) throws IOException {
        waiters.await(() -> ackedSn >= sn && committedSn >= sn, () -> "entry " + sn + " to be committed");
    }

    /** Waits for a commit, the end of the term, or the end of patience; returns whether the entry is committed. */
    public boolean awaitCommitted(long sn, Duration patience) {
        waiters.await(() -> committedSn >= sn, patience);
        return committedSn >= sn;
    }
}
