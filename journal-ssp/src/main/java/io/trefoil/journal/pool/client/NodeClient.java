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
 * Questions to one node, and their answers, off the commit path. A question asked while there is no session waits for
 * the next session; one whose session breaks fails. Everything except {@link #ask} runs on the transport's thread.
 */
public final class NodeClient implements LinkListener, AutoCloseable {

    private final Transport transport;
    private final NodeAddress node;
    private final Runnable heard;
    private final Link link;
    private final Queue<Question> waiting = new ArrayDeque<>();
    private final IdentityHashMap<PoolRequest, Question> asked = new IdentityHashMap<>();
    private final CompletableFuture<Void> firstAttempt = new CompletableFuture<>();
    private volatile String lastTrouble = "no connection yet";
    /** Why the node refuses sessions with this process; empty while it does not. */
    private volatile String refusal = "";

    private String toldRefusal = "";
    /** The current session's link. The first session may begin before the constructor has the link. */
    private Optional<Link> session = Optional.empty();

    private boolean knowsImages;
    private boolean knowsCalls;
    /** The last attempt to connect failed, and there was no session since. */
    private volatile boolean isUnreachable;
    /** Why this client was closed, as later callers are told; empty until then. */
    private Optional<String> ending = Optional.empty();

    NodeClient(Transport transport, NodeAddress node, Hello hello) {
        this(transport, node, hello, () -> {});
    }

    /** @param heard is run when the node has sent anything in a session, perhaps before this constructor returns */
    NodeClient(Transport transport, NodeAddress node, Hello hello, Runnable heard) {
        this.transport = transport;
        this.node = node;
        this.heard = heard;
        this.link = transport.connect(node, hello, this);
    }

    /** Why there is no session, for messages. */
    String lastFailure() {
        return lastTrouble;
    }

    /** The node's reason for refusing sessions, if it was not returned yet since the last session. By any thread. */
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
     * Asks; the answer fails with an {@link IOException} if the session breaks, or this is closed, before the question or
     * after it. The caller sets time-outs.
     */
    public CompletableFuture<PoolReply> ask(PoolRequest request) {
        return ask(request, () -> true);
    }

    /** @param wanted whether the question may still be sent; on the transport's thread */
    CompletableFuture<PoolReply> ask(PoolRequest request, BooleanSupplier wanted) {
        Question question = new Question(request, wanted);
        transport.execute(() -> {
            waiting.add(question);
            if (ending.isPresent()) {
                // Whoever asks does not know yet, and no session comes that would end the wait.
                failWaiting(ending.get());
            } else {
                sendWaiting();
            }
        });
        return question.answer;
    }

    private void sendWaiting() {
        if (!session.isPresent()) {
            if (isUnreachable) {
                failWaitingCalls();
            }
            waiting.removeIf(question -> question.answer.isDone());
            return;
        }
        dropUnwanted();
        Question question = waiting.poll();
        while (question != null) {
            if (isAboutImages(question.request) && !knowsImages) {
                question.answer.completeExceptionally(new IOException("Pool node "
                        + session.get().address() + " has an older version, which does not know images; upgrade "
                        + "it"));
            } else if (question.request instanceof ForwardRequest && !knowsCalls) {
                question.answer.completeExceptionally(CallNotExecutedException.lasting("Pool node "
                        + session.get().address() + " has an older version, which does not take calls; upgrade it"));
            } else if (!question.answer.isDone()) {
                asked.put(question.request, question);
                session.get().send(question.request);
            }
            question = waiting.poll();
        }
        session.get().flush();
    }

    private static boolean isAboutImages(PoolRequest request) {
        return request instanceof ImagesRequest || request instanceof ImagePartRequest;
    }

    @Override
    public void up(Link upLink, Welcome welcome) {
        session = Optional.of(upLink);
        isUnreachable = false;
        knowsImages = welcome.knowsImages();
        refusal = "";
        knowsCalls = welcome.knowsCalls();
        firstAttempt.complete(null);
        sendWaiting();
    }

    @Override
    public void down(Link downLink, String why) {
        session = Optional.empty();
        lastTrouble = why;
        firstAttempt.complete(null);
        IOException broken = new IOException("Session with " + downLink.address() + " broke: " + why);
        asked.values().forEach(question -> question.answer.completeExceptionally(broken));
        asked.clear();
    }

    @Override
    public void unreachable(Link attempted, String why) {
        lastTrouble = why;
        isUnreachable = true;
        // Whoever waits for the attempt looks next whether the node can be reached.
        firstAttempt.complete(null);
        failWaitingCalls();
    }

    /** The caller of a forwarded call can ask elsewhere or again, but only if it is told now. */
    private void failWaitingCalls() {
        waiting.removeIf(question -> {
            boolean isCall = question.request instanceof ForwardRequest;
            if (isCall) {
                question.answer.completeExceptionally(notSent(node + " cannot be reached: " + lastTrouble));
            }
            return isCall;
        });
    }

    /** Fails the questions that wait for a session and are not wanted any more. */
    void dropUnwanted() {
        waiting.removeIf(question -> {
            boolean isUnwanted = !question.wanted.getAsBoolean();
            if (isUnwanted) {
                question.answer.completeExceptionally(
                        notSent(node + " was not asked: there was no session in time. " + lastTrouble));
            }
            return isUnwanted;
        });
    }

    private static CallNotExecutedException notSent(String why) {
        return new CallNotExecutedException("Pool node " + why);
    }

    /** Fails the questions that wait for a session; a call that was not sent was certainly not executed. */
    private void failWaiting(String why) {
        IOException failure = new IOException(why);
        waiting.forEach(question -> question.answer.completeExceptionally(
                question.request instanceof ForwardRequest ? new CallNotExecutedException(why) : failure));
        waiting.clear();
    }

    @Override
    public void refused(Link refusedLink, String why) {
        session = Optional.empty();
        lastTrouble = why;
        refusal = why;
        firstAttempt.complete(null);
        failWaiting("Refused by " + refusedLink.address() + ": " + why);
    }

    @Override
    public void replied(Link from, PoolRequest request, PoolReply reply, long sentNanos) {
        Question question = asked.remove(request);
        if (question != null) {
            question.answer.complete(reply);
        }
    }

    @Override
    public void received(Link from) {
        heard.run();
    }

    @Override
    public void readCompleted(Link ended) {
        // Answers complete one by one; there is nothing to gather.
    }

    /** Whether there is a session. On the transport's thread. */
    boolean isUp() {
        return session.isPresent();
    }

    @Override
    public void close() {
        close("closed");
    }

    /** @param why what those hear who wait for an answer */
    void close(String why) {
        link.close();
        transport.execute(() -> {
            down(link, why);
            String told = "Connection to " + node + " ended before it was asked: " + why;
            ending = Optional.of(told);
            failWaiting(told);
        });
    }

    /** A request and the future of its answer. */
    private static final class Question {
        private final PoolRequest request;
        private final BooleanSupplier wanted;
        private final CompletableFuture<PoolReply> answer = new CompletableFuture<>();

        Question(PoolRequest request, BooleanSupplier wanted) {
            this.request = request;
            this.wanted = wanted;
        }
    }
}
