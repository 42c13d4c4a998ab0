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
                .promised(Epoch.NONE)
                .completeness(LogCompleteness.COMPLETE)
                .firstSn(0)
                .lastSn(0)
                .lastTxId(0)
                .committedSn(0)
                .committedTxId(0)
                .diskSilent(Duration.ZERO);
    }

    /** Whether the replica has storage, usable or not. */
    public abstract boolean formatted();

    /** Why the replica can do nothing at present; empty if it can. */
    public abstract String failure();

    public abstract Epoch promised();

    public abstract LogCompleteness completeness();

    /** The oldest entry kept. */
    public abstract long firstSn();

    public abstract long lastSn();

    public abstract long lastTxId();

    public abstract long committedSn();

    public abstract long committedTxId();

    /** How long the disk has not answered a pending call; zero if none is pending. */
    public abstract Duration diskSilent();

    /** How long no writer has been heard; empty if none was since the start. */
    public abstract Optional<Duration> writerSilent();

    @AutoValue.Builder
    abstract static class Builder {

        abstract Builder formatted(boolean formatted);

        abstract Builder failure(String failure);

        abstract Builder promised(Epoch promised);

        abstract Builder completeness(LogCompleteness completeness);

        abstract Builder firstSn(long firstSn);

        abstract Builder lastSn(long lastSn);

        abstract Builder lastTxId(long lastTxId);

        abstract Builder committedSn(long committedSn);

        abstract Builder committedTxId(long committedTxId);

        abstract Builder diskSilent(Duration diskSilent);

        abstract Builder writerSilent(Duration writerSilent);

        abstract ReplicaStatus build();
    }
}
