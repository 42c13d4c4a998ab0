/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster;

import io.trefoil.it.cluster.layout.ClusterLayout;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.layout.Settings;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.process.Await;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Several clusters that know of each other, as the nameservices of a federation: every process and client can reach
 * each of them.
 */
public final class FederatedClusters {

    private FederatedClusters() {}

    /**
     * Makes one federation of clusters that exist but have not started. A cluster's DataNodes serve that cluster alone; all elect by the
     * ZooKeeper of the first.
     */
    public static void join(HaCluster... clusters) {
        Map<String, String> properties = addresses(List.of(clusters));
        for (HaCluster cluster : clusters) {
            ClusterLayout layout = cluster.layout();
            String nameservice = layout.nameservice();
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
        clusters[0].zooKeeperQuorum().ifPresent(quorum -> properties.put("ha.zookeeper.quorum", quorum));
        for (HaCluster cluster : clusters) {
            properties.forEach(cluster::setProperty);
            cluster.setProperty("dfs.internal.nameservices", cluster.layout().nameservice());
        }
    }

    /** Returns the configuration with which processes and clients find the nameservices. */
    private static Map<String, String> addresses(List<HaCluster> clusters) {
        Map<String, String> properties = new LinkedHashMap<>();
        List<String> nameservices = new ArrayList<>();
        for (HaCluster cluster : clusters) {
            String nameservice = cluster.layout().nameservice();
            nameservices.add(nameservice);
            properties.putAll(Settings.addresses(cluster.layout()));
            properties.put(
                    "dfs.client.failover.proxy.provider." + nameservice,
                    "org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider");
        }
        properties.put("dfs.nameservices", String.join(",", nameservices));
        return properties;
    }

    /** The smallest nameservice, of stock HDFS: one NameNode, with its edits on its own disk. */
    public static HaClusterBuilder singleNameNode(String test, String nameservice) {
        return HaCluster.builder(test + "-" + nameservice)
                .nameservice(nameservice)
                .journal(JournalKind.local())
                .nameNodes(1)
                .withoutSupervision();
    }

    /** Makes everything that starts in one cluster from now on know all nameservices, so that its DataNodes serve all of them. */
    public static void configureNameservices(HaCluster cluster, List<HaCluster> knownClusters) {
        addresses(knownClusters).forEach(cluster::setProperty);
    }

    /** Formats and starts {@link #singleNameNode} nameservices that know of each other, and the DataNodes of the first, which serve all. */
    public static void startOnSharedDataNodes(List<HaCluster> clusters) {
        clusters.forEach(cluster -> configureNameservices(cluster, clusters));
        ParallelActions.forEach(clusters, FederatedClusters::startSingleNameNode);
        List<Server> dataNodes = clusters.get(0).dataNodes();
        dataNodes.forEach(Server::start);
        clusters.forEach(cluster -> awaitDataNodes(cluster, dataNodes.size()));
    }

    /** Formats and starts the NameNode of a {@link #singleNameNode} nameservice, whose DataNodes other ones may share. */
    public static void startSingleNameNode(HaCluster cluster) {
        cluster.nameNode(1).format("one-cluster");
        cluster.nameNode(1).start();
    }

    /** Waits until a {@link #singleNameNode} nameservice may be used, with this many DataNodes. */
    public static void awaitDataNodes(HaCluster cluster, int count) {
        NameNodeServer nameNode = cluster.nameNode(1);
        nameNode.await(
                "sees " + count + " DataNodes, out of safe mode",
                Await.TIMEOUT,
                () -> nameNode.jmx().readNumber("Hadoop:service=NameNode,name=FSNamesystemState", "NumLiveDataNodes")
                                == count
                        && nameNode.jmx()
                                .readText("Hadoop:service=NameNode,name=NameNodeInfo", "Safemode")
                                .isEmpty());
    }
}
