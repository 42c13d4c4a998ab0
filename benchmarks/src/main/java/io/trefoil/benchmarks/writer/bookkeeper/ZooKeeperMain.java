/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.writer.bookkeeper;

import org.apache.zookeeper.server.ZooKeeperServerMain;

/** The ZooKeeper for BookKeeper: arguments are its port and its directory. Its web server is off, because its port is fixed. */
public final class ZooKeeperMain {
    private ZooKeeperMain() {}

    public static void main(String[] arguments) {
        System.setProperty("zookeeper.admin.enableServer", "false");
        ZooKeeperServerMain.main(arguments);
    }
}
