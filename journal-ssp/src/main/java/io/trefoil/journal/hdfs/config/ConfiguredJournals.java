/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.config;

import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
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
