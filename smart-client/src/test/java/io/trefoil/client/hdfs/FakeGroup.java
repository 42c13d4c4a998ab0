/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.NameNodeProxiesClient;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.token.SecretManager;

/** Made-up NameNodes of one nameservice, and clients of it as HDFS makes them. */
final class FakeGroup implements AutoCloseable {
    static final URI URI_OF_GROUP = URI.create("hdfs://group");

    private static final AtomicInteger PROCESSES = new AtomicInteger();

    private final List<FakeNameNode> nameNodes = new ArrayList<>();
    private final List<ClientProtocol> clients = new ArrayList<>();

    FakeGroup(int size) throws IOException {
        for (int i = 0; i < size; i++) {
            nameNodes.add(new FakeNameNode());
        }
    }

    /** Of NameNodes that want to know who calls. */
    FakeGroup(int size, Configuration conf, SecretManager<?> tokens) throws IOException {
        for (int i = 0; i < size; i++) {
            nameNodes.add(new FakeNameNode(new Configuration(conf), tokens));
        }
    }

    /** The NameNode of the given number; the first is 1. */
    FakeNameNode nameNode(int number) {
        return nameNodes.get(number - 1);
    }

    List<FakeNameNode> nameNodes() {
        return nameNodes;
    }

    void makeActive(int number) {
        nameNode(number).become(HAServiceState.ACTIVE);
    }

    /** What a client's {@code hdfs-site.xml} says, with short times. */
    Configuration configuration() {
        Configuration conf = new Configuration(false);
        conf.addResource("core-default.xml");
        conf.addResource("hdfs-default.xml");
        conf.set("dfs.nameservices", "group");
        List<String> names = new ArrayList<>();
        for (int i = 1; i <= nameNodes.size(); i++) {
            names.add("nn" + i);
            conf.set("dfs.namenode.rpc-address.group.nn" + i, nameNode(i).address());
            // No process listens there.
            conf.set("dfs.namenode.http-address.group.nn" + i, "127.0.0.1:1");
        }
        conf.set("dfs.ha.namenodes.group", String.join(",", names));
        conf.set("dfs.client.failover.proxy.provider.group", SmartFailoverProxyProvider.class.getName());
        conf.set("trefoil.client.suspect-after", "200ms");
        conf.set("trefoil.client.failover.timeout", "20s");
        return conf;
    }

    /** Has clients share nothing with those of other configurations, as if they were in a process of their own. */
    static void isolate(Configuration conf) {
        // Only clients that would believe each other's answers share them.
        conf.set("hadoop.ssl.client.conf", "ssl-client-" + PROCESSES.incrementAndGet() + ".xml");
    }

    ClientProtocol client() throws IOException {
        return client(configuration());
    }

    ClientProtocol client(Configuration conf) throws IOException {
        ClientProtocol client = NameNodeProxiesClient.createProxyWithClientProtocol(conf, URI_OF_GROUP, null)
                .getProxy();
        clients.add(client);
        return client;
    }

    @Override
    public void close() {
        nameNodes.forEach(FakeNameNode::thaw);
        clients.forEach(RPC::stopProxy);
        nameNodes.forEach(FakeNameNode::close);
    }
}
