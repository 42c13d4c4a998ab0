/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.connection;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.epoll.EpollTcpInfo;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioChannelOption;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.io.IOException;
import java.net.SocketOption;
import java.nio.channels.SocketChannel;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** The kinds of sockets and event loops that Netty offers; the best available one is used. */
public enum Sockets {
    EPOLL {
        @Override
        public EventLoopGroup newEventLoops(int count, ThreadFactory threads) {
            return new EpollEventLoopGroup(count, threads);
        }

        @Override
        public Class<? extends ServerChannel> serverChannel() {
            return EpollServerSocketChannel.class;
        }

        @Override
        public Class<? extends Channel> channel() {
            return EpollSocketChannel.class;
        }

        @Override
        Map<ChannelOption<?>, Object> silenceOptions() {
            Map<ChannelOption<?>, Object> limits = new LinkedHashMap<>();
            limits.put(EpollChannelOption.TCP_KEEPIDLE, 1);
            limits.put(EpollChannelOption.TCP_KEEPINTVL, 1);
            limits.put(EpollChannelOption.TCP_KEEPCNT, SILENT_PROBES);
            return limits;
        }

        @Override
        Map<ChannelOption<?>, Object> unreadOptions() {
            return Collections.singletonMap(EpollChannelOption.TCP_USER_TIMEOUT, UNREAD_MILLIS);
        }

        @Override
        public boolean isPeerSilent(Channel channel) {
            EpollTcpInfo tcp = ((EpollSocketChannel) channel).tcpInfo();
            // A peer that leaves a full window unread has acknowledged all that it was sent.
            return tcp.unacked() > 0 && tcp.retransmits() > 1 && tcp.lastAckRecv() >= SILENCE_MILLIS;
        }
    },
    /**
     * Java NIO, everywhere else: its timers have a resolution of a millisecond, and Java can neither ask the kernel what a peer has
     * acknowledged nor limit how long it retransmits.
     */
    NIO {
        @Override
        public EventLoopGroup newEventLoops(int count, ThreadFactory threads) {
            return new NioEventLoopGroup(count, threads);
        }

        @Override
        public Class<? extends ServerChannel> serverChannel() {
            return NioServerSocketChannel.class;
        }

        @Override
        public Class<? extends Channel> channel() {
            return NioSocketChannel.class;
        }

        /** Options looked up by name: the constants are newer than Java 8, although its later builds support the options. */
        @Override
        Map<ChannelOption<?>, Object> silenceOptions() {
            Map<ChannelOption<?>, Object> limits = new LinkedHashMap<>();
            try (SocketChannel any = SocketChannel.open()) {
                for (SocketOption<?> option : any.supportedOptions()) {
                    switch (option.name()) {
                        case "TCP_KEEPIDLE":
                        case "TCP_KEEPINTERVAL":
                            limits.put(NioChannelOption.of(option), 1);
                            break;
                        case "TCP_KEEPCOUNT":
                            limits.put(NioChannelOption.of(option), SILENT_PROBES);
                            break;
                        default:
                            break;
                    }
                }
            } catch (IOException noSocket) {
                // Nor will there be one to set them on, and the code that opens that says so.
                return limits;
            }
            return limits;
        }

        @Override
        Map<ChannelOption<?>, Object> unreadOptions() {
            return Collections.emptyMap();
        }

        @Override
        public boolean isPeerSilent(Channel channel) {
            return false;
        }
    };

    /**
     * The time for which a peer's kernel may acknowledge nothing; then the connection ends. It is a kernel's third
     * repetition on a quick network: by itself the fourth one would come after as long again, and the later ones after
     * minutes, so that a connection that a network swallowed would still be dead long after the network is back.
     */
    static final int SILENCE_MILLIS = 3000;

    /** The number of keep-alive probes that may remain unanswered, one per second. */
    private static final int SILENT_PROBES = SILENCE_MILLIS / 1000;

    /**
     * The time for which a caller may leave a full window of answers unread, or be gone, before its node drops the connection. The caller
     * does not wait for that, as it has begun a new connection; what is kept for the old one is memory.
     */
    static final int UNREAD_MILLIS = 60_000;

    public static Sockets bestAvailable() {
        return Epoll.isAvailable() ? EPOLL : NIO;
    }

    /** Returns why {@link #bestAvailable} is not {@link #EPOLL}; empty if it is. */
    public static Optional<String> epollUnavailableReason() {
        return Optional.ofNullable(Epoll.unavailabilityCause()).map(String::valueOf);
    }

    public abstract EventLoopGroup newEventLoops(int count, ThreadFactory threads);

    public abstract Class<? extends ServerChannel> serverChannel();

    public abstract Class<? extends Channel> channel();

    abstract Map<ChannelOption<?>, Object> silenceOptions();

    abstract Map<ChannelOption<?>, Object> unreadOptions();

    /**
     * Whether the kernel of a connection's peer has acknowledged nothing of what it was sent for {@link #SILENCE_MILLIS}. A
     * process that is merely slow, or stands still, is not meant, as its kernel acknowledges for it. Always false where this
     * cannot be known.
     */
    public abstract boolean isPeerSilent(Channel channel);

    /**
     * Makes the kernel probe an idle peer every second, and end the connection after {@link #SILENCE_MILLIS} without an
     * answer.
     */
    public void enableSilenceDetection(Bootstrap connections) {
        connections.option(ChannelOption.SO_KEEPALIVE, true);
        silenceOptions().forEach((option, value) -> connections.option(castOption(option), value));
    }

    /**
     * Makes the kernel end connections that a node has accepted, {@link #UNREAD_MILLIS} after their callers are gone.
     */
    public void enableSilenceDetection(ServerBootstrap connections) {
        connections.childOption(ChannelOption.SO_KEEPALIVE, true);
        silenceOptions().forEach((option, value) -> connections.childOption(castOption(option), value));
        unreadOptions().forEach((option, value) -> connections.childOption(castOption(option), value));
    }

    @SuppressWarnings("unchecked")
    private static ChannelOption<Object> castOption(ChannelOption<?> option) {
        return (ChannelOption<Object>) option;
    }

    /** A single event loop, on a thread with exactly this name. */
    public EventLoopGroup newEventLoop(String threadName) {
        return newEventLoops(1, task -> newThread(task, threadName));
    }

    /** Event loops on threads with this name and a number. */
    public static ThreadFactory newThreadFactory(String name) {
        AtomicInteger next = new AtomicInteger(1);
        return task -> newThread(task, name + "-" + next.getAndIncrement());
    }

    /** Creates daemon threads: a network thread must not keep a process alive that has otherwise ended. */
    private static Thread newThread(Runnable task, String name) {
        Thread thread = new FastThreadLocalThread(task, name);
        thread.setDaemon(true);
        return thread;
    }
}
