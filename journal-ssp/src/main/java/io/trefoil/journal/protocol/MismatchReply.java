/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.NodeId;

/**
 * The node does not have the entry that the append follows; nothing was written.
 */
@AutoValue
public abstract class MismatchReply implements WriterReply {

    public static MismatchReply of(
            NodeId node, Epoch epoch, LogPosition last, long committedSn, LogCompleteness completeness) {
        return new AutoValue_MismatchReply(node, epoch, last, committedSn, completeness);
    }

    public abstract NodeId node();

    public abstract Epoch epoch();

    /** The last entry of the node's log. */
    public abstract LogPosition last();

    /** The serial number up to which the node's log certainly agrees with all others. */
    public abstract long committedSn();

    public abstract LogCompleteness completeness();

    @Override
    public final void dispatch(Handler handler) {
        handler.on(this);
    }
}
