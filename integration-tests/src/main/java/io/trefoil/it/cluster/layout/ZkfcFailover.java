/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.layout;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The stock ZKFC next to each NameNode. */
final class ZkfcFailover implements FailoverKind {
    private static final String SUFFIX = "-zkfc";
    private static final String HEALTH_TIMEOUT = "ha.health-monitor.rpc-timeout.ms";

    private final Map<String, String> servers;
    private final Map<String, String> clients;

    private ZkfcFailover(Map<String, String> servers, Map<String, String> clients) {
        this.servers = servers;
        this.clients = clients;
    }

    /** Returns the failover without optional settings. */
    static ZkfcFailover asShipped() {
        return new ZkfcFailover(Map.of(), Map.of());
    }

    /** Returns the failover with every setting tuned for speed. */
    static ZkfcFailover tuned() {
        Map<String, String> servers = new HashMap<>();
        servers.put("ha.zookeeper.session-timeout.ms", "2000");
        servers.put("ha.health-monitor.check-interval.ms", "100");
        servers.put("ha.health-monitor.connect-retry-interval.ms", "200");
        servers.put("ha.health-monitor.sleep-after-disconnect.ms", "200");
        servers.put(HEALTH_TIMEOUT, "2000");
        servers.put("ha.health-monitor.rpc.connect.max.retries", "0");
        // Otherwise it asks a NameNode that hangs for its threads, and waits 20 s for the answer.
        servers.put("dfs.ha.zkfc.nn.http.timeout.ms", "0");
        servers.put("ha.failover-controller.graceful-fence.rpc-timeout.ms", "500");
        // A dead active is told to stand back twice, whatever is set, with this pause between.
        servers.put("ipc.client.connect.retry.interval", "10");
        // Otherwise it waits 20 s for a connection to a NameNode whose host is cut off, and twice.
        servers.put("ipc.client.connect.timeout", "1000");
        servers.put("ha.failover-controller.graceful-fence.connection.retries", "0");
        servers.put("dfs.ha.tail-edits.in-progress", "true");
        servers.put("dfs.ha.tail-edits.period", "0ms");
        servers.put("dfs.ha.tail-edits.period.backoff-max", "1s");
        return new ZkfcFailover(
                servers,
                Map.of(
                        "dfs.client.failover.sleep.base.millis", "50",
                        "dfs.client.failover.sleep.max.millis", "200",
                        "dfs.client.failover.max.attempts", "100",
                        "ipc.client.connect.max.retries", "1",
                        "ipc.client.connect.timeout", "1000",
                        "ipc.client.connect.max.retries.on.timeouts", "1",
                        "ipc.client.rpc-timeout.ms", "3000"));
    }

    /**
     * Like {@link #tuned}, for NameNodes that take seconds to become active: their health check waits for that, and a shorter timeout would
     * take away their role in the meantime.
     */
    ZkfcFailover withLongTimeouts() {
        Map<String, String> patient = new HashMap<>(servers);
        patient.put(HEALTH_TIMEOUT, "10000");
        return new ZkfcFailover(patient, clients);
    }

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
        properties.putAll(servers);
        return properties;
    }

    @Override
    public Map<String, String> clientProperties() {
        return clients;
    }
}
