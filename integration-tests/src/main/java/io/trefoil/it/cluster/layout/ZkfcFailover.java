/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.layout;

import java.util.List;
import java.util.Map;

/** The stock ZKFC beside each NameNode, with every setting tuned for speed. */
final class ZkfcFailover implements FailoverKind {
    private static final String SUFFIX = "-zkfc";

    @Override
    public boolean isAutomatic() {
        return true;
    }

    @Override
    public String lockPath(ClusterLayout layout) {
        return "/hadoop-ha/" + layout.nameservice() + "/ActiveStandbyElectorLock";
    }

    @Override
    public List<String> serverNames(ClusterLayout layout) {
        return layout.nameNodes().stream().map(name -> name + SUFFIX).toList();
    }

    @Override
    public String nameNodeOf(String server) {
        return server.substring(0, server.length() - SUFFIX.length());
    }

    @Override
    public String serverMainClass() {
        return "org.apache.hadoop.hdfs.tools.DFSZKFailoverController";
    }

    @Override
    public Map<String, String> sharedProperties(ClusterLayout layout) {
        Map<String, String> properties = ZooKeeperServer.failoverProperties(layout);
        properties.put("ha.zookeeper.session-timeout.ms", "2000");
        properties.put("ha.health-monitor.check-interval.ms", "200");
        properties.put("ha.health-monitor.connect-retry-interval.ms", "200");
        properties.put("ha.health-monitor.sleep-after-disconnect.ms", "200");
        properties.put("ha.health-monitor.rpc-timeout.ms", "2000");
        properties.put("ha.health-monitor.rpc.connect.max.retries", "0");
        // Otherwise it asks a NameNode that hangs for its threads, and waits 20 s for the answer.
        properties.put("dfs.ha.zkfc.nn.http.timeout.ms", "0");
        properties.put("ha.failover-controller.graceful-fence.rpc-timeout.ms", "500");
        properties.put("ipc.client.connect.retry.interval", "100");
        // Otherwise it waits 20 s for a connection to a NameNode whose host is cut off.
        properties.put("ipc.client.connect.timeout", "1000");
        properties.put("dfs.ha.tail-edits.in-progress", "true");
        properties.put("dfs.ha.tail-edits.period", "0ms");
        properties.put("dfs.ha.tail-edits.period.backoff-max", "1s");
        return properties;
    }

    @Override
    public Map<String, String> clientProperties() {
        return Map.of(
                "dfs.client.failover.sleep.base.millis", "50",
                "dfs.client.failover.sleep.max.millis", "200",
                "dfs.client.failover.max.attempts", "100",
                "ipc.client.connect.max.retries", "1",
                "ipc.client.connect.timeout", "1000",
                "ipc.client.connect.max.retries.on.timeouts", "1",
                "ipc.client.rpc-timeout.ms", "3000");
    }
}
