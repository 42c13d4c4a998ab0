/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Callable;
import org.apache.hadoop.ipc.RPC;

/**
 * One NameNode of the nameservice: its address, the proxy for calls, and the proxy that asks for its role. Each proxy
 * is created when first needed. Equal only to itself.
 *
 * <p>Uses {@code RPC.stopProxy}.
 *
 * @param <T> the interface that the client calls
 */
final class NameNodeMember<T> {
    private final InetSocketAddress address;
    private final Proxies<T> proxies;
    private final Callable<RoleQuestion> probes;
    // Guarded by this.
    private T proxy;
    private RoleQuestion probe;
    private int lost;
    private boolean closed;

    /** Makes proxies. */
    interface Proxies<T> {
        /** @param lost how many of the member's connections were lost before */
        T make(int lost) throws IOException;
    }

    NameNodeMember(InetSocketAddress address, Proxies<T> proxies, Callable<RoleQuestion> probes) {
        this.address = address;
        this.proxies = proxies;
        this.probes = probes;
    }

    InetSocketAddress address() {
        return address;
    }

    /** Creates the proxy; sends nothing. */
    synchronized T proxy() throws IOException {
        if (proxy == null) {
            requireOpen();
            proxy = made(() -> proxies.make(lost));
        }
        return proxy;
    }

    /** Has the next call use another connection, unless one does already. */
    synchronized void giveUp(T given) throws IOException {
        if (given == proxy) {
            proxy = null;
            lost++;
            stop(given);
        }
    }

    /** Creates the probe; sends nothing. */
    synchronized RoleQuestion probe() throws IOException {
        if (probe == null) {
            requireOpen();
            probe = made(probes);
        }
        return probe;
    }

    private void requireOpen() throws IOException {
        if (closed) {
            throw new IOException(
                    this + " is abandoned: it no longer belongs to the group, or the client is " + "closed");
        }
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

    /** Closes the proxies of a member that is no longer used; calls under way may end. */
    synchronized void close() throws IOException {
        closed = true;
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
