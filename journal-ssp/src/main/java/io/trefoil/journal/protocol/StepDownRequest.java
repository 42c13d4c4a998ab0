/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;

/** The writer ends its term of its own accord: its lease ends, and the next writer may begin at once. */
@AutoValue
public abstract class StepDownRequest implements ReplicaRequest {

    public static StepDownRequest of(Epoch epoch) {
        return new AutoValue_StepDownRequest(Incarnation.NONE, epoch);
    }

    /** A copy from a writer of an incarnation. */
    public final StepDownRequest withIncarnation(Incarnation incarnation) {
        return new AutoValue_StepDownRequest(incarnation, epoch());
    }

    /** The incarnation of the writer's log: in another one the same epoch belongs to another writer (rule R11). */
    public abstract Incarnation incarnation();

    public abstract Epoch epoch();

    @Override
    public final <R, X extends Exception> R dispatch(Handler<R, X> handler) throws X {
        return handler.on(this);
    }
}
