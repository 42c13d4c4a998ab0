/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.chain;

import io.trefoil.ha.hdfs.dated.DeadlineStampedCalls;
import io.trefoil.ha.hdfs.forward.CallForwarder;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.client.CallLink;
import java.io.Closeable;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/** Forwards calls over a connection of the pool, each with the time at which it was sent. Thread-safe. */
final class ActiveForwardingChannel implements CallForwarder.ForwardingChannel, Closeable {
    private final CallLink link;
    private final DeadlineStampedCalls dated;

    /** @param link is closed with this */
    ActiveForwardingChannel(CallLink link) {
        this.link = link;
        this.dated = new DeadlineStampedCalls(link::forward);
    }

    @Override
    public CompletableFuture<Bytes> forward(NodeAddress node, Bytes call, BooleanSupplier wanted) {
        return dated.forward(node, call, wanted);
    }

    @Override
    public CompletableFuture<Void> sign(NodeAddress node) {
        return link.sign(node);
    }

    @Override
    public void turnTo(NodeAddress node) {
        dated.turnTo(node);
        link.redirect(node);
    }

    @Override
    public void close() {
        link.close();
    }
}
