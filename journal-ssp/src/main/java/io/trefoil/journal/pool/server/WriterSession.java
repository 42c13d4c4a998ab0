/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.server;

import io.trefoil.foundation.LogThread;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.InboundRequest;
import io.trefoil.journal.transport.NodeSession;
import io.trefoil.journal.transport.Transport;
import io.trefoil.journal.transport.Welcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A writer's session: everything that was read together is one group for the disk. Runs on its journal's event loop. */
final class WriterSession implements NodeSession {
    private final Hello hello;
    private final HostedReplica hosted;
    private final Welcome welcome;
    private final HostedReplicas replicas;
    private final Transport transport;
    private final LogThread log;
    private Optional<WriterId> writer = Optional.empty();

    /**
     * @param transport finds out whether the writer is down after the session broke
     * @param log for messages from the transport's thread
     */
    WriterSession(
            Hello hello,
            HostedReplica hosted,
            Welcome welcome,
            HostedReplicas replicas,
            Transport transport,
            LogThread log) {
        this.hello = hello;
        this.hosted = hosted;
        this.welcome = welcome;
        this.replicas = replicas;
        this.transport = transport;
        this.log = log;
    }

    @Override
    public Welcome welcome() {
        return welcome;
    }

    @Override
    public void handleRequests(List<InboundRequest> inbound) {
        List<PoolRequest> requests = new ArrayList<>(inbound.size());
        for (InboundRequest one : inbound) {
            PoolRequest request = one.request();
            requests.add(request);
            if (request instanceof AppendRequest) {
                writer = Optional.of(((AppendRequest) request).writer());
            }
        }
        List<Optional<PoolReply>> replies = hosted.replica().perform(requests);
        replicas.report(hosted);
        for (int i = 0; i < inbound.size(); i++) {
            if (replies.get(i).isPresent()) {
                inbound.get(i).answer(replies.get(i).get());
            }
        }
    }

    @Override
    public void onClosed() {
        replicas.endSession(hosted);
        if (hello.callerNode().isPresent() && writer.isPresent()) {
            new WriterDeathProbe(
                            hosted.replica(), writer.get(), hello.callerNode().get(), transport, log)
                    .check();
        }
    }
}
