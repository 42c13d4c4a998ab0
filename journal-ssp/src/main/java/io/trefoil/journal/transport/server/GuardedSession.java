/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.server;

import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.protocol.CommitRequest;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.Inbound;
import io.trefoil.journal.transport.NodeSession;
import io.trefoil.journal.transport.Welcome;
import io.trefoil.journal.transport.access.Caller;
import io.trefoil.journal.transport.codec.field.RefusalCause;
import io.trefoil.journal.transport.connection.RefusalCounters;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Passes on only requests for which the caller has the right; answers all others with a failure, and counts them. */
final class GuardedSession implements NodeSession {

    private final NodeSession session;
    private final Caller caller;
    private final Hello.CallerRole role;
    private final String remote;
    private final RefusalCounters refusals;
    private final OrderAudit audit;

    GuardedSession(
            NodeSession session,
            Caller caller,
            Hello.CallerRole role,
            String remote,
            RefusalCounters refusals,
            OrderAudit audit) {
        this.session = session;
        this.caller = caller;
        this.role = role;
        this.remote = remote;
        this.refusals = refusals;
        this.audit = audit;
    }

    @Override
    public Welcome welcome() {
        return session.welcome();
    }

    @Override
    public boolean mayWait(PoolRequest request) {
        return session.mayWait(request);
    }

    @Override
    public void requests(List<Inbound> requests) {
        List<Inbound> allowed = new ArrayList<>(requests.size());
        for (Inbound one : requests) {
            Optional<String> refusal = caller.refusalOf(role, one.request());
            if (refusal.isPresent()) {
                refuse(one, refusal.get());
            } else {
                allowed.add(audit.watched(one, node()));
            }
        }
        if (!allowed.isEmpty()) {
            session.requests(allowed);
        }
    }

    private void refuse(Inbound one, String why) {
        refusals.refused(RefusalCause.FORBIDDEN, remote, why);
        audit.refused(one.request(), node(), why);
        if (!(one.request() instanceof CommitRequest)) {
            one.answer(FailedReply.of(node(), why));
        }
    }

    private NodeId node() {
        return session.welcome().node();
    }

    @Override
    public void closed() {
        session.closed();
    }
}
