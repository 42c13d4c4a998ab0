/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.layout;

import java.util.List;
import java.util.Map;

/** Our agent inside the NameNodes. */
final class MamsFailover implements FailoverKind {

    @Override
    public boolean isAutomatic() {
        return true;
    }

    @Override
    public String lockPath(ClusterLayout layout) {
        return "/trefoil/" + layout.nameservice() + "/lock";
    }

    @Override
    public Map<String, String> sharedProperties(ClusterLayout layout) {
        return ZooKeeperServer.failoverProperties(layout);
    }

    @Override
    public List<String> nameNodePlugins() {
        return List.of("io.trefoil.ha.hdfs.MamsPlugin");
    }
}
