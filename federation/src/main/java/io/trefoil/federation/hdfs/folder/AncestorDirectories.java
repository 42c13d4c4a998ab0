/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.folder;

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
 * Makes the folders above a path that a nameservice does not have, with the owner, group, permission and ACL that
 * another nameservice has for them, or with so much of these as lets only superusers change what is in them. A folder
 * that is there is left alone. Not thread-safe.
 *
 * <p>Each is made closed under the name of a draft beside it, and renamed when it has everything, so that a folder with
 * its final name is always complete, even if its maker ended early.
 *
 * <p>Uses {@code DFSClient.getNamenode}.
 */
public final class AncestorDirectories {

    private final DistributedFileSystem from;
    private final ClientProtocol to;
    private final HdfsAccess access;
    private final UnaryOperator<TreeNodeAttributes> traits;

    private AncestorDirectories(
            DistributedFileSystem from,
            ClientProtocol to,
            HdfsAccess access,
            UnaryOperator<TreeNodeAttributes> traits) {
        this.from = from;
        this.to = to;
        this.access = access;
        this.traits = traits;
    }

    /**
     * Folders for all users that may use those of the other nameservice.
     *
     * @param to one that asks for the lock of moves before it changes anything
     * @param access by the same
     */
    public static AncestorDirectories alike(DistributedFileSystem from, ClientProtocol to, HdfsAccess access) {
        return new AncestorDirectories(from, to, access, UnaryOperator.identity());
    }

    /**
     * Folders through which all users come who come through those of the other nameservice, and in which only
     * superusers make, rename or remove anything.
     *
     * @param superuser their owner
     */
    public static AncestorDirectories readOnly(
            DistributedFileSystem from, ClientProtocol to, HdfsAccess access, String superuser) {
        return new AncestorDirectories(from, to, access, original -> HdfsAccess.readOnly(original, superuser));
    }

    /**
     * Makes the missing folders, the uppermost first.
     *
     * @param place where the nameservice has what the other one has at a path; the place of the root is there already
     */
    public void make(SubtreePath path, UnaryOperator<SubtreePath> place) throws IOException {
        Deque<SubtreePath> missing = new ArrayDeque<>();
        for (SubtreePath one = path.parent(); !one.isRoot(); one = one.parent()) {
            String folder = place.apply(one).text();
            if (to.getFileInfo(folder) != null) {
                // Whoever began it may have ended, and somebody else have made the folder.
                to.delete(draft(folder), false);
            } else {
                missing.push(one);
            }
        }
        for (SubtreePath one : missing) {
            make(one.text(), place.apply(one).text());
        }
    }

    private void make(String original, String folder) throws IOException {
        FileStatus found = from.getFileStatus(new Path(original));
        TreeNodeAttributes.Builder wanted = HdfsAccess.like(found);
        if (found.hasAcl()) {
            wanted.acl(HdfsTree.acl(from.getClient().getNamenode(), original));
        }
        String draft = draft(folder);
        access.mkdirIfMissing(draft, traits.apply(wanted.build()));
        try {
            to.rename2(draft, folder, Options.Rename.NONE);
        } catch (RemoteException e) {
            if (!e.getClassName().equals(FileAlreadyExistsException.class.getName())) {
                throw e;
            }
            to.delete(draft, false);
        }
    }

    /** Removes the draft of a process that ended. */
    public void deleteDrafts(SubtreePath path) throws IOException {
        for (SubtreePath one = path.parent(); !one.isRoot(); one = one.parent()) {
            to.delete(draft(one.text()), false);
        }
    }

    /** The name under which a folder is created before it gets its place. */
    public static String draft(String folder) {
        return SealMark.replacement(folder);
    }
}
