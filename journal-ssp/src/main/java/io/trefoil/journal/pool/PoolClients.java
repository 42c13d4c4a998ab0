/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.Transport;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Questions to several nodes, off the commit path. Thread-safe. */
final class PoolClients implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PoolClients.class);

    private final Transport transport;
    private final Hello hello;
    private final Map<NodeAddress, NodeClient> clients = new LinkedHashMap<>();

    PoolClients(Transport transport, Hello hello) {
        this.transport = transport;
        this.hello = hello;
    }

    synchronized NodeClient at(NodeAddress node) {
        return clients.computeIfAbsent(node, address -> new NodeClient(transport, address, hello));
    }

    /**
     * Asks one node.
     *
     * @throws IOException if there was no answer in time or the session broke
     */
    PoolReply ask(NodeAddress node, PoolRequest request, Duration patience) throws IOException {
        CompletableFuture<PoolReply> answer = at(node).ask(request);
        try {
            return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            answer.cancel(false);
            throw new IOException(
                    "No answer from " + node + " in " + patience.toMillis() + " ms (" + at(node).lastTrouble() + ")",
                    e);
        } catch (ExecutionException e) {
            throw new IOException(e.getCause().getMessage(), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw interrupted(e);
        }
    }

    /** Asks all at once; gives what was answered when all have answered or failed, or the time is up. */
    Map<NodeAddress, PoolReply> askAll(Iterable<NodeAddress> nodes, PoolRequest request, Duration patience)
            throws IOException {
        Map<NodeAddress, PoolReply> replies = new LinkedHashMap<>();
        for (Map.Entry<NodeAddress, NodeAnswer> one :
                askEach(nodes, request, patience).entrySet()) {
            NodeAnswer answer = one.getValue();
            if (answer.reply().isPresent()) {
                replies.put(one.getKey(), answer.reply().get());
            } else {
                LOG.debug("No answer from {}: {}", one.getKey(), answer.trouble());
            }
        }
        return replies;
    }

    /** As {@link #askAll}, and says of every other node why it gave no reply. */
    Map<NodeAddress, NodeAnswer> askEach(Iterable<NodeAddress> nodes, PoolRequest request, Duration patience)
            throws IOException {
        Map<NodeAddress, CompletableFuture<PoolReply>> asked = new LinkedHashMap<>();
        for (NodeAddress node : nodes) {
            asked.put(node, at(node).ask(request));
        }
        long deadline = System.nanoTime() + patience.toNanos();
        Map<NodeAddress, NodeAnswer> answers = new LinkedHashMap<>();
        for (Map.Entry<NodeAddress, CompletableFuture<PoolReply>> one : asked.entrySet()) {
            NodeAddress node = one.getKey();
            try {
                long left = Math.max(0, deadline - System.nanoTime());
                answers.put(node, NodeAnswer.replied(one.getValue().get(left, TimeUnit.NANOSECONDS)));
            } catch (TimeoutException e) {
                one.getValue().cancel(false);
                answers.put(
                        node,
                        NodeAnswer.silent("no answer in " + patience.toMillis() + " ms (" + troubleOf(node) + ")"));
            } catch (ExecutionException e) {
                answers.put(node, NodeAnswer.silent(e.getCause().getMessage()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw interrupted(e);
            }
        }
        return answers;
    }

    /** Why a node does not answer, for messages. */
    String troubleOf(NodeAddress node) {
        return at(node).lastTrouble();
    }

    private static InterruptedIOException interrupted(InterruptedException cause) {
        InterruptedIOException interrupted = new InterruptedIOException("Interrupted while asking a pool node");
        interrupted.initCause(cause);
        return interrupted;
    }

    @Override
    public synchronized void close() {
        clients.values().forEach(NodeClient::close);
        clients.clear();
    }
}
