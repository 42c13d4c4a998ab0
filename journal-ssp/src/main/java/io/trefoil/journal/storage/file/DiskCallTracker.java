/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.file;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Tracks for how long a disk has not answered: which calls are pending, and since when. By the nanoseconds of a monotonic
 * clock. Thread-safe, and never blocks.
 */
public final class DiskCallTracker {

    private final LongSupplier nanoTime;
    private final Set<Call> underWay = ConcurrentHashMap.newKeySet();

    public DiskCallTracker(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Begins a call that may have to wait for the disk; closing it ends the call. */
    Call begin() {
        Call begun = new Call(nanoTime.getAsLong());
        underWay.add(begun);
        return begun;
    }

    /** Returns how long the oldest pending call has taken; zero if there is none. */
    public Duration stallTime() {
        long now = nanoTime.getAsLong();
        long longest = 0;
        for (Call call : underWay) {
            longest = Math.max(longest, now - call.begunNanos);
        }
        return Duration.ofNanos(longest);
    }

    /** A pending call; equal only to itself. */
    final class Call implements AutoCloseable {
        private final long begunNanos;

        private Call(long begunNanos) {
            this.begunNanos = begunNanos;
        }

        @Override
        public void close() {
            underWay.remove(this);
        }
    }
}
