/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Our agent inside the NameNodes. */
final class MamsFailover implements FailoverKind {

    @Override
    public boolean isAutomatic() {
        return true;
    }

    @Override
    public List<String> serverNames(Layout layout) {
        return List.of();
    }

    @Override
    public String nameNodeOf(String server) {
        throw new IllegalArgumentException(server);
    }

    @Override
    public String serverMainClass() {
        throw new IllegalStateException("there are no servers");
    }

    @Override
    public Map<String, String> sharedProperties(Layout layout) {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("dfs.ha.automatic-failover.enabled", "true");
        properties.put("ha.zookeeper.quorum", layout.address(ZooKeeperServer.NAME, "client"));
        for (String nameNode : layout.nameNodes()) {
            String port = layout.address(nameNode, "zkfc").split(":")[1];
            properties.put("dfs.ha.zkfc.port." + layout.nameservice() + "." + nameNode, port);
        }
        return properties;
    }

    @Override
    public Map<String, String> clientProperties() {
        return Map.of();
    }

    @Override
    public List<String> nameNodePlugins() {
        return List.of("io.trefoil.ha.hdfs.MamsPlugin");
    }
}
