/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.process.faults;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The parts that layers in front of a server share: the address they listen on, the address they connect to, and the resources they must
 * close.
 */
final class Relay implements AutoCloseable {
    private final ServerSocket listener;
    private final InetSocketAddress target;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

    private Relay(ServerSocket listener, InetSocketAddress target) {
        this.listener = listener;
        this.target = target;
    }

    /** Listens on {@code front} for connections to {@code target}; both are {@code host:port}. */
    static Relay between(String front, String target) throws IOException {
        ServerSocket listener = new ServerSocket();
        listener.setReuseAddress(true);
        listener.bind(address(front));
        return new Relay(listener, address(target));
    }

    private static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        return new InetSocketAddress(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    }

    boolean isClosed() {
        return listener.isClosed();
    }

    /** Waits for the next connection. */
    Socket accept() throws IOException {
        Socket nearSocket = listener.accept();
        sockets.add(nearSocket);
        return nearSocket;
    }

    /** Connects to the target on behalf of an accepted connection, which is closed if the target is unreachable. */
    Socket connect(Socket nearSocket) throws IOException {
        Socket far = new Socket();
        sockets.add(far);
        try {
            far.connect(target);
            nearSocket.setTcpNoDelay(true);
            far.setTcpNoDelay(true);
            return far;
        } catch (IOException e) {
            close(Set.of(nearSocket, far));
            throw e;
        }
    }

    void close(Iterable<Socket> some) {
        for (Socket socket : some) {
            sockets.remove(socket);
            try {
                socket.close();
            } catch (IOException e) {
                // It is as good as closed.
            }
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        close(Set.copyOf(sockets));
    }

    static void start(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }
}
