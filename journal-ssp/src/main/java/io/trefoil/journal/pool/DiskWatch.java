/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * For how long a disk owes an answer: what is under way on it, and since when. By the nanoseconds of a monotonic clock.
 * Thread-safe, and waits for nothing.
 */
final class DiskWatch {

    private final LongSupplier nanoTime;
    private final Set<Operation> underWay = ConcurrentHashMap.newKeySet();

    DiskWatch(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Something begins that may have to wait for the disk. */
    Operation begin() {
        Operation begun = new Operation(nanoTime.getAsLong());
        underWay.add(begun);
        return begun;
    }

    void end(Operation operation) {
        underWay.remove(operation);
    }

    /** How long the oldest thing that is under way has taken; zero if there is none. */
    Duration silent() {
        long now = nanoTime.getAsLong();
        long longest = 0;
        for (Operation operation : underWay) {
            longest = Math.max(longest, now - operation.begunNanos);
        }
        return Duration.ofNanos(longest);
    }

    /** One thing under way; the same only as itself. */
    static final class Operation {
        private final long begunNanos;

        private Operation(long begunNanos) {
            this.begunNanos = begunNanos;
        }

        long begunNanos() {
            return begunNanos;
        }
    }
}
