/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.layout;

import java.util.List;
import java.util.Map;

/** Who makes NameNodes active and standby. Automatic kinds elect by a lock in ZooKeeper. */
public interface FailoverKind {
    /** The test itself, or an operator with {@code haadmin}. */
    static FailoverKind manual() {
        return new ManualFailover();
    }

    /** Our agent inside the NameNodes. */
    static FailoverKind mams() {
        return new MamsFailover();
    }

    /** The stock ZKFC beside each NameNode, with the settings of an expert who tunes it for speed. */
    static FailoverKind zkfc() {
        return ZkfcFailover.tuned();
    }

    /** The same for namespaces of millions, whose quotas HDFS counts for seconds when a NameNode becomes active. */
    static FailoverKind zkfcForLargeNamespaces() {
        return ZkfcFailover.tuned().patient();
    }

    /** The same as {@link #zkfc} with the settings that Hadoop ships. */
    static FailoverKind zkfcByDefault() {
        return ZkfcFailover.asShipped();
    }

    /** Whether the kind needs a ZooKeeper, and makes a NameNode active by itself. */
    boolean isAutomatic();

    /** The path of the active's lock in ZooKeeper. */
    default String lockPath(ClusterLayout layout) {
        throw new IllegalStateException("there is no lock");
    }

    /** Names of the servers that run beside the NameNodes, one for each of them; empty if there are none. */
    default List<String> serverNames(ClusterLayout layout) {
        return List.of();
    }

    /** The NameNode that such a server runs beside, on the same host; it has that NameNode's settings. */
    default String nameNodeOf(String server) {
        throw new IllegalArgumentException(server);
    }

    /** The main class of those servers. */
    default String serverMainClass() {
        throw new IllegalStateException("there are no servers");
    }

    /** Settings of every process of the cluster. */
    default Map<String, String> sharedProperties(ClusterLayout layout) {
        return Map.of();
    }

    /** Settings of every client. */
    default Map<String, String> clientProperties() {
        return Map.of();
    }

    /** Plugins of the NameNodes. */
    default List<String> nameNodePlugins() {
        return List.of();
    }
}
