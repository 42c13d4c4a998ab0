/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

import java.time.Duration;
import java.util.Optional;

/**
 * When a copy heard its writer last, and last was abreast of it: had committed all that the writer knew to be committed.
 * By the nanoseconds of any monotonic clock; told by one thread at a time, asked by any.
 */
final class WriterContact {

    private static final long NEVER = Long.MIN_VALUE;

    private volatile long heardNanos = NEVER;
    private volatile long abreastNanos = NEVER;

    /** The writer that the copy obeys spoke. */
    void heard(long nowNanos, boolean abreast) {
        heardNanos = nowNanos;
        abreastNanos = abreast ? nowNanos : NEVER;
    }

    /** The copy obeys another writer now, or is another copy: it is abreast of nobody until it hears him. */
    void notAbreast() {
        abreastNanos = NEVER;
    }

    /** Empty if never since the start. */
    Optional<Long> heardNanos() {
        long heard = heardNanos;
        return heard == NEVER ? Optional.<Long>empty() : Optional.of(heard);
    }

    boolean wasAbreast(long nowNanos, Duration within) {
        long since = abreastNanos;
        return since != NEVER && nowNanos - since < within.toNanos();
    }
}
