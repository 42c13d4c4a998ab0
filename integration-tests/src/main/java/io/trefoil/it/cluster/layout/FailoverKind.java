/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.layout;

import java.util.List;
import java.util.Map;

/** A way of making NameNodes active and standby. Automatic kinds elect by a lock in ZooKeeper. */
public interface FailoverKind {
    /** The test itself, or an operator with {@code haadmin}. */
    static FailoverKind manual() {
        return new ManualFailover();
    }

    /** Our agent inside the NameNodes. */
    static FailoverKind mams() {
        return new MamsFailover();
    }

    /** The stock ZKFC next to each NameNode, with the settings of an expert who tunes it for speed. */
    static FailoverKind zkfc() {
        return ZkfcFailover.tuned();
    }

    /**
     * Like {@link #zkfc}, for namespaces of millions, for which HDFS counts quotas for seconds when a NameNode becomes active.
     */
    static FailoverKind zkfcForLargeNamespaces() {
        return ZkfcFailover.tuned().withLongTimeouts();
    }

    /** The same as {@link #zkfc} with the settings that Hadoop ships. */
    static FailoverKind zkfcWithDefaults() {
        return ZkfcFailover.asShipped();
    }

    /** Whether the kind needs a ZooKeeper, and makes a NameNode active automatically. */
    boolean isAutomatic();

    /** The path of the active's lock in ZooKeeper. */
    default String lockPath(ClusterLayout layout) {
        throw new IllegalStateException("there is no lock");
    }

    /** The names of the servers that run next to the NameNodes, one for each; empty if there are none. */
    default List<String> serverNames(ClusterLayout layout) {
        return List.of();
    }

    /** The NameNode next to which such a server runs, on the same host and with the same settings. */
    default String nameNodeOf(String server) {
        throw new IllegalArgumentException(server);
    }

    /** The main class of those servers. */
    default String serverMainClass() {
        throw new IllegalStateException("there are no servers");
    }

    /** The settings of every process of the cluster. */
    default Map<String, String> sharedProperties(ClusterLayout layout) {
        return Map.of();
    }

    /** The settings of every client. */
    default Map<String, String> clientProperties() {
        return Map.of();
    }

    /** Plugins of the NameNodes. */
    default List<String> nameNodePlugins() {
        return List.of();
    }
}
