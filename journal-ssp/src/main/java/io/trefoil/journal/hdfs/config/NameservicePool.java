/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.config;

import io.trefoil.journal.model.NodeAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DFSUtilClient;

/**
 * The pool nodes in the NameNodes of one nameservice, keyed by NameNode id: on the hosts of their RPC addresses, at the default port.
 *
 * <p>A setting counts here only where it is set for one NameNode: what is set without a suffix may differ from host to host, and all must
 * find the same nodes. {@code trefoil.journal.address.<nameservice>.<namenode>} is a node that is elsewhere; a NameNode whose {@code
 * trefoil.journal.embedded} is false has none.
 *
 * <p>Uses {@code DFSUtilClient.getNameNodeIds} and {@code DFSUtil.addKeySuffixes}.
 */
final class NameservicePool {
    private static final String ANY_INTERFACE = "0.0.0.0";

    private final Configuration conf;
    private final String nameservice;

    NameservicePool(Configuration conf, String nameservice) {
        this.conf = conf;
        this.nameservice = nameservice;
    }

    /** @throws IllegalArgumentException if the configuration does not say where they are; the text names the property */
    List<NodeAddress> addresses() {
        Collection<String> nameNodes = DFSUtilClient.getNameNodeIds(conf, nameservice);
        if (nameNodes.isEmpty()) {
            throw new IllegalArgumentException(
                    "without hosts, the URI stands for the pool nodes in the NameNodes of nameservice "
                            + nameservice + ", but " + property(DFSConfigKeys.DFS_HA_NAMENODES_KEY_PREFIX)
                            + " names none: set it, or name the pool nodes as ssp://host1:port;host2:port;host3:port/journal");
        }
        List<NodeAddress> addresses = new ArrayList<>();
        for (String nameNode : nameNodes) {
            if (!hasPoolNode(nameNode)) {
                continue;
            }
            NodeAddress address = address(nameNode);
            if (addresses.contains(address)) {
                throw new IllegalArgumentException("two NameNodes of nameservice " + nameservice
                        + " have their pool nodes at " + address + ": set " + property(SspKeys.ADDRESS.name(), nameNode)
                        + " to the address of that of " + nameNode);
            }
            addresses.add(address);
        }
        if (addresses.isEmpty()) {
            throw new IllegalArgumentException(
                    "no NameNode of nameservice " + nameservice + " has a pool node inside, as "
                            + SspKeys.EMBEDDED.name() + " is false for each: name the pool nodes as"
                            + " ssp://host1:port;host2:port;host3:port/journal");
        }
        return Collections.unmodifiableList(addresses);
    }

    private boolean hasPoolNode(String nameNode) {
        String property = property(SspKeys.EMBEDDED.name(), nameNode);
        String flag = conf.getTrimmed(property, "true");
        if (!flag.equalsIgnoreCase("true") && !flag.equalsIgnoreCase("false")) {
            throw new IllegalArgumentException(property + " is '" + flag + "': set it to true or false");
        }
        return flag.equalsIgnoreCase("true");
    }

    private NodeAddress address(String nameNode) {
        String elsewhere = conf.getTrimmed(property(SspKeys.ADDRESS.name(), nameNode), "");
        if (!elsewhere.isEmpty()) {
            try {
                return PoolUri.address(elsewhere);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        property(SspKeys.ADDRESS.name(), nameNode) + " is '" + elsewhere + "': " + e.getMessage(), e);
            }
        }
        String property = property(DFSConfigKeys.DFS_NAMENODE_RPC_ADDRESS_KEY, nameNode);
        String rpc = conf.getTrimmed(property, "");
        int colon = rpc.lastIndexOf(':');
        String host = colon < 0 ? "" : rpc.substring(0, colon);
        if (host.isEmpty() || host.equals(ANY_INTERFACE)) {
            throw new IllegalArgumentException("the pool node of " + nameNode + " is on the host that " + property
                    + " names, which is " + (rpc.isEmpty() ? "not set" : "'" + rpc + "'") + ": set it to host:port");
        }
        return NodeAddress.of(host, PoolUri.DEFAULT_PORT);
    }

    private String property(String key) {
        return DFSUtil.addKeySuffixes(key, nameservice);
    }

    private String property(String key, String nameNode) {
        return DFSUtil.addKeySuffixes(key, nameservice, nameNode);
    }
}
