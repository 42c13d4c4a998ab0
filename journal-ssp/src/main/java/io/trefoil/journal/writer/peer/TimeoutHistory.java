/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer.peer;

import com.google.auto.value.AutoValue;
import java.util.Optional;

/**
 * Measures how often one node was dropped from the in-sync set because it did not acknowledge in time, and whether it has answered in time
 * since (protocol page, "Slow is not dead"). After the first timeout the node is in sync again as soon as it has everything. After each
 * further one it must answer in time for longer; until then it is sent one request after the other and counts for commitment as before.
 * Immutable; times are by the writer's monotonic clock, in nanoseconds.
 */
@AutoValue
public abstract class TimeoutHistory {

    private static final long NANOS_PER_MILLI = 1_000_000L;

    static final TimeoutHistory NONE =
            new AutoValue_TimeoutHistory(0, 0, false, Optional.<Long>empty(), Optional.<Long>empty());

    /** The time, in ack timeouts since a node was last put in sync, after which its earlier timeouts no longer count. */
    private static final long FORGOTTEN_TIMEOUTS = 60;

    /** The longest time, in ack timeouts, for which a node must prove that it keeps up; thus it causes about one timeout in this time. */
    private static final long MAX_PROOF_TIMEOUTS = 32;

    /** All timeouts since the writer began. */
    public abstract int totalCount();

    /** The timeouts that still count. */
    public abstract int recentCount();

    /** Whether the node has not been in sync since the newest timeout. */
    public abstract boolean isOutOfSyncSinceTimeout();

    /** The time at which the node was last put in sync. */
    abstract Optional<Long> inSyncNanos();

    /** The time since which the node has answered everything in time; empty while it does not. */
    abstract Optional<Long> steadyNanos();

    /** The node did not acknowledge in time. */
    public final TimeoutHistory withTimeout(long nowNanos, long ackTimeoutMillis) {
        boolean forgotten = inSyncNanos().isPresent()
                && nowNanos - inSyncNanos().get() > FORGOTTEN_TIMEOUTS * toNanos(ackTimeoutMillis);
        return new AutoValue_TimeoutHistory(
                totalCount() + 1, forgotten ? 1 : recentCount() + 1, true, inSyncNanos(), Optional.<Long>empty());
    }

    /** The node answered a request that was sent at {@code sentNanos}. */
    public final TimeoutHistory withAnswer(long sentNanos, long nowNanos, long ackTimeoutMillis) {
        boolean inTime = nowNanos - sentNanos <= toNanos(ackTimeoutMillis) / 2;
        if (!inTime) {
            return withSteady(Optional.<Long>empty());
        }
        return steadyNanos().isPresent() ? this : withSteady(Optional.of(nowNanos));
    }

    public final TimeoutHistory withInSync(long nowNanos) {
        return new AutoValue_TimeoutHistory(totalCount(), recentCount(), false, Optional.of(nowNanos), steadyNanos());
    }

    /** Whether the node may be in sync again. */
    public final boolean isProven(long nowNanos, long ackTimeoutMillis) {
        if (recentCount() <= 1) {
            return true;
        }
        long timeouts = Math.min(MAX_PROOF_TIMEOUTS, 1L << Math.min(recentCount() - 2, 30));
        return steadyNanos().isPresent() && nowNanos - steadyNanos().get() > timeouts * toNanos(ackTimeoutMillis);
    }

    private TimeoutHistory withSteady(Optional<Long> steady) {
        return new AutoValue_TimeoutHistory(
                totalCount(), recentCount(), isOutOfSyncSinceTimeout(), inSyncNanos(), steady);
    }

    private static long toNanos(long millis) {
        return millis * NANOS_PER_MILLI;
    }
}
