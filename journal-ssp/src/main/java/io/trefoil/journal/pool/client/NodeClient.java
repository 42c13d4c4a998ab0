/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.client;

import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.ForwardRequest;
import io.trefoil.journal.protocol.ImagePartRequest;
import io.trefoil.journal.protocol.ImagesRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.Link;
import io.trefoil.journal.transport.LinkListener;
import io.trefoil.journal.transport.Transport;
import io.trefoil.journal.transport.Welcome;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * Sends requests to one node and receives its replies, off the commit path. A question asked while there is no session waits for
 * the next session; one whose session breaks fails. Everything except {@link #query} runs on the transport's thread.
 */
public final class NodeClient implements LinkListener, AutoCloseable {

    private final Transport transport;
    private final NodeAddress node;
    private final Runnable onMessage;
    private final Link link;
    private final Queue<PendingRequest> waiting = new ArrayDeque<>();
    private final IdentityHashMap<PoolRequest, PendingRequest> asked = new IdentityHashMap<>();
    private final CompletableFuture<Void> firstAttempt = new CompletableFuture<>();
    private volatile String lastTrouble = "no connection yet";
    /** The reason why the node refuses sessions with this process; empty while it does not. */
    private volatile String refusal = "";

    private String toldRefusal = "";
    /** The current session's link. The first session may begin before the constructor has the link. */
    private Optional<Link> session = Optional.empty();

    private boolean knowsImages;
    private boolean knowsCalls;
    /** Whether the last attempt to connect failed, with no session since. */
    private volatile boolean isUnreachable;
    /** The reason why this client was closed, as reported to later callers; empty until then. */
    private Optional<String> ending = Optional.empty();

    NodeClient(Transport transport, NodeAddress node, Hello hello) {
        this(transport, node, hello, () -> {});
    }

    /** @param onMessage is run when the node has sent anything in a session, perhaps before this constructor returns */
    NodeClient(Transport transport, NodeAddress node, Hello hello, Runnable onMessage) {
        this.transport = transport;
        this.node = node;
        this.onMessage = onMessage;
        this.link = transport.connect(node, hello, this);
    }

    /** Returns why there is no session, for messages. */
    String lastFailure() {
        return lastTrouble;
    }

    /** The node's reason for refusing sessions, if it has not been returned yet since the last session. By any thread. */
    synchronized Optional<String> newRefusal() {
        String now = refusal;
        boolean isNew = !now.isEmpty() && !now.equals(toldRefusal);
        toldRefusal = now;
        return isNew ? Optional.of(now) : Optional.<String>empty();
    }

    /** Whether the last attempt to connect failed, and there was no session since. By any thread. */
    boolean isUnreachable() {
        return isUnreachable;
    }

    /** Completes when the first attempt to connect has ended, with a session or without. */
    CompletableFuture<Void> firstAttempt() {
        return firstAttempt;
    }

    /**
     * Sends a request; the reply fails with an {@link IOException} if the session breaks, or this client is closed, before or after the
     * request is sent. The caller sets time-outs.
     */
    public CompletableFuture<PoolReply> query(PoolRequest request) {
        return query(request, () -> true);
    }

    /** @param isWanted whether the question may still be sent; on the transport's thread */
    CompletableFuture<PoolReply> query(PoolRequest request, BooleanSupplier isWanted) {
        PendingRequest question = new PendingRequest(request, isWanted);
        transport.execute(() -> {
            waiting.add(question);
            if (ending.isPresent()) {
                // The caller does not know yet, and no session comes that would end the wait.
                failPending(ending.get());
            } else {
                sendPending();
            }
        });
        return question.answer;
    }

    private void sendPending() {
        if (!session.isPresent()) {
            if (isUnreachable) {
                failPendingCalls();
            }
            waiting.removeIf(question -> question.answer.isDone());
            return;
        }
        failAbandoned();
        PendingRequest question = waiting.poll();
        while (question != null) {
            if (isImageRequest(question.request) && !knowsImages) {
                question.answer.completeExceptionally(new IOException("Pool node "
                        + session.get().address() + " has an older version, which does not know images; upgrade "
                        + "it"));
            } else if (question.request instanceof ForwardRequest && !knowsCalls) {
                question.answer.completeExceptionally(CallNotExecutedException.permanent("Pool node "
                        + session.get().address() + " has an older version, which does not take calls; upgrade it"));
            } else if (!question.answer.isDone()) {
                asked.put(question.request, question);
                session.get().send(question.request);
            }
            question = waiting.poll();
        }
        session.get().flush();
    }

    private static boolean isImageRequest(PoolRequest request) {
        return request instanceof ImagesRequest || request instanceof ImagePartRequest;
    }

    @Override
    public void onUp(Link upLink, Welcome welcome) {
        session = Optional.of(upLink);
        isUnreachable = false;
        knowsImages = welcome.supportsImages();
        refusal = "";
        knowsCalls = welcome.supportsForwardedCalls();
        firstAttempt.complete(null);
        sendPending();
    }

    @Override
    public void onDown(Link downLink, String reason) {
        session = Optional.empty();
        lastTrouble = reason;
        firstAttempt.complete(null);
        IOException broken = new IOException("Session with " + downLink.address() + " broke: " + reason);
        asked.values().forEach(question -> question.answer.completeExceptionally(broken));
        asked.clear();
    }

    @Override
    public void onUnreachable(Link attempted, String reason) {
        lastTrouble = reason;
        isUnreachable = true;
        // The thread that waits for the attempt looks next whether the node can be reached.
        firstAttempt.complete(null);
        failPendingCalls();
    }

    /** Fails a forwarded call right away: its caller can retry, here or elsewhere, only if it learns of the failure now. */
    private void failPendingCalls() {
        waiting.removeIf(question -> {
            boolean isCall = question.request instanceof ForwardRequest;
            if (isCall) {
                question.answer.completeExceptionally(newNotSentException(node + " cannot be reached: " + lastTrouble));
            }
            return isCall;
        });
    }

    /** Fails the requests that wait for a session and are no longer wanted. */
    void failAbandoned() {
        waiting.removeIf(question -> {
            boolean isUnwanted = !question.isWanted.getAsBoolean();
            if (isUnwanted) {
                question.answer.completeExceptionally(
                        newNotSentException(node + " was not asked: there was no session in time. " + lastTrouble));
            }
            return isUnwanted;
        });
    }

    private static CallNotExecutedException newNotSentException(String reason) {
        return new CallNotExecutedException("Pool node " + reason);
    }

    /** Fails the requests that wait for a session; a call that was not sent was certainly not executed. */
    private void failPending(String reason) {
        IOException failure = new IOException(reason);
        waiting.forEach(question -> question.answer.completeExceptionally(
                question.request instanceof ForwardRequest ? new CallNotExecutedException(reason) : failure));
        waiting.clear();
    }

    @Override
    public void onRefused(Link refusedLink, String reason) {
        session = Optional.empty();
        lastTrouble = reason;
        refusal = reason;
        firstAttempt.complete(null);
        failPending("Refused by " + refusedLink.address() + ": " + reason);
    }

    @Override
    public void onReply(Link from, PoolRequest request, PoolReply reply, long sentNanos) {
        PendingRequest question = asked.remove(request);
        if (question != null) {
            question.answer.complete(reply);
        }
    }

    @Override
    public void onReceived(Link from) {
        onMessage.run();
    }

    @Override
    public void onReadCompleted(Link endedLink) {
        // Answers complete one by one; there is nothing to gather.
    }

    /** Whether there is a session. On the transport's thread. */
    boolean hasSession() {
        return session.isPresent();
    }

    @Override
    public void close() {
        close("closed");
    }

    /** @param reason what callers waiting for an answer get */
    void close(String reason) {
        link.close();
        transport.execute(() -> {
            onDown(link, reason);
            String told = "Connection to " + node + " ended before it was asked: " + reason;
            ending = Optional.of(told);
            failPending(told);
        });
    }

    /** A request and the future of its answer. */
    private static final class PendingRequest {
        private final PoolRequest request;
        private final BooleanSupplier isWanted;
        private final CompletableFuture<PoolReply> answer = new CompletableFuture<>();

        PendingRequest(PoolRequest request, BooleanSupplier isWanted) {
            this.request = request;
            this.isWanted = isWanted;
        }
    }
}
