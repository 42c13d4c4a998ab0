/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.model;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Epoch;
import java.util.Optional;

/**
 * A change of the active, with the time of every step of its takeover (paper, figure 5). Times are in nanoseconds, by the
 * monotonic clock of the member that took over. Immutable.
 */
@AutoValue
public abstract class Failover {

    /** Begins a record with the event that made a member consider a takeover. */
    public static Failover begin(Optional<String> from, String to, String cause, long detectedNanos) {
        return new AutoValue_Failover.Builder()
                .from(from)
                .to(to)
                .cause(cause)
                .ballot(Ballot.NONE)
                .epoch(Epoch.NONE)
                .detectedNanos(detectedNanos)
                .lockedNanos(detectedNanos)
                .promisedNanos(detectedNanos)
                .activatedNanos(detectedNanos)
                .build();
    }

    /** The previous holder of the lock; empty if there was none. */
    public abstract Optional<String> from();

    public abstract String to();

    public abstract String cause();

    public abstract Ballot ballot();

    public abstract Epoch epoch();

    /** The time at which a member saw a majority of the pool consider no writer alive, or at which a request arrived. */
    public abstract long detectedNanos();

    /** The time at which the member got the lock. */
    public abstract long lockedNanos();

    /** The time at which a majority had promised the epoch, and everything before it was committed. */
    public abstract long promisedNanos();

    /** The time at which HDFS became active. */
    public abstract long activatedNanos();

    public final Failover withLock(Ballot ballot, long nanos) {
        return toBuilder()
                .ballot(ballot)
                .lockedNanos(nanos)
                .promisedNanos(nanos)
                .activatedNanos(nanos)
                .build();
    }

    public final Failover withPromise(Epoch epoch, long nanos) {
        return toBuilder()
                .epoch(epoch)
                .promisedNanos(nanos)
                .activatedNanos(nanos)
                .build();
    }

    public final Failover withActivation(long nanos) {
        return toBuilder().activatedNanos(nanos).build();
    }

    /** A copy with another cause. */
    public final Failover withCause(String cause) {
        return toBuilder().cause(cause).build();
    }

    /** A copy with more text appended to its cause. */
    public final Failover withAppendedCause(String more) {
        return toBuilder().cause(cause() + more).build();
    }

    abstract Builder toBuilder();

    @AutoValue.Builder
    abstract static class Builder {

        abstract Builder from(Optional<String> from);

        abstract Builder to(String to);

        abstract Builder cause(String cause);

        abstract Builder ballot(Ballot ballot);

        abstract Builder epoch(Epoch epoch);

        abstract Builder detectedNanos(long nanos);

        abstract Builder lockedNanos(long nanos);

        abstract Builder promisedNanos(long nanos);

        abstract Builder activatedNanos(long nanos);

        abstract Failover build();
    }
}
