/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer.term;

import java.io.IOException;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * How far a term has come: what is ready, committed and acknowledged, for any thread to read, to wait for, and to be told
 * of. Written by effects, under the writer's monitor.
 */
public final class TermProgress {
    private final Waiters waiters;

    private volatile long committedSn;
    private volatile long ackedSn;
    private volatile boolean ready;
    private volatile Runnable watcher = () -> {};

    public TermProgress(Waiters waiters) {
        this.waiters = waiters;
    }

    public void becameReady() {
        ready = true;
        wakeAll();
    }

    /** Wakes nobody: who waits is woken once, when it is acknowledged too. */
    public void committed(long sn) {
        committedSn = sn;
    }

    public void acknowledged(long sn) {
        ackedSn = sn;
        wakeAll();
    }

    /** What is waited for may be there, or never come. */
    public void wakeAll() {
        waiters.wakeAll();
    }

    public long committedSn() {
        return committedSn;
    }

    /** Who is told by {@link #advanced}; one at a time. */
    public void onAdvance(Runnable newWatcher) {
        watcher = newWatcher;
    }

    /** Tells that more may be known than before; without the monitor. */
    public void advanced() {
        watcher.run();
    }

    /** An interrupt ends it. */
    public void awaitReady(Supplier<String> what) throws IOException {
        waiters.awaitInterruptibly(() -> ready, what);
    }

    public void awaitAcknowledged(long sn) throws IOException {
        waiters.await(() -> ackedSn >= sn, () -> "entry " + sn + " to be acknowledged");
    }

    /** Both, since with some policies each may come first. */
    public void awaitAcknowledgedAndCommitted(long sn) throws IOException {
        waiters.await(() -> ackedSn >= sn && committedSn >= sn, () -> "entry " + sn + " to be committed");
    }

    /** Whether it is committed when this returns: then, at the end of the term, or when patience ends. */
    public boolean awaitCommitted(long sn, Duration patience) {
        waiters.await(() -> committedSn >= sn, patience);
        return committedSn >= sn;
    }
}
