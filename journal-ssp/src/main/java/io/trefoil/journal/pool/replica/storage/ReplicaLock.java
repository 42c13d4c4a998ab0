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
 * Serializes changes of a replica: one caller at a time, which may have to wait for the disk meanwhile. Questions
 * and reads take no turn.
 */
public final class ReplicaLock {

    private final ReplicaStorage replica;
    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();
    /** The time at which the holder began to work; empty if there is no holder. */
    private volatile Optional<Long> sinceNanos = Optional.empty();

    private volatile Runnable leaseFreed = () -> {};
    /**
     * Whether a lease ended in the current turn, so that the watcher is notified once that is visible. Changed only
     * during a turn.
     */
    private boolean freesLease;

    public ReplicaLock(ReplicaStorage replica, LongSupplier nanoTime) {
        this.replica = replica;
        this.nanoTime = nanoTime;
    }

    /** Waits for a turn, changes the replica, and publishes the result. */
    public <T> T callInTurn(Supplier<T> task) {
        lock.lock();
        sinceNanos = Optional.of(nanoTime.getAsLong());
        try {
            return task.get();
        } finally {
            try {
                replica.publish();
            } finally {
                // Even if publishing runs out of memory: otherwise no thread would ever get the turn again.
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

    /** Does work without a result in a turn. */
    public void runInTurn(Runnable task) {
        callInTurn(() -> {
            task.run();
            return null;
        });
    }

    /**
     * Does quick work if the turn is free; the work must publish its own changes.
     *
     * @return empty if another caller has the turn: nothing was done
     */
    public <T> Optional<T> runIfFree(Supplier<T> task) {
        if (!lock.tryLock()) {
            return Optional.empty();
        }
        try {
            return Optional.of(task.get());
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

    /** The time at which the current turn began; empty if no caller has the turn. For any thread. */
    public Optional<Long> heldSinceNanos() {
        return sinceNanos;
    }

    /** Notes, within a turn, that a step may have ended a writer's lease. */
    public void recordPossibleLeaseEnd(ReplicaState before) {
        long nowNanos = nanoTime.getAsLong();
        freesLease |= before.lease().remainingMillis(nowNanos) > 0
                && replica.state().lease().remainingMillis(nowNanos) == 0;
    }

    /** Notifies the watcher; may be called within a turn or outside of one. */
    public void notifyLeaseFreed() {
        leaseFreed.run();
    }

    /** Sets the callback for when a writer's lease ends early; it must not block. */
    public void setLeaseFreedWatcher(Runnable watcher) {
        leaseFreed = watcher;
    }
}
