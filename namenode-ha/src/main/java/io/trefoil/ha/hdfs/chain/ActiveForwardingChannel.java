/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.chain;

import io.trefoil.ha.hdfs.dated.DeadlineStampedCalls;
import io.trefoil.ha.hdfs.forward.CallForwarder;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.client.CallLink;
import io.trefoil.journal.pool.server.ForwardedCalls;
import java.io.Closeable;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * Forwards calls over a connection of the pool, each with the time at which it was sent; executes them here while this NameNode is active
 * itself. Thread-safe.
 */
final class ActiveForwardingChannel implements CallForwarder.ForwardingChannel, Closeable {
    private final CallLink link;
    private final DeadlineStampedCalls dated;
    private final ForwardedCalls here;

    /**
     * @param link is closed with this
     * @param here executes calls of clients of this NameNode
     */
    ActiveForwardingChannel(CallLink link, ForwardedCalls here) {
        this.link = link;
        this.here = here;
        this.dated = new DeadlineStampedCalls(link::forward);
    }

    @Override
    public CompletableFuture<Bytes> forward(NodeAddress node, Bytes call, BooleanSupplier wanted) {
        if (!node.equals(CallForwarder.HERE)) {
            return dated.forward(node, call, wanted);
        }
        turnTo(node);
        LocalForwarder client = new LocalForwarder(wanted);
        here.execute(call, client);
        return client.answer;
    }

    @Override
    public CompletableFuture<Void> sign(NodeAddress node) {
        return node.equals(CallForwarder.HERE) ? CompletableFuture.completedFuture(null) : link.sign(node);
    }

    @Override
    public void turnTo(NodeAddress node) {
        dated.turnTo(node);
        if (node.equals(CallForwarder.HERE)) {
            link.turnAway();
        } else {
            link.redirect(node);
        }
    }

    @Override
    public void close() {
        link.close();
    }

    /** A call of a client of this NameNode. */
    private static final class LocalForwarder implements ForwardedCalls.Forwarder {
        private final BooleanSupplier wanted;
        final CompletableFuture<Bytes> answer = new CompletableFuture<>();

        LocalForwarder(BooleanSupplier wanted) {
            this.wanted = wanted;
        }

        @Override
        public void accept(Bytes outcome) {
            answer.complete(outcome);
        }

        @Override
        public boolean isWaiting() {
            return wanted.getAsBoolean();
        }
    }
}
