/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer.delivery;

import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.Link;
import io.trefoil.journal.transport.LinkListener;
import io.trefoil.journal.transport.Transport;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/**
 * A writer's requests for other nodes, and the links to them. Requests are queued under the writer's lock; the
 * transport's thread, woken once for any number of them, hands them to the links.
 */
public final class Outbox {
    private final Object lock;
    private final Transport transport;
    private final Queue<Outgoing> requests = new ArrayDeque<>();
    private final Map<NodeAddress, Link> links = new LinkedHashMap<>();
    private boolean drainWanted;

    /** @param lock of the writer, which guards everything here */
    public Outbox(Object lock, Transport transport) {
        this.lock = lock;
        this.transport = transport;
    }

    /** Opens a link to a node, once; under the lock. */
    public void connect(NodeAddress node, Hello hello, LinkListener listener) {
        if (!links.containsKey(node)) {
            links.put(node, transport.connect(node, hello, listener));
        }
    }

    /** Queues a request behind all others; under the lock. It leaves at the next {@link #send}. */
    public void add(NodeAddress to, PoolRequest request) {
        requests.add(new Outgoing(to, request));
    }

    /** How many requests the transport's thread has not taken; under the lock. */
    public int size() {
        return requests.size();
    }

    /** Sends everything queued; by any thread, without the lock. */
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

    /** Sends what is queued and closes the links; by any thread. */
    public void close() {
        transport.execute(() -> {
            drain();
            links.values().forEach(Link::close);
        });
    }

    /** Hands everything to the links, with one flush each; on the transport's thread. */
    private void drain() {
        Map<Link, List<PoolRequest>> outgoing = new LinkedHashMap<>();
        synchronized (lock) {
            drainWanted = false;
            for (Outgoing one : requests) {
                Link link = links.get(one.to);
                if (link != null) {
                    outgoing.computeIfAbsent(link, to -> new ArrayList<>()).add(one.request);
                }
            }
            requests.clear();
        }
        // Link by link: the first node writes to its disk while the next is still being sent to.
        outgoing.forEach((link, itsRequests) -> {
            itsRequests.forEach(link::send);
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
