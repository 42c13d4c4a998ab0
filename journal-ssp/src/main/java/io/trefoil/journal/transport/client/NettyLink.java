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
import io.trefoil.journal.transport.tls.TlsPolicy;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maintains one session. At any time exactly one thing is under way: a lookup, a connection attempt, a handshake, a
 * session or a wait; the end of each starts the next. All of it on the transport's thread.
 */
final class NettyLink implements Link {

    private static final Logger LOG = LoggerFactory.getLogger(NettyLink.class);

    /** A session that lived longer was a good one: what follows it is tried at once, and in short waits again. */
    private static final long GOOD_SESSION_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** What a connection begins with. */
    private enum FirstWords {
        /** TLS, if this process has it. */
        BEST,
        /** A frame of ours: TLS is optional here, and the node has just shown that it does not speak it. */
        PLAIN
    }

    private final NettyTransport transport;
    private final NodeAddress address;
    private final Hello hello;
    private final LinkListener listener;
    private final Backoff afterFailure = new Backoff(Duration.ofMillis(20), Duration.ofSeconds(1));
    private final Backoff afterRefusal = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(5));

    private LinkChannel channel = LinkChannel.DOWN;
    /** What the next attempt begins with. */
    private FirstWords firstWords = FirstWords.BEST;

    private boolean plainTextLogged;
    private long upSinceNanos;
    private boolean failureLogged;
    private volatile boolean closed;

    NettyLink(NettyTransport transport, NodeAddress address, Hello hello, LinkListener listener) {
        this.transport = transport;
        this.address = address;
        this.hello = hello;
        this.listener = listener;
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
        transport.executeIfOpen(() -> channel.hangUp());
    }

    /** As the transport's. */
    LogThread log() {
        return transport.log();
    }

    void attempt() {
        if (!closed) {
            transport.lookups().approach(address, transport.authentication(), new LookupThreads.ApproachListener() {
                @Override
                public void begun(Approach approach) {
                    transport.executeIfOpen(() -> connect(approach));
                }

                @Override
                public void failed(IOException cause) {
                    transport.executeIfOpen(() -> NettyLink.this.failed(cause));
                }

                @Override
                public void unproved(IOException cause) {
                    // It would not be let in: the same to those who wait for it, and no reason to hurry.
                    transport.executeIfOpen(() -> refused(cause.getMessage()));
                }
            });
        }
    }

    /** Runs something on the transport's thread; not after its end. */
    void later(Runnable task) {
        transport.executeIfOpen(task);
    }

    private void connect(Approach approach) {
        if (closed) {
            approach.dialogue().close();
            return;
        }
        try {
            begin(approach);
        } catch (RuntimeException | Error e) {
            // The next attempt begins with the end of this one.
            approach.dialogue().close();
            failed(e);
        }
    }

    private void begin(Approach approach) {
        LinkConnection connection = new LinkConnection(
                this, hello, approach, transport.lookups(), transport.settings().handshakeTimeout(), callTls());
        firstWords = FirstWords.BEST;
        ChannelFuture opening = transport.open(approach.address(), connection);
        channel = connection;
        opening.addListener(done -> {
            if (!done.isSuccess()) {
                approach.dialogue().close();
                // Without a socket, for want of file descriptors, Netty says so on a thread of its own.
                later(() -> failed(done.cause()));
            }
        });
    }

    private Optional<SslHandler> callTls() {
        return transport.tls().policy() == TlsPolicy.OFF || firstWords == FirstWords.PLAIN
                ? Optional.<SslHandler>empty()
                // As many as this process calls.
                : Optional.of(transport.tls().handler(() -> true));
    }

    boolean isTlsOptional() {
        return transport.tls().policy() == TlsPolicy.OPTIONAL;
    }

    /** The node has answered in plain text, and that is allowed: it is called so, once. */
    void plainText() {
        channel = LinkChannel.DOWN;
        if (closed) {
            return;
        }
        if (!plainTextLogged) {
            plainTextLogged = true;
            log().write(() -> LOG.info(
                    "Node {} does not speak TLS yet; it is called without, as trefoil.journal.tls=optional allows",
                    address));
        }
        firstWords = FirstWords.PLAIN;
        attempt();
    }

    private void failed(Throwable cause) {
        channel = LinkChannel.DOWN;
        ended(cause.toString());
    }

    void up(Welcome welcome) {
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

    void turnEnded() {
        if (!closed) {
            listener.turnEnded(this);
        }
    }

    /** The connection of an accepted session is gone. */
    void down(String why) {
        channel = LinkChannel.DOWN;
        if (closed) {
            return;
        }
        if (System.nanoTime() - upSinceNanos > GOOD_SESSION_NANOS) {
            afterFailure.reset();
            transport.executeIfOpen(this::attempt);
        } else {
            again(afterFailure.next());
        }
        listener.down(this, why);
    }

    /** The node refuses the session, and keeps this; the connection goes. */
    void strange(Incarnation kept) {
        if (!closed) {
            listener.strange(this, kept);
        }
    }

    /** The connection is gone after the node refused the session. */
    void refused(String why) {
        channel = LinkChannel.DOWN;
        if (closed) {
            return;
        }
        again(afterRefusal.next());
        listener.refused(this, why);
    }

    /** The connection is gone, or never came to be, without a session. */
    void ended(String why) {
        channel = LinkChannel.DOWN;
        if (closed) {
            return;
        }
        if (!failureLogged) {
            failureLogged = true;
            log().write(() -> LOG.info("No session with node={}, still trying: {}", address, why));
        }
        again(afterFailure.next());
        listener.unreachable(this, why);
    }

    private void again(Duration wait) {
        transport.schedule(this::attempt, wait);
    }

    private void checkThread() {
        if (!transport.isTransportThread()) {
            throw new IllegalStateException("Links are used on the transport's thread only, not on "
                    + Thread.currentThread().getName());
        }
    }
}
