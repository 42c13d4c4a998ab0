/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.archive;

import io.trefoil.checkpoint.archive.store.ServedNamespace;
import io.trefoil.checkpoint.hdfs.config.IsolatedConfiguration;
import io.trefoil.foundation.DurableFiles;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.net.NetUtils;

/**
 * A stock NameNode in this process that serves the namespace in a name directory for reading: it never leaves safe mode by itself, admits
 * no DataNode, and knows nothing of the cluster. A superuser who makes it leave safe mode changes the name directory and nothing else.
 *
 * <p>Uses {@code NameNode.createNameNode}, {@code stop}, {@code join}, {@code getNameNodeAddress}, {@code getHttpAddress}.
 */
public final class ReadOnlyNameNode implements ServedNamespace {

    /** Kept for documentation by RFC 5737, so no DataNode has it. An empty list would admit all. */
    private static final String ONLY_DATANODE = "192.0.2.1";

    private final NameNode nameNode;

    private ReadOnlyNameNode(NameNode nameNode) {
        this.nameNode = nameNode;
    }

    /**
     * Loads the namespace and serves it. Its web page shows how far that is.
     *
     * @param conf the cluster's, of which what is about security is used
     * @param directory a name directory that only this process uses
     * @param rpc where it listens for clients; port 0 is any free one
     * @param http where its web page is
     * @throws IOException if the namespace cannot be loaded, or a port is not free
     */
    public static ReadOnlyNameNode start(
            Configuration conf, Path directory, InetSocketAddress rpc, InetSocketAddress http) throws IOException {
        Path datanodes = directory.resolve("admitted-datanodes");
        DurableFiles.write(datanodes, ONLY_DATANODE + "\n");
        Configuration alone = configuration(IsolatedConfiguration.of(conf, directory), rpc, http);
        alone.set(DFSConfigKeys.DFS_HOSTS, datanodes.toString());
        return new ReadOnlyNameNode(NameNode.createNameNode(new String[0], alone));
    }

    private static Configuration configuration(Configuration alone, InetSocketAddress rpc, InetSocketAddress http) {
        for (String key : new String[] {
            DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY,
            DFSConfigKeys.DFS_NAMENODE_SERVICE_RPC_ADDRESS_KEY,
            DFSConfigKeys.DFS_NAMENODE_SERVICE_RPC_BIND_HOST_KEY,
            DFSConfigKeys.DFS_NAMENODE_LIFELINE_RPC_ADDRESS_KEY,
            DFSConfigKeys.DFS_NAMENODE_LIFELINE_RPC_BIND_HOST_KEY,
            DFSConfigKeys.DFS_NAMENODE_RPC_BIND_HOST_KEY,
            DFSConfigKeys.DFS_NAMENODE_HTTP_BIND_HOST_KEY,
            DFSConfigKeys.DFS_NAMENODE_HTTPS_BIND_HOST_KEY,
            DFSConfigKeys.DFS_NAMENODE_HOSTS_PROVIDER_CLASSNAME_KEY,
            DFSConfigKeys.DFS_HOSTS_EXCLUDE
        }) {
            alone.unset(key);
        }
        String address = NetUtils.getHostPortString(rpc);
        alone.set(DFSConfigKeys.DFS_NAMENODE_RPC_ADDRESS_KEY, address);
        alone.set(CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY, "hdfs://" + address);
        alone.set(DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY, NetUtils.getHostPortString(http));
        alone.set(DFSConfigKeys.DFS_NAMENODE_HTTPS_ADDRESS_KEY, NetUtils.getHostPortString(http));
        // A share of the blocks would be reached by a namespace without blocks.
        alone.setInt(DFSConfigKeys.DFS_NAMENODE_SAFEMODE_MIN_DATANODES_KEY, Integer.MAX_VALUE);
        // The emptier of trash deletes in whatever the default file system is.
        alone.set(CommonConfigurationKeysPublic.FS_TRASH_INTERVAL_KEY, "0");
        alone.set("dfs.namenode.gc.time.monitor.enable", "false");
        return alone;
    }

    @Override
    public String uri() {
        return "hdfs://" + NetUtils.getHostPortString(nameNode.getNameNodeAddress());
    }

    @Override
    public String webAddress() {
        InetSocketAddress http = nameNode.getHttpAddress();
        return http != null
                ? "http://" + NetUtils.getHostPortString(http)
                : "https://" + NetUtils.getHostPortString(nameNode.getHttpsAddress());
    }

    @Override
    public void join() {
        nameNode.join();
    }

    @Override
    public void close() {
        nameNode.stop();
        nameNode.join();
    }
}
