/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NodeId;

/** The promise is given and durable; the reply reports the node's log (protocol page, "A new writer", step 1). */
@AutoValue
public abstract class PromiseReply implements WriterReply {

    public static PromiseReply of(
            NodeId node,
            Epoch epoch,
            LogSummary end,
            long committedSn,
            LogPosition knownCommit,
            long firstTxId,
            LogCompleteness completeness) {
        return new AutoValue_PromiseReply(node, epoch, end, committedSn, knownCommit, firstTxId, completeness);
    }

    public abstract NodeId node();

    public abstract Epoch epoch();

    /** The whole log of the node, as a summary. */
    public abstract LogSummary end();

    /** The end of the log that the node knows to be committed. */
    public abstract long committedSn();

    /**
     * The newest entry that the node has learned to be committed, whether it has the entry or not: a log that ends before it
     * lacks entries that were acknowledged.
     */
    public abstract LogPosition knownCommitted();

    /** The lowest transaction that the node has; one above the last if it has none. The node purged those below. */
    public abstract long firstTxId();

    public abstract LogCompleteness completeness();

    @Override
    public final void dispatch(Handler handler) {
        handler.on(this);
    }
}
