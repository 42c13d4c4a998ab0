/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.config;

import io.trefoil.foundation.hdfs.SuffixedConfiguration;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NodeAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DFSUtilClient;

/**
 * The {@code ssp://} URIs that a configuration sets as shared edits, for all nameservices and NameNodes.
 *
 * <p>Uses {@code DFSUtilClient.getNameServiceIds} and {@code getNameNodeIds}.
 */
public final class ConfiguredJournals {

    /** The address of any interface, which does not show where a NameNode runs. */
    private static final String ANY_INTERFACE = "0.0.0.0";

    private ConfiguredJournals() {}

    /**
     * All of them, in the order of the configuration, without duplicates.
     *
     * @throws IllegalArgumentException if a URI is wrong
     */
    public static List<PoolUri> of(Configuration conf) {
        Set<PoolUri> journals = new LinkedHashSet<>();
        add(conf, DFSConfigKeys.DFS_NAMENODE_SHARED_EDITS_DIR_KEY, journals);
        for (String nameservice : DFSUtilClient.getNameServiceIds(conf)) {
            addJournalsOf(nameservice, conf, journals);
        }
        return new ArrayList<>(journals);
    }

    /** Adds the journals of keys that are suffixed with one nameservice, or with one of its NameNodes. */
    private static void addJournalsOf(String nameservice, Configuration conf, Set<PoolUri> journals) {
        add(conf, suffixedKey(nameservice), journals);
        for (String nameNode : DFSUtilClient.getNameNodeIds(conf, nameservice)) {
            add(conf, suffixedKey(nameservice, nameNode), journals);
        }
    }

    /** Whether a nameservice has its own setting for a journal in a pool. */
    static boolean hasExplicitJournal(String nameservice, Configuration conf) {
        Set<PoolUri> journals = new LinkedHashSet<>();
        addJournalsOf(nameservice, conf, journals);
        return !journals.isEmpty();
    }

    /** The journal of the setting without a suffix, which at most one nameservice can use. */
    static Optional<JournalId> unsuffixedJournal(Configuration conf) {
        return parseUri(conf.getTrimmed(DFSConfigKeys.DFS_NAMENODE_SHARED_EDITS_DIR_KEY, ""), conf)
                .map(PoolUri::journal);
    }

    /** The pool nodes of the journals of this cluster, as the configuration names them. */
    static Set<NodeAddress> localClusterNodes(Configuration conf) {
        Set<NodeAddress> nodes = new LinkedHashSet<>();
        localClusterJournals(conf).forEach(journal -> nodes.addAll(journal.addresses()));
        return nodes;
    }

    /** The journals of this cluster: those of {@link #of} except those of other clusters' nameservices. */
    static List<PoolUri> localClusterJournals(Configuration conf) {
        Set<PoolUri> journals = new LinkedHashSet<>();
        add(conf, DFSConfigKeys.DFS_NAMENODE_SHARED_EDITS_DIR_KEY, journals);
        for (String nameservice : LocalNameserviceFinder.of(conf)) {
            addJournalsOf(nameservice, conf, journals);
        }
        return new ArrayList<>(journals);
    }

    /** The hosts of this cluster's NameNodes, as named in their addresses. */
    static Set<String> nameNodeHosts(Configuration conf) {
        Set<String> hosts = new LinkedHashSet<>();
        nameNodes(conf).forEach(nameNode -> hosts.addAll(nameNode.hosts()));
        return hosts;
    }

    /**
     * The hosts of the NameNodes that write each journal: those of the nameservice whose shared edits it is.
     * Omits a journal if the host of any of its NameNodes is unknown.
     */
    static Map<JournalId, Set<String>> writers(Configuration conf) {
        Map<JournalId, Set<String>> writers = new LinkedHashMap<>();
        Set<JournalId> unknown = new LinkedHashSet<>();
        for (ConfiguredNameNode nameNode : nameNodes(conf)) {
            Set<String> hosts = nameNode.hosts();
            nameNode.journal().ifPresent(journal -> {
                writers.computeIfAbsent(journal, first -> new LinkedHashSet<>()).addAll(hosts);
                if (hosts.isEmpty() || hosts.contains(ANY_INTERFACE)) {
                    unknown.add(journal);
                }
            });
        }
        writers.keySet().removeAll(unknown);
        return writers;
    }

