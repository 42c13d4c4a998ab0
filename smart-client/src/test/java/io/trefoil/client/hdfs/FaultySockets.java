/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import javax.net.SocketFactory;

/**
 * Makes sockets that cannot be connected to some ports, each for a reason that the test chooses, or whose connections are lost without
 * a word. Hadoop makes it by its name.
 */
public final class FaultySockets extends SocketFactory {
    private static final Map<Integer, Supplier<IOException>> FAULTS = new ConcurrentHashMap<>();

    private static final List<FaultySocket> MADE = new CopyOnWriteArrayList<>();

    static void fault(int port, Supplier<IOException> reason) {
        FAULTS.put(port, reason);
    }

    /** From now on nothing arrives through the connections to a port, and no client can connect to it. */
    static void blackhole(int port) {
        fault(port, () -> new SocketTimeoutException("planted"));
        MADE.stream().filter(socket -> socket.getPort() == port).forEach(socket -> socket.swallows = true);
    }

    /** Connections can be made again; what was lost is lost. */
    static void repair(int port) {
        FAULTS.remove(port);
    }

    @Override
    public Socket createSocket() {
        FaultySocket socket = new FaultySocket();
        MADE.add(socket);
        return socket;
    }

    private static final class FaultySocket extends Socket {
        private volatile boolean swallows;

        @Override
        public void connect(SocketAddress to, int timeout) throws IOException {
            Supplier<IOException> reason = FAULTS.get(((InetSocketAddress) to).getPort());
            if (reason != null) {
                throw reason.get();
            }
            super.connect(to, timeout);
        }

        @Override
        public OutputStream getOutputStream() throws IOException {
            return new FilterOutputStream(super.getOutputStream()) {
                @Override
                public void write(byte[] bytes, int offset, int count) throws IOException {
                    if (!swallows) {
                        out.write(bytes, offset, count);
                    }
                }
            };
        }
    }

    @Override
    public Socket createSocket(String host, int port) {
        throw new UnsupportedOperationException("Hadoop connects its sockets itself");
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress local, int localPort) {
        return createSocket(host, port);
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
        return createSocket(host.getHostName(), port);
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) {
        return createSocket(host.getHostName(), port);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FaultySockets;
    }

    @Override
    public int hashCode() {
        return FaultySockets.class.hashCode();
    }
}
