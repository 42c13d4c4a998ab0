/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Standing;

/**
 * Everything up to {@code matchedSn} is durable on this node and the same as at the writer.
 */
@AutoValue
public abstract class AppendedReply implements PoolReply {

    public static AppendedReply of(NodeId node, Epoch epoch, long matchedSn, Standing standing) {
        return new AutoValue_AppendedReply(node, epoch, matchedSn, standing);
    }

    public abstract NodeId node();

    public abstract Epoch epoch();

    public abstract long matchedSn();

    public abstract Standing standing();

    @Override
    public final <R> R dispatch(Handler<R> handler) {
        return handler.on(this);
    }
}
