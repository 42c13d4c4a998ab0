/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.writer.bookkeeper;

import org.apache.zookeeper.server.ZooKeeperServerMain;

/** The ZooKeeper of a peer: arguments are its port and its folder. Without its web server, whose port is the same for all. */
public final class ZooKeeperMain {
    private ZooKeeperMain() {}

    public static void main(String[] arguments) {
        System.setProperty("zookeeper.admin.enableServer", "false");
        ZooKeeperServerMain.main(arguments);
    }
}
