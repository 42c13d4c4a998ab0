/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.config;

import io.trefoil.foundation.hdfs.SuffixedConfiguration;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.net.NetUtils;

/**
 * The nameservices of a configuration, and the addresses of their NameNodes' plugins.
 *
 * <p>Uses {@code DFSUtilClient.getNameServiceIds}, {@code getNameNodeIds}, {@code DFSUtil.addKeySuffixes}, {@code
 * NameNode.initializeGenericKeys}.
 */
public final class ConfiguredFederation {

    private final Configuration conf;

    public ConfiguredFederation(Configuration conf) {
        this.conf = new Configuration(conf);
    }

    /** The nameservices with more than one NameNode; any others have no Trefoil journal. */
    public Set<String> nameservices() {
        Set<String> nameservices = new TreeSet<>();
        for (String nameservice : DFSUtilClient.getNameServiceIds(conf)) {
            if (DFSUtilClient.getNameNodeIds(conf, nameservice).size() > 1) {
                nameservices.add(nameservice);
            }
        }
        return nameservices;
    }

    /** @throws IllegalArgumentException if the configuration lacks an address */
    public List<InetSocketAddress> pluginAddresses(String nameservice) {
        List<InetSocketAddress> addresses =
                new ArrayList<>(pluginAddressesByName(nameservice).values());
        if (addresses.isEmpty()) {
            throw new IllegalArgumentException("The configuration knows no NameNodes of nameservice " + nameservice);
        }
        return addresses;
    }

    /**
     * Returns the addresses of the plugins of a nameservice's NameNodes, by NameNode id.
     *
     * @throws IllegalArgumentException if the configuration lacks an address
     */
    public Map<String, InetSocketAddress> pluginAddressesByName(String nameservice) {
        Map<String, InetSocketAddress> plugins = new TreeMap<>();
        for (Map.Entry<String, InetSocketAddress> nameNode :
                nameNodeAddresses(nameservice).entrySet()) {
            plugins.put(nameNode.getKey(), pluginAddress(nameservice, nameNode));
        }
        return plugins;
    }

    private InetSocketAddress pluginAddress(String nameservice, Map.Entry<String, InetSocketAddress> nameNode) {
        Configuration one = new Configuration(conf);
        one.set(DFSConfigKeys.DFS_NAMESERVICE_ID, nameservice);
        one.set(DFSConfigKeys.DFS_HA_NAMENODE_ID_KEY, nameNode.getKey());
        return NetUtils.createSocketAddrForHost(
                nameNode.getValue().getHostString(), CheckpointKeys.PORT.get(SuffixedConfiguration.ofNameNode(one)));
    }

    /** The settings of the NameNode whose plugin listens at an address; it may have its own principal. */
    public Configuration nameNodeConfiguration(String nameservice, InetSocketAddress plugin) {
        for (Map.Entry<String, InetSocketAddress> nameNode :
                nameNodeAddresses(nameservice).entrySet()) {
            InetSocketAddress address = pluginAddress(nameservice, nameNode);
            if (address.getHostString().equals(plugin.getHostString()) && address.getPort() == plugin.getPort()) {
                Configuration of = new Configuration(conf);
                NameNode.initializeGenericKeys(of, nameservice, nameNode.getKey());
                return of;
            }
        }
        throw new IllegalArgumentException("No NameNode of nameservice " + nameservice + " is at " + plugin);
    }

    /**
     * The RPC addresses of a nameservice's NameNodes, by NameNode id.
     *
     * @throws IllegalArgumentException if the configuration lacks an address
     */
    public Map<String, InetSocketAddress> nameNodeAddresses(String nameservice) {
        Map<String, InetSocketAddress> addresses = new TreeMap<>();
        for (String nameNode : DFSUtilClient.getNameNodeIds(conf, nameservice)) {
            String property = DFSUtil.addKeySuffixes(DFSConfigKeys.DFS_NAMENODE_RPC_ADDRESS_KEY, nameservice, nameNode);
            String rpc = conf.getTrimmed(property, "");
            if (rpc.isEmpty()) {
                throw new IllegalArgumentException(property + " is not set");
            }
            addresses.put(nameNode, NetUtils.createSocketAddr(rpc));
        }
        return addresses;
    }
}
