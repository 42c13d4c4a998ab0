/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica.storage;

import io.trefoil.journal.replica.ReplicaState;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Whose turn it is to change a replica: one caller at a time, who may have to wait for the disk meanwhile. Nobody who only asks
 * or reads takes a turn.
 */
public final class ReplicaTurn {

    private final ReplicaStorage replica;
    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();
    /** Since when the holder works; empty if there is none. */
    private volatile Optional<Long> sinceNanos = Optional.empty();

    private volatile Runnable leaseFreed = () -> {};
    /**
     * Whether a lease ended in the current turn, so that the watcher is told once that is visible. Changed only during
     * a turn.
     */
    private boolean freesLease;

    public ReplicaTurn(ReplicaStorage replica, LongSupplier nanoTime) {
        this.replica = replica;
        this.nanoTime = nanoTime;
    }

    /** Waits for a turn, and changes the replica; it is shown as it is then. */
    public <T> T take(Supplier<T> work) {
        lock.lock();
        sinceNanos = Optional.of(nanoTime.getAsLong());
        try {
            return work.get();
        } finally {
            try {
                replica.publish();
            } finally {
                // Also without memory to publish: else nobody would ever have the turn again.
                boolean freed = freesLease;
                freesLease = false;
                sinceNanos = Optional.empty();
                lock.unlock();
                if (freed) {
                    leaseFreed.run();
                }
            }
        }
    }

    /** The same for work without a result. */
    public void run(Runnable work) {
        take(() -> {
            work.run();
            return null;
        });
    }

    /**
     * Does quick work if it is nobody's turn; what it changes it has to publish itself.
     *
     * @return empty if somebody has the turn: nothing was done
     */
    public <T> Optional<T> takeIfFree(Supplier<T> work) {
        if (!lock.tryLock()) {
            return Optional.empty();
        }
        try {
            return Optional.of(work.get());
        } finally {
            lock.unlock();
        }
    }

    /** The last turn: closes the storage for good. */
    public void close() throws IOException {
        lock.lock();
        try {
            replica.close();
        } finally {
            try {
                replica.publish();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Since when somebody changes the replica; empty if nobody does. For any thread. */
    public Optional<Long> sinceNanos() {
        return sinceNanos;
    }

    /** Within a turn: a step was taken after which the lease of a writer may be over. */
    public void mayFreeLease(ReplicaState before) {
        long nowNanos = nanoTime.getAsLong();
        freesLease |= before.lease().remainingMillis(nowNanos) > 0
                && replica.state().lease().remainingMillis(nowNanos) == 0;
    }

    /** Tells the watcher; within a turn or not. */
    public void leaseFreed() {
        leaseFreed.run();
    }

    /** Who hears that the lease of a writer ended before its time; it must wait for nothing. */
    public void onLeaseFreed(Runnable watcher) {
        leaseFreed = watcher;
    }
}
