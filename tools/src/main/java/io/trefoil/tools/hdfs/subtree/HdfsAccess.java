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

/**
 * Owners, groups, permissions and ACLs of one nameservice. Thread-safe.
 *
 * <p>A folder inherits the default ACL of the one around it when it is made, whoever makes it. {@code removeAcl} would take that away, but
 * give the folder's group, for a moment, what the ACL's mask had kept from it.
 */
public final class HdfsAccess {

    private final ClientProtocol nameNode;

    public HdfsAccess(ClientProtocol nameNode) {
        this.nameNode = nameNode;
    }

    /**
     * Gives a file or folder the owner, group, permission and ACL of these traits. Doing it twice has the effect of doing it once. What is
     * closed to all but its owner is at no moment open to others, unless these traits are.
     *
     * @param now what it has
     */
    public void set(String file, HdfsFileStatus now, Traits wanted) throws IOException {
        FsPermission permission = new FsPermission((short) wanted.permission());
        if (!now.getOwner().equals(wanted.owner()) || !now.getGroup().equals(wanted.group())) {
            nameNode.setOwner(file, wanted.owner(), wanted.group());
        }
        List<AclEntry> entries = entries(wanted.acl());
        if (now.hasAcl() && now.isDirectory()) {
            // An ACL without default entries leaves those that are there.
            nameNode.removeDefaultAcl(file);
        }
        if (now.hasAcl() || !entries.isEmpty()) {
            nameNode.setAcl(file, AclUtil.getAclFromPermAndEntries(permission, entries));
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
