/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Promise;

/** What a node knows about the journal. */
@AutoValue
public abstract class StatusReply implements PoolReply {

    public static StatusReply of(
            NodeId node,
            NamespaceId namespace,
            Promise promise,
            LogSummary end,
            LogSummary committed,
            long firstSn,
            LogCompleteness completeness,
            long leaseHeldMillis) {
        return new AutoValue_StatusReply(
                node, namespace, promise, end, committed, firstSn, completeness, leaseHeldMillis, 0);
    }

    /** The same, from a node whose disk has owed an answer for so long. */
    public final StatusReply diskSilent(long millis) {
        return new AutoValue_StatusReply(
                node(),
                namespace(),
                promise(),
                end(),
                committed(),
                firstSn(),
                completeness(),
                leaseHeldMillis(),
                millis);
    }

    public abstract NodeId node();

    public abstract NamespaceId namespace();

    public abstract Promise promise();

    /** The end of the whole log, committed or not. */
    public abstract LogSummary end();

    /** The end of what this node knows to be committed. */
    public abstract LogSummary committed();

    public abstract long firstSn();

    public abstract LogCompleteness completeness();

    /** How long this node will still refuse to promise to another writer than the one it promised to; 0 if it will not. */
    public abstract long leaseHeldMillis();

    /** For how long the disk of this node owes an answer to a single call; 0 if it owes none. For operators. */
    public abstract long diskSilentMillis();

    @Override
    public final void dispatch(Handler handler) {
        handler.on(this);
    }
}
