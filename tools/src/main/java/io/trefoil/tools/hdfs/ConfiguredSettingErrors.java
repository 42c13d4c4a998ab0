/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.hdfs;

import io.trefoil.foundation.hdfs.SuffixedConfiguration;
import io.trefoil.foundation.hdfs.TrefoilSettings;
import io.trefoil.ha.hdfs.config.MamsSettings;
import io.trefoil.journal.hdfs.config.SspSettings;
import io.trefoil.journal.pool.PoolSettings;
import io.trefoil.tools.cluster.HostPlan.SettingError;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants;
import org.apache.hadoop.hdfs.server.common.StorageInfo;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;

/** The settings that a NameNode will refuse, found by reading them like the NameNode does, and those that it does not know. */
final class ConfiguredSettingErrors {

    /** An arbitrary namespace, on which no setting depends. */
    private static final StorageInfo ANY_NAMESPACE = new StorageInfo(
            HdfsServerConstants.NAMENODE_LAYOUT_VERSION, 1, "CID-preflight", 0, HdfsServerConstants.NodeType.NAME_NODE);

    private final Configuration conf;
    private final SuffixedConfiguration ownConf;
    private final List<String> plugins;
    private final List<SettingError> faults = new ArrayList<>();

    /** @param conf with the keys of this NameNode instead of those with suffixes */
    ConfiguredSettingErrors(Configuration conf, SuffixedConfiguration ownConf, List<String> plugins) {
        this.conf = conf;
        this.ownConf = ownConf;
        this.plugins = plugins;
    }

    List<SettingError> findAll() {
        if (!ownConf.text(ConfiguredHost.JOURNAL_PLUGIN).isPresent()) {
            add(
                    ConfiguredHost.JOURNAL_PLUGIN + " is not set: the NameNode ends with 'No class configured for ssp'",
                    "set it to io.trefoil.journal.hdfs.SspJournalManager");
        }
        try {
            URI journal = FSNamesystem.getSharedEditsDirs(conf).get(0);
            checkReplicas(SspSettings.read(conf, journal, ANY_NAMESPACE).pool());
        } catch (IllegalArgumentException e) {
            addRefusal(e.getMessage());
        }
        if (plugins.contains(ConfiguredHost.AGENT)) {
            checkFailover();
        }
        TrefoilSettings.findInvalid(ownConf).stream().filter(this::isNewRefusal).forEach(this::addRefusal);
        TrefoilSettings.findUnknown(conf)
                .forEach((name, hint) -> add(
                        "there is no setting " + name + ", so it has no effect; " + hint,
                        "correct it, or take it out"));
        return faults;
    }

    private boolean isNewRefusal(String refusal) {
        return faults.stream().noneMatch(fault -> fault.text().contains(refusal));
    }

    private void checkReplicas(PoolSettings pool) {
        if (pool.minReplicas() > pool.addresses().size()) {
            add(
                    "trefoil.journal.replicas.min is " + pool.minReplicas()
                            + ", and dfs.namenode.shared.edits.dir names "
                            + pool.addresses().size() + " pool nodes: no NameNode could ever become active",
                    "set it to at most " + pool.addresses().size());
        }
    }

    private void checkFailover() {
        try {
            MamsSettings.read(conf);
        } catch (IllegalArgumentException | IOException e) {
            addRefusal(e.getMessage());
        }
        if (!ownConf.text(DFSConfigKeys.DFS_HA_FENCE_METHODS_KEY).isPresent()) {
            add(
                    DFSConfigKeys.DFS_HA_FENCE_METHODS_KEY + " is not set: 'hdfs haadmin -failover' refuses to work",
                    "set it to shell(/bin/true)");
        }
        if (!conf.getBoolean(
                DFSConfigKeys.DFS_HA_TAILEDITS_INPROGRESS_KEY, DFSConfigKeys.DFS_HA_TAILEDITS_INPROGRESS_DEFAULT)) {
            add(
                    DFSConfigKeys.DFS_HA_TAILEDITS_INPROGRESS_KEY
                            + " is not true: standbys apply edits only when a segment"
                            + " is finished, and a failover waits for all that they lack",
                    "set it to true");
        }
    }

    private void addRefusal(String refusal) {
        add("the NameNode ends at its start: " + refusal, "correct that setting");
    }

    private void add(String text, String remedy) {
        faults.add(SettingError.of(text, remedy));
    }
}
