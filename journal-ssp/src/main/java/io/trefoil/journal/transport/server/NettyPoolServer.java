/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.server;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.trefoil.foundation.AuditLog;
import io.trefoil.journal.transport.NodeSessionAcceptor;
import io.trefoil.journal.transport.access.AccessController;
import io.trefoil.journal.transport.authentication.Authentication;
import io.trefoil.journal.transport.codec.field.RefusalCause;
import io.trefoil.journal.transport.connection.ConnectionMemory;
import io.trefoil.journal.transport.connection.RefusalCounters;
import io.trefoil.journal.transport.connection.Sockets;
import io.trefoil.journal.transport.tls.KeySource;
import io.trefoil.journal.transport.tls.Tls;
import io.trefoil.journal.transport.tls.TlsSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The port of a pool node. A service loop greets connections. An accepted READER stays there, and reader threads serve
 * it (see {@link ReaderThreads}); an accepted WRITER moves to the loop of its journal (see {@link JournalEventLoops}). No
 * service loop waits for a disk.
 */
public final class NettyPoolServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(NettyPoolServer.class);

    private static final int SERVICE_LOOPS = 2;
    private static final int ACCEPT_QUEUE = 1024;
    private static final int MEBIBYTE = 1024 * 1024;
    private static final WriteBufferWaterMark UNREAD_ANSWERS = new WriteBufferWaterMark(MEBIBYTE, 4 * MEBIBYTE);
    /** The reads, up to 16 of up to 256 KiB each, before the requests of a connection are served. */
    private static final RecvByteBufAllocator READ_BURST =
            new AdaptiveRecvByteBufAllocator(2048, 16 * 1024, 256 * 1024).maxMessagesPerRead(16);

    private static final long STOP_MILLIS = 2000;

    private final ServerLimits limits;
    private final Tls tls;
    private final RefusalCounters refusals = new RefusalCounters();
    private final AtomicInteger connections = new AtomicInteger();
    private final EventLoopGroup acceptLoop;
    private final EventLoopGroup serviceLoops;
    private final JournalEventLoops journalLoops;
    private final ReaderThreads readers;
    private final SaslExecutor dialogues;
    private final HandshakeHandler.SharedState shared;
    private final Channel listening;

    private NettyPoolServer(
            InetSocketAddress address,
            NodeSessionAcceptor acceptor,
            AccessController accessController,
            Authentication authentication,
            ServerLimits limits,
            Tls tls,
            Sockets sockets)
            throws IOException {
        this.limits = limits;
        this.tls = tls;
        this.acceptLoop = sockets.newEventLoop("ssp-accept");
        this.serviceLoops = sockets.newEventLoops(SERVICE_LOOPS, Sockets.newThreadFactory("ssp-service"));
        this.journalLoops = new JournalEventLoops(sockets, limits.maxBytes());
        this.readers = new ReaderThreads(limits.maxConnections());
        this.dialogues = new SaslExecutor(authentication);
        this.shared = new HandshakeHandler.SharedState(
                acceptor,
                accessController,
                limits,
                journalLoops,
                new ConnectionMemory(limits.maxBytes(), refusals, System::nanoTime),
                readers,
                dialogues,
                refusals,
                tls);
        this.listening = bind(address, sockets);
    }

    /**
     * Starts to listen.
     *
     * @param host name or address of the interface; {@code 0.0.0.0} for all
     * @param port 0 for any free one, see {@link #boundAddress}
     * @param accessController decides which callers may come in
     * @param authentication how callers authenticate; none, if connections use TLS
     * @param tls whether connections use TLS, and where the keys are
     * @throws IOException if the port is not available, or the keys cannot be used; nothing is left running
     */
    public static NettyPoolServer start(
            String host,
            int port,
            NodeSessionAcceptor acceptor,
            AccessController accessController,
            Authentication authentication,
            ServerLimits limits,
            TlsSettings tls)
            throws IOException {
        tls.requireSoleAuthentication(authentication.mechanism());
        Sockets.epollUnavailableReason()
                .ifPresent(cause -> LOG.warn(
                        "Netty cannot load its native library, so hosts that fall silent are noticed after 5 s instead of 3 s, cause={}"
                                + "; do: mount java.io.tmpdir without noexec, or set -Dio.netty.native.workdir to another directory",
                        cause));
        return new NettyPoolServer(
                new InetSocketAddress(host, port),
                acceptor,
                accessController,
                authentication,
                limits,
                Tls.open(tls, KeySource.Side.NODE, "node"),
                Sockets.bestAvailable());
    }

    /** Starts a server without authentication other than TLS. */
    public static NettyPoolServer start(
            String host,
            int port,
            NodeSessionAcceptor acceptor,
            AccessController accessController,
            ServerLimits limits,
            TlsSettings tls)
            throws IOException {
        return start(host, port, acceptor, accessController, limits, tls, Sockets.bestAvailable());
    }

    public static NettyPoolServer start(
            String host,
            int port,
            NodeSessionAcceptor acceptor,
            AccessController accessController,
            ServerLimits limits,
            TlsSettings tls,
            Sockets sockets)
            throws IOException {
        return new NettyPoolServer(
                new InetSocketAddress(host, port),
                acceptor,
                accessController,
                Authentication.NONE,
                limits,
                Tls.open(tls, KeySource.Side.NODE, "node"),
                sockets);
    }

    private Channel bind(InetSocketAddress address, Sockets sockets) throws IOException {
        ServerBootstrap connections = new ServerBootstrap()
                .group(acceptLoop, serviceLoops)
                .channel(sockets.serverChannel())
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.SO_BACKLOG, ACCEPT_QUEUE)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, UNREAD_ANSWERS)
                .childOption(ChannelOption.RCVBUF_ALLOCATOR, READ_BURST)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        onConnected(channel);
                    }
                });
        sockets.enableSilenceDetection(connections);
        ChannelFuture bound = connections.bind(address).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            stop();
            throw new IOException("Cannot listen on " + address, bound.cause());
        }
        return bound.channel();
    }

    private void onConnected(Channel channel) {
        channel.closeFuture().addListener(closed -> connections.decrementAndGet());
        if (connections.incrementAndGet() > limits.maxConnections()) {
            refusals.recordRefusal(
                    RefusalCause.CONNECTION_LIMIT,
                    channel.remoteAddress(),
                    "More than " + limits.maxConnections() + " connections");
            channel.close();
            return;
        }
        channel.pipeline().addLast(new HandshakeHandler(shared));
    }

    /** The address where it listens, with the actual port. */
    public InetSocketAddress boundAddress() {
        return (InetSocketAddress) listening.localAddress();
    }

    /** Counters of refusals since the start. Thread-safe. */
    public RefusalCounters refusals() {
        return refusals;
    }

    /** The log of orders and refusals. */
    AuditLog audit() {
        return shared.audit();
    }

    /** The time at which the first of the certificates that the server shows becomes invalid; empty without TLS. Thread-safe. */
    public Optional<Instant> certificateExpiry() {
        return tls.certificateExpiry();
    }

    /** The number of open connections of all kinds. Thread-safe. */
    public int connectionCount() {
        return connections.get();
    }

    /**
     * Stops listening, notifies and ends all sessions, and stops the threads. Waits no more than a few seconds for a
     * journal's thread that hangs in its disk.
     */
    @Override
    public void close() {
        listening.close().awaitUninterruptibly(STOP_MILLIS);
        stop();
    }

    /** Stops the threads in the order in which they pass on connections, so that no connection gets lost in between. */
    private void stop() {
        end(Collections.singletonList(acceptLoop));
        end(Collections.singletonList(serviceLoops));
        end(journalLoops.all());
        dialogues.close();
        if (!readers.end(STOP_MILLIS)) {
            LOG.warn("A reader thread of the pool node did not terminate; do: check the disks of this host");
        }
        tls.close();
    }

    private static void end(List<EventLoopGroup> groups) {
        for (EventLoopGroup group : groups) {
            group.shutdownGracefully(0, STOP_MILLIS, TimeUnit.MILLISECONDS);
        }
        for (EventLoopGroup group : groups) {
            if (!group.terminationFuture().awaitUninterruptibly(2 * STOP_MILLIS)) {
                LOG.warn("A network thread of the pool node did not terminate; no action needed: the process exits");
            }
        }
    }
}
