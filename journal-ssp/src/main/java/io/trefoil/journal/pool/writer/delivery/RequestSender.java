/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer.delivery;

import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.LinkListener;
import java.util.Optional;

/**
 * Sends a writer's requests to the links of other nodes, or to the replica in its own process. Requests are queued in the
 * order in which the rules decided them, and leave when {@link #send} is called. Thread-safe.
 */
public final class RequestSender {
    private final Outbox outbox;
    private final Optional<LocalReplica> localReplica;

    public RequestSender(Outbox outbox, Optional<LocalReplica> localReplica) {
        this.outbox = outbox;
        this.localReplica = localReplica;
    }

    /** Opens a link to a node in another process, at most once per node and not after {@link #close}. */
    public void connect(NodeAddress node, Hello hello, LinkListener listener) {
        if (!isLocal(node)) {
            outbox.connect(node, hello, listener);
        }
    }

    /** Queues a request after all others to that node. */
    public void add(NodeAddress to, PoolRequest request) {
        if (isLocal(to)) {
            localReplica.get().add(request);
        } else {
            outbox.add(to, request);
        }
    }

    private boolean isLocal(NodeAddress address) {
        return localReplica.isPresent() && localReplica.get().address().equals(address);
    }

    /** Returns the number of requests that are still queued. */
    public int size() {
        return outbox.size() + (localReplica.isPresent() ? localReplica.get().size() : 0);
    }

    /** Sends everything queued; waits for neither network nor disk. */
    public void send() {
        outbox.send();
        localReplica.ifPresent(LocalReplica::send);
    }

    /**
     * Sends to other nodes only: for the thread that performs the requests to the local replica, which performs the queued local requests
     * anyway.
     */
    public void sendToOthers() {
        outbox.send();
    }

    /** Sends the queued requests and closes the links. */
    public void close() {
        localReplica.ifPresent(LocalReplica::send);
        outbox.close();
    }
}