    /** The principals of the NameNodes that write each journal, as patterns. */
    static Map<JournalId, Set<String>> writerPrincipals(Configuration conf) {
        Map<JournalId, Set<String>> principals = new LinkedHashMap<>();
        for (ConfiguredNameNode nameNode : nameNodes(conf)) {
            Optional<String> principal = principal(nameNode.settings);
            if (principal.isPresent()) {
                nameNode.journal().ifPresent(journal -> principals
                        .computeIfAbsent(journal, first -> new LinkedHashSet<>())
                        .add(principal.get()));
            }
        }
        return principals;
    }

    /**
     * The principals of the NameNodes of this cluster, as the configuration has them.
     *
     * @param ownConf the configuration as the caller sees it
     */
    static Set<String> nameNodePrincipals(Configuration conf, SuffixedConfiguration ownConf) {
        Set<String> principals = new LinkedHashSet<>();
        principal(ownConf).ifPresent(principals::add);
        for (ConfiguredNameNode nameNode : nameNodes(conf)) {
            principal(nameNode.settings).ifPresent(principals::add);
        }
        return principals;
    }

    private static Optional<String> principal(SuffixedConfiguration settings) {
        return settings.text(DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY);
    }

    /** The configuration as seen by the first NameNode that uses a journal; without suffixes if none does. */
    static SuffixedConfiguration configurationOfUser(Configuration conf, JournalId journal) {
        for (ConfiguredNameNode nameNode : nameNodes(conf)) {
            if (nameNode.journal().equals(Optional.of(journal))) {
                return nameNode.settings;
            }
        }
        return new SuffixedConfiguration(conf, Optional.<String>empty(), Optional.<String>empty());
    }

    private static String suffixedKey(String... suffixes) {
        return DFSUtil.addKeySuffixes(DFSConfigKeys.DFS_NAMENODE_SHARED_EDITS_DIR_KEY, suffixes);
    }

    private static void add(Configuration conf, String property, Set<PoolUri> journals) {
        parseUri(conf.getTrimmed(property, ""), conf).ifPresent(journals::add);
    }

    /** Empty if the shared edits are stored elsewhere. */
    private static Optional<PoolUri> parseUri(String sharedEdits, Configuration conf) {
        return sharedEdits.startsWith(PoolUri.SCHEME + ":")
                ? Optional.of(PoolUri.parse(URI.create(sharedEdits), conf))
                : Optional.<PoolUri>empty();
    }

    /** The NameNodes of this cluster's own nameservices. */
    private static List<ConfiguredNameNode> nameNodes(Configuration conf) {
        List<ConfiguredNameNode> nameNodes = new ArrayList<>();
        for (String nameservice : LocalNameserviceFinder.of(conf)) {
            for (String nameNode : DFSUtilClient.getNameNodeIds(conf, nameservice)) {
                nameNodes.add(new ConfiguredNameNode(conf, nameservice, nameNode));
            }
        }
        return nameNodes;
    }

    /** A NameNode of the configuration. */
    private static final class ConfiguredNameNode {
        private final Configuration conf;
        private final String nameservice;
        private final String id;
        /** The configuration as this NameNode sees it. */
        private final SuffixedConfiguration settings;

        ConfiguredNameNode(Configuration conf, String nameservice, String id) {
            this.conf = conf;
            this.nameservice = nameservice;
            this.id = id;
            this.settings = new SuffixedConfiguration(conf, Optional.of(nameservice), Optional.of(id));
        }

        /** The journal that it writes; empty if its shared edits are stored elsewhere. */
        Optional<JournalId> journal() {
            return settings.text(DFSConfigKeys.DFS_NAMENODE_SHARED_EDITS_DIR_KEY)
                    .flatMap(text -> parseUri(text, conf))
                    .map(PoolUri::journal);
        }

        /** The hosts in the NameNode's configured addresses. */
        Set<String> hosts() {
            Set<String> hosts = new LinkedHashSet<>();
            addHost(DFSConfigKeys.DFS_NAMENODE_RPC_ADDRESS_KEY, hosts);
            addHost(DFSConfigKeys.DFS_NAMENODE_SERVICE_RPC_ADDRESS_KEY, hosts);
            return hosts;
        }

        private void addHost(String key, Set<String> hosts) {
            String address = conf.getTrimmed(DFSUtil.addKeySuffixes(key, nameservice, id), "");
            int colon = address.lastIndexOf(':');
            if (colon > 0) {
                hosts.add(address.substring(0, colon));
            }
        }
    }
}
