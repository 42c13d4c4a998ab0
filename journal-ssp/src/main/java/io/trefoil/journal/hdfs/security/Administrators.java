/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.security;

import java.util.Arrays;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AccessControlList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The administrators of HDFS itself: this process's user, members of {@code dfs.permissions.superusergroup}, and the
 * users and groups of {@code dfs.cluster.administrators}. Only principals without a host count: {@code auth_to_local}
 * often maps all daemons, including DataNodes, to the same user. Thread-safe.
 *
 * <p>Uses {@code UserGroupInformation}, {@code AccessControlList}.
 */
final class Administrators {
    private static final Logger LOG = LoggerFactory.getLogger(Administrators.class);

    private static final String FILE = "hdfs-site.xml";

    /** The lists as last read. */
    private static final class Lists {
        private final AccessControlList list;
        private final String superGroup;

        Lists(Configuration conf) {
            this.list = new AccessControlList(conf.get(DFSConfigKeys.DFS_ADMIN, " "));
            this.superGroup = conf.get(
                    DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_KEY,
                    DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_DEFAULT);
        }

        boolean hasSameSettingsAs(Configuration conf) {
            Lists others = new Lists(conf);
            return list.getAclString().equals(others.list.getAclString()) && superGroup.equals(others.superGroup);
        }
    }

    private final Configuration conf;
    private final ResourceFile file;
    private final boolean isOfFile;
    private volatile Lists lists;

    Administrators(Configuration conf, LongSupplier nanoTime) {
        this.conf = conf;
        this.file = new ResourceFile(conf, FILE, nanoTime);
        this.lists = new Lists(conf);
        // A value given in another way, for example by -D, does not change with the file.
        this.isOfFile = lists.hasSameSettingsAs(readConfiguration());
    }

    /** The present content of the files. */
    private Configuration readConfiguration() {
        Configuration written = new Configuration(false);
        written.setClassLoader(conf.getClassLoader());
        written.addResource("core-site.xml");
        written.addResource(FILE);
        return written;
    }

    private String refresh() {
        lists = new Lists(readConfiguration());
        return "administrators are " + lists.list.getAclString();
    }

    /**
     * Whether a principal is an administrator. May block, on the lookup of groups and on the file, which is read again
     * if it has changed.
     *
     * @param ownUser the user of this process
     */
    boolean contains(String principal, UserGroupInformation ownUser) {
        if (principal.indexOf('/') >= 0) {
            return false;
        }
        if (isOfFile) {
            file.reloadIfChanged("administrators are", this::refresh);
        }
        Lists present = lists;
        try {
            UserGroupInformation user = UserGroupInformation.createRemoteUser(principal);
            return user.getShortUserName().equals(ownUser.getShortUserName())
                    || present.list.isUserAllowed(user)
                    || Arrays.asList(user.getGroupNames()).contains(present.superGroup);
        } catch (RuntimeException e) {
            // No rule of auth_to_local maps the principal to a user.
            LOG.debug("principal={} does not map to a user on this host", principal, e);
            return false;
        }
    }

    /** The names of the settings, for messages. */
    static String settingNames() {
        return DFSConfigKeys.DFS_ADMIN + " or " + DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_KEY;
    }
}
