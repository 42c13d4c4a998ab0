/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.undelete;

import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.AclStatus;
import org.apache.hadoop.fs.permission.AclUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * Gives paths of one file system the attributes that those of another have beside names and bytes. Stateless, but for
 * the file systems.
 *
 * <p>Uses {@code DistributedFileSystem}, {@code AclUtil.getAclFromPermAndEntries}, {@code HdfsConstants.QUOTA_DONT_SET}.
 */
final class PastAttributes {

    /** The prefix of our extended attributes: they mark the progress of a subtree's move or an undelete, and must not come back. */
    private static final String OURS = "trusted.trefoil.";

    private final DistributedFileSystem past;
    private final DistributedFileSystem present;

    PastAttributes(DistributedFileSystem past, DistributedFileSystem present) {
        this.past = past;
        this.present = present;
    }

    /** Gives a path its owner, permission, ACL, extended attributes and, of a directory, policies and quotas; its times last. */
    void copy(FileStatus pastStatus, Path target) throws IOException {
        Path source = path(pastStatus);
        if (pastStatus.isDirectory()) {
            copyPolicies(pastStatus, source, target);
        }
        present.setOwner(target, pastStatus.getOwner(), pastStatus.getGroup());
        if (present.getFileStatus(target).hasAcl()) {
            // Inherited from the directory that it is in now.
            present.removeAcl(target);
        }
        present.setPermission(target, pastStatus.getPermission());
        if (pastStatus.hasAcl()) {
            AclStatus acl = past.getAclStatus(source);
            present.setAcl(target, AclUtil.getAclFromPermAndEntries(acl.getPermission(), acl.getEntries()));
        }
        for (Map.Entry<String, byte[]> one : past.getXAttrs(source).entrySet()) {
            boolean isOfUser = one.getKey().startsWith("user.") || one.getKey().startsWith("trusted.");
            if (isOfUser && !one.getKey().startsWith(OURS)) {
                present.setXAttr(target, one.getKey(), one.getValue());
            }
        }
        if (pastStatus.isDirectory()) {
            copyQuotas(source, target);
        }
        present.setTimes(
                target, pastStatus.getModificationTime(), pastStatus.isDirectory() ? -1 : pastStatus.getAccessTime());
    }

    /** Whether two paths have the same ACL; the part of it in their permissions is not compared. */
    boolean hasSameAcl(FileStatus pastStatus, FileStatus now) throws IOException {
        return pastStatus.hasAcl() == now.hasAcl()
                && (!pastStatus.hasAcl()
                        || past.getAclStatus(path(pastStatus))
                                .getEntries()
                                .equals(present.getAclStatus(path(now)).getEntries()));
    }

    /** Copies only the policies that a path has of its own: inherited ones come back with its parent. */
    private void copyPolicies(FileStatus pastStatus, Path source, Path target) throws IOException {
        if (source.getParent() == null) {
            return;
        }
        HdfsFileStatus parent = (HdfsFileStatus) past.getFileStatus(source.getParent());
        HdfsFileStatus own = (HdfsFileStatus) pastStatus;
        if (own.getStoragePolicy() != parent.getStoragePolicy()) {
            present.setStoragePolicy(target, past.getStoragePolicy(source).getName());
        }
        boolean isInherited = own.getErasureCodingPolicy() == null
                || own.getErasureCodingPolicy().equals(parent.getErasureCodingPolicy());
        if (!isInherited) {
            present.setErasureCodingPolicy(target, own.getErasureCodingPolicy().getName());
        }
    }

    private void copyQuotas(Path source, Path target) throws IOException {
        QuotaUsage usage = past.getQuotaUsage(source);
        if (usage.getQuota() >= 0 || usage.getSpaceQuota() >= 0) {
            present.setQuota(target, quota(usage.getQuota()), quota(usage.getSpaceQuota()));
        }
        for (StorageType type : StorageType.getTypesSupportingQuota()) {
            if (usage.getTypeQuota(type) >= 0) {
                present.setQuotaByStorageType(target, type, usage.getTypeQuota(type));
            }
        }
    }

    private static long quota(long set) {
        return set < 0 ? HdfsConstants.QUOTA_DONT_SET : set;
    }

    /** The path of a status, without its file system. */
    static Path path(FileStatus status) {
        return Path.getPathWithoutSchemeAndAuthority(status.getPath());
    }
}
