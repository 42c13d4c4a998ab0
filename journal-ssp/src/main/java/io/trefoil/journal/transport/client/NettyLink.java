/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.client;

import io.netty.channel.ChannelFuture;
import io.netty.handler.ssl.SslHandler;
import io.trefoil.foundation.LogThread;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.Link;
import io.trefoil.journal.transport.LinkListener;
import io.trefoil.journal.transport.Welcome;
import io.trefoil.journal.transport.connection.Sockets;
import io.trefoil.journal.transport.tls.TlsPolicy;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maintains one session. At any time exactly one thing is in progress: a lookup, a connection attempt, a handshake, a
 * session or a wait; the end of each starts the next. Everything runs on the transport's thread.
 */
final class NettyLink implements Link {

    private static final Logger LOG = LoggerFactory.getLogger(NettyLink.class);

    /** The length of a session after which the link reconnects at once, and starts again with short waits. */
    private static final long GOOD_SESSION_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Describes how a connection begins. */
    private enum OpeningMessages {
        /** TLS, if this process has it. */
        BEST,
        /** A frame in plain text: TLS is optional here, and the node has just shown that it does not speak it. */
        PLAIN
    }

    private final NettyTransport transport;
    private final NodeAddress address;
    private final Hello hello;
    private final LinkListener listener;
    /**
     * The wait before the next attempt: short, however long the node has been unreachable, as it is needed as soon as the network is back.
     */
    private final Backoff afterFailure = new Backoff(Duration.ofMillis(20), Duration.ofMillis(500));

