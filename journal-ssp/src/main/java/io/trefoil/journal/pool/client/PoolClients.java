/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.client;

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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends requests to several nodes, off the commit path. Thread-safe. */
public final class PoolClients implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PoolClients.class);

    /** How long first connections may take, in a young process or on a busy machine. */
    public static final Duration CONNECTING = Duration.ofSeconds(10);

    private final Transport transport;
    private final Hello hello;
    private final Map<NodeAddress, NodeClient> clients = new LinkedHashMap<>();

    public PoolClients(Transport transport, Hello hello) {
        this.transport = transport;
        this.hello = hello;
    }

    public synchronized NodeClient clientFor(NodeAddress node) {
        return clients.computeIfAbsent(node, address -> new NodeClient(transport, address, hello));
    }

    /** An additional connection to a node; the caller closes it. */
    NodeClient openClient(NodeAddress node) {
        return new NodeClient(transport, node, hello);
    }

    /**
     * Sends a request to one node.
     *
     * @throws IOException if there was no answer in time or the session broke
     */
    public PoolReply query(NodeAddress node, PoolRequest request, Duration timeout) throws IOException {
        CompletableFuture<PoolReply> answer = clientFor(node).query(request);
        try {
            return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            answer.cancel(false);
            throw new IOException(
                    "No answer from " + node + " in " + timeout.toMillis() + " ms ("
                            + clientFor(node).lastFailure() + ")",
                    e);
        } catch (ExecutionException e) {
            throw new IOException(e.getCause().getMessage(), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw toInterruptedIoException(e);
        }
    }

    /**
     * Asks all nodes at once; returns their replies when all have answered or failed, or the time is up. While first
     * connections are being made (which includes a first login with Kerberos) and less than half of the nodes have
     * answered, the time is {@link #CONNECTING}; the timeout counts from then on.
     */
    public Map<NodeAddress, PoolReply> queryAll(Iterable<NodeAddress> nodes, PoolRequest request, Duration timeout)
            throws IOException {
        return queryAll(nodes, request, timeout, replies -> false);
    }

    /**
     * Asks all nodes at once; once enough others have answered, unreachable nodes get no more time to come up, as they may never do so. A
     * node that has a session, or may get its first, has all its time in any case.
     *
     * @param stopCondition whether nothing more is needed than these replies
     */
    public Map<NodeAddress, PoolReply> queryAll(
            Iterable<NodeAddress> nodes,
            PoolRequest request,
            Duration timeout,
            Predicate<Map<NodeAddress, PoolReply>> stopCondition)
            throws IOException {
        Map<NodeAddress, PoolReply> replies = new LinkedHashMap<>();
        queryEach(nodes, request, timeout, answers -> stopCondition.test(replies(answers)))
                .forEach((node, answer) -> {
                    if (answer.reply().isPresent()) {
                        replies.put(node, answer.reply().get());
                    } else {
                        LOG.debug("No answer from node={}: {}", node, answer.failureReason());
                    }
                    logIfRefused(node);
                });
        return replies;
    }

    private static Map<NodeAddress, PoolReply> replies(Map<NodeAddress, NodeAnswer> answers) {
        Map<NodeAddress, PoolReply> replies = new LinkedHashMap<>();
        answers.forEach((node, answer) -> answer.reply().ifPresent(reply -> replies.put(node, reply)));
        return replies;
    }

    /** Whether no attempt to connect to the node has succeeded since one failed. */
    public boolean isUnreachable(NodeAddress node) {
        return clientFor(node).isUnreachable();
    }

    /** Logs a refusal: the caller may have enough answers from others, but an operator must learn of a wrong certificate. */
    private void logIfRefused(NodeAddress node) {
        clientFor(node)
                .newRefusal()
                .ifPresent(reason -> LOG.warn(
                        "No session with pool node={}: {}; retrying; do: start that node if it is down", node, reason));
    }

    /** Returns the deadline for answers. */
    private long awaitFirstConnections(Map<NodeAddress, CompletableFuture<PoolReply>> pendingReplies, Duration timeout)
            throws IOException {
        long begun = System.nanoTime();
        CompletableFuture<Void> attempts = CompletableFuture.allOf(pendingReplies.keySet().stream()
                .map(node -> clientFor(node).firstAttempt())
                .toArray(CompletableFuture<?>[]::new));
        CompletableFuture<Void> half = new CompletableFuture<>();
        AtomicInteger replies = new AtomicInteger();
        pendingReplies
                .values()
                .forEach(answer -> answer.thenRun(() -> {
                    if (replies.incrementAndGet() * 2 >= pendingReplies.size()) {
                        half.complete(null);
                    }
                }));
        if (!awaitDone(attempts, timeout)
                && !awaitDone(CompletableFuture.anyOf(attempts, half), CONNECTING.minus(timeout))) {
            LOG.info(
                    "Timed out while connecting to nodes={}: timeoutMillis={}",
                    pendingReplies.keySet(),
                    CONNECTING.toMillis());
        }
        return (half.isDone() ? begun : System.nanoTime()) + timeout.toNanos();
    }

    /** Waits until the future is done, and returns true, or until the time is up, and returns false. */
    private static boolean awaitDone(CompletableFuture<?> future, Duration limit) throws IOException {
        try {
            future.get(limit.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw toInterruptedIoException(e);
        }
    }

    /**
     * Asks all nodes as {@link #queryAll} does, with the same timeouts; for every node without a reply, the answer says why.
     * The answers are in the order given.
     */
    Map<NodeAddress, NodeAnswer> queryEach(
            Iterable<NodeAddress> nodes,
            PoolRequest request,
            Duration timeout,
            Predicate<Map<NodeAddress, NodeAnswer>> stopCondition)
            throws IOException {
        Map<NodeAddress, CompletableFuture<PoolReply>> pendingReplies = queryEach(nodes, request);
        long deadline = awaitFirstConnections(pendingReplies, timeout);
        Map<NodeAddress, NodeAnswer> answers = new LinkedHashMap<>();
        Map<NodeAddress, CompletableFuture<PoolReply>> outOfReach = new LinkedHashMap<>();
        for (Map.Entry<NodeAddress, CompletableFuture<PoolReply>> entry : pendingReplies.entrySet()) {
            if (isUnreachable(entry.getKey()) && !entry.getValue().isDone()) {
                outOfReach.put(entry.getKey(), entry.getValue());
            } else {
                answers.put(entry.getKey(), awaitAnswer(entry.getKey(), entry.getValue(), timeout, deadline));
            }
        }
        for (Map.Entry<NodeAddress, CompletableFuture<PoolReply>> entry : outOfReach.entrySet()) {
            long until = stopCondition.test(answers) ? System.nanoTime() : deadline;
            answers.put(entry.getKey(), awaitAnswer(entry.getKey(), entry.getValue(), timeout, until));
        }
        Map<NodeAddress, NodeAnswer> inOrder = new LinkedHashMap<>();
        pendingReplies.keySet().forEach(node -> inOrder.put(node, answers.get(node)));
        return inOrder;
    }

    private Map<NodeAddress, CompletableFuture<PoolReply>> queryEach(Iterable<NodeAddress> nodes, PoolRequest request) {
        Map<NodeAddress, CompletableFuture<PoolReply>> pendingReplies = new LinkedHashMap<>();
        for (NodeAddress node : nodes) {
            pendingReplies.put(node, clientFor(node).query(request));
        }
        return pendingReplies;
    }

    private NodeAnswer awaitAnswer(
            NodeAddress node, CompletableFuture<PoolReply> reply, Duration timeout, long deadline) throws IOException {
        try {
            long left = Math.max(0, deadline - System.nanoTime());
            return NodeAnswer.ofReply(reply.get(left, TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            reply.cancel(false);
            return NodeAnswer.ofFailure("no answer in " + timeout.toMillis() + " ms (" + failureReason(node) + ")");
        } catch (ExecutionException e) {
            return NodeAnswer.ofFailure(e.getCause().getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw toInterruptedIoException(e);
        }
    }

    /** Returns why a node does not answer, for messages. */
    public String failureReason(NodeAddress node) {
        return clientFor(node).lastFailure();
    }

    private static InterruptedIOException toInterruptedIoException(InterruptedException cause) {
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
