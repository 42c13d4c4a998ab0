/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Callable;
import org.apache.hadoop.ipc.RPC;

/**
 * One NameNode of the nameservice: where it is, the proxy by which it is called, and the one by which it is asked what it is.
 * Both are made when they are needed first. Equal to itself only.
 *
 * <p>Uses {@code RPC.stopProxy}.
 *
 * @param <T> the interface that the client calls
 * @param <P> the interface by which the NameNode is asked
 */
final class NameNodeMember<T, P> {
    private final InetSocketAddress address;
    private final Callable<T> proxies;
    private final Callable<P> probes;
    private volatile String http;
    // Guarded by this.
    private T proxy;
    private P probe;

    NameNodeMember(InetSocketAddress address, String http, Callable<T> proxies, Callable<P> probes) {
        this.address = address;
        this.http = http;
        this.proxies = proxies;
        this.probes = probes;
    }

    InetSocketAddress address() {
        return address;
    }

    /** Where its web pages are, as {@code host:port}. */
    String http() {
        return http;
    }

    void setHttp(String hostAndPort) {
        http = hostAndPort;
    }

    /** Calls nobody. */
    synchronized T proxy() throws IOException {
        if (proxy == null) {
            proxy = made(proxies);
        }
        return proxy;
    }

    /** Calls nobody. */
    synchronized P probe() throws IOException {
        if (probe == null) {
            probe = made(probes);
        }
        return probe;
    }

    private static <X> X made(Callable<X> maker) throws IOException {
        try {
            return maker.call();
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    synchronized void close() throws IOException {
        stop(proxy);
        stop(probe);
        proxy = null;
        probe = null;
    }

    private static void stop(Object open) throws IOException {
        if (open instanceof Closeable) {
            ((Closeable) open).close();
        } else if (open != null) {
            RPC.stopProxy(open);
        }
    }

    @Override
    public String toString() {
        return address.getHostString() + ":" + address.getPort();
    }
}
