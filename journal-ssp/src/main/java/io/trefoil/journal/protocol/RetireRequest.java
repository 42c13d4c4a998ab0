/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.NodeId;

/**
 * Informs a node that its storage was once a member and never will be again (rule R8): the node moves the storage aside
 * and is then empty.
 */
@AutoValue
public abstract class RetireRequest implements ReplicaRequest {

    public static RetireRequest of(Epoch epoch, NodeId node) {
        return new AutoValue_RetireRequest(Incarnation.NONE, epoch, node);
    }

    /** A copy from a writer of an incarnation. */
    public final RetireRequest withIncarnation(Incarnation incarnation) {
        return new AutoValue_RetireRequest(incarnation, epoch(), node());
    }

    /** The incarnation of the writer's log: epochs of two incarnations cannot be compared (rule R11). */
    public abstract Incarnation incarnation();

    public abstract Epoch epoch();

    /** The storage to move aside: any other storage stays where it is. */
    public abstract NodeId node();

    @Override
    public final <R, X extends Exception> R dispatch(Handler<R, X> handler) throws X {
        return handler.on(this);
    }
}
