/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs;

import io.trefoil.client.MovedHostResolver;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.apache.hadoop.ipc.RPC;

/**
 * A NameNode of the nameservice: its address, the proxy for calls, and the proxy for probes of its role. Each proxy is
 * created when first needed. Equal only to itself.
 *
 * <p>Uses {@code RPC.stopProxy}.
 *
 * @param <T> the interface that the client calls
 */
final class NameNodeMember<T> {
    private final InetSocketAddress address;
    private final MovedHostResolver hosts;
    private final ProxyFactory<T> proxies;
    private final ProbeFactory probes;
    // Guarded by this.
    private T proxy;
    /** The address to which the proxy sends its calls; empty if another proxy must be created. */
    private Optional<InetSocketAddress> proxyAt = Optional.empty();

    private RoleRequest probe;
    /** The address to which the probe proxy is connected. */
    private Optional<InetSocketAddress> probeAt = Optional.empty();

    private int lostConnections;
    private boolean closed;

    /** Makes proxies. */
    interface ProxyFactory<T> {
        /** @param lostConnections how many of the member's connections were lost before */
        T create(InetSocketAddress address, int lostConnections) throws IOException;
    }

    /** Makes probes. */
    interface ProbeFactory {
        RoleRequest create(InetSocketAddress address) throws IOException;
    }

    /**
     * @param address as the configuration names it, and the JVM knows it
     * @param hosts knows where it is now
     */
    NameNodeMember(InetSocketAddress address, MovedHostResolver hosts, ProxyFactory<T> proxies, ProbeFactory probes) {
        this.address = address;
        this.hosts = hosts;
        this.proxies = proxies;
        this.probes = probes;
    }

    InetSocketAddress address() {
        return address;
    }

    /** Creates the proxy, or recreates it if the host has moved; sends nothing. */
    synchronized T proxy() throws IOException {
        InetSocketAddress at = hosts.currentAddress(address);
        if (!proxyAt.filter(at::equals).isPresent()) {
            requireOpen();
            T before = proxy;
            proxy = proxies.create(at, lostConnections);
            proxyAt = Optional.of(at);
            stop(before);
        }
        return proxy;
    }

    /** Makes the next call use another connection, unless one does already. */
    synchronized void replaceProxy(T currentProxy) {
        if (currentProxy == proxy && proxyAt.isPresent()) {
            proxyAt = Optional.empty();
            lostConnections++;
        }
    }

    /**
     * Creates the probe for an address; sends nothing.
     *
     * @param address where the member is tried
     */
    synchronized RoleRequest probe(InetSocketAddress address) throws IOException {
        if (!probeAt.filter(address::equals).isPresent()) {
            requireOpen();
            RoleRequest before = probe;
            probe = probes.create(address);
            probeAt = Optional.of(address);
            stop(before);
        }
        return probe;
    }

    /** Recreates a failed probe: if the host has moved, HDFS's connection would return to the address cached by the JVM. */
    synchronized void renewProbeIfMoved(RoleRequest request) {
        if (request == probe && probeAt.filter(at -> !at.equals(address)).isPresent()) {
            probeAt = Optional.empty();
        }
    }

    /** Drops the proxy for calls if it sends them to an address other than the configured one. */
    synchronized void renewProxyIfMoved(T currentProxy) {
        if (proxyAt.filter(at -> !at.equals(address)).isPresent()) {
            replaceProxy(currentProxy);
        }
    }

    private void requireOpen() throws IOException {
        if (closed) {
            throw new IOException(
                    this + " is abandoned: it no longer belongs to the group, or the client is " + "closed");
        }
    }

    /** Closes the proxies of a member that is no longer used; calls in progress may end. */
    synchronized void close() throws IOException {
        closed = true;
        stop(proxy);
        stop(probe);
        proxy = null;
        probe = null;
        proxyAt = Optional.empty();
        probeAt = Optional.empty();
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
