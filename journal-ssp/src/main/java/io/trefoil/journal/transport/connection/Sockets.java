/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.connection;

import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** The kinds of sockets and event loops that Netty offers; the best available one is used. */
public enum Sockets {
    EPOLL {
        @Override
        public EventLoopGroup loops(int count, ThreadFactory threads) {
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
    },
    /** Everywhere else; its timers have a resolution of a millisecond. */
    NIO {
        @Override
        public EventLoopGroup loops(int count, ThreadFactory threads) {
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
    };

    public static Sockets best() {
        return Epoll.isAvailable() ? EPOLL : NIO;
    }

    public abstract EventLoopGroup loops(int count, ThreadFactory threads);

    public abstract Class<? extends ServerChannel> serverChannel();

    public abstract Class<? extends Channel> channel();

    /** One loop on a thread of exactly this name. */
    public EventLoopGroup loop(String threadName) {
        return loops(1, task -> thread(task, threadName));
    }

    /** Threads with a number after the name. */
    public static ThreadFactory numbered(String name) {
        AtomicInteger next = new AtomicInteger(1);
        return task -> thread(task, name + "-" + next.getAndIncrement());
    }

    /** Daemon threads: a network thread must not keep a process alive that has otherwise ended. */
    private static Thread thread(Runnable task, String name) {
        Thread thread = new FastThreadLocalThread(task, name);
        thread.setDaemon(true);
        return thread;
    }
}
