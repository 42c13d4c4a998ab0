/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.client;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.ForwardRequest;
import io.trefoil.journal.protocol.ForwardedReply;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.Transport;
import io.trefoil.journal.transport.authentication.Authentication;
import io.trefoil.journal.transport.client.NettyTransport;
import io.trefoil.journal.transport.tls.TlsSettings;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Forwards clients' calls to the NameNode in the process of a pool node, over one connection to the node named last.
 * Never sends a call twice. Thread-safe.
 */
public final class CallLink implements AutoCloseable {

    private final Transport transport;
    private final Hello hello;

    /** At most one; guarded by this. */
    private Optional<Target> target = Optional.empty();

    private CallLink(Transport transport, Hello hello) {
        this.transport = transport;
        this.hello = hello;
    }

    /** @throws IOException if connections use TLS and the keys cannot be used; the text names what to set */
    public static CallLink of(JournalId journal, NamespaceId namespace, Authentication authentication, TlsSettings tls)
            throws IOException {
        return new CallLink(
                NettyTransport.start("calls-" + journal, authentication, tls),
                Hello.of(
                        journal,
                        namespace,
                        Hello.CallerRole.READER,
                        ManagementFactory.getRuntimeMXBean().getName(),
                        Optional.<NodeAddress>empty()));
    }

    /**
     * Forwards a call as soon as there is a session. The answer fails with a {@link CallNotTakenException} if the node
     * says that it did not execute the call, or if the call was not sent, for example because the node cannot be
     * reached. It fails with another {@link IOException} if the outcome is unknown, for example because another node is
     * named meanwhile. Completes on the transport's thread. The caller sets time-outs; a call cancelled before there is
     * a session is never sent.
     */
    public CompletableFuture<Bytes> forward(NodeAddress node, Bytes call) {
        CompletableFuture<PoolReply> asked = to(node).ask(ForwardRequest.of(call));
        CompletableFuture<Bytes> answer = asked.thenCompose(CallLink::answer);
        answer.whenComplete((reply, failure) -> asked.cancel(false));
        return answer;
    }

    /** Directs calls to this node from now on; the outcome of calls pending at another node is unknown. Does not block. */
    public void turnTo(NodeAddress node) {
        to(node);
    }

    private synchronized NodeClient to(NodeAddress node) {
        if (!target.isPresent() || !target.get().address.equals(node)) {
            target.ifPresent(former -> former.client.close());
            target = Optional.of(new Target(node, new NodeClient(transport, node, hello)));
        }
        return target.get().client;
    }

    private static CompletableFuture<Bytes> answer(PoolReply reply) {
        CompletableFuture<Bytes> answer = new CompletableFuture<>();
        if (reply instanceof ForwardedReply) {
            answer.complete(((ForwardedReply) reply).answer());
        } else if (reply instanceof FailedReply) {
            answer.completeExceptionally(new CallNotTakenException(((FailedReply) reply).reason()));
        } else {
            answer.completeExceptionally(new IOException("The node answered " + reply + " to a call"));
        }
        return answer;
    }

    @Override
    public void close() {
        synchronized (this) {
            target.ifPresent(last -> last.client.close());
            target = Optional.empty();
        }
        transport.close();
    }

    /** A node and its client. */
    private static final class Target {
        private final NodeAddress address;
        private final NodeClient client;

        Target(NodeAddress address, NodeClient client) {
            this.address = address;
            this.client = client;
        }
    }
}
