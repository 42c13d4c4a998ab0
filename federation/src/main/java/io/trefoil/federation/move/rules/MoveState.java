/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move.rules;

import com.google.auto.value.AutoValue;

/** The state that decides what a process does next with a move. Immutable. */
@AutoValue
public abstract class MoveState {

    /** The state before anything was read. */
    public static MoveState of(MoveOrder order) {
        return new AutoValue_MoveState.Builder()
                .order(order)
                .stage(MoveStage.STARTING)
                .phase(MovePhase.COPYING)
                .end(MoveEnd.of(MoveEnd.Kind.GOES_ON))
                .round(0)
                .pauses(0)
                .isResumed(false)
                .isWaitedFor(false)
                .isChecked(true)
                .contradiction("")
                .isSourceEmpty(false)
                .build();
    }

    abstract MoveOrder order();

    public abstract MoveStage stage();

    /** The phase that the record may say the move has reached. */
    public abstract MovePhase phase();

    /** The end of the process, now or when the source is open again; after a pause that came to nothing, the reason. */
    public abstract MoveEnd end();

    /** The rounds of copying that have begun. */
    public abstract int round();

    /** The pauses that have begun. */
    public abstract int pauses();

    /** Whether an earlier process has made the version. */
    public abstract boolean isResumed();

    /** Whether clients wait in the pause; otherwise they are refused. */
    public abstract boolean isWaitedFor();

    /** Whether what was moved was compared with what the source had, as far as the record tells. */
    abstract boolean isChecked();

    /** The contradiction between the moved tree and that of the source; empty if there is none. */
    public abstract String contradiction();

    /** Whether the source had nothing any more when it was looked at. */
    abstract boolean isSourceEmpty();

    abstract Builder toBuilder();

    /** Begins a transition to another stage; throws if it is not an allowed one, which is a bug. */
    final Builder entering(MoveStage next) {
        return toBuilder().stage(MoveStage.EDGES.enter(stage(), next));
    }

    @AutoValue.Builder
    abstract static class Builder {

        abstract Builder order(MoveOrder order);

        abstract Builder stage(MoveStage stage);

        abstract Builder phase(MovePhase phase);

        abstract Builder end(MoveEnd end);

        abstract Builder round(int round);

        abstract Builder pauses(int pauses);

        abstract Builder isResumed(boolean isResumed);

        abstract Builder isWaitedFor(boolean isWaitedFor);

        abstract Builder isChecked(boolean isChecked);

        abstract Builder contradiction(String how);

        abstract Builder isSourceEmpty(boolean isEmpty);

        abstract MoveState build();
    }
}
