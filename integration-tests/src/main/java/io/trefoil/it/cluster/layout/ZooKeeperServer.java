/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.layout;

import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;

/** A real ZooKeeper in a separate process, as shipped with Hadoop; a single one, since it is not under test. */
public final class ZooKeeperServer {
    public static final String NAME = "zk";

    /** The tick: the shortest session is two ticks, and ZooKeeper rounds the end of a session up to a tick. */
    private static final String TICK_MILLIS = "200";

    /**
     * The ACL that permits everything, like ZooKeeper's {@code OPEN_ACL_UNSAFE}; not a {@code List.of}, because ZooKeeper
     * asks whether the list contains null.
     */
    private static final List<ACL> ANYBODY = Collections.singletonList(new ACL(31, new Id("world", "anyone")));

    private static final int SESSION_MILLIS = 5_000;

    private ZooKeeperServer() {}

    /** The settings that every kind of automatic failover needs; a map that callers may add to. */
    static Map<String, String> failoverProperties(ClusterLayout layout) {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("dfs.ha.automatic-failover.enabled", "true");
        properties.put("ha.zookeeper.quorum", layout.address(NAME, "client"));
        for (String nameNode : layout.nameNodes()) {
            String port = layout.address(nameNode, "zkfc").split(":")[1];
            properties.put("dfs.ha.zkfc.port." + layout.nameservice() + "." + nameNode, port);
        }
        return properties;
    }

    /** Deletes a node, with a separate client. */
    public static void delete(ClusterLayout layout, String path) {
        change(layout, path, client -> client.delete(path, -1));
    }

    /** Creates a node that any client may change, with a separate client, and leaves it there. */
    public static void create(ClusterLayout layout, String path, byte[] data) {
        change(layout, path, client -> client.create(path, data, ANYBODY, CreateMode.PERSISTENT));
    }

    /** An action on a znode. */
    private interface Change {
        void apply(ZooKeeper client) throws KeeperException, InterruptedException;
    }

    private static void change(ClusterLayout layout, String path, Change change) {
        CountDownLatch connected = new CountDownLatch(1);
        try (ZooKeeper client =
                new ZooKeeper(layout.address(NAME, "client"), SESSION_MILLIS, event -> connected.countDown())) {
            connected.await();
            change.apply(client);
        } catch (IOException | KeeperException e) {
            throw new IllegalStateException("cannot change " + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while changing " + path, e);
        }
    }

    public static ServerSpec spec(ClusterLayout layout) {
        return new ServerSpec(
                NAME,
                "org.apache.zookeeper.server.ZooKeeperServerMain",
                Map::of,
                List.of(
                        "-Dzookeeper.admin.enableServer=false",
                        // Waiting for a slow disk would cost every session.
                        "-Dzookeeper.forceSync=no",
                        "-Dzookeeper.maxSessionTimeout=60000"),
                List.of(
                        layout.address(NAME, "client").split(":")[1],
                        layout.dataDirectory(NAME).toString(),
                        TICK_MILLIS),
                false);
    }
}
