/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import javax.net.SocketFactory;

/** Makes sockets that cannot be connected to some ports, each for a reason that the test chooses. Hadoop makes it by its name. */
public final class FaultySockets extends SocketFactory {
    private static final Map<Integer, Supplier<IOException>> FAULTS = new ConcurrentHashMap<>();

    static void fault(int port, Supplier<IOException> why) {
        FAULTS.put(port, why);
    }

    static void mend(int port) {
        FAULTS.remove(port);
    }

    @Override
    public Socket createSocket() {
        return new Socket() {
            @Override
            public void connect(SocketAddress to, int timeout) throws IOException {
                Supplier<IOException> why = FAULTS.get(((InetSocketAddress) to).getPort());
                if (why != null) {
                    throw why.get();
                }
                super.connect(to, timeout);
            }
        };
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
