/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A periodic task whose first run comes after a random part of the period. Thread-safe. */
public final class JitteredSchedule {
    private final long periodNanos;
    private final AtomicLong at;

    /** @param periodNanos at least 10 */
    public JitteredSchedule(long periodNanos) {
        this.periodNanos = periodNanos;
        this.at =
                new AtomicLong(System.nanoTime() + ThreadLocalRandom.current().nextLong(periodNanos / 10, periodNanos));
    }

    long periodNanos() {
        return periodNanos;
    }

    /** Whether the task is due; a caller that gets true must run it. */
    public boolean isDue() {
        long due = at.get();
        long now = System.nanoTime();
        return now - due >= 0 && at.compareAndSet(due, now + periodNanos);
    }
}
