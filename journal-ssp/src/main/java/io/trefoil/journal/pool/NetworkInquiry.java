/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.NettyTransport;
import io.trefoil.journal.transport.Transport;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** {@link PoolInquiry} over TCP; a node that refuses connections is given the whole time to come up. */
final class NetworkInquiry implements PoolInquiry {

    private final Duration patience;
    private final Transport transport;
    private final PoolClients clients;

    NetworkInquiry(JournalId journal, Duration patience) {
        this.patience = patience;
        this.transport = NettyTransport.start(journal.text());
        this.clients = new PoolClients(
                transport,
                Hello.of(
                        journal,
                        NamespaceId.UNKNOWN,
                        Hello.Role.READER,
                        ManagementFactory.getRuntimeMXBean().getName(),
                        Optional.<NodeAddress>empty()));
    }

    @Override
    public Map<NodeAddress, NodeAnswer> ask(Collection<NodeAddress> nodes, PoolRequest request) throws IOException {
        Map<NodeAddress, CompletableFuture<PoolReply>> asked = new LinkedHashMap<>();
        for (NodeAddress node : nodes) {
            asked.put(node, clients.at(node).ask(request));
        }
        long deadline = System.nanoTime() + patience.toNanos();
        Map<NodeAddress, NodeAnswer> answers = new LinkedHashMap<>();
        for (Map.Entry<NodeAddress, CompletableFuture<PoolReply>> one : asked.entrySet()) {
            answers.put(one.getKey(), answer(one.getKey(), one.getValue(), deadline));
        }
        return answers;
    }

    private NodeAnswer answer(NodeAddress node, CompletableFuture<PoolReply> future, long deadline) throws IOException {
        try {
            return NodeAnswer.replied(future.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            future.cancel(false);
            return NodeAnswer.silent("no answer in " + patience.toMillis() + " ms (" + clients.troubleOf(node) + ")");
        } catch (ExecutionException e) {
            return NodeAnswer.silent(e.getCause().getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException interrupted = new InterruptedIOException("Interrupted while asking " + node);
            interrupted.initCause(e);
            throw interrupted;
        }
    }

    @Override
    public void close() {
        clients.close();
        transport.close();
    }
}
