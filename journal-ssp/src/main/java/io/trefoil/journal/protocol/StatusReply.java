/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogReport;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The journal's status as known to one node. */
@AutoValue
public abstract class StatusReply implements WriterReply {

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
                node, namespace, promise, end, committed, firstSn, completeness, leaseHeldMillis, 0, "");
    }

    /** The end of the highest log of the incarnation in force, as far as these nodes answered (rule R11). */
    public static LogSummary endInForce(Map<NodeAddress, ? extends PoolReply> replies) {
        return LogReport.endInForce(toLogReports(replies));
    }

    /** The logs that these nodes hold, as far as they report them. */
    public static List<LogReport> toLogReports(Map<NodeAddress, ? extends PoolReply> replies) {
        List<LogReport> logs = new ArrayList<>();
        replies.forEach((address, reply) -> {
            if (reply instanceof StatusReply) {
                StatusReply status = (StatusReply) reply;
                logs.add(LogReport.of(address, status.node(), status.end()));
            } else if (reply instanceof NotFormattedReply) {
                logs.add(LogReport.empty(address, ((NotFormattedReply) reply).node()));
            }
        });
        return logs;
    }

    /** A copy with another {@code diskSilentMillis}. */
    public final StatusReply withDiskStallMillis(long millis) {
        return new AutoValue_StatusReply(
                node(),
                namespace(),
                promise(),
                end(),
                committedSummary(),
                firstSn(),
                completeness(),
                leaseHeldMillis(),
                millis,
                unappliedEdit());
    }

    /** A copy with another {@code unapplied}. */
    public final StatusReply withUnappliedEdit(String edit) {
        return new AutoValue_StatusReply(
                node(),
                namespace(),
                promise(),
                end(),
                committedSummary(),
                firstSn(),
                completeness(),
                leaseHeldMillis(),
                diskStallMillis(),
                edit);
    }

    public abstract NodeId node();

    public abstract NamespaceId namespace();

    public abstract Promise promise();

    /** The end of the whole log, including uncommitted entries. */
    public abstract LogSummary end();

    /** The end of the part of the log that this node knows to be committed. */
    public abstract LogSummary committedSummary();

    public abstract long firstSn();

    public abstract LogCompleteness completeness();

    /**
     * Returns how long this node will still refuse promises to any writer except the one that has its promise; 0 if it
     * refuses none.
     */
    public abstract long leaseHeldMillis();

    /** Returns how long a single call to this node's disk has been waiting; 0 if none waits. For operators. */
    public abstract long diskStallMillis();

    /** The edit that the NameNode in this node's process could not apply, and why; empty if there is none. For operators. */
    public abstract String unappliedEdit();

    @Override
    public final void dispatch(Handler handler) {
        handler.on(this);
    }
}
