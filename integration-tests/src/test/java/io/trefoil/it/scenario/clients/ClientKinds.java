/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.clients;

import io.trefoil.client.hdfs.SmartFailoverProxyProvider;
import io.trefoil.it.cluster.HaCluster;
import org.apache.hadoop.conf.Configuration;

/** The kinds of clients to compare. */
final class ClientKinds {
    static final String PROVIDER = "dfs.client.failover.proxy.provider.trefoil";

    private ClientKinds() {}

    static Configuration smart(HaCluster cluster) {
        Configuration conf = cluster.clientConfiguration();
        conf.set(PROVIDER, SmartFailoverProxyProvider.class.getName());
        return conf;
    }

    /** With HDFS's own waits, instead of the short ones that the harness sets for its clients. */
    static Configuration stock(HaCluster cluster) {
        Configuration conf = cluster.clientConfiguration();
        conf.set("dfs.client.failover.sleep.base.millis", "500");
        conf.set("dfs.client.failover.sleep.max.millis", "15000");
        return conf;
    }
}
