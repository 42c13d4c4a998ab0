/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer.peer;

import com.google.auto.value.AutoValue;
import java.util.Optional;

/**
 * When nodes that are not in sync may be sent the next part of what they lack, without delaying commits (protocol page,
 * "Catching up"). Together they get a fixed number of bytes per second, plus twice as many as are written, or a
 * lagging node would never catch up. While commits are slow they have to wait, but not for ever. Immutable; times are
 * by the writer's monotonic clock, in nanoseconds.
 */
@AutoValue
public abstract class CatchUpBudget {

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    /** No more than this is saved up: a part and its answer take less, and timers come every 10 ms. */
    private static final long BURST_NANOS = 20_000_000L;

    /** A larger debt is forgiven: what had to be sent at once was paid for when it was sent. */
    private static final long DEBT_NANOS = NANOS_PER_SECOND;

    /** A commit that takes longer than this is not an ordinary one. */
    private static final long SLOW_COMMIT_NANOS = 10_000_000L;

    /** However slow commits are, a part is due again after this: a disk may be as slow as that every time. */
    private static final long LONGEST_YIELD_NANOS = 100_000_000L;

    public static CatchUpBudget begin(long bytesPerSecond, long nowNanos) {
        return new AutoValue_CatchUpBudget(bytesPerSecond, 0, nowNanos, nowNanos, Optional.<Long>empty());
    }

    /** 0 if there is no limit. */
    abstract long bytesPerSecond();

    /** What may be sent; below 0 after a part that was larger. */
    abstract long creditBytes();

    abstract long creditedNanos();

    abstract long lastPartNanos();

    /** Since when nothing was committed though there is something to be; empty if there is nothing. */
    public abstract Optional<Long> uncommittedNanos();

    public final CatchUpBudget appended(long payloadBytes, long nowNanos) {
        Optional<Long> since = uncommittedNanos().isPresent() ? uncommittedNanos() : Optional.of(nowNanos);
        long credit = Math.min(creditBytes() + 2 * payloadBytes, bytesWithin(BURST_NANOS));
        return new AutoValue_CatchUpBudget(bytesPerSecond(), credit, creditedNanos(), lastPartNanos(), since);
    }

    public final CatchUpBudget committed(boolean everything, long nowNanos) {
        Optional<Long> since = everything ? Optional.<Long>empty() : Optional.of(nowNanos);
        return new AutoValue_CatchUpBudget(bytesPerSecond(), creditBytes(), creditedNanos(), lastPartNanos(), since);
    }

    public final CatchUpBudget sent(long payloadBytes, long nowNanos) {
        long credit = Math.max(creditAt(nowNanos) - payloadBytes, -bytesWithin(DEBT_NANOS));
        return new AutoValue_CatchUpBudget(bytesPerSecond(), credit, nowNanos, nowNanos, uncommittedNanos());
    }

    public final boolean allows(long nowNanos) {
        if (bytesPerSecond() == 0) {
            return true;
        }
        boolean yields = uncommittedNanos().isPresent()
                && nowNanos - uncommittedNanos().get() > SLOW_COMMIT_NANOS
                && nowNanos - lastPartNanos() < LONGEST_YIELD_NANOS;
        return !yields && creditAt(nowNanos) >= 0;
    }

    private long creditAt(long nowNanos) {
        // No more than fits into a burst counts, whatever the pause: nothing here overflows.
        long passedNanos = Math.min(Math.max(0, nowNanos - creditedNanos()), DEBT_NANOS + BURST_NANOS);
        return Math.min(creditBytes() + bytesWithin(passedNanos), bytesWithin(BURST_NANOS));
    }

    private long bytesWithin(long nanos) {
        return (long) ((double) bytesPerSecond() * nanos / NANOS_PER_SECOND);
    }
}
