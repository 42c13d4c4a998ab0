/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.NodeId;

/**
 * The node's storage belongs to another incarnation of the journal than the writer's log, so it did nothing (rule R11).
 * A writer ends when enough voters report a newer one.
 */
@AutoValue
public abstract class OtherIncarnationReply implements WriterReply {

    public static OtherIncarnationReply of(NodeId node, Incarnation incarnation) {
        return new AutoValue_OtherIncarnationReply(node, incarnation);
    }

    public abstract NodeId node();

    /** The incarnation of the node's storage. */
    public abstract Incarnation incarnation();

    @Override
    public final void dispatch(Handler handler) {
        handler.on(this);
    }
}
