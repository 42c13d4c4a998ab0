/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.security;

import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AccessControlList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who may give orders to HDFS itself: this process's user, members of {@code dfs.permissions.superusergroup}, and users and groups
 * of {@code dfs.cluster.administrators}. Only principals without a host: {@code auth_to_local} often makes the same user of all
 * daemons, those of DataNodes too. Thread-safe.
 *
 * <p>Uses {@code UserGroupInformation}, {@code AccessControlList}.
 */
final class Administrators {
    private static final Logger LOG = LoggerFactory.getLogger(Administrators.class);

    private final AccessControlList list;
    private final String superGroup;

    Administrators(Configuration conf) {
        this.list = new AccessControlList(conf.get(DFSConfigKeys.DFS_ADMIN, " "));
        this.superGroup = conf.get(
                DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_KEY, DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_DEFAULT);
    }

    /**
     * Whether a principal is one of them; may block, for the groups.
     *
     * @param own the user of this process
     */
    boolean contain(String principal, UserGroupInformation own) {
        if (principal.indexOf('/') >= 0) {
            return false;
        }
        try {
            UserGroupInformation user = UserGroupInformation.createRemoteUser(principal);
            return user.getShortUserName().equals(own.getShortUserName())
                    || list.isUserAllowed(user)
                    || Arrays.asList(user.getGroupNames()).contains(superGroup);
        } catch (RuntimeException e) {
            // No rule of auth_to_local makes a user of it.
            LOG.debug("Principal {} is no user here", principal, e);
            return false;
        }
    }

    /** For texts. */
    static String settings() {
        return DFSConfigKeys.DFS_ADMIN + " or " + DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_KEY;
    }
}
