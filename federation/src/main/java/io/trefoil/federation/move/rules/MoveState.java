/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move.rules;

import com.google.auto.value.AutoValue;

/** The state that decides the next step of a process with a move. Immutable. */
@AutoValue
public abstract class MoveState {

    /** Returns the state before anything was read. */
    public static MoveState of(MoveOrder order) {
        return new AutoValue_MoveState.Builder()
                .order(order)
                .stage(MoveStage.STARTING)
                .phase(MovePhase.COPYING)
                .end(MoveEnd.of(MoveEnd.Kind.GOES_ON))
                .round(0)
                .pauses(0)
                .isResumed(false)
                .areClientsWaiting(false)
                .isChecked(true)
                .contradiction("")
                .isSourceEmpty(false)
                .build();
    }

    abstract MoveOrder order();

    public abstract MoveStage stage();

    /** The phase that the move may have reached according to the record. */
    public abstract MovePhase phase();

    /** How this process ends the move, now or once the source is open again; after an unsuccessful pause, why it failed. */
    public abstract MoveEnd end();

    /** The number of rounds of copying that have begun. */
    public abstract int round();

    /** The number of pauses that have begun. */
    public abstract int pauses();

    /** Whether an earlier process has written the new version of the table. */
    public abstract boolean isResumed();

    /** Whether clients wait in the pause; otherwise they are refused. */
    public abstract boolean areClientsWaiting();

    /** Whether the moved tree has been compared with the source's, as far as the record shows. */
    abstract boolean isChecked();

    /** The contradiction between the moved tree and the source's; empty if there is none. */
    public abstract String contradiction();

    /** Whether the source was empty when it was last inspected. */
    abstract boolean isSourceEmpty();

    abstract Builder toBuilder();

    /** Begins a transition to another stage; throws if it is not an allowed one, which is a bug. */
    final Builder transitionTo(MoveStage next) {
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

        abstract Builder areClientsWaiting(boolean areClientsWaiting);

        abstract Builder isChecked(boolean isChecked);

        abstract Builder contradiction(String contradiction);

        abstract Builder isSourceEmpty(boolean isSourceEmpty);

        abstract MoveState build();
    }
}
