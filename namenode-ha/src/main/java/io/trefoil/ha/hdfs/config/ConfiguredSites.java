/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.config;

import io.trefoil.foundation.hdfs.NameNodeAddresses;
import io.trefoil.foundation.hdfs.SuffixedConfiguration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;

/**
 * The sites of a nameservice's NameNodes and pool nodes, as far as this host's configuration names them.
 * Immutable.
 */
public final class ConfiguredSites {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,63}");

    private final Map<String, String> nameNodes;
    /** The site of each host that has exactly one NameNode. */
    private final Map<String, String> hosts;

    private final Map<String, String> nodes;

    private ConfiguredSites(Map<String, String> nameNodes, Map<String, String> hosts, Map<String, String> nodes) {
        this.nameNodes = nameNodes;
        this.hosts = hosts;
        this.nodes = nodes;
    }

    /** @throws IllegalArgumentException if a site is not written as one; the text names the property */
    public static ConfiguredSites of(Configuration conf, String nameservice) {
        Map<String, String> nameNodes = new LinkedHashMap<>();
        Map<String, String> hosts = new LinkedHashMap<>();
        NameNodeAddresses.rpcAddresses(conf, nameservice).forEach((name, address) -> {
            String site = MamsKeys.SITE
                    .find(new SuffixedConfiguration(conf, Optional.of(nameservice), Optional.of(name)))
                    .orElse("");
            nameNodes.put(name, site);
            // With two NameNodes on one host, it is not known which is meant, unless both have the same site.
            hosts.merge(address.getHostString(), site, (one, other) -> one.equals(other) ? one : "");
        });
        Map<String, String> nodes = MamsKeys.POOL_SITES
                .find(new SuffixedConfiguration(conf, Optional.of(nameservice), Optional.<String>empty()))
                .orElse(Collections.<String, String>emptyMap());
        return new ConfiguredSites(nameNodes, hosts, nodes);
    }

    /** The site of a NameNode; empty if the configuration does not name one. */
    public String siteOfNameNode(String name) {
        return nameNodes.getOrDefault(name, "");
    }

    /** The site that is configured for exactly this node; empty if none is. */
    public String siteOfNode(String address) {
        return nodes.getOrDefault(address, "");
    }

    /** The site of a node, or else the site of the NameNode on the node's host. */
    public String siteOfNodeOrHost(String address) {
        String host = address.substring(0, Math.max(0, address.lastIndexOf(':')));
        return nodes.getOrDefault(address, hosts.getOrDefault(host, ""));
    }

    static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /** @throws IllegalArgumentException if the text is no list of nodes and their sites */
    static Map<String, String> parse(String text) {
        Map<String, String> sites = new LinkedHashMap<>();
        for (String part : text.split(",", -1)) {
            String[] words = part.trim().split("=", -1);
            boolean isPair = words.length == 2 && words[0].trim().matches("[^:]+:[0-9]+") && isName(words[1].trim());
            if (!isPair) {
                throw new IllegalArgumentException("'" + part.trim() + "' is not of the form host:port=site");
            }
            if (sites.put(words[0].trim(), words[1].trim()) != null) {
                throw new IllegalArgumentException(words[0].trim() + " has two sites");
            }
        }
        return Collections.unmodifiableMap(sites);
    }
}
