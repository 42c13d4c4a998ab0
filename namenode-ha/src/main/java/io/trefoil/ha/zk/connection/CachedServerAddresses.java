/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.zk.connection;

import io.trefoil.foundation.names.HostResolver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.Map;
import org.apache.curator.utils.ZookeeperFactory;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.client.HostProvider;
import org.apache.zookeeper.client.StaticHostProvider;
import org.apache.zookeeper.client.ZKClientConfig;

/**
 * Makes ZooKeeper's clients find servers that they have used before while names do not resolve, and find servers that have moved at once.
 */
final class CachedServerAddresses implements ZookeeperFactory {

    private final HostResolver hosts;
    private final Map<String, String> tls;

    /** @param tls properties of ZooKeeper's client for TLS; empty without */
    CachedServerAddresses(HostResolver hosts, Map<String, String> tls) {
        this.hosts = hosts;
        this.tls = new HashMap<>(tls);
    }

    @Override
    public ZooKeeper newZooKeeper(String connectString, int sessionMillis, Watcher watcher, boolean canBeReadOnly)
            throws IOException {
        HostProvider servers =
                new StaticHostProvider(new ConnectStringParser(connectString).getServerAddresses(), this::find);
        if (tls.isEmpty()) {
            return new ZooKeeper(connectString, sessionMillis, watcher, canBeReadOnly, servers);
        }
        ZKClientConfig config = new ZKClientConfig();
        tls.forEach(config::setProperty);
        return new ZooKeeper(connectString, sessionMillis, watcher, canBeReadOnly, servers, config);
    }

    /** Called for each new connection; which is only made after the previous one failed. */
    InetAddress[] find(String host) throws UnknownHostException {
        hosts.markSuspect(host);
        try {
            return hosts.find(host).toArray(new InetAddress[0]);
        } catch (UnknownHostException e) {
            throw e;
        } catch (IOException e) {
            UnknownHostException unknown = new UnknownHostException(host + ": " + e);
            unknown.initCause(e);
            throw unknown;
        }
    }
}
