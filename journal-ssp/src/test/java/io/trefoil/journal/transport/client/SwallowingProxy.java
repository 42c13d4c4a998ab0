/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.client;

import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.transport.server.NettyPoolServer;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/** Passes on what it gets, until it is told to swallow it; what is connected later is passed on again. */
final class SwallowingProxy implements AutoCloseable {
    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final InetSocketAddress node;
    private final List<Closeable> sockets = new CopyOnWriteArrayList<>();
    private final List<AtomicBoolean> swallowing = new CopyOnWriteArrayList<>();

    private SwallowingProxy(InetSocketAddress node) throws IOException {
        this.node = node;
    }

    static SwallowingProxy to(NettyPoolServer server) throws IOException {
        SwallowingProxy proxy = new SwallowingProxy(server.boundAddress());
        daemon(proxy::accept);
        return proxy;
    }

    NodeAddress address() {
        return NodeAddress.of("127.0.0.1", listening.getLocalPort());
    }

    /** From now on nothing comes through the connections that there are. */
    void swallow() {
        swallowing.forEach(one -> one.set(true));
    }

    /** From now on there are no more connections. */
    void refuse() throws IOException {
        listening.close();
    }

    private void accept() throws IOException {
        while (true) {
            Socket caller = listening.accept();
            Socket called = new Socket(node.getAddress(), node.getPort());
            AtomicBoolean swallows = new AtomicBoolean();
            sockets.addAll(List.of(caller, called));
            swallowing.add(swallows);
            daemon(() -> pass(caller, called, swallows));
            daemon(() -> pass(called, caller, swallows));
        }
    }

    private static void pass(Socket from, Socket to, AtomicBoolean swallows) throws IOException {
        byte[] buffer = new byte[8192];
        try (InputStream in = from.getInputStream()) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (!swallows.get()) {
                    to.getOutputStream().write(buffer, 0, read);
                }
            }
        } finally {
            to.close();
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void daemon(Work task) {
        Thread thread = new Thread(() -> {
            try {
                task.run();
            } catch (IOException e) {
                // The other side is gone, or the test is over.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Closeable socket : sockets) {
            socket.close();
        }
    }
}
