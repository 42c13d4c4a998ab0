/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.directory;

import io.trefoil.federation.move.TreeNodeAttributes;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclEntryScope;
import org.apache.hadoop.fs.permission.AclEntryType;
import org.apache.hadoop.fs.permission.AclUtil;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * Owners, groups, permissions and ACLs of one nameservice. Thread-safe.
 *
 * <p>A directory inherits the default ACL of the one around it when it is made, whichever user makes it. {@code removeAcl} would take that
 * away, but give the directory's group, for a moment, what the ACL's mask had kept from it.
 */
public final class HdfsAccess {

    private static final FsPermission CLOSED = new FsPermission((short) 0700);

    /** The access rights that allow no changes in a directory. */
    private static final FsAction UNCHANGED = FsAction.READ_EXECUTE;

    private final URI nameservice;
    private final ClientProtocol nameNode;

    /** @param nameNode one that asks for the lock of moves before it changes anything, if these are calls of a move */
    public HdfsAccess(URI nameservice, ClientProtocol nameNode) {
        this.nameservice = nameservice;
        this.nameNode = nameNode;
    }

    /** The owner, group and permission of a file or directory, to be applied to another one. */
    public static TreeNodeAttributes.Builder accessOf(FileStatus otherStatus) {
        return TreeNodeAttributes.builder()
                .owner(otherStatus.getOwner())
                .group(otherStatus.getGroup())
                .permission(otherStatus.getPermission().toShort())
                .modificationTime(0);
    }

    /**
     * Makes a directory, unless it exists, and gives it the owner, group, permission and ACL of these traits. Until then a new one is
     * closed to all but its owner, whatever the umask and the ACL around it are.
     */
    public void mkdirIfMissing(String directory, TreeNodeAttributes attributes) throws IOException {
        nameNode.mkdirs(directory, CLOSED, false);
        HdfsFileStatus currentStatus = nameNode.getFileInfo(directory);
        if (currentStatus == null) {
            throw new FileNotFoundException(nameservice + directory + " has disappeared; repeat the command");
        }
        setAccess(directory, currentStatus, attributes);
    }

    /**
     * Gives a file or directory the owner, group, permission and ACL of these traits. Doing it twice has the effect of doing it once. What is
     * closed to all but its owner is at no moment open to others, unless these traits are.
     *
     * @param currentStatus what it has
     */
    public void setAccess(String file, HdfsFileStatus currentStatus, TreeNodeAttributes attributes) throws IOException {
        FsPermission permission = new FsPermission((short) attributes.permission());
        if (!currentStatus.getOwner().equals(attributes.owner())
                || !currentStatus.getGroup().equals(attributes.group())) {
            nameNode.setOwner(file, attributes.owner(), attributes.group());
        }
        List<AclEntry> entries = parseAclEntries(attributes.acl());
        if (currentStatus.hasAcl() && currentStatus.isDirectory()) {
            // An ACL without default entries leaves those that are there.
            nameNode.removeDefaultAcl(file);
        }
        if (currentStatus.hasAcl() || !entries.isEmpty()) {
            nameNode.setAcl(file, AclUtil.getAclFromPermAndEntries(permission, entries));
        }
        // An ACL has no sticky bit.
        nameNode.setPermission(file, permission);
    }

    /**
     * A copy of the traits by which the same users may enter and list a directory, and only superusers may change its content.
     *
     * @param superuser the owner of such a directory, as an owner could give itself every right
     */
    static TreeNodeAttributes readOnly(TreeNodeAttributes attributes, String superuser) {
        FsPermission was = new FsPermission((short) attributes.permission());
        List<AclEntry> entries = new ArrayList<>();
        if (attributes.acl().isEmpty()) {
            entries.add(newAclEntry(AclEntryType.GROUP, null, was.getGroupAction()));
        }
        for (AclEntry entry : parseAclEntries(attributes.acl())) {
            boolean isOfOwner =
                    entry.getType() == AclEntryType.USER && attributes.owner().equals(entry.getName());
            if (entry.getScope() == AclEntryScope.ACCESS && !isOfOwner) {
                // The mask is another one afterwards.
                entries.add(newAclEntry(
                        entry.getType(), entry.getName(), entry.getPermission().and(was.getGroupAction())));
            }
        }
        if (!attributes.owner().equals(superuser)) {
            entries.add(newAclEntry(AclEntryType.USER, attributes.owner(), was.getUserAction()));
        }
        FsAction mask = FsAction.NONE;
        List<String> acl = new ArrayList<>();
        for (AclEntry entry : entries) {
            mask = mask.or(entry.getPermission());
            acl.add(entry.toString());
        }
        FsPermission permission =
                new FsPermission(FsAction.ALL, mask, was.getOtherAction().and(UNCHANGED));
        return TreeNodeAttributes.builder()
                .owner(superuser)
                .group(attributes.group())
                .permission(permission.toShort())
                .modificationTime(attributes.modificationTime())
                .acl(acl.size() == 1 ? Collections.emptyList() : acl)
                .build();
    }

    private static AclEntry newAclEntry(AclEntryType type, String name, FsAction action) {
        return new AclEntry.Builder()
                .setScope(AclEntryScope.ACCESS)
                .setType(type)
                .setName(name)
                .setPermission(action.and(UNCHANGED))
                .build();
    }

    private static List<AclEntry> parseAclEntries(List<String> texts) {
        List<AclEntry> entries = new ArrayList<>();
        texts.forEach(text -> entries.add(AclEntry.parseAclEntry(text, true)));
        return entries;
    }
}
