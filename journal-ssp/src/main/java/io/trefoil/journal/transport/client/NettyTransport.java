/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.client;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.trefoil.foundation.LogThread;
import io.trefoil.foundation.names.HostResolver;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.Link;
import io.trefoil.journal.transport.LinkListener;
import io.trefoil.journal.transport.Transport;
import io.trefoil.journal.transport.authentication.Authentication;
import io.trefoil.journal.transport.connection.Sockets;
import io.trefoil.journal.transport.tls.KeySource;
import io.trefoil.journal.transport.tls.Tls;
import io.trefoil.journal.transport.tls.TlsSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@link Transport} over TCP. One event loop, on the thread {@code ssp-client-<name>}, carries all links, so that
 * sending a batch to any number of nodes takes a single hand-off, one {@link #execute}.
 *
 * <p>Its timers are accurate to some tens of microseconds with epoll, to a millisecond elsewhere.
 */
public final class NettyTransport implements Transport {

    private static final Logger LOG = LoggerFactory.getLogger(NettyTransport.class);
    private static final long STOP_MILLIS = 2000;
    /** How long an address is tried if the node may have another one: nearly all networks answer sooner. */
    private static final int ALTERNATIVE_MILLIS = 500;

    private final String name;
    private final Sockets sockets;
    private final LinkSettings settings;
    private final Authentication authentication;
    private final EventLoopGroup group;
    private final EventLoop loop;
    private final Bootstrap bootstrap;
    private final LookupThreads lookups;
    private final LogThread log;
    private final Tls tls;
    private final Set<NettyLink> links = ConcurrentHashMap.newKeySet();

    private NettyTransport(
            String name,
            Sockets sockets,
            LinkSettings settings,
            Authentication authentication,
            Tls tls,
            HostResolver hosts) {
        this.name = name;
        this.sockets = sockets;
        this.settings = settings;
        this.authentication = authentication;
        this.tls = tls;
        this.group = sockets.newEventLoop("ssp-client-" + name);
        this.loop = group.next();
        this.lookups = new LookupThreads(Sockets.newThreadFactory("ssp-lookup-" + name), hosts);
        this.log = new LogThread("ssp-client-log-" + name);
        this.bootstrap = new Bootstrap()
                .group(group)
                .channel(sockets.channel())
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        settings.connectTimeout().toMillis())
                .option(ChannelOption.TCP_NODELAY, true)
                .option(
                        ChannelOption.WRITE_BUFFER_WATER_MARK,
                        new WriteBufferWaterMark(settings.maxUnsentBytes() / 2, settings.maxUnsentBytes()));
        sockets.enableSilenceDetection(bootstrap);
        if (settings.closeMode() == LinkSettings.CloseMode.TAKE_BACK) {
            // Also when the process dies.
            bootstrap.option(ChannelOption.SO_LINGER, 0);
        }
    }

    /** Starts the thread; without authentication or TLS. */
    public static NettyTransport start(String name) {
        return start(name, Authentication.NONE);
    }

    /** Starts the thread; without TLS. */
    public static NettyTransport start(String name, Authentication authentication) {
        return start(
                name, Sockets.bestAvailable(), LinkSettings.USUAL, authentication, Tls.disabled(KeySource.Side.CALLER));
    }

    /**
     * Starts the thread.
     *
     * @param authentication how to authenticate to nodes; none, if links use TLS
     * @param tls whether links use TLS, and where the keys are
     * @throws IOException if the keys cannot be used; nothing is left running
     */
    public static NettyTransport start(String name, Authentication authentication, TlsSettings tls) throws IOException {
        tls.requireSoleAuthentication(authentication.mechanism());
        return start(
                name,
                Sockets.bestAvailable(),
                LinkSettings.USUAL,
                authentication,
                Tls.open(tls, KeySource.Side.CALLER, name));
    }

    /**
     * Starts a transport as {@link #start(String, Authentication, TlsSettings)} does, but discards what a node has not received when a link
     * ends: otherwise the kernel continues sending it, and after a network cut a request could arrive when its sender has given up on it.
     *
     * @throws IOException if the keys cannot be used; nothing is left running
     */
    public static NettyTransport startWithTakeBack(String name, Authentication authentication, TlsSettings tls)
            throws IOException {
        tls.requireSoleAuthentication(authentication.mechanism());
        return start(
                name,
                Sockets.bestAvailable(),
                LinkSettings.TAKING_BACK,
                authentication,
                Tls.open(tls, KeySource.Side.CALLER, name));
    }

    static NettyTransport start(
            String name, Sockets sockets, LinkSettings settings, Authentication authentication, Tls tls) {
        return start(name, sockets, settings, authentication, tls, HostResolver.ofProcess());
    }

    static NettyTransport start(
            String name,
            Sockets sockets,
            LinkSettings settings,
            Authentication authentication,
            Tls tls,
            HostResolver hosts) {
        return new NettyTransport(name, sockets, settings, authentication, tls, hosts);
    }

    @Override
    public Link connect(NodeAddress node, Hello hello, LinkListener listener) {
        NettyLink link = new NettyLink(this, node, hello, listener);
        links.add(link);
        loop.execute(link::beginConnecting);
        return link;
    }

    @Override
    public void probe(NodeAddress address, Duration timeout, ProbeListener listener) {
        lookups.probe(address, timeout, outcome -> executeIfOpen(() -> listener.onOutcome(outcome)));
    }

    @Override
    public void execute(Runnable task) {
        loop.execute(task);
    }

    @Override
    public void schedule(Runnable task, Duration delay) {
        loop.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public boolean isTransportThread() {
        return loop.inEventLoop();
    }

    Sockets sockets() {
        return sockets;
    }

    LinkSettings settings() {
        return settings;
    }

    Authentication authentication() {
        return authentication;
    }

    Tls tls() {
        return tls;
    }

    LookupThreads lookups() {
        return lookups;
    }

    /** The log for the transport's thread, which must not wait for a disk: it delivers all answers. */
    LogThread log() {
        return log;
    }

    ChannelFuture open(ConnectionPreparation preparation, ChannelHandler handler) {
        Bootstrap opening = bootstrap.clone().handler(handler);
        if (preparation.hasAlternative()) {
            opening.option(ChannelOption.CONNECT_TIMEOUT_MILLIS, ALTERNATIVE_MILLIS);
        }
        return opening.connect(preparation.address());
    }

    /**
     * Runs the outcome of another thread's work on the transport's thread; drops it after the transport has closed, when no caller waits
     * for it.
     */
    void executeIfOpen(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("Late task dropped: transport={} is closed", name);
        }
    }

    void forget(NettyLink link) {
        links.remove(link);
    }

    /** Ends all links and the threads; waits for them unless called on the transport's own thread. */
    @Override
    public void close() {
        for (NettyLink link : links) {
            link.close();
        }
        lookups.close();
        log.shutDown();
        group.shutdownGracefully(0, STOP_MILLIS, TimeUnit.MILLISECONDS);
        if (!loop.inEventLoop()) {
            group.terminationFuture().awaitUninterruptibly(2 * STOP_MILLIS);
        }
        tls.close();
    }
}
