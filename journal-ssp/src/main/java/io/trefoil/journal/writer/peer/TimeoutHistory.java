/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer.peer;

import com.google.auto.value.AutoValue;
import java.util.Optional;

/**
 * How often one node was dropped from the in-sync set because it did not acknowledge in time, and whether it has been
 * in time since (protocol page, "Slow is not dead"). After the first timeout the node is in sync again as soon as it has
 * everything. After each further one it must answer in time for longer; until then it is sent one request after the
 * other and counts for commitment as before. Immutable; times are by the writer's monotonic clock, in nanoseconds.
 */
@AutoValue
public abstract class TimeoutHistory {

    private static final long NANOS_PER_MILLI = 1_000_000L;

    static final TimeoutHistory NONE =
            new AutoValue_TimeoutHistory(0, 0, false, Optional.<Long>empty(), Optional.<Long>empty());

    /** A node's timeouts are forgotten if its next one comes more than this many ack timeouts after it was put in sync. */
    private static final long FORGOTTEN_TIMEOUTS = 60;

    /** The longest time for which a node must prove itself, in ack timeouts; so it causes about one timeout in this time. */
    private static final long MAX_PROOF_TIMEOUTS = 32;

    /** All timeouts since the writer began. */
    public abstract int total();

    /** The timeouts that are not forgotten. */
    public abstract int recent();

    /** Whether the node has not been in sync since the newest timeout. */
    public abstract boolean isOutOfSyncSinceTimeout();

    /** The time at which the node was last put in sync. */
    abstract Optional<Long> inSyncNanos();

    /** The time since which the node has answered everything in time; empty while it does not. */
    abstract Optional<Long> steadyNanos();

    /** The node did not acknowledge in time. */
    public final TimeoutHistory another(long nowNanos, long ackTimeoutMillis) {
        boolean forgotten = inSyncNanos().isPresent()
                && nowNanos - inSyncNanos().get() > FORGOTTEN_TIMEOUTS * nanos(ackTimeoutMillis);
        return new AutoValue_TimeoutHistory(
                total() + 1, forgotten ? 1 : recent() + 1, true, inSyncNanos(), Optional.<Long>empty());
    }

    /** The node answered a request that was sent at {@code sentNanos}. */
    public final TimeoutHistory answered(long sentNanos, long nowNanos, long ackTimeoutMillis) {
        boolean inTime = nowNanos - sentNanos <= nanos(ackTimeoutMillis) / 2;
        if (!inTime) {
            return withSteady(Optional.<Long>empty());
        }
        return steadyNanos().isPresent() ? this : withSteady(Optional.of(nowNanos));
    }

    public final TimeoutHistory inSync(long nowNanos) {
        return new AutoValue_TimeoutHistory(total(), recent(), false, Optional.of(nowNanos), steadyNanos());
    }

    /** Whether the node may be in sync again. */
    public final boolean isProven(long nowNanos, long ackTimeoutMillis) {
        if (recent() <= 1) {
            return true;
        }
        long timeouts = Math.min(MAX_PROOF_TIMEOUTS, 1L << Math.min(recent() - 2, 30));
        return steadyNanos().isPresent() && nowNanos - steadyNanos().get() > timeouts * nanos(ackTimeoutMillis);
    }

    private TimeoutHistory withSteady(Optional<Long> steady) {
        return new AutoValue_TimeoutHistory(total(), recent(), isOutOfSyncSinceTimeout(), inSyncNanos(), steady);
    }

    private static long nanos(long millis) {
        return millis * NANOS_PER_MILLI;
    }
}
