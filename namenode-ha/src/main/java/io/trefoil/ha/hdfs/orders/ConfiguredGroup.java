/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.orders;

import io.trefoil.foundation.OrderRefusedException;
import io.trefoil.foundation.hdfs.NameNodeAddresses;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtilClient;

/**
 * The NameNodes named in this one's configuration: as of its start, and after {@link #reread} as in the files at that time.
 *
 * <p>{@link #reread} changes the other NameNodes in the NameNode's own {@code Configuration}, because HDFS reads them
 * there when it needs them: for which of them may fetch an image, and where a new standby uploads one. It changes nothing
 * else there, and nothing about this NameNode itself.
 *
 * <p>Thread-safe. Uses {@code DFSUtilClient.getNameNodeIds} and {@code Configuration}.
 */
public final class ConfiguredGroup {
    private static final String NAME_NODES = "dfs.ha.namenodes.";

    private final Configuration conf;
    private final String nameservice;
    private final String ownId;
    private volatile Map<String, String> members;

    /** A part of this process that must learn of the new group, and may object. */
    public interface ReconfigurationListener {

        /**
         * Accepts a configuration with the new group.
         *
         * @throws IOException if it objects; nothing is changed then
         */
        void onReconfigured(Configuration newConfiguration) throws IOException;
    }

    /**
     * @param conf the NameNode's configuration; this class changes it
     * @param ownId the id of this NameNode
     */
    public ConfiguredGroup(Configuration conf, String nameservice, String ownId) {
        this.conf = conf;
        this.nameservice = nameservice;
        this.ownId = ownId;
        this.members = addresses(conf);
    }

    private Map<String, String> addresses(Configuration from) {
        Map<String, String> addresses = new LinkedHashMap<>();
        NameNodeAddresses.rpcAddresses(from, nameservice)
                .forEach((id, address) -> addresses.put(id, address.getHostString() + ":" + address.getPort()));
        return Collections.unmodifiableMap(addresses);
    }

    /** The addresses for clients by NameNode id, as {@code host:port}. */
    public Map<String, String> members() {
        return members;
    }

    /** The addresses for clients, as {@code host:port}. */
    public List<String> addresses() {
        return new ArrayList<>(members.values());
    }

    public Set<String> ids() {
        return members.keySet();
    }

    /** The hosts of the members, as the configuration names them. */
    public Set<String> hosts() {
        Set<String> hosts = new LinkedHashSet<>();
        members.values().forEach(member -> hosts.add(member.substring(0, member.lastIndexOf(':'))));
        return hosts;
    }

    /**
     * Adopts the NameNodes of the nameservice from the current files.
     *
     * @param files the configuration in the files
     * @throws OrderRefusedException if they do not name this NameNode, or name no other, or if the witness objects;
     *     nothing is changed then
     */
    public synchronized void reread(Configuration files, ReconfigurationListener reconfigurationListener)
            throws IOException {
        Collection<String> ids = DFSUtilClient.getNameNodeIds(files, nameservice);
        if (!ids.contains(ownId) || ids.size() < 2) {
            throw new OrderRefusedException("Wanted " + ownId + " and at least one more NameNode in " + NAME_NODES
                    + nameservice + " of the configuration on the host of " + ownId + ", found " + ids);
        }
        Configuration newConfiguration = new Configuration(conf);
        change(newConfiguration, files, ids);
        Map<String, String> addresses = addresses(newConfiguration);
        if (!addresses.keySet().containsAll(ids)) {
            throw new OrderRefusedException("Wanted an address of each NameNode in " + NAME_NODES + nameservice
                    + " of the configuration on the host of " + ownId + ", found some of " + addresses.keySet()
                    + " only");
        }
        try {
            reconfigurationListener.onReconfigured(newConfiguration);
        } catch (IllegalArgumentException e) {
            throw new OrderRefusedException(
                    "The configuration on the host of " + ownId + " is wrong: " + e.getMessage());
        }
        change(conf, files, ids);
        members = addresses;
    }

    /** Copies every setting of the other NameNodes from the files, and removes those that are no longer in the files. */
    private void change(Configuration newConf, Configuration files, Collection<String> ids) {
        Set<String> others = new LinkedHashSet<>(DFSUtilClient.getNameNodeIds(newConf, nameservice));
        others.addAll(ids);
        others.remove(ownId);
        for (String id : others) {
            String suffix = "." + nameservice + "." + id;
            for (String key : keys(files, suffix)) {
                newConf.set(key, files.getRaw(key));
            }
            for (String key : keys(newConf, suffix)) {
                if (files.getRaw(key) == null) {
                    newConf.unset(key);
                }
            }
        }
        newConf.set(NAME_NODES + nameservice, String.join(",", ids));
    }

    private static List<String> keys(Configuration conf, String suffix) {
        List<String> keys = new ArrayList<>();
        conf.forEach(property -> {
            if (property.getKey().endsWith(suffix)) {
                keys.add(property.getKey());
            }
        });
        return keys;
    }
}
