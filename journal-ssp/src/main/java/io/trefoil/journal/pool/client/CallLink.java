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
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.Transport;
import io.trefoil.journal.transport.authentication.Authentication;
import io.trefoil.journal.transport.client.NettyTransport;
import io.trefoil.journal.transport.tls.TlsSettings;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Forwards clients' calls to the NameNode in the process of a pool node, over one connection to the node named last.
 * Never sends a call twice. A node that goes silent while calls wait is given up after {@link #SILENCE}: the network
 * may drop what is sent without a word, and TCP would notice only after many minutes. When a connection ends, what the node has
 * not got is taken back: it would arrive when the call's client has asked elsewhere, and changed more. Thread-safe.
 */
public final class CallLink implements AutoCloseable {

    /**
     * The longest silence of a node that owes answers, without a single byte: over a slow network, the answer to a request may arrive long
     * after large answers to earlier requests. A node that only executes slowly still says how it is when it is asked. A process that
     * stands still for so long may keep its role, and execute afterwards what came before.
     */
    public static final Duration SILENCE = Duration.ofSeconds(2);

    /** A call that has not been sent after this long is dropped: it would be executed after its client has given up on it. */
    public static final Duration MAX_UNSENT_AGE = Duration.ofSeconds(10);

    private static final Duration LOOK = Duration.ofMillis(500);

    private final Transport transport;
    private final Hello hello;
    private final LongSupplier nanoTime;

    /** The present target, if any; guarded by this. */
    private Optional<Target> target = Optional.empty();

    private CallLink(Transport transport, Hello hello, LongSupplier nanoTime) {
        this.transport = transport;
        this.hello = hello;
        this.nanoTime = nanoTime;
    }

    /** @throws IOException if connections use TLS and the keys cannot be used; the text names what to set */
    public static CallLink of(JournalId journal, NamespaceId namespace, Authentication authentication, TlsSettings tls)
            throws IOException {
        return of(journal, namespace, authentication, tls, System::nanoTime);
    }

    /** @param nanoTime the clock that measures a silence */
    static CallLink of(
            JournalId journal,
            NamespaceId namespace,
            Authentication authentication,
            TlsSettings tls,
            LongSupplier nanoTime)
            throws IOException {
        return new CallLink(
                NettyTransport.startWithTakeBack("calls-" + journal, authentication, tls),
                Hello.of(
                        journal,
                        namespace,
                        Hello.CallerRole.READER,
                        ManagementFactory.getRuntimeMXBean().getName(),
                        Optional.<NodeAddress>empty()),
                nanoTime);
    }

    /**
     * Forwards a call as soon as there is a session. The answer fails with a {@link CallNotExecutedException} if the node
     * says that it did not execute the call, or if the call was not sent, for example because the node cannot be
     * reached. It fails with another {@link IOException} if the outcome is unknown, for example because another node is
     * named meanwhile. Completes on the transport's thread. The caller sets time-outs; a call cancelled before there is
     * a session is never sent.
     */
    public CompletableFuture<Bytes> forward(NodeAddress node, Bytes call) {
        return forward(node, call, () -> true);
    }

    /**
     * Forwards a call as {@link #forward(NodeAddress, Bytes)} does, but fails it as not executed if it is no longer wanted by the time it
     * could be sent. Once the call is sent, its answer ends only when the node owes none.
     *
     * @param isWanted called on the transport's thread
     */
    public CompletableFuture<Bytes> forward(NodeAddress node, Bytes call, BooleanSupplier isWanted) {
        Target to = targetFor(node);
        long begunNanos = nanoTime.getAsLong();
        CompletableFuture<PoolReply> future = to.client.query(
                ForwardRequest.of(call),
                () -> isWanted.getAsBoolean() && nanoTime.getAsLong() - begunNanos < MAX_UNSENT_AGE.toNanos());
        to.watch(future);
        CompletableFuture<Bytes> answer = future.thenCompose(CallLink::extractAnswer);
        answer.whenComplete((reply, failure) -> future.cancel(false));
        return answer;
    }

    /**
     * Asks the node for its status, as soon as there is a session. Completes once it has said anything since, as its answer may come
     * after large ones that others wait for; fails if the session breaks, the node says nothing for {@link #SILENCE}, or another
     * node is named meanwhile. Completes on the transport's thread.
     */
    public CompletableFuture<Void> awaitSignOfLife(NodeAddress node) {
        Target to = targetFor(node);
        CompletableFuture<Void> sign = new CompletableFuture<>();
        // Before the question, so that nothing that answers it comes first.
        to.completeOnReceive(sign);
        CompletableFuture<PoolReply> future = to.client.query(StatusRequest.create());
        to.watch(future);
        future.whenComplete((reply, failure) -> {
            if (failure == null) {
                sign.complete(null);
            } else {
                sign.completeExceptionally(failure);
            }
        });
        return sign;
    }

    /** Directs calls to this node from now on; the outcome of calls pending at another node is unknown. Does not block. */
    public void redirect(NodeAddress node) {
        targetFor(node);
    }

    /** Drops the target until the next call names one; the outcome of pending calls is unknown. Does not block. */
    public synchronized void clearTarget() {
        target.ifPresent(former -> former.client.close("this NameNode is active itself"));
        target = Optional.empty();
    }

    private synchronized Target targetFor(NodeAddress node) {
        if (!target.isPresent() || !target.get().address.equals(node)) {
            target.ifPresent(former -> former.client.close("another node is called now"));
            target = Optional.of(new Target(node));
        }
        return target.get();
    }

    /** Fails its calls with an unknown outcome, and accepts no new ones until the node can be reached again. */
    private synchronized void abandon(Target silentTarget) {
        if (target.filter(silentTarget::equals).isPresent()) {
            silentTarget.client.close("nothing was heard from it for " + SILENCE.toMillis() + " ms");
            target = Optional.of(new Target(silentTarget.address));
        }
    }

    private static CompletableFuture<Bytes> extractAnswer(PoolReply reply) {
        CompletableFuture<Bytes> answer = new CompletableFuture<>();
        if (reply instanceof ForwardedReply && ((ForwardedReply) reply).answer().size() == 0) {
            answer.completeExceptionally(new IOException("The node has more answers than this process reads"));
        } else if (reply instanceof ForwardedReply) {
            answer.complete(((ForwardedReply) reply).answer());
        } else if (reply instanceof FailedReply) {
            answer.completeExceptionally(CallNotExecutedException.permanent(((FailedReply) reply).reason()));
        } else {
            answer.completeExceptionally(new IOException("The node does not take the call: " + reply.describe()));
        }
        return answer;
    }

    @Override
    public void close() {
        synchronized (this) {
            target.ifPresent(last -> last.client.close("closed"));
            target = Optional.empty();
        }
        transport.close();
    }

    /**
     * A node, its client, and whether it still sends anything while calls wait. Apart from the final fields everything
     * belongs to the transport's thread.
     */
    private final class Target {
        private final NodeAddress address;
        private final NodeClient client;
        private int waiting;
        private boolean watched;
        /** The pending probe whose answer shows that the node is alive; empty if there is none. */
        private Optional<CompletableFuture<PoolReply>> sign = Optional.empty();

        /** Whether the node has sent anything since the last check, and when that check was. */
        private boolean heard;

        private long heardNanos;
        /** Futures that complete when the node sends anything. */
        private final List<CompletableFuture<Void>> signs = new ArrayList<>();

        Target(NodeAddress address) {
            this.address = address;
            this.client = new NodeClient(transport, address, hello, this::onReceived);
        }

        private void onReceived() {
            heard = true;
            if (!signs.isEmpty()) {
                List<CompletableFuture<Void>> given = new ArrayList<>(signs);
                signs.clear();
                given.forEach(sign -> sign.complete(null));
            }
        }

        /** Completes the given future when the node next sends anything. */
        void completeOnReceive(CompletableFuture<Void> sign) {
            transport.execute(() -> signs.add(sign));
        }

        void watch(CompletableFuture<PoolReply> call) {
            transport.execute(() -> {
                waiting++;
                if (!watched) {
                    watched = true;
                    transport.schedule(this::checkSilence, LOOK);
                }
                // The asker may cancel the call on its own thread.
                call.whenComplete((reply, failure) -> executeOnTransport(() -> waiting--));
            });
        }

        private void checkSilence() {
            client.failAbandoned();
            if (sign.filter(question -> !question.isDone()).isPresent()) {
                long nowNanos = nanoTime.getAsLong();
                if (heard) {
                    heard = false;
                    heardNanos = nowNanos;
                } else if (nowNanos - heardNanos > SILENCE.toNanos()) {
                    abandon(this);
                    return;
                }
            } else if (waiting == 0) {
                watched = false;
                return;
            } else if (client.hasSession()) {
                heard = false;
                heardNanos = nanoTime.getAsLong();
                sign = Optional.of(client.query(StatusRequest.create()));
            }
            transport.schedule(this::checkSilence, LOOK);
        }
    }

    private void executeOnTransport(Runnable task) {
        if (transport.isTransportThread()) {
            task.run();
            return;
        }
        try {
            transport.execute(task);
        } catch (RejectedExecutionException closed) {
            // No caller is interested any longer.
        }
    }
}
