/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.server;

import io.trefoil.foundation.AuditLog;
import io.trefoil.foundation.AuditedOrder;
import io.trefoil.journal.model.ChangeProgress;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.MemberChange;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.protocol.ChangeMembersRequest;
import io.trefoil.journal.protocol.ChangeReply;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.InboundRequest;
import io.trefoil.journal.transport.access.AccessRight;
import io.trefoil.journal.transport.access.Caller;
import io.trefoil.journal.transport.access.RequestRule;
import java.net.InetAddress;
import java.util.Locale;

/**
 * Records in the audit log the orders of a reader's session, with their results: formats, membership changes, and
 * orders to start over. Also records what any session is refused for lack of a right. An order that a command repeats
 * until it is done is recorded only when its state changes. Thread-safe.
 */
final class OrderAuditor {

    private final AuditLog log;
    private final RefusalAuditor refusals;
    private final JournalId journal;
    private final Hello.CallerRole role;
    private final Caller caller;
    private final String address;
    private String last = "";

    OrderAuditor(AuditLog log, RefusalAuditor refusals, Hello hello, Caller caller, InetAddress address) {
        this.log = log;
        this.refusals = refusals;
        this.journal = hello.journal();
        this.role = hello.role();
        this.caller = caller;
        this.address = address.getHostAddress();
    }

    /** Wraps a request so that its answer is recorded, if it is an order. */
    InboundRequest watch(InboundRequest request, NodeId node) {
        return isOrder(request.request()) ? new WatchedOrder(request, node) : request;
    }

    /** Records a refusal for a missing right, whether or not the request was an order. */
    void recordRefusal(PoolRequest request, NodeId node, String reason) {
        refusals.recordRefusal(order(request, node), reason);
    }

    /**
     * Whether a request is an operator's order: neither a writer's request, which is routine, nor a node's request to join, which it
     * repeats every two seconds.
     */
    private boolean isOrder(PoolRequest request) {
        if (role != Hello.CallerRole.READER) {
            return false;
        }
        AccessRight right = RequestRule.of(request).requiredRight();
        return right == AccessRight.ADMINISTER || right == AccessRight.WRITE;
    }

    private AuditedOrder order(PoolRequest request, NodeId node) {
        String name = RequestRule.of(request).request().toLowerCase(Locale.ROOT).replace('_', '-');
        String object = request instanceof ChangeMembersRequest
                ? journal + " " + describe(((ChangeMembersRequest) request).change())
                : journal + " on node " + node;
        return AuditedOrder.of(name, object, caller.name(), address);
    }

    private static String describe(MemberChange change) {
        return change.kind().name().toLowerCase(Locale.ROOT).replace('_', '-')
                + change.leavingNode().map(leaving -> " " + leaving).orElse("")
                + change.joiningAddress()
                        .map(NodeAddress::toString)
                        .map(joining -> " " + joining)
                        .orElse("");
    }

    private synchronized boolean isNewState(AuditedOrder order, String state) {
        String now = order + state;
        boolean isNews = !now.equals(last);
        last = now;
        return isNews;
    }

    private void recordReply(AuditedOrder order, PoolReply reply) {
        if (reply instanceof ChangeReply) {
            recordProgress(order, ((ChangeReply) reply).progress());
        } else if (reply instanceof FailedReply) {
            log.recordFailure(order, ((FailedReply) reply).reason());
        } else {
            log.recordSuccess(order);
        }
    }

    private void recordProgress(AuditedOrder order, ChangeProgress progress) {
        if (!isNewState(order, progress.stage().name())) {
            return;
        }
        switch (progress.stage()) {
            case DONE:
                log.recordSuccess(order);
                break;
            case REFUSED:
                log.recordRefusal(order, progress.text());
                break;
            case UNDER_WAY:
            case NO_WRITER:
                log.recordStart(order);
                break;
        }
    }

    /** An order that waits for its answer. */
    private final class WatchedOrder implements InboundRequest {
        private final InboundRequest request;
        private final NodeId node;

        WatchedOrder(InboundRequest request, NodeId node) {
            this.request = request;
            this.node = node;
        }

        @Override
        public PoolRequest request() {
            return request.request();
        }

        @Override
        public void answer(PoolReply reply) {
            recordReply(order(request.request(), node), reply);
            request.answer(reply);
        }
    }
}
