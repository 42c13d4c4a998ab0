/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.metrics;

import java.util.function.LongConsumer;

/**
 * Measures how long a following NameNode takes from learning that a transaction is committed until it has applied it.
 *
 * <p>Records when the NameNode learned of each transaction that is not yet applied. If there is no room for all,
 * neighbours are merged and count from the older one, so the reported lag is never too small.
 *
 * <p>Thread-safe: the thread that learns of commits and the one that tails share it.
 */
public final class TailLagMeter {

    private static final int ROOM = 4096;

    private final long[] txIds = new long[ROOM];
    private final long[] nanos = new long[ROOM];
    /** Index of the oldest transaction that is not applied; the others follow in this ring buffer. */
    private int first;

    private int size;
    private long knownTxId;
    private boolean following;

    /** Stops following: this NameNode wrote the committed transactions itself, or is not running. */
    public synchronized void pauseTracking() {
        following = false;
        size = 0;
    }

    /** Begins or continues to follow: committed transactions above {@code appliedTxId} have to be applied here. */
    public synchronized void startFollowing(long appliedTxId) {
        if (!following) {
            following = true;
            knownTxId = appliedTxId;
        }
    }

    /** Takes note that everything up to {@code txId} is committed. */
    public synchronized void recordCommitted(long txId, long nowNanos) {
        if (!following || txId <= knownTxId) {
            return;
        }
        knownTxId = txId;
        if (size == ROOM) {
            dropSurplusSamples();
        }
        int last = (first + size) % ROOM;
        txIds[last] = txId;
        nanos[last] = nowNanos;
        size++;
    }

    private void dropSurplusSamples() {
        long[] keptTxIds = new long[ROOM / 2];
        long[] keptNanos = new long[ROOM / 2];
        for (int i = 0; i < ROOM / 2; i++) {
            keptNanos[i] = nanos[(first + 2 * i) % ROOM];
            keptTxIds[i] = txIds[(first + 2 * i + 1) % ROOM];
        }
        System.arraycopy(keptTxIds, 0, txIds, 0, ROOM / 2);
        System.arraycopy(keptNanos, 0, nanos, 0, ROOM / 2);
        first = 0;
        size = ROOM / 2;
    }

    /**
     * Takes note that everything up to {@code txId} is applied.
     *
     * @param lags gets the nanoseconds that passed for each transaction that was not applied before
     */
    public synchronized void recordApplied(long txId, long nowNanos, LongConsumer lags) {
        while (size > 0 && txIds[first] <= txId) {
            lags.accept(nowNanos - nanos[first]);
            first = (first + 1) % ROOM;
            size--;
        }
    }

    /**
     * Returns how long ago the NameNode learned of the oldest transaction that it has not applied; 0 if there is none.
     */
    public synchronized long nanosBehind(long nowNanos) {
        return size == 0 ? 0 : nowNanos - nanos[first];
    }
}
