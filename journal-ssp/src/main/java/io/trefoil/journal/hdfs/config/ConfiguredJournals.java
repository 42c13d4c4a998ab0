/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.config;

import io.trefoil.foundation.hdfs.SuffixedConfiguration;
import io.trefoil.journal.model.JournalId;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
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
 * The {@code ssp://} URIs that a configuration names as shared edits, those of all nameservices and NameNodes.
 *
 * <p>Uses {@code DFSUtilClient.getNameServiceIds} and {@code getNameNodeIds}.
 */
public final class ConfiguredJournals {

    /** Says nothing of where a NameNode is. */
    private static final String ANY_INTERFACE = "0.0.0.0";

    private ConfiguredJournals() {}

    /**
     * In the order of the configuration, none twice.
     *
     * @throws IllegalArgumentException if a URI is wrong
     */
    public static List<PoolUri> of(Configuration conf) {
        Set<PoolUri> journals = new LinkedHashSet<>();
        add(conf, DFSConfigKeys.DFS_NAMENODE_SHARED_EDITS_DIR_KEY, journals);
        for (String nameservice : DFSUtilClient.getNameServiceIds(conf)) {
            add(conf, suffixed(nameservice), journals);
            for (String nameNode : DFSUtilClient.getNameNodeIds(conf, nameservice)) {
                add(conf, suffixed(nameservice, nameNode), journals);
            }
        }
        return new ArrayList<>(journals);
    }

    /**
     * The hosts of the NameNodes that use such a journal, as their addresses name them. Not those of other clusters, where
     * {@code dfs.internal.nameservices} tells which are this one's.
     */
    static Set<String> nameNodeHosts(Configuration conf) {
        Collection<String> internal = conf.getTrimmedStringCollection(DFSConfigKeys.DFS_INTERNAL_NAMESERVICES_KEY);
        Set<String> hosts = new LinkedHashSet<>();
        for (String nameservice : DFSUtilClient.getNameServiceIds(conf)) {
            if (internal.isEmpty() || internal.contains(nameservice)) {
                for (String nameNode : DFSUtilClient.getNameNodeIds(conf, nameservice)) {
                    addHost(conf, DFSConfigKeys.DFS_NAMENODE_RPC_ADDRESS_KEY, nameservice, nameNode, hosts);
                    addHost(conf, DFSConfigKeys.DFS_NAMENODE_SERVICE_RPC_ADDRESS_KEY, nameservice, nameNode, hosts);
                }
            }
        }
        return hosts;
    }

    /**
     * The hosts of the NameNodes that write each journal: those of the nameservice that has it as its shared edits. Without
     * journals of which the host of one of their NameNodes is not known.
     */
    static Map<JournalId, Set<String>> writers(Configuration conf) {
        Map<JournalId, Set<String>> writers = new LinkedHashMap<>();
        Set<JournalId> unknown = new LinkedHashSet<>();
        for (String nameservice : DFSUtilClient.getNameServiceIds(conf)) {
            for (String nameNode : DFSUtilClient.getNameNodeIds(conf, nameservice)) {
                Set<String> hosts = new LinkedHashSet<>();
                addHost(conf, DFSConfigKeys.DFS_NAMENODE_RPC_ADDRESS_KEY, nameservice, nameNode, hosts);
                addHost(conf, DFSConfigKeys.DFS_NAMENODE_SERVICE_RPC_ADDRESS_KEY, nameservice, nameNode, hosts);
                journal(new SuffixedConfiguration(conf, Optional.of(nameservice), Optional.of(nameNode)))
                        .ifPresent(journal -> {
                            writers.computeIfAbsent(journal, first -> new LinkedHashSet<>())
                                    .addAll(hosts);
                            if (hosts.isEmpty() || hosts.contains(ANY_INTERFACE)) {
                                unknown.add(journal);
                            }
                        });
            }
        }
        writers.keySet().removeAll(unknown);
        return writers;
    }

    /** The principals of the NameNodes that write each journal, as patterns. */
    static Map<JournalId, Set<String>> writerPrincipals(Configuration conf) {
        Map<JournalId, Set<String>> principals = new LinkedHashMap<>();
        for (String nameservice : DFSUtilClient.getNameServiceIds(conf)) {
            for (String nameNode : DFSUtilClient.getNameNodeIds(conf, nameservice)) {
                SuffixedConfiguration user =
                        new SuffixedConfiguration(conf, Optional.of(nameservice), Optional.of(nameNode));
                Optional<String> principal = user.text(DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY);
                if (principal.isPresent()) {
                    journal(user).ifPresent(journal -> principals
                            .computeIfAbsent(journal, first -> new LinkedHashSet<>())
                            .add(principal.get()));
                }
            }
        }
        return principals;
    }

    private static Optional<JournalId> journal(SuffixedConfiguration user) {
        return user.text(DFSConfigKeys.DFS_NAMENODE_SHARED_EDITS_DIR_KEY)
                .filter(text -> text.startsWith(PoolUri.SCHEME + ":"))
                .map(text -> PoolUri.parse(URI.create(text)).journal());
    }

    /**
     * The principals of the NameNodes of this cluster, as the configuration has them.
     *
     * @param own the configuration as the caller sees it
     */
    static Set<String> nameNodePrincipals(Configuration conf, SuffixedConfiguration own) {
        String key = DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY;
        Collection<String> internal = conf.getTrimmedStringCollection(DFSConfigKeys.DFS_INTERNAL_NAMESERVICES_KEY);
        Set<String> principals = new LinkedHashSet<>();
        own.text(key).ifPresent(principals::add);
        for (String nameservice : DFSUtilClient.getNameServiceIds(conf)) {
            if (internal.isEmpty() || internal.contains(nameservice)) {
                for (String nameNode : DFSUtilClient.getNameNodeIds(conf, nameservice)) {
                    new SuffixedConfiguration(conf, Optional.of(nameservice), Optional.of(nameNode))
                            .text(key)
                            .ifPresent(principals::add);
                }
            }
        }
        return principals;
    }

    /** The configuration as the first NameNode sees it that uses a journal; without suffixes if none does. */
    static SuffixedConfiguration usersOf(Configuration conf, JournalId journal) {
        for (String nameservice : DFSUtilClient.getNameServiceIds(conf)) {
            for (String nameNode : DFSUtilClient.getNameNodeIds(conf, nameservice)) {
                SuffixedConfiguration user =
                        new SuffixedConfiguration(conf, Optional.of(nameservice), Optional.of(nameNode));
                if (journal(user).equals(Optional.of(journal))) {
                    return user;
                }
            }
        }
        return new SuffixedConfiguration(conf, Optional.<String>empty(), Optional.<String>empty());
    }

    private static void addHost(
            Configuration conf, String key, String nameservice, String nameNode, Set<String> hosts) {
        String address = conf.getTrimmed(DFSUtil.addKeySuffixes(key, nameservice, nameNode), "");
        int colon = address.lastIndexOf(':');
        if (colon > 0) {
            hosts.add(address.substring(0, colon));
        }
    }

    private static String suffixed(String... suffixes) {
        return DFSUtil.addKeySuffixes(DFSConfigKeys.DFS_NAMENODE_SHARED_EDITS_DIR_KEY, suffixes);
    }

    private static void add(Configuration conf, String property, Set<PoolUri> journals) {
        String text = conf.getTrimmed(property, "");
        if (text.startsWith(PoolUri.SCHEME + ":")) {
            journals.add(PoolUri.parse(URI.create(text)));
        }
    }
}
