/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogCompleteness;
import java.time.Duration;
import java.util.Optional;

/** The state of one node's replica of a journal at one moment, for monitoring. Immutable. */
@AutoValue
public abstract class ReplicaStatus {

    static Builder builder() {
        return new AutoValue_ReplicaStatus.Builder()
                .promisedEpoch(Epoch.NONE)
                .completeness(LogCompleteness.COMPLETE)
                .firstSn(0)
                .lastSn(0)
                .lastTxId(0)
                .committedSn(0)
                .committedTxId(0)
                .diskStallTime(Duration.ZERO);
    }

    /** Whether the replica has storage, usable or not. */
    public abstract boolean formatted();

    /** Returns why the replica is unusable at present; empty if it can. */
    public abstract String failureReason();

    public abstract Epoch promisedEpoch();

    public abstract LogCompleteness completeness();

    /** The oldest entry kept. */
    public abstract long firstSn();

    public abstract long lastSn();

    public abstract long lastTxId();

    public abstract long committedSn();

    public abstract long committedTxId();

    /** Returns how long the disk has not answered a pending call; zero if none is pending. */
    public abstract Duration diskStallTime();

    /** Returns the time since a writer was last heard from; empty if none was since the start. */
    public abstract Optional<Duration> timeSinceWriterContact();

    @AutoValue.Builder
    abstract static class Builder {

        abstract Builder formatted(boolean formatted);

        abstract Builder failureReason(String failureReason);

        abstract Builder promisedEpoch(Epoch promisedEpoch);

        abstract Builder completeness(LogCompleteness completeness);

        abstract Builder firstSn(long firstSn);

        abstract Builder lastSn(long lastSn);

        abstract Builder lastTxId(long lastTxId);

        abstract Builder committedSn(long committedSn);

        abstract Builder committedTxId(long committedTxId);

        abstract Builder diskStallTime(Duration diskStallTime);

        abstract Builder timeSinceWriterContact(Duration timeSinceWriterContact);

        abstract ReplicaStatus build();
    }
}
