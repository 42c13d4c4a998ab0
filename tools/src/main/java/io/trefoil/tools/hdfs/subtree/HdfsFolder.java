/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.hdfs.subtree;

import io.trefoil.tools.hdfs.tree.HdfsTree;
import io.trefoil.tools.subtree.model.SubtreeSize;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * The folder of a subtree in one nameservice: its size, quotas and snapshots, by calls that may be repeated, and only with the lock of moves.
 *
 * <p>Uses {@code DFSClient.getNamenode}.
 */
final class HdfsFolder {

    /** The quota that the folder itself uses up, as in a seal. */
    static final long NO_ROOM = 1;

    /** A quota that refuses nothing. */
    static final long ANY_ROOM = HdfsConstants.QUOTA_DONT_SET - 1;

    /** Nobody but superusers may do anything in a folder with these bits. */
    static final FsPermission CLOSED = new FsPermission((short) 0);

    private final DistributedFileSystem fileSystem;
    private final Path path;
    private final HeldLock lock;

    HdfsFolder(DistributedFileSystem fileSystem, String path, HeldLock lock) {
        this.fileSystem = fileSystem;
        this.path = new Path(path);
        this.lock = lock;
    }

    SubtreeSize size() throws IOException {
        return size(fileSystem, path);
    }

    static SubtreeSize size(DistributedFileSystem fileSystem, Path path) throws IOException {
        ContentSummary summary = fileSystem.getContentSummary(path);
        long blockBytes = fileSystem.getServerDefaults(path).getBlockSize();
        return SubtreeSize.builder()
                .files(summary.getFileCount())
                .folders(summary.getDirectoryCount())
                .bytes(summary.getLength())
                .bytesOnDisks(summary.getSpaceConsumed())
                .blocks(summary.getFileCount() + summary.getLength() / blockBytes)
                .build();
    }

    boolean isThere() throws IOException {
        return fileSystem.exists(path);
    }

    FileStatus status() throws IOException {
        return fileSystem.getFileStatus(path);
    }

    boolean hasSnapshot(String name) throws IOException {
        return fileSystem.exists(snapshot(name));
    }

    Path snapshot(String name) {
        return new Path(path, HdfsConstants.DOT_SNAPSHOT_DIR + "/" + name);
    }

    /** Returns false if it was there before. */
    boolean makeSnapshot(String name) throws IOException {
        if (hasSnapshot(name)) {
            return false;
        }
        lock.require();
        fileSystem.allowSnapshot(path);
        fileSystem.createSnapshot(path, name);
        return true;
    }

    /** Deletes snapshots, and forbids more if that were all. */
    void deleteSnapshots(String... names) throws IOException {
        if (!status().isSnapshotEnabled()) {
            return;
        }
        for (String name : names) {
            if (hasSnapshot(name)) {
                lock.require();
                fileSystem.deleteSnapshot(path, name);
            }
        }
        if (fileSystem.listStatus(new Path(path, HdfsConstants.DOT_SNAPSHOT_DIR)).length == 0) {
            lock.require();
            fileSystem.disallowSnapshot(path);
        }
    }

    void setQuotas(long names, long bytes) throws IOException {
        lock.require();
        fileSystem.setQuota(path, names, bytes);
    }

    /** HDFS counts everything below a folder when this gets its first quota; that is to be over when the pause begins. */
    void prepareQuotas() throws IOException {
        QuotaUsage now = fileSystem.getQuotaUsage(path);
        if (now.getQuota() < 0 && now.getSpaceQuota() < 0) {
            setQuotas(ANY_ROOM, HdfsConstants.QUOTA_DONT_SET);
        }
    }

    void setOwner(String owner, String group) throws IOException {
        Path now = byNumber();
        lock.require();
        fileSystem.setOwner(now, owner, group);
    }

    void setPermission(FsPermission permission) throws IOException {
        Path now = byNumber();
        lock.require();
        fileSystem.setPermission(now, permission);
    }

    /**
     * The folder that is there now, and none that is made in its place later: for calls that may arrive when another process has the lock.
     * Whoever asks for the lock does so afterwards. HDFS takes no numbers for quotas and snapshots.
     */
    private Path byNumber() throws IOException {
        HdfsFileStatus now = fileSystem.getClient().getNamenode().getFileInfo(path.toString());
        if (now == null) {
            throw new FileNotFoundException("There is no " + fileSystem.getUri() + path);
        }
        return new Path(HdfsTree.byNumber(now.getFileId()));
    }

    /** Whether the quota of names is one that moves set. */
    boolean hasQuotaOfMove() throws IOException {
        long names = fileSystem.getQuotaUsage(path).getQuota();
        return names == NO_ROOM || names == ANY_ROOM;
    }

    /** Whether nobody but superusers may make anything in it. */
    boolean hasNoRoom() throws IOException {
        return fileSystem.getQuotaUsage(path).getQuota() == NO_ROOM;
    }

    boolean isClosed() throws IOException {
        return status().getPermission().toShort() == CLOSED.toShort();
    }

    void deleteContents() throws IOException {
        for (FileStatus one : fileSystem.listStatus(path)) {
            Path child = new Path(HdfsTree.byNumber(((HdfsFileStatus) one).getFileId()));
            lock.require();
            try {
                // What is there by this name when the call arrives may be another one.
                fileSystem.delete(child, true);
            } catch (FileNotFoundException e) {
                if (fileSystem.exists(one.getPath())) {
                    throw e;
                }
            }
        }
    }
}
