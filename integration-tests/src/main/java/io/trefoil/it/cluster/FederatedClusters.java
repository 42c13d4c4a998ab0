/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster;

import io.trefoil.it.cluster.layout.ClusterLayout;
import io.trefoil.it.cluster.layout.Settings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Several clusters that know of each other, as the nameservices of a federation: every process and client can reach
 * each of them. A cluster's DataNodes serve that cluster alone.
 */
public final class FederatedClusters {

    private FederatedClusters() {}

    /** Makes one federation of clusters that exist but have not started; all of them elect by the ZooKeeper of the first. */
    public static void join(HaCluster... clusters) {
        Map<String, String> properties = new LinkedHashMap<>();
        List<String> nameservices = new ArrayList<>();
        for (HaCluster cluster : clusters) {
            ClusterLayout layout = cluster.layout();
            String nameservice = layout.nameservice();
            nameservices.add(nameservice);
            properties.putAll(Settings.addresses(layout));
            properties.put(
                    "dfs.client.failover.proxy.provider." + nameservice,
                    "org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider");
            properties.put(
                    "dfs.namenode.shared.edits.dir." + nameservice,
                    cluster.journalProperties().get("dfs.namenode.shared.edits.dir"));
            for (String nameNode : layout.nameNodes()) {
                String suffix = "." + nameservice + "." + nameNode;
                properties.put(
                        "trefoil.checkpoint.port" + suffix,
                        layout.address(nameNode, "checkpoint").split(":")[1]);
            }
        }
        clusters[0].quorum().ifPresent(quorum -> properties.put("ha.zookeeper.quorum", quorum));
        properties.put("dfs.nameservices", String.join(",", nameservices));
        for (HaCluster cluster : clusters) {
            properties.forEach(cluster::setProperty);
            cluster.setProperty("dfs.internal.nameservices", cluster.layout().nameservice());
        }
    }
}
