/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer.delivery;

import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.LinkListener;
import java.util.Optional;

/**
 * Where a writer's requests go: to the links of other nodes, or to the replica in its own process. They are put here
 * under the writer's monitor, and leave when {@link #send} is called without it.
 */
public final class Delivery {
    private final Outbox outbox;
    private final Optional<LocalReplica> local;

    /** Both guarded by the same monitor. */
    public Delivery(Outbox outbox, Optional<LocalReplica> local) {
        this.outbox = outbox;
        this.local = local;
    }

    /** Opens a link to a node of another process, once; under the monitor. */
    public void connect(NodeAddress node, Hello hello, LinkListener listener) {
        if (!isLocal(node)) {
            outbox.connect(node, hello, listener);
        }
    }

    /** Puts a request behind all others to that node; under the monitor. */
    public void add(NodeAddress to, PoolRequest request) {
        if (isLocal(to)) {
            local.get().add(request);
        } else {
            outbox.add(to, request);
        }
    }

    private boolean isLocal(NodeAddress address) {
        return local.isPresent() && local.get().address().equals(address);
    }

    /** How many requests nobody has taken yet; under the monitor. */
    public int size() {
        return outbox.size() + (local.isPresent() ? local.get().size() : 0);
    }

    /** Lets everything go where it goes; by any thread, without the monitor. Waits for neither network nor disk. */
    public void send() {
        outbox.send();
        local.ifPresent(LocalReplica::send);
    }

    /** The same, by the thread that performs what is for the replica in this process: it comes to that by itself. */
    public void sendToOthers() {
        outbox.send();
    }

    /** Sends what is here and ends the links; by any thread, without the monitor. */
    public void close() {
        local.ifPresent(LocalReplica::send);
        outbox.close();
    }
}
