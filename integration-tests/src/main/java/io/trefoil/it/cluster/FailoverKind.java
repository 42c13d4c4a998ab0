/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster;

import java.util.List;
import java.util.Map;

/** Who makes NameNodes active and standby. */
public interface FailoverKind {
    /** The test itself, or an operator by {@code haadmin}. */
    static FailoverKind manual() {
        return new ManualFailover();
    }

    /** Our agent inside the NameNodes. */
    static FailoverKind mams() {
        return new MamsFailover();
    }

    /** The stock ZKFC beside each NameNode, with the settings of an expert who wants it to be fast. */
    static FailoverKind zkfc() {
        return new ZkfcFailover();
    }

    /** Whether the cluster needs a ZooKeeper, and gets an active by itself. */
    boolean isAutomatic();

    /** Names of the servers that run beside the NameNodes, one for each of them; empty if there are none. */
    List<String> serverNames(Layout layout);

    /** The NameNode beside which such a server runs; its settings are that NameNode's. */
    String nameNodeOf(String server);

    /** The main class of those servers. */
    String serverMainClass();

    /** Settings of every process of the cluster. */
    Map<String, String> sharedProperties(Layout layout);

    /** Settings of every client. */
    Map<String, String> clientProperties();

    /** Plugins of the NameNodes. */
    List<String> nameNodePlugins();
}
