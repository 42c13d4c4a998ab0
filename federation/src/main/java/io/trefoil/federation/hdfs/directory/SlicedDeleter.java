/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.directory;

import io.trefoil.federation.hdfs.tree.HdfsTree;
import io.trefoil.federation.table.TableStore.Permit;
import java.io.IOException;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.ipc.RemoteException;

/**
 * Deletes the content of a directory in calls that each delete a bounded number of files and directories, because a NameNode answers no
 * other call meanwhile: bottom-up where a directory has more, and the files of a large directory one by one.
 */
public final class SlicedDeleter {

    /** The number of files and directories that a NameNode deletes in some tens of milliseconds. */
    public static final long SLICE = 10_000;

    /** The number of slices after which extra work is done. The extra work may affect everything left. */
    private static final long MAX_SLICES = 50;

    private final ClientProtocol nameNode;
    private final Permit permit;
    private final AfterSlice afterSlice;
    private final long total;
    private final long slice;
    private long deleted;

    /** The action after each deleted slice. */
    public interface AfterSlice {
        void run() throws IOException;
    }

    /**
     * @param nameNode asks for a permit before each call that changes something
     * @param permit asked after each check: if another process continues by now, what was seen may belong to clients
     * @param total how many there are
     * @param minimum of a slice
     */
    public SlicedDeleter(ClientProtocol nameNode, Permit permit, AfterSlice afterSlice, long total, long minimum) {
        this.nameNode = nameNode;
        this.permit = permit;
        this.afterSlice = afterSlice;
        this.total = total;
        this.slice = Math.max(minimum, total / MAX_SLICES);
    }

    /** @param directory its path, or its number */
    public void deleteContents(String directory) throws IOException {
        byte[] after = HdfsFileStatus.EMPTY_NAME;
        DirectoryListing page;
        do {
            page = nameNode.getListing(directory, after, false);
            if (page == null) {
                return;
            }
            permit.requirePermitted();
            for (HdfsFileStatus status : page.getPartialListing()) {
                // What is there by this name when the call arrives may be another one.
                String number = HdfsTree.inodePath(status.getFileId());
                long size = total > slice && status.isDirectory() ? size(number) : 1;
                if (size > slice) {
                    deleteContents(number);
                    size = 1;
                }
                delete(number, directory, status);
                count(size);
            }
            after = page.getLastName();
        } while (page.hasMore());
    }

    private void count(long size) throws IOException {
        deleted += size;
        if (deleted >= slice) {
            deleted = 0;
            afterSlice.run();
        }
    }

    private long size(String number) throws IOException {
        try {
            // It yields its lock every few thousand.
            ContentSummary sum = nameNode.getContentSummary(number);
            return sum.getFileCount() + sum.getDirectoryCount();
        } catch (RemoteException e) {
            if (!HdfsTree.isDeletedInode(e)) {
                throw e;
            }
            return 1;
        }
    }

    private void delete(String number, String directory, HdfsFileStatus status) throws IOException {
        try {
            nameNode.delete(number, true);
        } catch (RemoteException e) {
            if (!HdfsTree.isDeletedInode(e) || nameNode.getFileInfo(directory + "/" + status.getLocalName()) != null) {
                throw e;
            }
        }
    }
}
