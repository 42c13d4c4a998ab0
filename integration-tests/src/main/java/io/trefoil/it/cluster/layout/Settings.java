/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.layout;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The properties of every process of a cluster. What the builder was given comes last and wins. Servers read them at
 * each start, so a change takes effect after a restart.
 */
public final class Settings {
    private static final String PLUGINS = "dfs.namenode.plugins";

    private final ClusterLayout layout;
    private final Map<String, String> forAll;
    private final Map<String, Map<String, String>> forOne;
    private final FailoverKind failover;
    private final List<String> morePlugins;
    private final Map<String, String> yarn;
    private volatile JournalKind journal;

    public Settings(
            ClusterLayout layout,
            JournalKind journal,
            FailoverKind failover,
            List<String> morePlugins,
            Map<String, String> yarn,
            Map<String, String> forAll,
            Map<String, Map<String, String>> forOne) {
        this.layout = layout;
        this.journal = journal;
        this.failover = failover;
        this.morePlugins = List.copyOf(morePlugins);
        this.yarn = Map.copyOf(yarn);
        this.forAll = new LinkedHashMap<>(forAll);
        this.forOne = new LinkedHashMap<>(forOne);
    }

    public JournalKind journal() {
        return journal;
    }

    public void setJournal(JournalKind journal) {
        this.journal = journal;
    }

    public synchronized void set(String key, String value) {
        forAll.put(key, value);
    }

    public synchronized void unset(String key) {
        forAll.remove(key);
    }

    /** The addresses of a nameservice's NameNodes. */
    public static Map<String, String> addresses(ClusterLayout layout) {
        String nameservice = layout.nameservice();
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("dfs.ha.namenodes." + nameservice, String.join(",", layout.nameNodes()));
        for (String nameNode : layout.nameNodes()) {
            String suffix = "." + nameservice + "." + nameNode;
            properties.put("dfs.namenode.rpc-address" + suffix, layout.address(nameNode, "rpc"));
            properties.put("dfs.namenode.http-address" + suffix, layout.address(nameNode, "http"));
        }
        return properties;
    }

    public Map<String, String> client() {
        Map<String, String> properties = shared();
        // A client that waits up to 15 s between two attempts would hide how fast the servers are.
        properties.put("dfs.client.failover.max.attempts", "1000");
        properties.put("dfs.client.failover.sleep.base.millis", "50");
        properties.put("dfs.client.failover.sleep.max.millis", "500");
        properties.put("dfs.client.failover.connection.retries", "0");
        properties.put("ipc.client.connect.timeout", "3000");
        properties.put("ipc.client.connect.max.retries.on.timeouts", "1");
        properties.put("ipc.client.connect.retry.interval", "100");
        properties.putAll(failover.clientProperties());
        properties.putAll(yarn);
        return with(properties, "client");
    }

    public Map<String, String> nameNode(String name) {
        Map<String, String> properties = shared();
        properties.put("dfs.nameservice.id", layout.nameservice());
        properties.put("dfs.ha.namenode.id", name);
        properties.put(
                "dfs.namenode.name.dir", layout.nameDirectory(name).toUri().toString());
        properties.put("dfs.namenode.safemode.extension", "0");
        properties.put("dfs.namenode.handler.count", "32");
        properties.putAll(journal.nameNodeProperties(layout, name));
        addPlugins(properties);
        return with(properties, name);
    }

    private void addPlugins(Map<String, String> properties) {
        List<String> plugins = new ArrayList<>(failover.nameNodePlugins());
        plugins.addAll(morePlugins);
        if (properties.containsKey(PLUGINS)) {
            plugins.add(0, properties.get(PLUGINS));
        }
        if (!plugins.isEmpty()) {
            properties.put(PLUGINS, String.join(",", plugins));
        }
    }

    public Map<String, String> dataNode(String name) {
        Map<String, String> properties = shared();
        properties.put(
                "dfs.datanode.data.dir",
                layout.dataDirectory(name).resolve("blocks").toUri().toString());
        String anyPort = layout.host(name) + ":0";
        properties.put("dfs.datanode.address", anyPort);
        properties.put("dfs.datanode.http.address", anyPort);
        properties.put("dfs.datanode.ipc.address", anyPort);
        return with(properties, name);
    }

    /** The settings of a server of YARN, or of a job's client: as both are clients of HDFS. */
    public Map<String, String> clientSettings(String name) {
        return with(client(), name);
    }

    public Map<String, String> journalServer(String name) {
        Map<String, String> properties = shared();
        properties.putAll(journal.serverProperties(layout, name));
        return with(properties, name);
    }

    private Map<String, String> shared() {
        String nameservice = layout.nameservice();
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("fs.defaultFS", "hdfs://" + nameservice);
        properties.put("hadoop.tmp.dir", layout.dataDirectory("tmp").toString());
        properties.put("dfs.nameservices", nameservice);
        properties.putAll(addresses(layout));
        properties.put(
                "dfs.client.failover.proxy.provider." + nameservice,
                "org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider");
        properties.put("dfs.ha.fencing.methods", "shell(/bin/true)");
        properties.put("dfs.namenode.datanode.registration.ip-hostname-check", "false");
        properties.put(
                "dfs.replication",
                String.valueOf(Math.max(1, Math.min(2, layout.dataNodes().size()))));
        properties.put("dfs.heartbeat.interval", "1");
        // Otherwise a page shows metrics that are up to twice ten seconds old, and a test that polls one waits as long.
        properties.put("*.periodMillis", "100");
        properties.putAll(journal.sharedProperties(layout));
        properties.putAll(failover.sharedProperties(layout));
        return properties;
    }

    private synchronized Map<String, String> with(Map<String, String> properties, String server) {
        properties.putAll(forAll);
        properties.putAll(forOne.getOrDefault(server, Map.of()));
        return properties;
    }
}
