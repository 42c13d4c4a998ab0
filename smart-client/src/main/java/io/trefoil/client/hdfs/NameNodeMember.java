/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs;

import io.trefoil.client.MovedHosts;
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
    private final MovedHosts hosts;
    private final Proxies<T> proxies;
    private final Probes probes;
    // Guarded by this.
    private T proxy;
    /** The address to which the proxy sends its calls; empty if another proxy has to be created. */
    private Optional<InetSocketAddress> proxyAt = Optional.empty();

    private RoleRequest probe;
    /** The address to which the probe proxy is connected. */
    private Optional<InetSocketAddress> probeAt = Optional.empty();

    private int lost;
    private boolean closed;

    /** Makes proxies. */
    interface Proxies<T> {
        /** @param lost how many of the member's connections were lost before */
        T make(InetSocketAddress at, int lost) throws IOException;
    }

    /** Makes probes. */
    interface Probes {
        RoleRequest make(InetSocketAddress at) throws IOException;
    }

    /**
     * @param address as the configuration names it, and the JVM knows it
     * @param hosts knows where it is now
     */
    NameNodeMember(InetSocketAddress address, MovedHosts hosts, Proxies<T> proxies, Probes probes) {
        this.address = address;
        this.hosts = hosts;
        this.proxies = proxies;
        this.probes = probes;
    }

    InetSocketAddress address() {
        return address;
    }

    /** Creates the proxy, again if the host has moved; sends nothing. */
    synchronized T proxy() throws IOException {
        InetSocketAddress at = hosts.current(address);
        if (!proxyAt.filter(at::equals).isPresent()) {
            requireOpen();
            T before = proxy;
            proxy = proxies.make(at, lost);
            proxyAt = Optional.of(at);
            stop(before);
        }
        return proxy;
    }

    /** Makes the next call use another connection, unless one does already. */
    synchronized void replaceProxy(T given) {
        if (given == proxy && proxyAt.isPresent()) {
            proxyAt = Optional.empty();
            lost++;
        }
    }

    /**
     * Creates the probe for an address; sends nothing.
     *
     * @param at where the member is tried
     */
    synchronized RoleRequest probe(InetSocketAddress at) throws IOException {
        if (!probeAt.filter(at::equals).isPresent()) {
            requireOpen();
            RoleRequest before = probe;
            probe = probes.make(at);
            probeAt = Optional.of(at);
            stop(before);
        }
        return probe;
    }

    /** Has a probe that failed made anew: if the host has moved, HDFS's connection goes back to where the JVM remembers it. */
    synchronized void renewProbeIfMoved(RoleRequest given) {
        if (given == probe && probeAt.filter(at -> !at.equals(address)).isPresent()) {
            probeAt = Optional.empty();
        }
    }

    /** Gives up the proxy for calls if it sends them to an address other than the configured one. */
    synchronized void renewProxyIfMoved(T given) {
        if (proxyAt.filter(at -> !at.equals(address)).isPresent()) {
            replaceProxy(given);
        }
    }

    private void requireOpen() throws IOException {
        if (closed) {
            throw new IOException(
                    this + " is abandoned: it no longer belongs to the group, or the client is " + "closed");
        }
    }

    /** Closes the proxies of a member that is no longer used; calls under way may end. */
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
