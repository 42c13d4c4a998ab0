/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.NodeId;

/**
 * An operator has found that a node's log is wrong: the node is to move its storage aside and fetch everything again.
 */
@AutoValue
public abstract class StartOverRequest implements PoolRequest {

    /** For a node whose storage may be of any incarnation. */
    public static StartOverRequest of(NodeId node) {
        return of(node, Incarnation.NONE);
    }

    public static StartOverRequest of(NodeId node, Incarnation incarnation) {
        return new AutoValue_StartOverRequest(node, incarnation);
    }

    /** The node that is meant: another node at its address refuses. */
    public abstract NodeId node();

    /** The incarnation in force: storage of another one is moved aside, and the node is then empty, with a new id. */
    public abstract Incarnation incarnation();

    @Override
    public final <R, X extends Exception> R dispatch(Handler<R, X> handler) throws X {
        return handler.on(this);
    }
}
