/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.pool.survey;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.pool.client.NodeAnswer;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.NotFormattedReply;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.StatusReply;
import java.util.Optional;

/** A single node's answer, before it is compared with the others. Immutable. */
@AutoValue
public abstract class NodeStatus {

    static NodeStatus of(NodeAddress address, NodeAnswer answer) {
        if (!answer.reply().isPresent()) {
            return unreachable(address, answer.failureReason());
        }
        PoolReply reply = answer.reply().get();
        if (reply instanceof StatusReply) {
            StatusReply status = (StatusReply) reply;
            NodeState state =
                    status.completeness() == LogCompleteness.COMPLETE ? NodeState.SERVES : NodeState.REFETCHING;
            return new AutoValue_NodeStatus(address, state, Optional.of(status.node()), Optional.of(status), "");
        }
        if (reply instanceof NotFormattedReply) {
            return unusable(address, NodeState.NOT_FORMATTED, ((NotFormattedReply) reply).node(), "");
        }
        if (reply instanceof FailedReply) {
            FailedReply failed = (FailedReply) reply;
            return unusable(address, NodeState.FAILED, failed.node(), failed.reason());
        }
        return unreachable(address, reply.describe());
    }

    private static NodeStatus unreachable(NodeAddress address, String problem) {
        return new AutoValue_NodeStatus(
                address, NodeState.DOWN, Optional.<NodeId>empty(), Optional.<StatusReply>empty(), problem);
    }

    private static NodeStatus unusable(NodeAddress address, NodeState state, NodeId id, String problem) {
        return new AutoValue_NodeStatus(address, state, Optional.of(id), Optional.<StatusReply>empty(), problem);
    }

    public abstract NodeAddress address();

    public abstract NodeState state();

    /** The id of its storage; without storage, the id that it would get. */
    public abstract Optional<NodeId> id();

    /** The node's log; present if it has working storage. */
    public abstract Optional<StatusReply> reply();

    /** The reason why the node does not answer or has failed; empty if there is nothing to report. */
    public abstract String failureReason();

    public final boolean isDown() {
        return state() == NodeState.DOWN;
    }

    /** Whether the node has the storage that the list of members names, and not another one at the same address. */
    public final boolean holdsStorageOf(Member member) {
        return id().isPresent() && id().get().equals(member.id());
    }
}
