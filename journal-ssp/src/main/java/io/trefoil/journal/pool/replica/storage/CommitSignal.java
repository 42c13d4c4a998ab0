/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica.storage;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Shows readers of one replica how far they may read, and notifies them when that advances. Thread-safe. */
public final class CommitSignal {

    /** Is notified of new commits. Called by the thread that wrote them, so it must be quick. */
    public interface Listener {
        void onAdvanced();
    }

    /** The listeners, which are added and removed on threads other than the one that notifies them. */
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();

    private volatile long committedSn;
    private volatile long committedTxId;
    private boolean closed;

    public long committedSn() {
        return committedSn;
    }

    public long committedTxId() {
        return committedTxId;
    }

    /**
     * Waits until a transaction above {@code knownTxId} is committed, the time is up or the replica is closed.
     *
     * @return the highest committed transaction
     */
    public synchronized long awaitTxId(long knownTxId, long timeoutMillis) throws InterruptedException {
        long deadline = System.nanoTime() + timeoutMillis * 1_000_000L;
        while (committedTxId <= knownTxId && !closed) {
            long leftMillis = (deadline - System.nanoTime() + 999_999L) / 1_000_000L;
            if (leftMillis <= 0) {
                break;
            }
            wait(leftMillis);
        }
        return committedTxId;
    }

    public void add(Listener listener) {
        listeners.add(listener);
    }

    public void remove(Listener listener) {
        listeners.remove(listener);
    }

    void advance(long sn, long txId) {
        setCommitted(sn, txId);
        notifyListeners();
    }

    /** Sets how far readers may read now; the listeners are not notified before {@link #notifyListeners}. */
    synchronized void setCommitted(long sn, long txId) {
        committedTxId = txId;
        committedSn = sn;
        notifyAll();
    }

    void notifyListeners() {
        for (Listener listener : listeners) {
            listener.onAdvanced();
        }
    }

    /** Releases all waiting threads; later calls do not wait. */
    public synchronized void close() {
        closed = true;
        notifyAll();
    }
}
