/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster;

import java.util.List;
import java.util.Map;

/** A real ZooKeeper in a process of its own, as Hadoop ships it; alone, since it is not what is tested. */
final class ZooKeeperServer {
    static final String NAME = "zk";

    /** The smallest session is two ticks, and what ends is rounded up to one. */
    private static final String TICK_MILLIS = "200";

    private ZooKeeperServer() {}

    static ServerSpec spec(Layout layout) {
        return new ServerSpec(
                NAME,
                "org.apache.zookeeper.server.ZooKeeperServerMain",
                Map::of,
                List.of(
                        "-Dzookeeper.admin.enableServer=false",
                        // It would cost every session that a slow disk is waited for.
                        "-Dzookeeper.forceSync=no",
                        "-Dzookeeper.maxSessionTimeout=60000"),
                List.of(
                        layout.address(NAME, "client").split(":")[1],
                        layout.dataDirectory(NAME).toString(),
                        TICK_MILLIS),
                false);
    }
}
