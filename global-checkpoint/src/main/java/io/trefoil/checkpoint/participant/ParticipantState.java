/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.participant;

import com.google.auto.value.AutoValue;
import io.trefoil.checkpoint.model.Agreement;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.Cut;
import io.trefoil.checkpoint.model.FreezeOrder;
import io.trefoil.checkpoint.model.Grant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The state of a participant. Immutable; nanoseconds are by its own monotonic clock. */
@AutoValue
public abstract class ParticipantState {

    static final long NANOS_PER_MILLI = 1_000_000L;

    /** @param incarnation a text that is unique to this run of this NameNode */
    public static ParticipantState begin(String incarnation) {
        return new AutoValue_ParticipantState.Builder()
                .incarnation(incarnation)
                .stage(ParticipantStage.IDLE)
                .order(Optional.<FreezeOrder>empty())
                .previousCheckpoint(Optional.<CheckpointId>empty())
                .deadlineNanos(0)
                .freezeCount(0)
                .freezeRequests(Collections.<Long>emptyList())
                .cutRequests(Collections.<Long>emptyList())
                .agreement(Optional.<Agreement>empty())
                .cut(Optional.<Cut>empty())
                .abandoned(false)
                .abandonRequests(Collections.<CheckpointId, List<Long>>emptyMap())
                .build();
    }

    abstract String incarnation();

    public abstract ParticipantStage stage();

    /** The checkpoint in progress. */
    public abstract Optional<FreezeOrder> order();

    /** The previous checkpoint; late orders about it are refused. */
    abstract Optional<CheckpointId> previousCheckpoint();

    /** The time until which the participant may be frozen without an order to cut. */
    abstract long deadlineNanos();

    /** The number of freezes so far, which is also the number of the current one. */
    abstract long freezeCount();

    /** The requests waiting for the namesystem to be frozen. */
    abstract List<Long> freezeRequests();

    /** The requests waiting for the cut. */
    abstract List<Long> cutRequests();

    abstract Optional<Agreement> agreement();

    abstract Optional<Cut> cut();

    /** Whether to remove the checkpoint in progress as soon as possible. */
    abstract boolean abandoned();

    /** The requests waiting for the removal of each checkpoint. */
    abstract Map<CheckpointId, List<Long>> abandonRequests();

    final Grant grant() {
        return Grant.of(incarnation(), freezeCount());
    }

    abstract Builder toBuilder();

    /** Begins a transition to another stage; throws if it is not an allowed one, which is a bug. */
    final Builder transitionTo(ParticipantStage next) {
        return toBuilder().stage(ParticipantStage.EDGES.enter(stage(), next));
    }

    @AutoValue.Builder
    abstract static class Builder {

        abstract Builder incarnation(String incarnation);

        abstract Builder stage(ParticipantStage stage);

        abstract Builder order(Optional<FreezeOrder> order);

        abstract Builder previousCheckpoint(Optional<CheckpointId> previousCheckpoint);

        abstract Builder deadlineNanos(long nanos);

        abstract Builder freezeCount(long count);

        abstract Builder freezeRequests(List<Long> requests);

        abstract Builder cutRequests(List<Long> requests);

        abstract Builder agreement(Optional<Agreement> agreement);

        abstract Builder cut(Optional<Cut> cut);

        abstract Builder abandoned(boolean abandoned);

        abstract Builder abandonRequests(Map<CheckpointId, List<Long>> requests);

        abstract ParticipantState build();
    }
}
