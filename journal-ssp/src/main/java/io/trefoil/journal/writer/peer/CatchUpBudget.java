/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer.peer;

import com.google.auto.value.AutoValue;
import java.util.Optional;

/**
 * Decides when lagging nodes may be sent the next part of what they lack, without delaying commits (protocol page,
 * "Catching up"). Together they get a fixed number of bytes per second, plus twice as many as are written, without which
 * a lagging node might never catch up. While commits are slow they must wait, but not for ever. Immutable; times are by
 * the writer's monotonic clock, in nanoseconds.
 */
@AutoValue
public abstract class CatchUpBudget {

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    /**
     * The maximum credit that is saved up: sending a part and receiving its answer takes less time than it represents, and timers fire
     * every 10 ms.
     */
    private static final long BURST_NANOS = 20_000_000L;

    /** The largest debt; any excess is forgiven, because it comes from parts that had to be sent at once. */
    private static final long DEBT_NANOS = NANOS_PER_SECOND;

    /** A commit that takes longer than this counts as slow. */
    private static final long SLOW_COMMIT_NANOS = 10_000_000L;

    /** The delay after which the next part is due, however slow commits are: a disk may always be that slow. */
    private static final long MAX_YIELD_NANOS = 100_000_000L;

    public static CatchUpBudget begin(long bytesPerSecond, long nowNanos) {
        return new AutoValue_CatchUpBudget(bytesPerSecond, 0, nowNanos, nowNanos, Optional.<Long>empty());
    }

    /** The limit; 0 if there is none. */
    abstract long bytesPerSecond();

    /** The bytes that may be sent; negative after a part that was larger than the credit. */
    abstract long creditBytes();

    abstract long creditedNanos();

    abstract long lastPartNanos();

    /** The time since which nothing was committed although entries are waiting for it; empty if none is waiting. */
    public abstract Optional<Long> uncommittedNanos();

    public final CatchUpBudget withAppended(long payloadBytes, long nowNanos) {
        Optional<Long> since = uncommittedNanos().isPresent() ? uncommittedNanos() : Optional.of(nowNanos);
        long credit = Math.min(creditBytes() + 2 * payloadBytes, bytesWithin(BURST_NANOS));
        return new AutoValue_CatchUpBudget(bytesPerSecond(), credit, creditedNanos(), lastPartNanos(), since);
    }

    public final CatchUpBudget withCommitted(boolean isAllCommitted, long nowNanos) {
        Optional<Long> since = isAllCommitted ? Optional.<Long>empty() : Optional.of(nowNanos);
        return new AutoValue_CatchUpBudget(bytesPerSecond(), creditBytes(), creditedNanos(), lastPartNanos(), since);
    }

    public final CatchUpBudget withSent(long payloadBytes, long nowNanos) {
        long credit = Math.max(creditAt(nowNanos) - payloadBytes, -bytesWithin(DEBT_NANOS));
        return new AutoValue_CatchUpBudget(bytesPerSecond(), credit, nowNanos, nowNanos, uncommittedNanos());
    }

    public final boolean allows(long nowNanos) {
        if (bytesPerSecond() == 0) {
            return true;
        }
        boolean yields = uncommittedNanos().isPresent()
                && nowNanos - uncommittedNanos().get() > SLOW_COMMIT_NANOS
                && nowNanos - lastPartNanos() < MAX_YIELD_NANOS;
        return !yields && creditAt(nowNanos) >= 0;
    }

    private long creditAt(long nowNanos) {
        // However long the pause, no more than the debt and a burst counts, so nothing here overflows.
        long passedNanos = Math.min(Math.max(0, nowNanos - creditedNanos()), DEBT_NANOS + BURST_NANOS);
        return Math.min(creditBytes() + bytesWithin(passedNanos), bytesWithin(BURST_NANOS));
    }

    private long bytesWithin(long nanos) {
        return (long) ((double) bytesPerSecond() * nanos / NANOS_PER_SECOND);
    }
}
