/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer.term;

import io.trefoil.journal.writer.WriterTrace;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Tracks how far a term has come: the last entries that are ready, committed and acknowledged. Any thread may read it,
 * wait for it, or be notified. Only the effects of a step write it.
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
        trace.recordReady();
        ready = true;
        wakeAll();
    }

    /** Wakes no thread if the entry is still to be acknowledged: waiting threads are woken only once, for both. */
    public void recordCommitted(long sn) {
        trace.recordCommitted(sn);
        committedSn = sn;
        if (ackedSn >= sn) {
            wakeAll();
        }
    }

    public void recordAcknowledged(long sn) {
        trace.recordAcknowledged(sn);
        ackedSn = sn;
        wakeAll();
    }

    /** Wakes all waiting threads: their conditions may hold now, or will never hold. */
    public void wakeAll() {
        waiters.wakeAll();
    }

    public long committedSn() {
        return committedSn;
    }

    /** Sets the one watcher that {@link #notifyWatcher} notifies. */
    public void setAdvanceWatcher(Runnable newWatcher) {
        watcher = newWatcher;
    }

    /** Notifies the watcher that there may be news; called outside of any step. */
    public void notifyWatcher() {
        watcher.run();
    }

    /** Waits for the writer to be ready; an interrupt ends the wait. */
    public void awaitReady(Supplier<String> operation) throws IOException {
        waiters.awaitInterruptibly(() -> ready, operation);
    }

    public void awaitAcknowledged(long sn) throws IOException {
        waiters.await(() -> ackedSn >= sn, () -> "entry " + sn + " to be acknowledged");
    }

    /** Waits for both, since with some policies either may come first. */
    public void awaitAcknowledgedAndCommitted(long sn) throws IOException {
        waiters.await(() -> ackedSn >= sn && committedSn >= sn, () -> "entry " + sn + " to be committed");
    }

    /** Waits for a commit, the end of the term, or the timeout; returns whether the entry is committed. */
    public boolean awaitCommitted(long sn, Duration timeout) {
        waiters.await(() -> committedSn >= sn, timeout);
        return committedSn >= sn;
    }
}
