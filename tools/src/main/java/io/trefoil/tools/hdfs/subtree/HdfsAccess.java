/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.hdfs.subtree;

import io.trefoil.tools.subtree.model.Traits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclUtil;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/** Owners, groups, permissions and ACLs of one nameservice. Thread-safe. */
final class HdfsAccess {

    private final ClientProtocol nameNode;

    HdfsAccess(ClientProtocol nameNode) {
        this.nameNode = nameNode;
    }

    /** Gives a file or folder the owner, group, permission and ACL of these traits. Doing it twice has the effect of doing it once. */
    void set(String file, HdfsFileStatus now, Traits wanted) throws IOException {
        FsPermission permission = new FsPermission((short) wanted.permission());
        if (!now.getOwner().equals(wanted.owner()) || !now.getGroup().equals(wanted.group())) {
            nameNode.setOwner(file, wanted.owner(), wanted.group());
        }
        if (now.hasAcl() && wanted.acl().isEmpty()) {
            nameNode.removeAcl(file);
        }
        if (!wanted.acl().isEmpty()) {
            nameNode.setAcl(file, AclUtil.getAclFromPermAndEntries(permission, entries(wanted.acl())));
        }
        // An ACL has no sticky bit.
        nameNode.setPermission(file, permission);
    }

    private static List<AclEntry> entries(List<String> texts) {
        List<AclEntry> entries = new ArrayList<>();
        texts.forEach(text -> entries.add(AclEntry.parseAclEntry(text, true)));
        return entries;
    }
}
