/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer.delivery;

import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.Link;
import io.trefoil.journal.transport.LinkListener;
import io.trefoil.journal.transport.Transport;
import io.trefoil.journal.writer.WriterTrace;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/**
 * A writer's requests for other nodes, and the links to them: the transport's thread, woken once for any number of
 * requests, hands them to the links. Thread-safe.
 */
public final class Outbox {
    private final Transport transport;
    private final WriterTrace trace;
    /** Guards the fields below; no other lock is taken while it is held. */
    private final Object lock = new Object();

    private final Queue<Outgoing> requests = new ArrayDeque<>();
    private final Map<NodeAddress, Link> links = new LinkedHashMap<>();
    private boolean drainWanted;
    private boolean closed;

    public Outbox(Transport transport, WriterTrace trace) {
        this.transport = transport;
        this.trace = trace;
    }

    /** Opens a link to a node, at most once per node and not after {@link #close}. */
    public void connect(NodeAddress node, Hello hello, LinkListener listener) {
        synchronized (lock) {
            if (!closed && !links.containsKey(node)) {
                links.put(node, transport.connect(node, hello, listener));
            }
        }
    }

    /** Queues a request after all others. It leaves at the next {@link #send}. */
    public void add(NodeAddress to, PoolRequest request) {
        synchronized (lock) {
            requests.add(new Outgoing(to, request));
        }
    }

    /** Returns the number of requests that the transport's thread has not taken. */
    public int size() {
        synchronized (lock) {
            return requests.size();
        }
    }

    /** Sends everything queued. */
    public void send() {
        synchronized (lock) {
            if (requests.isEmpty() || drainWanted) {
                return;
            }
            drainWanted = true;
        }
        boolean woken = false;
        try {
            transport.execute(this::drain);
            woken = true;
        } finally {
            if (!woken) {
                // There is no memory for it, or the process ends: the next send tries again.
                synchronized (lock) {
                    drainWanted = false;
                }
            }
        }
    }

    /** Sends the queued requests and closes the links. */
    public void close() {
        List<Link> open;
        synchronized (lock) {
            closed = true;
            open = new ArrayList<>(links.values());
        }
        transport.execute(() -> {
            drain();
            trace.recordClosed();
            open.forEach(Link::close);
        });
    }

    /** Hands all queued requests to the links, with one flush each; on the transport's thread. */
    private void drain() {
        Map<Link, List<Outgoing>> outgoing = new LinkedHashMap<>();
        synchronized (lock) {
            drainWanted = false;
            for (Outgoing one : requests) {
                Link link = links.get(one.to);
                if (link != null) {
                    outgoing.computeIfAbsent(link, to -> new ArrayList<>()).add(one);
                }
            }
            requests.clear();
        }
        // Link by link: the first node writes to its disk while the next is still being sent to.
        outgoing.forEach((link, itsRequests) -> {
            for (Outgoing one : itsRequests) {
                trace.recordSent(one.to, one.request);
                link.send(one.request);
            }
            link.flush();
        });
    }

    /** A request and its destination. */
    private static final class Outgoing {
        private final NodeAddress to;
        private final PoolRequest request;

        Outgoing(NodeAddress to, PoolRequest request) {
            this.to = to;
            this.request = request;
        }
    }
}
