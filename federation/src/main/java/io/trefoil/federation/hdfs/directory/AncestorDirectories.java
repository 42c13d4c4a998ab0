/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.directory;

import io.trefoil.federation.hdfs.tree.HdfsTree;
import io.trefoil.federation.marks.SealMark;
import io.trefoil.federation.move.TreeNodeAttributes;
import io.trefoil.federation.table.SubtreePath;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.UnaryOperator;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.ipc.RemoteException;

/**
 * Makes the directories above a path that a nameservice lacks, with the owner, group, permission and ACL from another nameservice, or
 * restricted so that only superusers can change their content. A directory that is there is left alone. Not thread-safe.
 *
 * <p>Each is made closed under the name of a draft next to it, and renamed when it has everything, so that a directory with
 * its final name is always complete, even if its maker ended early.
 *
 * <p>Uses {@code DFSClient.getNamenode}.
 */
public final class AncestorDirectories {

    private final DistributedFileSystem from;
    private final ClientProtocol to;
    private final HdfsAccess access;
    private final UnaryOperator<TreeNodeAttributes> attributeMapper;

    private AncestorDirectories(
            DistributedFileSystem from,
            ClientProtocol to,
            HdfsAccess access,
            UnaryOperator<TreeNodeAttributes> attributeMapper) {
        this.from = from;
        this.to = to;
        this.access = access;
        this.attributeMapper = attributeMapper;
    }

    /**
     * Returns the maker of directories that are open to all users of those in the other nameservice.
     *
     * @param to one that asks for the lock of moves before it changes anything
     * @param access by the same
     */
    public static AncestorDirectories withSameAccess(DistributedFileSystem from, ClientProtocol to, HdfsAccess access) {
        return new AncestorDirectories(from, to, access, UnaryOperator.identity());
    }

    /**
     * Returns the maker of directories that the same users can traverse as in the other nameservice, but in which only superusers can
     * make, rename or remove anything.
     *
     * @param superuser their owner
     */
    public static AncestorDirectories readOnly(
            DistributedFileSystem from, ClientProtocol to, HdfsAccess access, String superuser) {
        return new AncestorDirectories(from, to, access, original -> HdfsAccess.readOnly(original, superuser));
    }

    /**
     * Makes the missing directories, the uppermost first.
     *
     * @param pathMapper where the nameservice has what the other one has at a path; the place of the root is there already
     */
    public void make(SubtreePath path, UnaryOperator<SubtreePath> pathMapper) throws IOException {
        Deque<SubtreePath> missing = new ArrayDeque<>();
        for (SubtreePath one = path.parent(); !one.isRoot(); one = one.parent()) {
            String directory = pathMapper.apply(one).text();
            if (to.getFileInfo(directory) != null) {
                // The process that began the draft may have ended, and another one may have made the directory.
                to.delete(draft(directory), false);
            } else {
                missing.push(one);
            }
        }
        for (SubtreePath one : missing) {
            make(one.text(), pathMapper.apply(one).text());
        }
    }

    private void make(String original, String directory) throws IOException {
        FileStatus status = from.getFileStatus(new Path(original));
        TreeNodeAttributes.Builder wanted = HdfsAccess.accessOf(status);
        if (status.hasAcl()) {
            wanted.acl(HdfsTree.acl(from.getClient().getNamenode(), original));
        }
        String draft = draft(directory);
        access.mkdirIfMissing(draft, attributeMapper.apply(wanted.build()));
        try {
            to.rename2(draft, directory, Options.Rename.NONE);
        } catch (RemoteException e) {
            if (!e.getClassName().equals(FileAlreadyExistsException.class.getName())) {
                throw e;
            }
            to.delete(draft, false);
        }
    }

    /** Removes the draft of a process that has exited. */
    public void deleteDrafts(SubtreePath path) throws IOException {
        for (SubtreePath one = path.parent(); !one.isRoot(); one = one.parent()) {
            to.delete(draft(one.text()), false);
        }
    }

    /** The name under which a directory is created before it is moved into place. */
    public static String draft(String directory) {
        return SealMark.replacementPath(directory);
    }
}
