/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.zk.connection;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;

/** The permissions on the nodes of a group, the same for every node that is created. Immutable. */
public final class ZkAcls implements ACLProvider {

    /** The letters of the permissions, in the order in which ZooKeeper's own command writes them. */
    private static final String LETTERS = "cdrwa";

    private static final int[] PERMISSIONS = {
        ZooDefs.Perms.CREATE, ZooDefs.Perms.DELETE, ZooDefs.Perms.READ, ZooDefs.Perms.WRITE, ZooDefs.Perms.ADMIN
    };

    /** Stands for the creator of the node, with every identity that the creator has presented to ZooKeeper. */
    private static final String CREATOR = "auth";

    private static final Id ANYONE = new Id("world", "anyone");

    private final List<ACL> acls;

    private ZkAcls(List<ACL> acls) {
        this.acls = Collections.unmodifiableList(acls);
    }

    /**
     * @param text {@code scheme:id:permissions}, separated by commas
     * @throws IllegalArgumentException if the text is not of that form
     */
    public static ZkAcls parse(String text) {
        List<ACL> acls = new ArrayList<>();
        for (String token : text.split(",")) {
            int first = token.indexOf(':');
            int last = token.lastIndexOf(':');
            if (first < 0 || last <= first) {
                throw new IllegalArgumentException("Wanted scheme:id:permissions, found '" + token + "'");
            }
            Id id = new Id(token.substring(0, first).trim(), token.substring(first + 1, last));
            acls.add(new ACL(permissions(token.substring(last + 1).trim()), id));
        }
        return new ZkAcls(acls);
    }

    private static int permissions(String letters) {
        int permissions = 0;
        for (int i = 0; i < letters.length(); i++) {
            int letter = LETTERS.indexOf(letters.charAt(i));
            if (letter < 0) {
                throw new IllegalArgumentException("Wanted permissions of r, w, c, d, a, found '" + letters + "'");
            }
            permissions |= PERMISSIONS[letter];
        }
        return permissions;
    }

    /** Whether a client that has presented no identity may do more than read. */
    boolean isWorldWritable() {
        return acls.stream().anyMatch(acl -> acl.getId().equals(ANYONE) && (acl.getPerms() & ~ZooDefs.Perms.READ) != 0);
    }

    /** The permissions that a node gives beyond this list, in words; empty if there are none. */
    public List<String> describeExcess(List<ACL> ofNode) {
        List<String> wider = new ArrayList<>();
        for (ACL acl : ofNode) {
            int more = acl.getPerms();
            for (ACL allowed : acls) {
                if (covers(allowed.getId(), acl.getId())) {
                    more &= ~allowed.getPerms();
                }
            }
            if (more != 0) {
                wider.add(acl.getId().getScheme() + ":" + acl.getId().getId() + ":" + letters(more));
            }
        }
        return wider;
    }

    /**
     * Whether an allowed identity covers one of a znode: ZooKeeper replaces {@code auth} by the creator's own ids, and it cannot be determined later
     * whose those were.
     */
    private static boolean covers(Id allowed, Id ofNode) {
        boolean byName = !ofNode.equals(ANYONE) && !ofNode.getScheme().equals("ip");
        return allowed.equals(ofNode)
                || allowed.equals(ANYONE)
                || (allowed.getScheme().equals(CREATOR) && byName);
    }

    private static String letters(int permissions) {
        StringBuilder letters = new StringBuilder();
        for (int i = 0; i < PERMISSIONS.length; i++) {
            if ((permissions & PERMISSIONS[i]) != 0) {
                letters.append(LETTERS.charAt(i));
            }
        }
        return letters.toString();
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
