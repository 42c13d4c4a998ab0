/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs;

import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.fs.permission.PermissionStatus;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeAttributeProvider;
import org.apache.hadoop.hdfs.server.namenode.INodeAttributes;
import org.apache.hadoop.hdfs.server.namenode.INodeDirectoryAttributes;
import org.apache.hadoop.security.UserGroupInformation;

/** Lets every user do everything, whatever the bits are, as an authorizer may by its policies; presents stored bits, or others. */
public final class AllowingAuthorizer extends INodeAttributeProvider {
    private static final short PRESENTED = 0755;

    private static volatile boolean isPresenting;

    /** From now on all authorizers of this process present bits of their own for directories, or do not. */
    public static void presentOwnAttributes(boolean isWanted) {
        isPresenting = isWanted;
    }

    @Override
    public void start() {
        // There is nothing to begin.
    }

    @Override
    public void stop() {
        // There is nothing to end.
    }

    @Override
    public INodeAttributes getAttributes(String[] pathElements, INodeAttributes inode) {
        return isPresenting && inode.isDirectory() ? presentedAttributes(inode) : inode;
    }

    private static INodeAttributes presentedAttributes(INodeAttributes inode) {
        PermissionStatus status =
                new PermissionStatus(inode.getUserName(), inode.getGroupName(), new FsPermission(PRESENTED));
        return new INodeDirectoryAttributes.SnapshotCopy(
                inode.getLocalNameBytes(),
                status,
                inode.getAclFeature(),
                inode.getModificationTime(),
                inode.getXAttrFeature());
    }

    @Override
    public AccessControlEnforcer getExternalAccessControlEnforcer(AccessControlEnforcer byBits) {
        return new Enforcer();
    }

    private static final class Enforcer implements AccessControlEnforcer {
        @Override
        @SuppressWarnings("deprecation") // HDFS has no other abstract one.
        public void checkPermission(
                String fsOwner,
                String superGroup,
                UserGroupInformation callerUgi,
                INodeAttributes[] inodeAttrs,
                INode[] inodes,
                byte[][] pathByNameArr,
                int snapshotId,
                String path,
                int ancestorIndex,
                boolean doCheckOwner,
                FsAction ancestorAccess,
                FsAction parentAccess,
                FsAction access,
                FsAction subAccess,
                boolean ignoreEmptyDir) {
            // Nothing is refused.
        }

        @Override
        public void checkPermissionWithContext(AuthorizationContext authzContext) {
            // Nothing is refused.
        }
    }
}
