/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent.events;

import com.google.auto.value.AutoValue;
import io.trefoil.ha.model.HaRole;
import io.trefoil.ha.model.MemberReasons;
import io.trefoil.journal.model.Epoch;
import java.util.Optional;

/** The state of this process at one moment, as far as it is visible without waiting. Immutable. */
@AutoValue
public abstract class LocalObservation {

    /** The observation before the first check. */
    public static final LocalObservation UNKNOWN = builder().build();

    public static Builder builder() {
        return new AutoValue_LocalObservation.Builder()
                .role(HaRole.NONE)
                .wallMillis(0)
                .appliedTxId(0)
                .lagMillis(0)
                .preparing(false)
                .unhealthyReason("")
                .diskSilentMillis(0)
                .onlyReplicaLost(false)
                .safeMode(false)
                .busy(false)
                .localLease(Optional.<LocalLease>empty())
                .observedLease(Optional.<ObservedLease>empty());
    }

    public abstract HaRole role();

    /** The wall clock; the only decision that depends on it is whether an operator's preference has expired. */
    public abstract long wallMillis();

    /** The last transaction that the namespace holds. */
    public abstract long appliedTxId();

    /**
     * Returns how long ago this process learned of the oldest committed transaction that it has not applied; 0 if there
     * is none.
     */
    public abstract long lagMillis();

    /**
     * Whether the NameNode is doing work that must end before it becomes active: counting quotas, or reading calls that clients may retry.
     */
    public abstract boolean preparing();

    /** Returns why the NameNode is unhealthy; empty if it is not. */
    public abstract String unhealthyReason();

    /** Returns how long the disk of the NameNode's own replica of the journal has owed an answer; 0 if it owes none. */
    public abstract long diskSilentMillis();

    /** Whether the only trouble is that one replica of the journal no longer participates. */
    abstract boolean onlyReplicaLost();

    public abstract boolean safeMode();

    /** Whether a change of role is waiting for a lock whose holder makes progress. */
    public abstract boolean busy();

    /** The term of this process's writer; empty if it has none. */
    public abstract Optional<LocalLease> localLease();

    /** The lease known to this process's pool node; empty if there is no node, or it is in trouble. */
    public abstract Optional<ObservedLease> observedLease();

    /** Whether the process's own pool node considers a writer alive. */
    public final boolean isLeaseHeld() {
        return observedLease().filter(ObservedLease::held).isPresent();
    }

    public abstract Builder toBuilder();

    /** A copy with the disk's silence shortened by a pause of the process. */
    public final LocalObservation withoutPause(long stoodMillis) {
        return toBuilder()
                .diskSilentMillis(Math.max(0, diskSilentMillis() - stoodMillis))
                .build();
    }

    /**
     * A copy that reports the loss of a replica of the journal as trouble: the NameNode continues with the other replicas, but new
     * acknowledged edits are in one place fewer. A hanging disk is that of the NameNode's own replica, and everything else on that disk
     * hangs too. A voter that has promised a higher epoch to a candidate without a majority refuses this term for good, and obeys the next
     * one.
     */
    public final LocalObservation withReplicaLoss(AgentSettings settings) {
        if (!unhealthyReason().isEmpty()) {
            return this;
        }
        if (diskSilentMillis() > settings.diskTimeoutMillis()) {
            return withUnhealthyReason(MemberReasons.DISK_SILENT + settings.diskTimeoutMillis() + " ms");
        }
        return localLease().filter(LocalLease::refused).isPresent()
                ? withUnhealthyReason(
                        "a pool node has promised a higher epoch, and takes part again when the next NameNode "
                                + "becomes active")
                : this;
    }

    private LocalObservation withUnhealthyReason(String reason) {
        return toBuilder().unhealthyReason(reason).onlyReplicaLost(true).build();
    }

    /** Whether this member could be active if no better one exists: the other replicas are sufficient for that. */
    public final boolean canServeInEmergency() {
        return unhealthyReason().isEmpty() || onlyReplicaLost();
    }

    /** A copy in another role. */
    public final LocalObservation withRole(HaRole role) {
        return toBuilder().role(role).build();
    }

    /** A copy without the term of this process's writer. */
    public final LocalObservation withoutTerm() {
        return toBuilder().localLease(Optional.<LocalLease>empty()).build();
    }

    /** The lease of this process's writer. Immutable. */
    @AutoValue
    public abstract static class LocalLease {

        public static LocalLease of(Epoch epoch, boolean fenced, boolean refused, long leftNanos) {
            return new AutoValue_LocalObservation_LocalLease(epoch, fenced, refused, leftNanos);
        }

        public abstract Epoch epoch();

        /** Whether a majority has promised a higher epoch. */
        public abstract boolean fenced();

        /** Whether a voter has promised a higher epoch. */
        public abstract boolean refused();

        /** The time for which no other writer can be promised a term, in nanoseconds. */
        public abstract long remainingNanos();
    }

    /** The current writer's lease, as this process's pool node knows it. Immutable. */
    @AutoValue
    public abstract static class ObservedLease {

        public static ObservedLease of(Epoch promisedEpoch, boolean held, long committedTxId, boolean caughtUp) {
            return new AutoValue_LocalObservation_ObservedLease(promisedEpoch, held, committedTxId, caughtUp);
        }

        public abstract Epoch promised();

        /** Whether the node considers a writer alive. */
        public abstract boolean held();

        public abstract long committedTxId();

        /** Whether the node has everything that the writer has. */
        public abstract boolean caughtUp();
    }

    /** Collects facts. */
    @AutoValue.Builder
    public abstract static class Builder {

        public abstract Builder role(HaRole role);

        public abstract Builder wallMillis(long millis);

        public abstract Builder appliedTxId(long appliedTxId);

        public abstract Builder lagMillis(long millis);

        public abstract Builder preparing(boolean preparing);

        public abstract Builder unhealthyReason(String unhealthyReason);

        public abstract Builder diskSilentMillis(long millis);

        abstract Builder onlyReplicaLost(boolean onlyReplicaLost);

        public abstract Builder safeMode(boolean safeMode);

        public abstract Builder busy(boolean busy);

        public abstract Builder localLease(Optional<LocalLease> localLease);

        public abstract Builder observedLease(Optional<ObservedLease> observedLease);

        public abstract LocalObservation build();
    }
}
