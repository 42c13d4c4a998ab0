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
import io.trefoil.journal.transport.Inbound;
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
final class OrderAudit {

    private final AuditLog log;
    private final RefusalAudit refusals;
    private final JournalId journal;
    private final Hello.CallerRole role;
    private final Caller caller;
    private final String address;
    private String last = "";

    OrderAudit(AuditLog log, RefusalAudit refusals, Hello hello, Caller caller, InetAddress address) {
        this.log = log;
        this.refusals = refusals;
        this.journal = hello.journal();
        this.role = hello.role();
        this.caller = caller;
        this.address = address.getHostAddress();
    }

    /** Wraps a request so that its answer is recorded, if it is an order. */
    Inbound watched(Inbound one, NodeId node) {
        return isOrder(one.request()) ? new Watched(one, node) : one;
    }

    /** Records a refusal for lack of a right, whether or not the request was an order. */
    void refused(PoolRequest request, NodeId node, String why) {
        refusals.refused(order(request, node), why);
    }

    /**
     * Whether a request is an operator's order: neither a writer's request, which is its work, nor that of a node that
     * wants to join, which it repeats every other second.
     */
    private boolean isOrder(PoolRequest request) {
        if (role != Hello.CallerRole.READER) {
            return false;
        }
        AccessRight right = RequestRule.of(request).right();
        return right == AccessRight.ADMINISTER || right == AccessRight.WRITE;
    }

    private AuditedOrder order(PoolRequest request, NodeId node) {
        String name = RequestRule.of(request).request().toLowerCase(Locale.ROOT).replace('_', '-');
        String object = request instanceof ChangeMembersRequest
                ? journal + " " + text(((ChangeMembersRequest) request).change())
                : journal + " on node " + node;
        return AuditedOrder.of(name, object, caller.name(), address);
    }

    private static String text(MemberChange change) {
        return change.kind().name().toLowerCase(Locale.ROOT).replace('_', '-')
                + change.leaving().map(leaving -> " " + leaving).orElse("")
                + change.joining()
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

    private void answered(AuditedOrder order, PoolReply reply) {
        if (reply instanceof ChangeReply) {
            progressed(order, ((ChangeReply) reply).progress());
        } else if (reply instanceof FailedReply) {
            log.failed(order, ((FailedReply) reply).reason());
        } else {
            log.done(order);
        }
    }

    private void progressed(AuditedOrder order, ChangeProgress progress) {
        if (!isNewState(order, progress.stage().name())) {
            return;
        }
        switch (progress.stage()) {
            case DONE:
                log.done(order);
                break;
            case REFUSED:
                log.refused(order, progress.text());
                break;
            case UNDER_WAY:
            case NO_WRITER:
                log.begun(order);
                break;
        }
    }

    /** An order that waits for its answer. */
    private final class Watched implements Inbound {
        private final Inbound one;
        private final NodeId node;

        Watched(Inbound one, NodeId node) {
            this.one = one;
            this.node = node;
        }

        @Override
        public PoolRequest request() {
            return one.request();
        }

        @Override
        public void answer(PoolReply reply) {
            answered(order(one.request(), node), reply);
            one.answer(reply);
        }
    }
}
