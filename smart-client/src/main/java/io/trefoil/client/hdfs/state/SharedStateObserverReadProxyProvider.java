/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs.state;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.server.namenode.ha.HAProxyFactory;
import org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProvider;
import org.apache.hadoop.ipc.AlignmentContext;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Hadoop's own provider that reads from observers, for clients that share the state they have seen. {@link SharedStates} puts it in the
 * place of that; users configure Hadoop's.
 *
 * <p>Uses {@code ObserverReadProxyProvider}, {@code HAProxyFactory}.
 *
 * @param <T> the client protocol
 */
public final class SharedStateObserverReadProxyProvider<T extends ClientProtocol> extends ObserverReadProxyProvider<T> {

    /** The constructor that HDFS calls. */
    public SharedStateObserverReadProxyProvider(
            Configuration conf, URI uri, Class<T> xface, HAProxyFactory<T> factory) {
        super(conf, uri, xface, new Factory<>(conf, uri, factory));
    }

    /** Creates proxies with the shared context in place of the one that Hadoop's provider makes for itself. */
    private static final class Factory<T> implements HAProxyFactory<T> {
        private final Configuration conf;
        private final URI uri;
        private final HAProxyFactory<T> inner;

        Factory(Configuration conf, URI uri, HAProxyFactory<T> inner) {
            this.conf = conf;
            this.uri = uri;
            this.inner = inner;
        }

        @Override
        public void setAlignmentContext(AlignmentContext ownContext) {
            inner.setAlignmentContext(SharedStates.contextFor(conf, uri, ownContext));
        }

        @Override
        public T createProxy(
                Configuration conf,
                InetSocketAddress address,
                Class<T> xface,
                UserGroupInformation user,
                boolean withRetries,
                AtomicBoolean fallbackToSimpleAuth)
                throws IOException {
            return inner.createProxy(conf, address, xface, user, withRetries, fallbackToSimpleAuth);
        }

        @Override
        public T createProxy(
                Configuration conf,
                InetSocketAddress address,
                Class<T> xface,
                UserGroupInformation user,
                boolean withRetries)
                throws IOException {
            return inner.createProxy(conf, address, xface, user, withRetries);
        }
    }
}
