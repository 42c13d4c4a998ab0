/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.NodeId;

/** Everything up to {@code matchedSn} is durable on this node and identical to the writer's log. */
@AutoValue
public abstract class AppendedReply implements WriterReply {

    public static AppendedReply of(NodeId node, Epoch epoch, long matchedSn, LogCompleteness completeness) {
        return new AutoValue_AppendedReply(node, epoch, matchedSn, completeness);
    }

    public abstract NodeId node();

    public abstract Epoch epoch();

    public abstract long matchedSn();

    public abstract LogCompleteness completeness();

    @Override
    public final void dispatch(Handler handler) {
        handler.on(this);
    }
}
