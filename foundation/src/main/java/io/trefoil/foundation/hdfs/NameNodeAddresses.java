/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.hdfs;

import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DFSUtilClient;

/**
 * Reads the addresses of NameNodes from a configuration, without using the name service. HDFS's own methods look each name up and warn of
 * each that has no address: one command would wait for a silent name service dozens of times, and print as many warnings before its answer.
 *
 * <p>All addresses are unresolved, in the order of the configuration. Where the configuration names no nameservices or no NameNodes, the
 * one that there is has the name null, as in HDFS.
 *
 * <p>Uses {@code DFSUtilClient.getNameServiceIds}, {@code getNameNodeIds} and {@code DFSUtil.addKeySuffixes}.
 */
public final class NameNodeAddresses {
    private NameNodeAddresses() {}

    /**
     * The addresses for calls, by nameservice, then by NameNode.
     *
     * @throws IllegalArgumentException if one is not written as host:port; the text names the property
     */
    public static Map<String, Map<String, InetSocketAddress>> rpcAddresses(Configuration conf) {
        return addresses(conf, DFSConfigKeys.DFS_NAMENODE_RPC_ADDRESS_KEY);
    }

    /** The same for one nameservice, by NameNode. */
    public static Map<String, InetSocketAddress> rpcAddresses(Configuration conf, String nameservice) {
        return rpcAddresses(conf).getOrDefault(nameservice, Collections.emptyMap());
    }

    /** Whether a nameservice has several NameNodes, as defined by {@code HAUtil.isHAEnabled}. */
    public static boolean isHighlyAvailable(Configuration conf, String nameservice) {
        return rpcAddresses(conf, nameservice).size() > 1;
    }

    static Map<String, Map<String, InetSocketAddress>> addresses(Configuration conf, String key) {
        Map<String, Map<String, InetSocketAddress>> addresses = new LinkedHashMap<>();
        for (String nameservice : namesOrNull(DFSUtilClient.getNameServiceIds(conf))) {
            Map<String, InetSocketAddress> own = new LinkedHashMap<>();
            for (String nameNode : namesOrNull(DFSUtilClient.getNameNodeIds(conf, nameservice))) {
                String property = DFSUtil.addKeySuffixes(key, nameservice, nameNode);
                String address = conf.getTrimmed(property);
                if (address != null) {
                    own.put(nameNode, parse(property, address));
                }
            }
            if (!own.isEmpty()) {
                addresses.put(nameservice, own);
            }
        }
        return addresses;
    }

    private static Collection<String> namesOrNull(Collection<String> names) {
        return names.isEmpty() ? Collections.singleton(null) : names;
    }

    private static InetSocketAddress parse(String property, String address) {
        String wrong = property + " is '" + address + "', wanted host:port";
        URI uri;
        try {
            uri = URI.create(address.contains("://") ? address : "any://" + address);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(wrong, e);
        }
        if (uri.getHost() == null || uri.getPort() < 0) {
            throw new IllegalArgumentException(wrong);
        }
        return InetSocketAddress.createUnresolved(uri.getHost(), uri.getPort());
    }
}
