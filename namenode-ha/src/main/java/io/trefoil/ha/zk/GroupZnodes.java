/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.zk;

import io.trefoil.ha.zk.connection.ZkAcls;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The nodes in ZooKeeper below which a group keeps everything, and who may change them. Not for use by several threads. */
final class GroupZnodes {

    private static final Logger LOG = LoggerFactory.getLogger(GroupZnodes.class);

    private final CuratorFramework client;
    private final GroupPaths paths;
    private final ZkAcls acls;
    /** Folders that were too open at the last look; each is reported once. */
    private List<String> warnedOf = Collections.emptyList();

    GroupZnodes(CuratorFramework client, GroupPaths paths, ZkAcls acls) {
        this.client = client;
        this.paths = paths;
        this.acls = acls;
    }

    /** Creates those that are missing. */
    void make() throws Exception {
        for (String folder : new String[] {paths.members(), paths.history(), paths.election()}) {
            make(folder);
        }
    }

    /** Creates it with what is above it; Curator's own way is of another type in each of its versions. */
    private void make(String folder) throws Exception {
        for (int end = folder.indexOf('/', 1); ; end = folder.indexOf('/', end + 1)) {
            String next = end < 0 ? folder : folder.substring(0, end);
            // Who may not create anything in the root may still use what is there.
            if (client.checkExists().forPath(next) == null) {
                try {
                    client.create().forPath(next, new byte[0]);
                } catch (KeeperException.NodeExistsException e) {
                    LOG.debug("znode={} exists", next);
                }
            }
            if (end < 0) {
                return;
            }
        }
    }

    /**
     * Warns of folders that are more open than if they were created now: those that existed before the access list did.
     * It does not correct them, because members with the old configuration would be locked out.
     */
    void warnIfTooOpen() throws Exception {
        List<String> wide = new ArrayList<>();
        for (String folder : paths.folders()) {
            try {
                for (String more : acls.describeExcess(client.getACL().forPath(folder))) {
                    wide.add(folder + " lets in " + more);
                }
            } catch (KeeperException.NoNodeException e) {
                LOG.debug("znode={} does not exist yet", folder);
            }
        }
        if (!wide.isEmpty() && !wide.equals(warnedOf)) {
            LOG.warn(
                    "ZooKeeper lets in more than ha.zookeeper.acl says: {}. Whoever can write there takes part "
                            + "in elections. Once all NameNodes have that setting, an administrator corrects it "
                            + "with: zkCli.sh setAcl -R {} <the value of ha.zookeeper.acl>",
                    String.join("; ", wide),
                    paths.rootPath());
        }
        warnedOf = wide;
    }
}
