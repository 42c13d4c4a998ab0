/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.config;

import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;

/** The configuration of an isolated NameNode that has only one directory, retains nothing and calls no other server. Stateless. */
public final class IsolatedConfiguration {

    private IsolatedConfiguration() {}

    /** @param root the name directory */
    public static Configuration of(Configuration conf, Path root) {
        Configuration alone = new Configuration(conf);
        for (String key : new String[] {
            DFSConfigKeys.DFS_NAMESERVICES,
            DFSConfigKeys.DFS_NAMESERVICE_ID,
            DFSConfigKeys.DFS_HA_NAMENODE_ID_KEY,
            DFSConfigKeys.DFS_NAMENODE_SHARED_EDITS_DIR_KEY,
            DFSConfigKeys.DFS_NAMENODE_EDITS_DIR_REQUIRED_KEY,
            DFSConfigKeys.DFS_NAMENODE_INODE_ATTRIBUTES_PROVIDER_KEY,
            DFSConfigKeys.DFS_NAMENODE_AUDIT_LOGGERS_KEY,
            "hadoop.security.key.provider.path",
            "dfs.internal.nameservices"
        }) {
            alone.unset(key);
        }
        alone.set(DFSConfigKeys.DFS_NAMENODE_NAME_DIR_KEY, root.toUri().toString());
        alone.set(DFSConfigKeys.DFS_NAMENODE_EDITS_DIR_KEY, root.toUri().toString());
        alone.set(DFSConfigKeys.DFS_NAMENODE_CHECKPOINT_TXNS_KEY, Long.toString(Long.MAX_VALUE));
        alone.set(DFSConfigKeys.DFS_NAMENODE_CHECKPOINT_PERIOD_KEY, "36500d");
        // Asynchronous logging needs the metrics of a NameNode, and ends the process if there are none.
        alone.set(DFSConfigKeys.DFS_NAMENODE_EDITS_ASYNC_LOGGING, "false");
        return alone;
    }
}
