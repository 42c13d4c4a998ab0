/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.tailing;

import io.trefoil.journal.hdfs.config.NameNodeSettings;
import io.trefoil.journal.hdfs.metrics.TailLagMeter;
import io.trefoil.journal.pool.Journal;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BooleanSupplier;

/**
 * Keeps the tailing and the writing of one NameNode apart.
 *
 * <p>Before it becomes active, HDFS waits for its own tailer to end, but it does not know {@code SspTailingPlugin}'s
 * thread. If that thread were paused between checking the NameNode's state and tailing, it could apply to an active's
 * namespace what this active had written itself. So a new writer first shuts this gate, and is then alone.
 *
 * <p>It also passes on what the tailing knows about the NameNode, to code that has no NameNode or does not know about
 * tailing.
 *
 * <p>Thread-safe: the thread that tails and the one that changes the role meet here, and nowhere else.
 */
public final class TailingGate {

    private static final ConcurrentMap<String, TailingGate> GATES = new ConcurrentHashMap<>();

    private final TailLagMeter lag = new TailLagMeter();
    private volatile BooleanSupplier owesRollbackImage = () -> false;
    private volatile EditsObserver watcher = EditsObserver.NOBODY;
    private volatile boolean following;
    private volatile Optional<UnappliedEditFinder.StopPoint> left = Optional.empty();
    private boolean shut;
    private Thread tailing;

    /** Returns the gate of one NameNode of this process; only tests have several NameNodes in a process. */
    public static TailingGate of(NameNodeSettings settings) {
        return GATES.computeIfAbsent(settings.owner() + "/" + settings.journal(), name -> new TailingGate());
    }

    /** Sets how to find out whether the NameNode is about to make the rollback image of a rolling upgrade. */
    public void setRollbackImagePending(BooleanSupplier isPending) {
        owesRollbackImage = isPending;
    }

    /** Whether the NameNode must not apply a part of a segment now; always false without the tailing plugin, which would know. */
    public boolean isRollbackImagePending() {
        return owesRollbackImage.getAsBoolean();
    }

    /** Sets the watcher of the edits of streams that are made from now on. There is one at a time. */
    public void watchEdits(EditsObserver newWatcher) {
        watcher = newWatcher;
    }

    public EditsObserver watcher() {
        return watcher;
    }

    /** The watcher of the edits of a stream that is made now. */
    public EditsObserver watcherOf(Journal journal) {
        return new UnappliedEditFinder(watcher, journal, this);
    }

    /** The NameNode has started, and applies edits as they are committed. */
    void startFollowing() {
        following = true;
    }

    boolean isFollowing() {
        return following;
    }

    /** Sets the edit at which HDFS stopped reading the latest stream, if there is one. */
    void setStoppedAt(Optional<UnappliedEditFinder.StopPoint> edit) {
        left = edit;
    }

    Optional<UnappliedEditFinder.StopPoint> stoppedAt() {
        return left;
    }

    /** Returns how long this NameNode takes to apply what is committed; 0 without the tailing plugin. */
    public TailLagMeter lag() {
        return lag;
    }

    /** Enters the gate to tail unless this NameNode writes or another thread is inside; a thread that entered must {@link #leave}. */
    public synchronized boolean tryEnter() {
        if (shut || tailing != null) {
            return false;
        }
        tailing = Thread.currentThread();
        return true;
    }

    /** Whether the calling thread is inside the gate. */
    public synchronized boolean isHeldByCurrentThread() {
        return tailing == Thread.currentThread();
    }

    public synchronized void leave() {
        tailing = null;
        // Clears an interrupt by shut(), which cannot interrupt any longer: it was not meant for what this thread does
        // next.
        Thread.interrupted();
        notifyAll();
    }

    /**
     * Shuts the gate: interrupts the thread inside and waits until it has left. That thread may be waiting for a lock
     * that the caller holds, and an interrupt ends each of its waits.
     */
    public synchronized void closeAndAwaitExit() throws InterruptedIOException {
        shut = true;
        try {
            while (tailing != null) {
                tailing.interrupt();
                wait();
            }
        } catch (InterruptedException e) {
            shut = false;
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while the tailing of edits was being stopped");
        }
    }

    public synchronized void open() {
        shut = false;
    }
}
