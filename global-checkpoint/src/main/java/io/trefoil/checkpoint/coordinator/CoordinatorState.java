/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.coordinator;

import com.google.auto.value.AutoValue;
import io.trefoil.checkpoint.model.Agreement;
import io.trefoil.checkpoint.model.Cut;
import io.trefoil.checkpoint.model.Grant;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The state of a coordinator. Immutable; nanoseconds are by its own monotonic clock. */
@AutoValue
public abstract class CoordinatorState {

    static final long NANOS_PER_MILLI = 1_000_000L;

    /** Returns the state before a checkpoint begins. */
    public static CoordinatorState of(CheckpointPlan plan, long nowNanos) {
        return new AutoValue_CoordinatorState.Builder()
                .plan(plan)
                .stage(CoordinatorStage.ASKING_TIME)
                .deadlineNanos(nowNanos + plan.answerMillis() * NANOS_PER_MILLI)
                .startNanos(nowNanos)
                .startMillis(0)
                .offsets(Collections.<String, Long>emptyMap())
                .grants(Collections.<String, Grant>emptyMap())
                .cuts(Collections.<String, Cut>emptyMap())
                .abandoned(Collections.<String>emptySet())
                .retryNanos(nowNanos)
                .failure("")
                .cutOrdered(false)
                .agreement(Optional.<Agreement>empty())
                .build();
    }

    public abstract CheckpointPlan plan();

    public abstract CoordinatorStage stage();

    /** The time at which the stage ends, whether finished or not. */
    abstract long deadlineNanos();

    /** The time at which the checkpoint began, by the monotonic clock and by the host's. */
    abstract long startNanos();

    abstract long startMillis();

    /** The time by which each clock is ahead of the coordinator's, in milliseconds. */
    abstract Map<String, Long> offsets();

    abstract Map<String, Grant> grants();

    abstract Map<String, Cut> cuts();

    /** The nameservices known to have no barrier. */
    abstract Set<String> abandoned();

    /** The time, in stage ABANDONING, to ask those that did not answer again. */
    abstract long retryNanos();

    /** The first reason why the checkpoint failed; empty if it has not failed. */
    abstract String failure();

    /** Whether any participant may have a barrier. */
    abstract boolean cutOrdered();

    abstract Optional<Agreement> agreement();

    abstract Builder toBuilder();

    /** Begins a transition to another stage; throws if it is not an allowed one, which is a bug. */
    final Builder transitionTo(CoordinatorStage next) {
        return toBuilder().stage(CoordinatorStage.EDGES.enter(stage(), next));
    }

    @AutoValue.Builder
    abstract static class Builder {

        abstract Builder plan(CheckpointPlan plan);

        abstract Builder stage(CoordinatorStage stage);

        abstract Builder deadlineNanos(long nanos);

        abstract Builder startNanos(long nanos);

        abstract Builder startMillis(long millis);

        abstract Builder offsets(Map<String, Long> offsets);

        abstract Builder grants(Map<String, Grant> grants);

        abstract Builder cuts(Map<String, Cut> cuts);

        abstract Builder abandoned(Set<String> abandoned);

        abstract Builder retryNanos(long nanos);

        abstract Builder failure(String failure);

        abstract Builder cutOrdered(boolean ordered);

        abstract Builder agreement(Optional<Agreement> agreement);

        abstract CoordinatorState build();
    }
}
