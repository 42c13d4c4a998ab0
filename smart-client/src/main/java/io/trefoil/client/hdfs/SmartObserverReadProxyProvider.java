/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs;

import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.namenode.ha.HAProxyFactory;

/**
 * A {@link SmartFailoverProxyProvider} whose reads go to standbys in observer state, more of them to those that answer
 * faster, and to the active only if none of them answers. Configured in {@code
 * dfs.client.failover.proxy.provider.<nameservice>}; needs {@code dfs.namenode.state.context.enabled} on the servers.
 *
 * <p>A read sees everything that this client has been told before. Of what other clients were told, it sees everything
 * from before this client's last call to the active: {@code FileSystem.msync}, or {@code
 * dfs.client.failover.observer.auto-msync-period.<nameservice>}.
 *
 * <p>A read goes to the active if the observer does not know where a block is, is too far behind, has not answered
 * within {@code trefoil.client.suspect-after}, or is no longer an observer.
 *
 * @param <T> any interface that HDFS asks a provider for; only calls of the client protocol are spread
 */
public class SmartObserverReadProxyProvider<T> extends SmartFailoverProxyProvider<T> {

    /** The constructor that HDFS calls. */
    public SmartObserverReadProxyProvider(Configuration conf, URI uri, Class<T> xface, HAProxyFactory<T> factory) {
        super(conf, uri, xface, factory, ObserverReads.of(conf, uri, xface, factory));
    }
}
