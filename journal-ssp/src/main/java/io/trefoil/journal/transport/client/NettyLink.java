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
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maintains one session. At any time exactly one thing is under way: a lookup, a connection attempt, a handshake, a
 * session or a wait; the end of each starts the next. Everything runs on the transport's thread.
 */
final class NettyLink implements Link {

    private static final Logger LOG = LoggerFactory.getLogger(NettyLink.class);

    /** The length of a session after which the link reconnects at once, and then with short waits again. */
    private static final long GOOD_SESSION_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** How a connection begins. */
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
    /** Short, however long the node has been out of reach: it is wanted as soon as the network is back. */
    private final Backoff afterFailure = new Backoff(Duration.ofMillis(20), Duration.ofMillis(500));

    private final Backoff afterRefusal = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(5));

    private final GrowingTimeout patience;

    private LinkChannel channel = LinkChannel.DOWN;
    /** How the next attempt begins. */
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
        this.patience = new GrowingTimeout(transport.settings().patience());
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

    /** How long the node may owe answers without a word. */
    GrowingTimeout patience() {
        return patience;
    }

    /** An additional connection to the node, for a probe of its state; the caller closes it. */
    Link openProbeConnection(LinkListener by) {
        return transport.connect(address, hello.reading(), by);
    }

    void attempt() {
        if (!closed) {
            transport
                    .lookups()
                    .approach(address, failures, transport.authentication(), new LookupThreads.ApproachListener() {
                        @Override
                        public void begun(ConnectionPreparation approach) {
                            transport.executeIfOpen(() -> connect(approach));
                        }

                        @Override
                        public void failed(IOException cause) {
                            transport.executeIfOpen(() -> NettyLink.this.failed(cause));
                        }

                        @Override
                        public void unproved(IOException cause) {
                            // The node would not admit this process, so this counts as a refusal, and there is no
                            // reason to
                            // hurry.
                            transport.executeIfOpen(() -> refused(cause.getMessage()));
                        }
                    });
        }
    }

    /** Runs a task on the transport's thread, unless the transport is closed. */
    void execute(Runnable task) {
        transport.executeIfOpen(task);
    }

    private void connect(ConnectionPreparation approach) {
        if (closed) {
            approach.dialogue().close();
            return;
        }
        try {
            begin(approach);
        } catch (RuntimeException | Error e) {
            // Report this attempt's end: it starts the next attempt.
            approach.dialogue().close();
            failed(e);
        }
    }

    private void begin(ConnectionPreparation approach) {
        LinkConnection connection =
                new LinkConnection(this, hello, approach, transport.lookups(), transport.settings(), callTls());
        firstWords = OpeningMessages.BEST;
        ChannelFuture opening = transport.open(approach, connection);
        channel = connection;
        opening.addListener(done -> {
            if (!done.isSuccess()) {
                approach.dialogue().close();
                // If there are no file descriptors for a socket, Netty reports that on a thread of its own.
                execute(() -> failed(done.cause()));
            }
        });
    }

    private Optional<SslHandler> callTls() {
        return transport.tls().policy() == TlsPolicy.OFF || firstWords == OpeningMessages.PLAIN
                ? Optional.<SslHandler>empty()
                // The handshakes are bounded by the nodes that this process calls.
                : Optional.of(transport.tls().handler(() -> true));
    }

    boolean isTlsOptional() {
        return transport.tls().policy() == TlsPolicy.OPTIONAL;
    }

    /** The node has answered in plain text, which is allowed: the next attempt, and only that, uses plain text. */
    void plainText() {
        channel = LinkChannel.DOWN;
        if (closed) {
            return;
        }
        if (!plainTextLogged) {
            plainTextLogged = true;
            log().write(() -> LOG.info(
                    "node={} does not support TLS yet; it is called without, as "
                            + "trefoil.journal.tls=optional allows",
                    address));
        }
        firstWords = OpeningMessages.PLAIN;
        attempt();
    }

    private void failed(Throwable cause) {
        channel = LinkChannel.DOWN;
        connectionFailed(describe(cause));
    }

    void up(InetSocketAddress reached, Welcome welcome) {
        failures = 0;
        transport.lookups().rememberReachable(address, reached);
        upSinceNanos = System.nanoTime();
        failureLogged = false;
        afterRefusal.reset();
        if (!closed) {
            listener.up(this, welcome);
        }
    }

    void replied(PoolRequest request, PoolReply reply, long sentNanos) {
        if (!closed) {
            listener.replied(this, request, reply, sentNanos);
        }
    }

    /** Records that something was read in a session. */
    void recordReceived() {
        if (!closed) {
            listener.received(this);
        }
    }

    void turnEnded() {
        if (!closed) {
            listener.readCompleted(this);
        }
    }

    /** The connection of an accepted session is gone. */
    void down(String why) {
        channel = LinkChannel.DOWN;
        if (closed) {
            return;
        }
        transport.lookups().markSuspect(address);
        patience.sessionLasted(System.nanoTime() - upSinceNanos);
        if (System.nanoTime() - upSinceNanos > GOOD_SESSION_NANOS) {
            afterFailure.reset();
            transport.executeIfOpen(this::attempt);
        } else {
            reconnectAfter(afterFailure.next());
        }
        listener.down(this, why);
    }

    /** The cause in the system's words: Netty's names of its class and of the call say nothing to an operator. */
    private static String describe(Throwable cause) {
        return cause instanceof ConnectException && cause.getMessage() != null
                ? cause.getMessage().replaceFirst("^\\w+\\(\\.\\.\\) failed( with error\\(-?\\d+\\))?: ", "")
                : cause.toString();
    }

    /** The node refuses the session because it keeps another incarnation; the connection is about to end. */
    void strange(Incarnation kept) {
        if (!closed) {
            listener.foreignIncarnation(this, kept);
        }
    }

    /** The connection is gone after a refusal, by the node or by this side. */
    void refused(String why) {
        channel = LinkChannel.DOWN;
        if (closed) {
            return;
        }
        forgetAddress();
        reconnectAfter(afterRefusal.next());
        listener.refused(this, why);
    }

    /** The connection ended, or could not be made, before there was a session. */
    void connectionFailed(String why) {
        channel = LinkChannel.DOWN;
        if (closed) {
            return;
        }
        if (!failureLogged) {
            failureLogged = true;
            log().write(() -> LOG.info("No session with node={}, still trying: {}", address, why));
        }
        forgetAddress();
        reconnectAfter(afterFailure.next());
        listener.unreachable(this, why);
    }

    /** The node may be elsewhere by now, and another host where it was. */
    private void forgetAddress() {
        failures = failures == Integer.MAX_VALUE ? 0 : failures + 1;
        transport.lookups().markSuspect(address);
    }

    private void reconnectAfter(Duration wait) {
        transport.schedule(this::attempt, wait);
    }

    private void checkThread() {
        if (!transport.isTransportThread()) {
            throw new IllegalStateException("Links are used on the transport's thread only, not on "
                    + Thread.currentThread().getName());
        }
    }
}
