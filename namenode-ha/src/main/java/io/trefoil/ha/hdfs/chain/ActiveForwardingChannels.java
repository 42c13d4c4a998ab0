/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.chain;

import io.trefoil.ha.hdfs.dated.DeadlineStampedCalls;
import io.trefoil.ha.hdfs.forward.CallForwarder.ForwardingChannel;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.client.CallLink;
import io.trefoil.journal.pool.server.ForwardedCalls;
import java.io.Closeable;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * The channels to the active: to another NameNode over a connection of the pool, with the time at which each call was sent, and to this
 * NameNode while it is itself active. Thread-safe.
 */
final class ActiveForwardingChannels implements Closeable {
    private final CallLink link;
    private final DeadlineStampedCalls dated;
    private final ForwardingChannel local;

    /**
     * @param link is closed with this
     * @param executor executes calls of clients of this NameNode
     */
    ActiveForwardingChannels(CallLink link, ForwardedCalls executor) {
        this.link = link;
        this.dated = new DeadlineStampedCalls(link::forward);
        this.local = new LocalChannel(executor);
    }

    /** The channel to this NameNode. */
    ForwardingChannel localChannel() {
        return local;
    }

    /** The channel to the NameNode in the process of a pool node. */
    ForwardingChannel channelTo(NodeAddress node) {
        return new RemoteChannel(node);
    }

    @Override
    public void close() {
        link.close();
    }

    private final class RemoteChannel implements ForwardingChannel {
        private final NodeAddress node;

        RemoteChannel(NodeAddress node) {
            this.node = node;
        }

        @Override
        public CompletableFuture<Bytes> forward(Bytes call, BooleanSupplier isWanted) {
            return dated.forward(node, call, isWanted);
        }

        @Override
        public CompletableFuture<Void> probe() {
            return link.awaitSignOfLife(node);
        }

        @Override
        public void select() {
            dated.switchTo(node);
            link.redirect(node);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof RemoteChannel && node.equals(((RemoteChannel) other).node);
        }

        @Override
        public int hashCode() {
            return node.hashCode();
        }
    }

    private final class LocalChannel implements ForwardingChannel {
        private final ForwardedCalls executor;

        LocalChannel(ForwardedCalls executor) {
            this.executor = executor;
        }

        @Override
        public CompletableFuture<Bytes> forward(Bytes call, BooleanSupplier isWanted) {
            select();
            LocalForwarder client = new LocalForwarder(isWanted);
            executor.execute(call, client);
            return client.answer;
        }

        @Override
        public CompletableFuture<Void> probe() {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void select() {
            dated.dropWaitingCalls();
            link.clearTarget();
        }
    }

    /** A call of a client of this NameNode. */
    private static final class LocalForwarder implements ForwardedCalls.Forwarder {
        private final BooleanSupplier isWanted;
        final CompletableFuture<Bytes> answer = new CompletableFuture<>();

        LocalForwarder(BooleanSupplier isWanted) {
            this.isWanted = isWanted;
        }

        @Override
        public void accept(Bytes outcome) {
            answer.complete(outcome);
        }

        @Override
        public boolean isWaiting() {
            return isWanted.getAsBoolean();
        }
    }
}
