/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.server;

import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.protocol.CommitRequest;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.InboundRequest;
import io.trefoil.journal.transport.NodeSession;
import io.trefoil.journal.transport.Welcome;
import io.trefoil.journal.transport.access.AccessController;
import io.trefoil.journal.transport.access.Caller;
import io.trefoil.journal.transport.access.CallerCredentials;
import io.trefoil.journal.transport.codec.field.RefusalCause;
import io.trefoil.journal.transport.connection.RefusalCounters;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Passes on only those requests that the caller is authorized to make; answers all others with a failure, and counts them. The
 * caller is judged again when the accessController's knowledge has changed: the host of a node that is no longer a member must not
 * keep in an open session what it would not get in a new one.
 */
final class GuardedSession implements NodeSession {

    private final NodeSession session;
    private final Admission admission;
    private final Hello.CallerRole role;
    private final String remote;
    private final RefusalCounters refusals;
    private final OrderAuditor audit;
    private volatile AccessDecision judgement;

    /** The admission of a caller: its identity, and the access controller that admitted it. */
    static final class Admission {
        private final AccessController accessController;
        private final Hello hello;
        private final CallerCredentials credentials;

        Admission(AccessController accessController, Hello hello, CallerCredentials credentials) {
            this.accessController = accessController;
            this.hello = hello;
            this.credentials = credentials;
        }
    }

    /** The caller's rights, according to one version of the access controller's data. */
    private static final class AccessDecision {
        private final Object edition;
        private final Caller caller;

        AccessDecision(Object edition, Caller caller) {
            this.edition = edition;
            this.caller = caller;
        }
    }

    /** @param admitted what the caller may do until the accessController says otherwise */
    GuardedSession(
            NodeSession session,
            Admission admission,
            Caller admitted,
            String remote,
            RefusalCounters refusals,
            OrderAuditor audit) {
        this.session = session;
        this.admission = admission;
        this.role = admission.hello.role();
        // Of no edition: what changed since the caller was admitted counts from the first request on.
        this.judgement = new AccessDecision(this, admitted);
        this.remote = remote;
        this.refusals = refusals;
        this.audit = audit;
    }

    @Override
    public Welcome welcome() {
        return session.welcome();
    }

    @Override
    public boolean mayBlock(PoolRequest request) {
        return session.mayBlock(request);
    }

    @Override
    public void handleRequests(List<InboundRequest> requests) {
        Caller caller = caller();
        List<InboundRequest> allowed = new ArrayList<>(requests.size());
        for (InboundRequest request : requests) {
            Optional<String> refusal = caller.refusalOf(role, request.request());
            if (refusal.isPresent()) {
                refuse(request, refusal.get());
            } else {
                allowed.add(audit.watch(request, node()));
            }
        }
        if (!allowed.isEmpty()) {
            session.handleRequests(allowed);
        }
    }

    private Caller caller() {
        AccessDecision last = judgement;
        Object edition = admission.accessController.rightsVersion();
        if (last.edition != edition) {
            last = new AccessDecision(
                    edition, admission.accessController.recheck(admission.hello, admission.credentials, last.caller));
            judgement = last;
        }
        return last.caller;
    }

    private void refuse(InboundRequest request, String reason) {
        refusals.recordRefusal(RefusalCause.FORBIDDEN, remote, reason);
        audit.recordRefusal(request.request(), node(), reason);
        if (!(request.request() instanceof CommitRequest)) {
            request.answer(FailedReply.of(node(), reason));
        }
    }

    private NodeId node() {
        return session.welcome().node();
    }

    @Override
    public void onClosed() {
        session.onClosed();
    }
}
