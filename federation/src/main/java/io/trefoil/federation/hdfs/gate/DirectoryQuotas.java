/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.gate;

import java.util.OptionalLong;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;

/**
 * Reports to a move whether directories have quotas. Thread-safe.
 *
 * <p>Uses {@code NameNode.isActiveState}, {@code getNamesystem}; {@code FSNamesystem.getFSDirectory}, {@code readLock}, {@code readUnlock};
 * {@code FSDirectory.getInode}; {@code INode.isDirectory}, {@code isQuotaSet}.
 */
final class DirectoryQuotas {
    /** The directory under which HDFS resolves inode ids. */
    private static final String INODE_ID_PREFIX = "/.reserved/.inodes/";

    private final NameNode nameNode;

    DirectoryQuotas(NameNode nameNode) {
        this.nameNode = nameNode;
    }

    /**
     * Whether a directory certainly has no quotas. HDFS would count everything in it to say so.
     *
     * @param path other directories than by their ids are not looked at
     * @return false as well if HDFS has to answer because this NameNode is not active, or there is no such directory
     */
    boolean hasNoQuota(String path) {
        OptionalLong number = parseInodeId(path);
        if (!number.isPresent()) {
            return false;
        }
        FSNamesystem namesystem = nameNode.getNamesystem();
        namesystem.readLock();
        try {
            INode directory = namesystem.getFSDirectory().getInode(number.getAsLong());
            return nameNode.isActiveState() && directory != null && directory.isDirectory() && !directory.isQuotaSet();
        } finally {
            namesystem.readUnlock();
        }
    }

    private static OptionalLong parseInodeId(String path) {
        if (path.startsWith(INODE_ID_PREFIX)) {
            try {
                return OptionalLong.of(Long.parseLong(path.substring(INODE_ID_PREFIX.length())));
            } catch (NumberFormatException e) {
                // With more behind it; HDFS knows what it is.
                return OptionalLong.empty();
            }
        }
        return OptionalLong.empty();
    }
}
