/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.zk;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;

/** Creates ZooKeeper clients. */
final class ZkClient {

    private static final int RETRY_MILLIS = 50;

    private ZkClient() {}

    /** A client that has not been started. */
    static CuratorFramework of(ZkSettings settings) {
        int timeoutMillis = (int) settings.sessionTimeout().toMillis();
        CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder()
                .connectString(settings.quorum())
                .sessionTimeoutMs(timeoutMillis)
                .connectionTimeoutMs(timeoutMillis)
                // What is asked for is asked for again when the view shows that it was not had.
                .retryPolicy(new RetryOneTime(RETRY_MILLIS))
                .aclProvider(new Acls(settings.acl()));
        for (ZkSettings.Auth auth : settings.auths()) {
            builder.authorization(auth.scheme(), auth.secret().getBytes(StandardCharsets.UTF_8));
        }
        return builder.build();
    }

    /** The same access for everything that is created. */
    private static final class Acls implements ACLProvider {
        private final List<ACL> acls = new ArrayList<>();

        Acls(String text) {
            for (String one : text.split(",")) {
                int first = one.indexOf(':');
                int last = one.lastIndexOf(':');
                if (first < 0 || last <= first) {
                    throw new IllegalArgumentException("Wanted scheme:id:permissions, found '" + one + "'");
                }
                Id id = new Id(one.substring(0, first).trim(), one.substring(first + 1, last));
                acls.add(new ACL(permissions(one.substring(last + 1).trim()), id));
            }
        }

        private static int permissions(String letters) {
            int permissions = 0;
            for (int i = 0; i < letters.length(); i++) {
                switch (letters.charAt(i)) {
                    case 'r':
                        permissions |= ZooDefs.Perms.READ;
                        break;
                    case 'w':
                        permissions |= ZooDefs.Perms.WRITE;
                        break;
                    case 'c':
                        permissions |= ZooDefs.Perms.CREATE;
                        break;
                    case 'd':
                        permissions |= ZooDefs.Perms.DELETE;
                        break;
                    case 'a':
                        permissions |= ZooDefs.Perms.ADMIN;
                        break;
                    default:
                        throw new IllegalArgumentException(
                                "Wanted permissions of r, w, c, d, a, found '" + letters + "'");
                }
            }
            return permissions;
        }

        @Override
        public List<ACL> getDefaultAcl() {
            return acls;
        }

        @Override
        public List<ACL> getAclForPath(String path) {
            return acls;
        }
    }
}
