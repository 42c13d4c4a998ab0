/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.hdfs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtil;

/**
 * A configuration in which {@code key.<nameservice>.<namenode>} takes precedence over {@code key.<nameservice>}, which takes precedence
 * over {@code key}, as for HDFS's own keys; empty values count as absent.
 *
 * <p>HDFS resolves only the suffixes of keys that it knows ({@code NameNode.initializeGenericKeys}). Uses {@code
 * DFSUtil.addKeySuffixes} and the keys {@code dfs.nameservice.id} and {@code dfs.ha.namenode.id}, which that method
 * sets.
 */
public final class SuffixedConfiguration {
    private final Configuration conf;
    private final Optional<String> nameservice;
    private final Optional<String> nameNode;

    public SuffixedConfiguration(Configuration conf, Optional<String> nameservice, Optional<String> nameNode) {
        this.conf = conf;
        this.nameservice = nameservice;
        this.nameNode = nameNode;
    }

    /** Returns the configuration as seen by the NameNode that HDFS has resolved in it. */
    public static SuffixedConfiguration ofNameNode(Configuration conf) {
        return new SuffixedConfiguration(
                conf,
                Optional.ofNullable(conf.getTrimmed(DFSConfigKeys.DFS_NAMESERVICE_ID)),
                Optional.ofNullable(conf.getTrimmed(DFSConfigKeys.DFS_HA_NAMENODE_ID_KEY)));
    }

    /** The value of the most specific property set for a key. */
    public Optional<String> text(String key) {
        String value = conf.getTrimmed(property(key));
        return value == null || value.isEmpty() ? Optional.<String>empty() : Optional.of(value);
    }

    /** The most specific property that is set for a key; the key itself if none is set. */
    public String property(String key) {
        for (String property : properties(key)) {
            String value = conf.getTrimmed(property);
            if (value != null && !value.isEmpty()) {
                return property;
            }
        }
        return key;
    }

    /** The nameservice whose settings take precedence; empty if none is known. */
    public Optional<String> nameservice() {
        return nameservice;
    }

    /** The NameNode's name: nameservice and NameNode id, as far as they are set. */
    public String owner() {
        return nameservice.orElse("") + "." + nameNode.orElse("");
    }

    private List<String> properties(String key) {
        if (!nameservice.isPresent()) {
            return Collections.singletonList(key);
        }
        List<String> properties = new ArrayList<>();
        if (nameNode.isPresent()) {
            properties.add(DFSUtil.addKeySuffixes(key, nameservice.get(), nameNode.get()));
        }
        properties.add(DFSUtil.addKeySuffixes(key, nameservice.get()));
        properties.add(key);
        return properties;
    }
}
