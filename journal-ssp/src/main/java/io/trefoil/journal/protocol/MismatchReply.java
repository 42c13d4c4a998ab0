/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Standing;

/**
 * The node does not have the entry that the append follows; nothing was written.
 */
@AutoValue
public abstract class MismatchReply implements PoolReply {

    public static MismatchReply of(NodeId node, Epoch epoch, LogPosition last, long committedSn, Standing standing) {
        return new AutoValue_MismatchReply(node, epoch, last, committedSn, standing);
    }

    public abstract NodeId node();

    public abstract Epoch epoch();

    /** The last entry of the node. */
    public abstract LogPosition last();

    /** Up to here its log is the same as everybody's. */
    public abstract long committedSn();

    public abstract Standing standing();

    @Override
    public final <R> R dispatch(Handler<R> handler) {
        return handler.on(this);
    }
}