    private final Backoff afterRefusal = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(5));

    private final GrowingTimeout silenceTimeout;

    private LinkChannel channel = LinkChannel.DOWN;
    /** The messages that the next attempt begins with. */
    private OpeningMessages firstWords = OpeningMessages.BEST;

    private boolean plainTextLogged;
    /** Attempts without a connection since the last session. */
    private int failures;

    private long upSinceNanos;
    private boolean failureLogged;
    private volatile boolean closed;

    NettyLink(NettyTransport transport, NodeAddress address, Hello hello, LinkListener listener) {
        this.transport = transport;
        this.address = address;
        this.hello = hello;
        this.listener = listener;
        this.silenceTimeout = new GrowingTimeout(transport.settings().silenceTimeout());
    }

    @Override
    public NodeAddress address() {
        return address;
    }

    @Override
    public void send(PoolRequest request) {
        checkThread();
        channel.send(request);
    }

    @Override
    public void flush() {
        checkThread();
        channel.flush();
    }

    @Override
    public void close() {
        closed = true;
        transport.forget(this);
        transport.executeIfOpen(() -> channel.closeAbruptly());
    }

    /** The transport's log. */
    LogThread log() {
        return transport.log();
    }

    Sockets sockets() {
        return transport.sockets();
    }

    /** Returns how long the node may owe answers without sending anything. */
    GrowingTimeout silenceTimeout() {
        return silenceTimeout;
    }

    /** An additional connection to the node, for a probe of its state; the caller closes it. */
    Link openProbeConnection(LinkListener listener) {
        return transport.connect(address, hello.asReader(), listener);
    }

    void beginConnecting() {
        if (!closed) {
            transport
                    .lookups()
                    .prepareConnection(
                            address, failures, transport.authentication(), new LookupThreads.PreparationListener() {
                                @Override
                                public void onPrepared(ConnectionPreparation preparation) {
                                    transport.executeIfOpen(() -> connect(preparation));
                                }

                                @Override
                                public void onLookupFailed(IOException cause) {
                                    transport.executeIfOpen(() -> NettyLink.this.onConnectFailed(cause));
                                }

                                @Override
                                public void onAuthenticationFailed(IOException cause) {
                                    // The node would not admit this process, so this counts as a refusal, and there is
                                    // no
                                    // reason to
                                    // hurry.
                                    transport.executeIfOpen(() -> onRefused(cause.getMessage()));
                                }
                            });
        }
    }

    /** Runs a task on the transport's thread, unless the transport is closed. */
    void execute(Runnable task) {
        transport.executeIfOpen(task);
    }

    private void connect(ConnectionPreparation preparation) {
        if (closed) {
            preparation.exchange().close();
            return;
        }
        try {
            begin(preparation);
        } catch (RuntimeException | Error e) {
            // Report this attempt's end: it starts the next attempt.
            preparation.exchange().close();
            onConnectFailed(e);
        }
    }

    private void begin(ConnectionPreparation preparation) {
        LinkConnection connection = new LinkConnection(
                this, hello, preparation, transport.lookups(), transport.settings(), newTlsHandler());
        firstWords = OpeningMessages.BEST;
        ChannelFuture opening = transport.open(preparation, connection);
        channel = connection;
        opening.addListener(done -> {
            if (!done.isSuccess()) {
                preparation.exchange().close();
                // If there are no file descriptors for a socket, Netty reports that on a thread of its own.
                execute(() -> onConnectFailed(done.cause()));
            }
        });
    }

    private Optional<SslHandler> newTlsHandler() {
        return transport.tls().policy() == TlsPolicy.OFF || firstWords == OpeningMessages.PLAIN
                ? Optional.<SslHandler>empty()
                // The handshakes are bounded by the nodes that this process calls.
                : Optional.of(transport.tls().handler(() -> true));
    }

    boolean isTlsOptional() {
        return transport.tls().policy() == TlsPolicy.OPTIONAL;
    }

    /** The node has answered in plain text, which is allowed: the next attempt, and only that, uses plain text. */
    void allowPlainText() {
        channel = LinkChannel.DOWN;
        if (closed) {
            return;
        }
        if (!plainTextLogged) {
            plainTextLogged = true;
            log().write(() -> LOG.info(
                    "node={} does not speak TLS yet; calling it without TLS, as trefoil.journal.tls=optional allows",
                    address));
        }
        firstWords = OpeningMessages.PLAIN;
        beginConnecting();
    }

    private void onConnectFailed(Throwable cause) {
        channel = LinkChannel.DOWN;
        onConnectionFailed(describe(cause));
    }

    void onUp(InetSocketAddress reachedAddress, Welcome welcome) {
        failures = 0;
        transport.lookups().rememberReachable(address, reachedAddress);
        upSinceNanos = System.nanoTime();
        failureLogged = false;
        afterRefusal.reset();
        if (!closed) {
            listener.onUp(this, welcome);
        }
    }

    void onReply(PoolRequest request, PoolReply reply, long sentNanos) {
        if (!closed) {
            listener.onReply(this, request, reply, sentNanos);
        }
    }

    /** Records that something was read in a session. */
    void recordReceived() {
        if (!closed) {
            listener.onReceived(this);
        }
    }

    void onReadCompleted() {
        if (!closed) {
            listener.onReadCompleted(this);
        }
    }

    /** The connection of an accepted session is gone. */
    void onDown(String reason) {
        channel = LinkChannel.DOWN;
        if (closed) {
            return;
        }
        transport.lookups().markSuspect(address);
        silenceTimeout.recordSessionLength(System.nanoTime() - upSinceNanos);
        if (System.nanoTime() - upSinceNanos > GOOD_SESSION_NANOS) {
            afterFailure.reset();
            transport.executeIfOpen(this::beginConnecting);
        } else {
            reconnectAfter(afterFailure.next());
        }
        listener.onDown(this, reason);
    }

    /** The cause in the system's words: names of classes and of Netty's calls mean nothing to an operator. */
    private static String describe(Throwable cause) {
        if (cause instanceof UnknownHostException && cause.getMessage() != null) {
            return cause.getMessage();
        }
        return cause instanceof ConnectException && cause.getMessage() != null
                ? cause.getMessage().replaceFirst("^\\w+\\(\\.\\.\\) failed( with error\\(-?\\d+\\))?: ", "")
                : cause.toString();
    }

    /** The node refuses the session because it keeps another incarnation; the connection is about to end. */
    void onForeignIncarnation(Incarnation keptIncarnation) {
        if (!closed) {
            listener.onForeignIncarnation(this, keptIncarnation);
        }
    }

    /** The connection is gone after a refusal, by the node or by this side. */
    void onRefused(String reason) {
        channel = LinkChannel.DOWN;
        if (closed) {
            return;
        }
        forgetAddress();
        reconnectAfter(afterRefusal.next());
        listener.onRefused(this, reason);
    }

    /** The connection ended, or could not be made, before there was a session. */
    void onConnectionFailed(String reason) {
        channel = LinkChannel.DOWN;
        if (closed) {
            return;
        }
        if (!failureLogged) {
            failureLogged = true;
            log().write(() -> LOG.info("No session with node={}, still trying: {}", address, reason));
        }
        forgetAddress();
        reconnectAfter(afterFailure.next());
        listener.onUnreachable(this, reason);
    }

    /** Drops the cached address: the node may have moved, and another host may now have its old address. */
    private void forgetAddress() {
        failures = failures == Integer.MAX_VALUE ? 0 : failures + 1;
        transport.lookups().markSuspect(address);
    }

    private void reconnectAfter(Duration wait) {
        transport.schedule(this::beginConnecting, wait);
    }

    private void checkThread() {
        if (!transport.isTransportThread()) {
            throw new IllegalStateException("Links are used on the transport's thread only, not on "
                    + Thread.currentThread().getName());
        }
    }
}
