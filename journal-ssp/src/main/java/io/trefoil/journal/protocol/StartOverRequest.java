/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.NodeId;

/**
 * Tells a node to move its storage aside and fetch everything again, because an operator found its log to be wrong.
 */
@AutoValue
public abstract class StartOverRequest implements ReplicaRequest {

    /** Creates a request for a node whose storage may be of any incarnation. */
    public static StartOverRequest of(NodeId node) {
        return of(node, Incarnation.NONE);
    }

    public static StartOverRequest of(NodeId node, Incarnation incarnation) {
        return new AutoValue_StartOverRequest(node, incarnation);
    }

    /** The node that must start over: another node at its address refuses. */
    public abstract NodeId node();

    /** The current incarnation: a node with storage of another one moves it aside and is then empty, with a new id. */
    public abstract Incarnation incarnation();

    @Override
    public final <R, X extends Exception> R dispatch(Handler<R, X> handler) throws X {
        return handler.on(this);
    }
}
