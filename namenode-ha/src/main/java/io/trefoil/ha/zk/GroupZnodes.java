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

/** The znodes below which a group keeps everything, and the access to them. Not for use by several threads. */
final class GroupZnodes {

    private static final Logger LOG = LoggerFactory.getLogger(GroupZnodes.class);

    private final CuratorFramework client;
    private final GroupPaths paths;
    private final ZkAcls acls;
    /** The directories that were too open at the last check; each is reported once. */
    private List<String> warnedOf = Collections.emptyList();

    GroupZnodes(CuratorFramework client, GroupPaths paths, ZkAcls acls) {
        this.client = client;
        this.paths = paths;
        this.acls = acls;
    }

    /** Creates the missing directories. */
    void create() throws Exception {
        for (String directory : new String[] {paths.members(), paths.history(), paths.election()}) {
            create(directory);
        }
    }

    /** Creates a directory and its missing parents; Curator's own method for that has another type in each of its versions. */
    private void create(String directory) throws Exception {
        for (int end = directory.indexOf('/', 1); ; end = directory.indexOf('/', end + 1)) {
            String next = end < 0 ? directory : directory.substring(0, end);
            // A user who may not create anything in the root may still use what is there.
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
     * Warns of directories that are more open than they would be if created now, because they are older than the ACL setting.
     * It does not correct them, because members with the old configuration would be locked out.
     */
    void warnIfTooOpen() throws Exception {
        List<String> wide = new ArrayList<>();
        for (String directory : paths.persistentPaths()) {
            try {
                for (String more : acls.describeExcess(client.getACL().forPath(directory))) {
                    wide.add(directory + " lets in " + more);
                }
            } catch (KeeperException.NoNodeException e) {
                LOG.debug("znode={} does not exist yet", directory);
            }
        }
        if (!wide.isEmpty() && !wide.equals(warnedOf)) {
            LOG.warn(
                    "The ACLs in ZooKeeper grant more than ha.zookeeper.acl: {}. Any client that can write there can take "
                            + "part in elections. Once all NameNodes have that setting, correct this as an "
                            + "administrator with: zkCli.sh setAcl -R {} <the value of ha.zookeeper.acl>",
                    String.join("; ", wide),
                    paths.rootPath());
        }
        warnedOf = wide;
    }
}
