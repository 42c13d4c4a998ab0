/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * How far one {@link Term} is committed, and who waits for more of it.
 *
 * <p>Locked: the thread that flushes and those that wait meet here. Nobody is told with the lock held.
 */
final class CommitWatch {
    private static final ConcurrentMap<String, AtomicReference<CommitWatch>> CURRENT = new ConcurrentHashMap<>();

    private final PriorityQueue<Waiting> waiting =
            new PriorityQueue<>(Comparator.comparingLong((Waiting one) -> one.txId));
    private volatile long committedTxId;
    private boolean over;

    private static final class Waiting {
        final long txId;
        final CompletableFuture<Void> told = new CompletableFuture<>();

        Waiting(long txId) {
            this.txId = txId;
        }
    }

    CommitWatch(long committedTxId) {
        this.committedTxId = committedTxId;
    }

    /** The one of the latest term of a NameNode of this process; of none at all until it first writes. */
    static AtomicReference<CommitWatch> current(SspSettings settings) {
        return CURRENT.computeIfAbsent(
                settings.owner() + "/" + settings.pool().journal(), name -> new AtomicReference<>(new CommitWatch(0)));
    }

    /** The last committed transaction. Takes no lock. */
    long committedTxId() {
        return committedTxId;
    }

    /**
     * Completes when the transaction is committed, at once if it is; with an {@link IOException} if the term ends before.
     * Whoever goes on with it does so in the thread that flushes, and must not wait there.
     */
    CompletableFuture<Void> commitOf(long txId) {
        Waiting one = new Waiting(txId);
        synchronized (this) {
            if (txId > committedTxId && !over) {
                waiting.add(one);
                return one.told;
            }
        }
        tell(one);
        return one.told;
    }

    /** What is committed now; less than before only where committed transactions became void. */
    void set(long txId) {
        List<Waiting> done = new ArrayList<>();
        synchronized (this) {
            committedTxId = txId;
            while (!waiting.isEmpty() && waiting.peek().txId <= txId) {
                done.add(waiting.poll());
            }
        }
        done.forEach(this::tell);
    }

    /** No more will be committed in this term. */
    void end() {
        List<Waiting> left;
        synchronized (this) {
            over = true;
            left = new ArrayList<>(waiting);
            waiting.clear();
        }
        left.forEach(this::tell);
    }

    private void tell(Waiting one) {
        if (one.txId <= committedTxId) {
            one.told.complete(null);
        } else {
            one.told.completeExceptionally(
                    new IOException("This NameNode stopped writing the journal behind transaction " + committedTxId
                            + ", and whether transaction " + one.txId + " will be in it is not known"));
        }
    }
}
