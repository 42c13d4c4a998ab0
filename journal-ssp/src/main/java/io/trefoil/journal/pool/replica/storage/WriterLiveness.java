/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica.storage;

import com.google.auto.value.AutoValue;
import java.time.Duration;
import java.util.Optional;

/**
 * The times at which a replica last heard from its writer, and was last caught up with it: it had committed everything
 * known to the writer to be committed. By the nanoseconds of any monotonic clock; updated by one thread at a time, read by
 * any.
 */
public final class WriterLiveness {

    private static final long NEVER = Long.MIN_VALUE;

    private volatile long heardNanos = NEVER;
    private volatile CaughtUpTime caughtUp = CaughtUpTime.NEVER;

    /** Records that the replica heard from the writer that it obeys. */
    public void recordContact(long nowNanos, boolean isCaughtUp) {
        heardNanos = nowNanos;
        caughtUp = isCaughtUp ? CaughtUpTime.at(nowNanos) : CaughtUpTime.NEVER;
    }

    /**
     * Notes that the replica obeys another writer now, or that its storage was replaced: it is not caught up until it
     * hears from its writer.
     */
    public void forgetCaughtUp() {
        caughtUp = CaughtUpTime.NEVER;
    }

    /** The time at which a writer was last heard from; empty if never since the start. */
    public Optional<Long> lastContactNanos() {
        long heard = heardNanos;
        return heard == NEVER ? Optional.<Long>empty() : Optional.of(heard);
    }

    public CaughtUpTime caughtUp() {
        return caughtUp;
    }

    /** The time at which a replica was last caught up with its writer. Immutable. */
    @AutoValue
    public abstract static class CaughtUpTime {

        static final CaughtUpTime NEVER = new AutoValue_WriterLiveness_CaughtUpTime(Optional.<Long>empty());

        static CaughtUpTime at(long nanos) {
            return new AutoValue_WriterLiveness_CaughtUpTime(Optional.of(nanos));
        }

        abstract Optional<Long> nanos();

        public final boolean isWithin(long nowNanos, Duration maxSilence) {
            return nanos().isPresent() && nowNanos - nanos().get() < maxSilence.toNanos();
        }
    }
}
