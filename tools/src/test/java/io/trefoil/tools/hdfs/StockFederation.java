/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.hdfs;

import static org.awaitility.Awaitility.await;

import io.trefoil.datanode.hdfs.BlockLinkPlugin;
import io.trefoil.journal.TestPorts;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.StartupOption;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/** Stock NameNodes of two nameservices and one DataNode of both, inside the JVM of a test. */
final class StockFederation implements AutoCloseable {

    private static final List<String> NAMES = List.of("ns1", "ns2");
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final Path directory;
    private final Map<String, Integer> ports = new HashMap<>();
    private final Map<String, NameNode> nameNodes = new TreeMap<>();
    private DataNode dataNode;

    private StockFederation(Path directory) throws IOException {
        this.directory = directory;
        for (String name : NAMES) {
            ports.put(name, TestPorts.free());
        }
    }

    static StockFederation start(Path directory) throws IOException {
        DefaultMetricsSystem.setMiniClusterMode(true);
        StockFederation federation = new StockFederation(directory);
        for (String name : NAMES) {
            federation.startNameNode(name);
        }
        federation.startDataNode();
        return federation;
    }

    /** What clients have. */
    Configuration client() {
        Configuration conf = new HdfsConfiguration();
        conf.set("dfs.nameservices", String.join(",", NAMES));
        for (String name : NAMES) {
            conf.set("dfs.ha.namenodes." + name, "nn1");
            conf.set("dfs.namenode.rpc-address." + name + ".nn1", "localhost:" + ports.get(name));
            conf.set("dfs.client.failover.proxy.provider." + name, ConfiguredFailoverProxyProvider.class.getName());
        }
        conf.setInt("dfs.replication", 1);
        return conf;
    }

    private void startNameNode(String name) throws IOException {
        Configuration conf = client();
        conf.set("fs.defaultFS", "hdfs://" + name);
        conf.set("dfs.nameservice.id", name);
        conf.set("dfs.ha.namenode.id", "nn1");
        conf.set("dfs.namenode.http-address." + name + ".nn1", "localhost:0");
        conf.set("dfs.namenode.name.dir", directory.resolve(name).toUri().toString());
        conf.set("dfs.namenode.safemode.extension", "0");
        // A DataNode serves nameservices of one cluster.
        StartupOption.FORMAT.setClusterId("federation");
        NameNode.format(conf);
        nameNodes.put(name, NameNode.createNameNode(new String[0], conf));
    }

    private void startDataNode() throws IOException {
        Configuration conf = client();
        conf.set("dfs.datanode.data.dir", directory.resolve("blocks").toUri().toString());
        for (String service : List.of("address", "http.address", "ipc.address")) {
            conf.set("dfs.datanode." + service, "localhost:0");
        }
        conf.setInt("dfs.heartbeat.interval", 1);
        conf.set("dfs.datanode.plugins", BlockLinkPlugin.class.getName());
        dataNode = DataNode.createDataNode(new String[0], conf);
        await().atMost(LIMIT).until(() -> nameNodes.values().stream()
                .allMatch(one -> one.getNamesystem().getNumLiveDataNodes() == 1));
    }

    /** One nameservice alone, past any table. */
    DistributedFileSystem fileSystem(String name) throws IOException {
        DistributedFileSystem fileSystem = new DistributedFileSystem();
        fileSystem.initialize(URI.create("hdfs://" + name), client());
        return fileSystem;
    }

    @Override
    public void close() {
        if (dataNode != null) {
            dataNode.shutdown();
        }
        nameNodes.values().forEach(NameNode::stop);
    }
}
